"""The reproduction report: how many printed cells reproduce, which do not and why, and what was found on the way."""

from collections import Counter

from dbutils import names
from dbutils.analysis import audit as audits
from dbutils.report.tables import heading
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import raw_upstream

MEANING = {
    "reproduced": "equal at the printed precision",
    "mislabelled": "another quantity than the heading says, to which it is equal",
    "differs": "neither equal nor explained by a wrong heading",
    "unverifiable": "no raw result was published",
}
VERB = {"differs": "differ"}
NOTHING = (
    "These scores do not hold the authors' raw results of every task, so there is nothing to compare the print with:"
    ' choose `scores="upstream"`.'
)


def audit(rows):
    """Every printed cell beside its recomputation: a list of Cell, for the views below.

    Empty if the raw results of a task are lacking: what is lacking would look as if it had never been published.
    """
    have = set(rows[rows.origin == "upstream"].task)
    return audits.audit(rows) if set(raw_upstream().task) <= have else []


def verdict(cells):
    """A paragraph: how many cells have each status."""
    if not cells:
        return paragraph(NOTHING)
    found = Counter(cell.status for cell in cells)
    parts = [
        f"**{found[s]:,}** ({number(100 * found[s] / len(cells))} %) {VERB.get(s, f'are {s}')} ({MEANING[s]})"
        for s in audits.STATUSES
    ]
    return paragraph(
        f"Of {len(cells):,} printed cells and statements of the running text {'; '.join(parts)}.",
        "A status comes from comparing the two numbers; nothing is declared reproduced by hand.",
    )


def per_table(cells):
    """A table: cells of each status per table of the paper, and for the running text."""
    if not cells:
        return paragraph(NOTHING)
    lines = [
        ["running text" if name == "text" else f"Table {name}", sum(of.values()), *(of[s] for s in audits.STATUSES)]
        for name, of in audits.counts(cells).items()
    ]
    totals = Counter(cell.status for cell in cells)
    lines.append(["all", len(cells), *(totals[s] for s in audits.STATUSES)])
    headings = ["where", "cells", *audits.STATUSES]
    return listing(headings, lines, "Printed cells by what became of them.", "tab-audit", headings[1:])


def reasons(cells):
    """A table: the reasons of the cells that are not simply reproduced, with the number of cells and the tables."""
    if not cells:
        return paragraph(NOTHING)
    groups = {}
    for cell in cells:
        if cell.reason:
            groups.setdefault((cell.status, cell.reason, audits.evidence(cell)), []).append(cell.table)
    lines = [
        [reason, status, len(tables), ", ".join(dict.fromkeys(tables)), proof]
        for (status, reason, proof), tables in sorted(
            groups.items(), key=lambda g: (audits.STATUSES.index(g[0][0]), -len(g[1]))
        )
    ]
    if not lines:
        return paragraph("With these scores no cell needs a reason.")
    caption = (
        "Why cells are not simply reproduced, and the evidence for what was written by hand. Equal by chance: the number is right"
        " although the column holds another quantity."
    )
    return listing(
        ["reason", "status", "cells", "tables", "evidence"],
        lines,
        caption,
        "tab-audit-reasons",
        ["cells"],
        filterable=True,
    )


def listed(cells, status):
    """A table: all cells of one status, printed and recomputed, with the reason."""
    of = [cell for cell in cells if cell.status == status]
    if not of:
        return paragraph(f"With these scores no cell has the status {status}.")
    lines = [[c.row, _place(c), heading(c.column), c.printed, c.recomputed, c.reason] for c in of]
    caption = f"{names.counted(len(of), 'cell')} with the status {status}: {MEANING[status]}."
    return listing(
        ["row", "where", "column", "printed", "recomputed", "reason"],
        lines,
        caption,
        f"tab-audit-{status}",
        filterable=True,
    )


def _place(cell):
    return "text" if cell.table == "text" else f"Table {cell.table}"
