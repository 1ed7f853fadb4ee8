"""The maximum obtainable score of a task, in a paragraph."""

from collections import Counter

from dbutils import names, registry
from dbutils.analysis.maximum import candidates
from dbutils.analysis.tables.summaries import best_scores
from dbutils.report.views.view import number, paragraph


def best(task, rows):
    """Mean, highest and lowest of the best scores of a task, and how often each model and setting gives the best."""
    base = task.partition("-")[0]
    if candidates(rows, base).empty:
        return paragraph("These scores hold none of this task, so no variety has a best score.")
    table = best_scores(rows, task)
    high, low = table.loc[table.value.idxmax()], table.loc[table.value.idxmin()]
    settings = Counter(table.setting)
    models = Counter(table.model)
    return paragraph(
        f"The best score of a variety is taken over {registry.facts(base).maximum.sentence}.",
        f"Over {names.counted(len(table), 'variety', 'varieties')} it is {number(table.value.mean())} on average: highest for"
        f" {high.variety} ({number(high.value)}), lowest for {low.variety} ({number(low.value)}).",
        f"It comes from {_times(models, names.model)}"
        + (f"; settings: {_times(settings, names.setting)}." if len(settings) > 1 else "."),
    )


def _times(counter, name):
    return names.listed(f"{name(key)} ({n})" for key, n in counter.most_common())
