"""The maximum obtainable score m(v): the best score of a variety over models and settings.

Source: paper, section 4.1; what it is taken over per task: protocol, section 6.
"""

from dbutils import names
from dbutils.registry import facts
from dbutils.scores import cells
from dbutils.scores.flags import LEAST_PREDICTIONS


def asked(task, model=""):
    """What the maximum of a task looks for among the score rows, as the arguments of `cells.cells`."""
    m = facts(task).maximum
    return dict(task=task, metric=m.metrics, split=m.split, model=model or None)


def candidates(scores, task, choice=cells.ALL):
    """The cells that the maximum of a task is taken over: the paper's models, and every run of one's own.

    task: for translation also with its level. choice: with a model, only that one, published or own; partial cells take
    part only if it says so.
    """
    m = facts(task).maximum
    found = cells.cells(scores, **asked(task, choice.model))
    if not choice.model:
        found = found[(found.setting.isin(m.settings) & found.model.isin(m.models)) | found.own]
    return cells.whole(found, choice.partial)


def maxima(scores, task, few=True, choice=cells.ALL):
    """m(v) of every variety of a task.

    Returns a table cluster, variety, code, value, low, high, n, model, setting, metric, origin, run, partial, flags, rows:
    the best cell of each variety, in the order of first appearance; rows: the labels of the score rows that it was the
    best of. `task` is a task code, for translation also `mt-dialect` or `mt-region`. `few`: False leaves
    out the labels of dialect identification that mBERT hardly ever predicts (flag few-predictions), as Table 3 does.
    """
    found = candidates(scores, task, choice)
    if not few and task == "did" and len(found):
        of = cells.published(scores, task=task, model="mbert", metric="f1")
        hardly = set(of.code[["few-predictions" in flags for flags in of["flags"]]])
        found = found[~found.code.isin(hardly)]
    grouped = found.groupby(["cluster", "variety"], sort=False)
    best = found.loc[grouped["value"].idxmax()]
    behind = grouped["rows"].agg(lambda rows: tuple(label for labels in rows for label in labels))
    columns = [
        "cluster",
        "variety",
        "code",
        "value",
        "low",
        "high",
        "n",
        "model",
        "setting",
        "metric",
        "origin",
        "run",
        "partial",
        "flags",
    ]
    return best[columns].reset_index(drop=True).assign(rows=behind.to_list())


def hardly_tried(scores, task, best, choice=cells.ALL):
    """Sentences on what the summaries leave out of dialect identification: which labels, and what they would change.

    best: the maxima that the summaries show. Returns a list, empty for other tasks and where nothing is left out.
    """
    if task != "did":
        return []
    whole = maxima(scores, task, True, choice)
    out = whole[~whole.code.isin(best.code)]
    if out.empty:
        return []
    labels = names.listed(f"{r.code} ({r.value:.1f})" for r in out.itertuples())
    lines = [f"left out, since mBERT predicts them fewer than {LEAST_PREDICTIONS} times: {labels}"]
    for cluster in dict.fromkeys(out.cluster):
        values = [part[part.cluster == cluster].value for part in (best, whole)]
        shown = f"{values[0].mean():.1f}" if len(values[0]) else "none"
        lines.append(f"linguistic utility of {cluster}: {shown} without them, {values[1].mean():.1f} with them")
    return lines
