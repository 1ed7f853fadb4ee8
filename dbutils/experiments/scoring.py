"""From per-example statistics to score rows with intervals."""

import numpy as np

from dbutils import registry, sandbox
from dbutils.experiments import predictions
from dbutils.metrics import intervals
from dbutils.metrics.labels import of_label

SEED = 0  # of the bootstrap: intervals depend on the predictions alone


def unanswered(notes, examples):
    """What must stand beside a score of answers where more than a fifth of them are none, else ""; begins with a semicolon.

    notes: of a test, as its manifest has them. examples: how many were asked.
    """
    none = notes.get("no answer", 0) or notes.get("empty", 0)
    if 5 * none <= examples:
        return ""
    text = f"; {none} answers are none, so it may say more of their form than of the model"
    if notes.get("nothing after the thoughts"):
        text += "; thoughts took all the room of some: raise --set max_new_tokens"
    return text


def measures(task, labels, test, statistics):
    """What is measured of a test: [(code, cluster, variety, Metric, name of its statistics, n)].

    task: a Task record; labels: of the training; statistics: {metric name: array (n, k)}. In dialect
    identification there are rows for every label besides those of the whole set.
    """
    metrics = task.metrics(labels)
    n = len(statistics[metrics[0].name])
    out = [(test.code, test.cluster, test.variety, metric, metric.name, n) for metric in metrics]
    if task.code != "did":
        return out
    macro = next(metric for metric in metrics if metric.name == "f1")
    sums = statistics["f1"].sum(axis=0).reshape(3, len(labels)) if n else np.zeros((3, len(labels)))
    for place, label in enumerate(labels):
        cluster, variety = label_key(test.part, label)
        for metric in of_label(macro, place, len(labels)):
            code = f"{test.code}:{label}"
            out.append((code, cluster, variety, metric, "f1", int(sums[0, place])))
    return out


def label_key(part, label):
    """(cluster, variety) of a label of dialect identification, ("", "") if it is none of the benchmark."""
    if part.corpus == sandbox.CORPUS:
        variety = sandbox.variety(label)
        return variety.cluster, variety.name
    variety = registry.load().coded("did", f"{part.code}:{label}")
    return variety.key if variety else ("", "")


def rows(task, labels, test, table, common):
    """Score rows (dicts) of a test from its table of predictions. common: the cells equal in all rows."""
    statistics = {metric.name: predictions.statistics(table, metric.name) for metric in task.metrics(labels)}
    return rows_from(task, labels, test, statistics, predictions.groups(table), common)


def rows_from(task, labels, test, statistics, groups, common):
    """The same from {metric name: array (n, k)} and the groups that belong together (None: example by example).

    What has no example (an empty test set, a label of dialect identification that does not occur) has no row.
    """
    found = [one for one in measures(task, labels, test, statistics) if one[-1]]
    numbers = [intervals.interval(metric, statistics[name], groups, SEED) for *_, metric, name, _ in found]
    return [
        dict(
            common,
            corpus=test.part.corpus,
            cluster=cluster,
            variety=variety,
            code=code,
            split=test.role,
            metric=metric.name,
            value=value,
            n=n,
            low=low,
            high=high,
        )
        for (code, cluster, variety, metric, _, n), (value, low, high) in zip(found, numbers, strict=True)
    ]
