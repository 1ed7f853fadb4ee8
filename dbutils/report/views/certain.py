"""Headline quantities with intervals: averages of gaps, utilities, base models, and the ends of the ranking."""

from dbutils import TASKS, names, registry
from dbutils.analysis import comparison, uncertainty
from dbutils.analysis.gap import of_table4, rows_of
from dbutils.analysis.maximum import candidates
from dbutils.analysis.tables.summaries import best_scores
from dbutils.errors import InputError
from dbutils.metrics.intervals import FEW
from dbutils.report.views.gaps import model_of
from dbutils.report.views.view import between, listing, number, paragraph
from dbutils.scores import cells

WHAT = "Intervals of 95 %: how far other test examples and other {} would move the number (see: How sure can one be?)."


def average_gaps(rows):
    """A table: Table 4's averages over clusters with their intervals."""
    lines = []
    for task in of_table4():
        try:
            model = model_of(task, rows, "mbert")
            own = False if len(cells.published(rows, task=task, model=model)) else None
            found = uncertainty.averages_of_gaps(rows, task, model, own)
        except InputError:
            continue
        name = registry.load().tasks.at[task, "name"]
        lines += [[name, v.symbol, between(g, low, high), str(n)] for v, (g, low, high, n) in found.items()]
    if not lines:
        return paragraph("These scores hold no task of Table 4, both zero-shot and fine-tuned.")
    caption = f"The averages of Table 4 with intervals. {WHAT.format('clusters and varieties')}"
    return listing(["task", "gap", "average", "clusters"], lines, caption, "tab-gap-certainty", ["average", "clusters"])


def utilities(rows):
    """A table: utilities and Gini coefficient of the clusters that have enough varieties for an interval, in all tasks."""
    lines = []
    for task in TASKS:
        if candidates(rows, task).empty:
            continue
        table = uncertainty.utilities(best_scores(rows, task), as_printed=False)
        name = registry.load().tasks.at[task, "name"]
        for u in table[table.linguistic_low.notna()].itertuples():
            lines.append(
                [
                    name,
                    u.cluster,
                    str(u.varieties),
                    between(u.linguistic_utility, u.linguistic_low, u.linguistic_high),
                    between(u.demographic_utility, u.demographic_low, u.demographic_high),
                    _two(u.gini, u.gini_low, u.gini_high),
                ]
            )
    if not lines:
        return paragraph(
            f"No cluster of these scores has {FEW} varieties whose scores can be drawn anew: too few to tell."
        )
    headings = ["task", "cluster", "varieties", "linguistic", "demographic", "Gini"]
    caption = (
        f"Utilities with intervals, of the clusters with at least {FEW} varieties; of fewer they are too few to tell."
    )
    return listing(
        headings, lines, f"{caption} {WHAT.format('varieties')}", "tab-utility-certainty", headings[2:], filterable=True
    )


def _two(value, low, high):
    return number(value, 2) + (f" ({number(low, 2)}–{number(high, 2)})" if number(low, 2) else "")


def base_models(rows):
    """A table: the two encoders on the varieties that both have, with the interval of their difference, and tasks won."""
    found, wins = uncertainty.models(rows)
    if not found:
        return paragraph("These scores hold no task with both encoders.")
    first, second = (names.model(model) for model in comparison.MODELS)
    lines = []
    for r in found:
        sides = (r["models"][model] for model in comparison.MODELS)
        lines.append(
            [
                registry.load().tasks.at[r["task"], "name"],
                names.setting(comparison.stages(r["task"])[r["stage"]]),
                str(r["varieties"]),
                *(between(side["mean"], side["low"], side["high"]) for side in sides),
                between(r["difference"], r["difference_low"], r["difference_high"]),
            ]
        )
    for stage, what in ((0, "zero-shot"), (1, "fine-tuned")):
        have = [wins[model, stage] for model in comparison.MODELS if (model, stage) in wins]
        if have:
            won = [f"{n} ({low}–{high})" if low is not None else str(n) for n, low, high, _ in have]
            lines.append(["tasks won", what, f"{have[0][3]} tasks", *won, ""])
    headings = ["task", "setting", "varieties", first, second, f"{first} minus {second}"]
    caption = f"The two encoders on the varieties that both have a score for. {WHAT.format('varieties')}"
    return listing(headings, lines, caption, "tab-model-certainty", headings[2:])


def ends(rows):
    """A table: the best and the worst variety of each task of Table 21, with the ranks that they may have."""
    lines = []
    for task, facts in registry.TASK_FACTS.items():
        setting = facts.ranking
        if not setting:
            continue
        try:
            model = model_of(task, rows, "mbert")
            found = cells.whole(rows_of(rows, task, model, setting))
        except InputError:
            continue
        table = uncertainty.ranks(found[found.cluster.isin(registry.load().representatives(task))])
        if table.empty:
            continue
        best, worst, n = table.iloc[0], table.iloc[-1], len(table)
        lines.append(
            [
                registry.load().tasks.at[task, "name"],
                names.setting(setting),
                best.variety,
                _ranks(best),
                worst.variety,
                _ranks(worst),
                str(n),
                number(100 * ((table.rank_low == 1).sum() / n)),
            ]
        )
    if not lines:
        return paragraph("These scores hold no task of Table 21.")
    headings = ["task", "setting", "best", "ranks", "worst", "its ranks", "varieties", "may be best, %"]
    caption = (
        "Which ranks the best and the worst variety may have (1: the best), and the share of varieties that may be the best: "
        "with 95 % probability all ranks of a task lie in their intervals at once; test examples are drawn anew, varieties are not."
    )
    return listing(headings, lines, caption, "tab-rank-certainty", ["varieties", "may be best, %"])


def _ranks(row):
    return f"{row.rank_low:.0f}–{row.rank_high:.0f}" if row.rank_low == row.rank_low else ""
