"""Base models side by side: the averages of Table 5 and who wins."""

import math

from dbutils.analysis.rounding import half_even
from dbutils.scores import cells, flags

# setting of the zero-shot and of the fine-tuned columns of each task; metric
COLUMNS = {
    "dep": ("zero_shot", "in_variety", "uas"),
    "pos": ("zero_shot", "in_variety", "f1"),
    "ner": ("zero_shot", "in_cluster", "f1"),
    "nli": ("zero_shot", None, "f1"),
    "tc": ("zero_shot", "in_cluster", "f1"),
    "mrc": (None, "combined", "f1"),
    "eqa": ("zero_shot", "combined", "f1"),
    "sa": (None, "in_cluster", "accuracy"),
    "did": (None, "in_cluster", "f1"),
}
MODELS = ("mbert", "xlmr")
# tasks whose four columns are over the varieties with a fine-tuned score only
SAME_ROWS = {"dep", "pos", "ner"}


def asked(task, models=MODELS):
    """What Table 5 looks for among the score rows of a task, as the arguments of `cells.cells`."""
    zero, tuned, metric = COLUMNS[task]
    settings = tuple(setting for setting in (zero, tuned) if setting)
    return dict(task=task, metric=metric, split="test", setting=settings, model=tuple(models))


def compared(scores, task, models=MODELS, printed_rows=None):
    """The cells that Table 5 averages of a task; of a published model only the published ones.

    printed_rows: keys (cluster, variety) to average over (None: all with a score).
    """
    zero, tuned, metric = COLUMNS[task]
    found = cells.published_first(cells.cells(scores, **asked(task, models)))
    if printed_rows is not None:
        found = found.loc[[k in printed_rows for k in zip(found.cluster, found.variety)]]
    if task in SAME_ROWS:
        kept = found[found.setting == tuned]
        have = set(zip(kept.cluster, kept.variety))
        found = found.loc[[k in have for k in zip(found.cluster, found.variety)]]
    return cells.whole(found)


def averages(scores, task, models=MODELS, printed_rows=None):
    """Unweighted mean over varieties per (model, stage), stage 0 zero-shot and 1 fine-tuned; nan if not run.

    printed_rows: as in `compared`. Source: protocol, section 6, "Table 5".
    """
    return means(compared(scores, task, models, printed_rows), task, models)


def means(found, task, models=MODELS):
    """The same of the cells of `compared`."""
    zero, tuned, _ = COLUMNS[task]
    out = {}
    for stage, setting in enumerate((zero, tuned)):
        for model in models:
            values = found[(found.setting == setting) & (found.model == model)].value if setting else []
            out[model, stage] = float(values.mean()) if len(values) else math.nan
    return out


def faults(found, task, model, stage):
    """The flags of the scores behind one mean, of the cells of `compared`."""
    setting = COLUMNS[task][stage]
    return flags.together(*found["flags"][(found.setting == setting) & (found.model == model)])


def wins(table, models=MODELS):
    """Per (model, stage): how many tasks the model wins, and of how many; ties count for nobody.

    table: {task: averages}. Compared after rounding to one decimal, as the printed row counts.
    """
    out = {}
    for stage in (0, 1):
        contests = []
        for means_ in table.values():
            values = {m: half_even(means_[m, stage], 1) for m in models}
            if not any(math.isnan(v) for v in values.values()):
                contests.append(values)
        for model in models:
            won = sum(all(v[model] > v[m] for m in models if m != model) for v in contests)
            out[model, stage] = (won, len(contests))
    return out


def printed_keys(task):
    """The varieties of the task's result table in the paper."""
    from dbutils.scores import SCORE_TABLES

    number = {"eqa": 15}.get(task) or next(t.number for t in SCORE_TABLES.values() if t.task == task)
    table = SCORE_TABLES[number].printed()
    return set(zip(table.cluster_norm, table.variety_norm))
