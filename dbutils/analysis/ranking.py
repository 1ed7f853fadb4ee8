"""The ten best and ten worst varieties of a task (Table 21)."""

from dbutils import registry
from dbutils.analysis.gap import rows_of
from dbutils.scores import cells

SIDES = ("highest", "lowest")


def extremes(scores, task, model="mbert", count=10, own=None, partial=False):
    """The `count` best and worst varieties of a task by the zero-shot score of one model.

    Only clusters with a representative for the task (Table 9). own: as in `gap.rows_of`; partial cells are ranked only if
    asked. Returns {side: list of cells}, the best first for `highest`, the worst first for `lowest`. Source: protocol, section 6.
    """
    known = registry.load()
    rows = cells.whole(rows_of(scores, task, model, registry.facts(task).ranking, own=own), partial)
    rows = rows[rows.cluster.isin(known.representatives(task))]
    ranked = list(rows.sort_values("value", ascending=False, kind="stable").itertuples())
    return {"highest": ranked[:count], "lowest": ranked[::-1][:count]}


def place(side, row, column, ranked):
    """The score row printed at row 1-5, column 1-2 of a side.

    The left column holds ranks 1-5, the right one 6-10; the lowest side prints each column best first.
    """
    five = ranked[5 * (column - 1) : 5 * column]
    if side == "lowest":
        five = five[::-1]
    return five[row - 1] if row <= len(five) else None
