"""Base models side by side: the averages of Table 5 and who wins."""

import math

from dbutils.analysis.rounding import half_even
from dbutils.registry import TASK_FACTS
from dbutils.scores import cells, flags

MODELS = ("mbert", "xlmr")


def tasks():
    """The tasks of Table 5."""
    return tuple(code for code, task in TASK_FACTS.items() if task.comparison)


def stages(task):
    """(setting of the zero-shot columns, of the fine-tuned ones) of a task, None for one that the table leaves empty."""
    found = TASK_FACTS[task].comparison
    return found.zero_shot, found.fine_tuned


def asked(task, models=MODELS):
    """What Table 5 looks for among the score rows of a task, as the arguments of `cells.cells`."""
    settings = tuple(setting for setting in stages(task) if setting)
    return dict(
        task=task, metric=TASK_FACTS[task].comparison.metric, split="test", setting=settings, model=tuple(models)
    )


def compared(scores, task, models=MODELS, printed_rows=None):
    """The cells that Table 5 averages of a task; of a published model only the published ones.

    printed_rows: keys (cluster, variety) to average over (None: all with a score).
    """
    found = cells.published_first(cells.cells(scores, **asked(task, models)))
    if printed_rows is not None:
        found = found.loc[[k in printed_rows for k in zip(found.cluster, found.variety)]]
    comparison = TASK_FACTS[task].comparison
    if comparison.same_rows:
        kept = found[found.setting == comparison.fine_tuned]
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
    out = {}
    for stage, setting in enumerate(stages(task)):
        for model in models:
            values = found[(found.setting == setting) & (found.model == model)].value if setting else []
            out[model, stage] = float(values.mean()) if len(values) else math.nan
    return out


def faults(found, task, model, stage):
    """The flags of the scores behind one mean, of the cells of `compared`."""
    setting = stages(task)[stage]
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

    table = SCORE_TABLES[TASK_FACTS[task].comparison.table].printed()
    return set(zip(table.cluster_norm, table.variety_norm))
