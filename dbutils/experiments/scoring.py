"""From per-example statistics to score rows with bootstrap intervals."""

import numpy as np

from dbutils import registry, sandbox
from dbutils.experiments import predictions
from dbutils.metrics import Metric, bootstrap
from dbutils.metrics.base import f1, ratio

SEED = 0  # of the bootstrap: intervals depend on the predictions alone


def intervals(values, statistics, groups=None):
    """[(value, low, high)] of several metrics on the same examples, which share their draws.

    values: functions from sums to per cent. statistics: one array (n, k) for each. groups: names of the
    clusters to draw. Equal to `bootstrap.interval` of each. A single example or cluster has no interval
    (None). ValueError where there is no example: nothing was measured.
    """
    if not len(statistics[0]):
        raise ValueError("no examples, so there is no score")
    rows = [bootstrap.grouped(s, groups) for s in statistics]
    if len(rows[0]) == 1:
        return [(float(value(table[0])), None, None) for value, table in zip(values, rows, strict=True)]
    weights = bootstrap.draws(len(rows[0]), SEED)
    out = []
    for value, table in zip(values, rows, strict=True):
        low, high = bootstrap.percentile(bootstrap.replicates(value, table, weights))
        out.append((float(value(table.sum(axis=0))), low, high))
    return out


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


def of_label(metric, place, count):
    """F1, precision and recall of one label, as Metrics on the statistics of macro F1 over `count` labels."""

    def counts(s):
        s = np.asarray(s).reshape(*np.shape(s)[:-1], 3, count)[..., place]
        return s[..., 0], s[..., 1], s[..., 2]

    def measure(function):
        def value(s):
            gold, predicted, hits = counts(s)
            return function(gold, predicted, hits)

        return value

    return (
        Metric("f1", metric.statistics, measure(lambda gold, predicted, hits: f1(hits, predicted, gold))),
        Metric("precision", metric.statistics, measure(lambda gold, predicted, hits: ratio(hits, predicted))),
        Metric("recall", metric.statistics, measure(lambda gold, predicted, hits: ratio(hits, gold))),
    )


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
    """The same from {metric name: array (n, k)} and the bootstrap's groups (None: example by example).

    What has no example (an empty test set, a label of dialect identification that does not occur) has no row.
    """
    found = [one for one in measures(task, labels, test, statistics) if one[-1]]
    if not found:
        return []
    numbers = intervals([m.value for *_, m, _, _ in found], [statistics[name] for *_, name, _ in found], groups)
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
