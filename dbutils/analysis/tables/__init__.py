"""The tables of the paper, each a pure function of score rows and the registry."""

from functools import partial

from dbutils.analysis.tables import listings, results, summaries
from dbutils.analysis.tables.base import Table, show
from dbutils.errors import InputError
from dbutils.scores import cells

TABLES = {
    1: listings.tasks,
    2: listings.settings,
    3: summaries.maxima_summary,
    4: summaries.gap_summary,
    5: summaries.base_models,
    7: listings.nli_sizes,
    8: listings.varieties,
    9: listings.representatives,
    **{n: partial(results.score_table, n) for n in range(10, 21)},
    21: summaries.extremes,
    22: summaries.reversals,
    **{n: partial(summaries.utilities, n) for n in summaries.UTILITY_TABLES},
}


def table(number, scores, choice=cells.ALL):
    """Table `number` of the paper (1-5, 7-31) from a table of score rows; `told` of it says what is not shown.

    choice: a `cells.Choice` among the rows of one's own.
    Raises InputError for another number, if the scores have nothing to show in it, or if rows of several runs could
    make one cell.
    """
    if number == 6:
        raise InputError("table 6 of the paper is its appendix's table of contents; tables are 1-5 and 7-31")
    if number not in TABLES:
        raise InputError(f"the paper has no table {number}; tables are 1-5 and 7-31")
    chosen = cells.choose(scores, choice)
    out = TABLES[number](chosen, choice)
    if out.behind:
        out.told = cells.told(scores, out.behind, out.asked, chosen)
    return out


__all__ = ["TABLES", "Table", "show", "table"]
