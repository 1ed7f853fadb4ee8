"""Base models side by side: the averages of Table 5 and who wins."""

import math

from dbutils.analysis.rounding import half_even
from dbutils.scores import benchmark

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


def averages(scores, task, models=MODELS, printed_rows=None):
    """Unweighted mean over varieties per (model, stage), stage 0 zero-shot and 1 fine-tuned; nan if not run.

    printed_rows: keys (cluster, variety) to average over (None: all with a score).
    Source: protocol, section 6, "Table 5".
    """
    rows = benchmark(scores)
    zero, tuned, metric = COLUMNS[task]
    rows = rows[(rows.task == task) & (rows.metric == metric) & (rows.split == "test")]
    keys = list(zip(rows.cluster, rows.variety))
    if printed_rows is not None:
        rows = rows.loc[[k in printed_rows for k in keys]]
    if task in SAME_ROWS:
        kept = rows[rows.setting == tuned]
        have = set(zip(kept.cluster, kept.variety))
        rows = rows.loc[[k in have for k in zip(rows.cluster, rows.variety)]]
    out = {}
    for stage, setting in enumerate((zero, tuned)):
        for model in models:
            values = rows[(rows.setting == setting) & (rows.model == model)].value if setting else []
            out[model, stage] = float(values.mean()) if len(values) else math.nan
    return out


def wins(table, models=MODELS):
    """Per (model, stage): how many tasks the model wins, and of how many; ties count for nobody.

    table: {task: averages}. Compared after rounding to one decimal, as the printed row counts.
    """
    out = {}
    for stage in (0, 1):
        contests = []
        for cells in table.values():
            values = {m: half_even(cells[m, stage], 1) for m in models}
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
