"""A finding about the published numbers, with the evidence that the authors' files and the print give for it.

The evidence is about what was published, so it does not depend on the scores that a notebook shows.
"""

import math

from dbutils import scores
from dbutils.analysis import findings as known
from dbutils.errors import unknown
from dbutils.report.markup import html_text, md
from dbutils.report.views.view import View, number, unnumbered


def finding(name, most=6, title=True):
    """One finding: what it says, what proves it, and the first `most` rows of the evidence (0: all).

    title: begin with the finding's title, and say where the whole evidence stands if there is more than is shown.
    """
    found = _of(name)
    headings, rows = evidence(found)
    shown = rows[:most] if most else rows
    more = f" The first {len(shown)} of {len(rows)} rows." if len(shown) < len(rows) else ""
    proof = f"*Concerns* {md(found.where)}. *Seen in* {md(found.seen)}.{more}"
    if title and more:
        proof += f" All of them: {{ref}}`the finding in the reproduction report <finding-{name}>`."
    table = (
        unnumbered(headings, shown, [h for h, number in zip(headings, numeric(rows)) if number]).data if rows else {}
    )
    start = f"**{md(found.title)}.** " if title else ""
    html_start = f"<b>{html_text(found.title)}.</b> " if title else ""
    return View(
        {
            "text/markdown": f"{start}{md(found.text)}\n\n{proof}\n\n{table.get('text/markdown', '')}",
            "text/html": f"<p>{html_start}{html_text(found.text)}</p>"
            f"<p><i>Concerns</i> {html_text(found.where)}. <i>Seen in</i> {html_text(found.seen)}.{more}</p>{table.get('text/html', '')}",
            "text/plain": f"{found.title}. {found.text} Concerns {found.where}. Seen in {found.seen}.{more}",
        },
        lambda: found.evidence(scores.upstream_scores()),
    )


def _of(name):
    for found in known.FINDINGS:
        if found.id == name:
            return found
    raise unknown("finding", name, [found.id for found in known.FINDINGS])


def evidence(found):
    """(headings, rows of text) of a finding's evidence from the published scores."""
    table = found.evidence(scores.upstream_scores())
    rows = [[_cell(value) for value in row] for row in table.itertuples(index=False, name=None)]
    return list(table.columns), rows


def _cell(value):
    if isinstance(value, float):
        return "" if math.isnan(value) else number(value, 2)
    return str(value)


def numeric(rows):
    """Per column whether all its filled cells are numbers."""
    return [all(_is_number(cell) for cell in column if cell) for column in zip(*rows)]


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True
