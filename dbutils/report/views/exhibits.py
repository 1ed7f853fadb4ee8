"""The paper's tables and figures, recomputed from score rows.

Each has its place and label in the book whatever the scores hold: where they cannot fill it, it says why.
"""

import json

from dbutils.errors import InputError
from dbutils.report.markup import html_text, md, slug
from dbutils.report.views.view import View, listing, paragraph

PLOTLY = "application/vnd.plotly.v1+json"


def table(number, rows):
    """Table `number` of the paper, labelled `tab-<number>`; in the book a variety leads to the page of its cluster."""
    from dbutils.analysis import tables
    from dbutils.report import tables as shown

    try:
        found = tables.table(number, rows)
    except InputError as error:
        return _lacking(number, str(error))
    left = found.told.sentence if found.told else ""
    myst = shown.myst(found, links={key: f"#cluster-{slug(key[0])}" for key in found.keys if key})
    return View(
        {
            "text/markdown": f"{myst}\n{md(left)}\n" if left else myst,
            "text/html": shown.html_table(found) + (f"<p>{html_text(left)}</p>" if left else ""),
            "text/plain": shown.plain_table(found) + (f"\n{left}" if left else ""),
        },
        lambda: found.frame,
    )


def _lacking(number, reason):
    caption = f"The paper's Table {number} cannot be computed from these scores."
    return listing(["reason"], [[_reason(reason)]], caption, f"tab-{number}")


def _reason(error):
    text = str(error).rstrip(".")
    return f"Reason: {text}."


def figure(number, rows):
    """Figure or panel `number` of the paper (or `world`, `europe`), labelled `fig-<number>`."""
    from dbutils.report import figures

    record = figures.record(number)
    return picture(f"fig-{number}", record, rows)


def utility_figure(rows):
    """The figure of utilities across tasks, labelled `fig-utilities`."""
    from dbutils.report.views import overview

    return picture("fig-utilities", overview, rows)


def picture(name, record, rows):
    """A labelled figure. record: has draw, alt, caption and frame, functions of the rows, as a PaperFigure has them."""
    try:
        alt, caption, svg = record.alt(rows), record.caption(rows), _svg(record.draw, rows)
    except InputError as error:
        alt = f"No figure: {_reason(error)}"
        svg, caption = _blank(), f"This figure cannot be drawn from these scores. {_reason(error)}"
    markdown = f":::{{figure}} figures/{name}.svg\n:name: {name}\n:alt: {' '.join(alt.split())}\n\n{md(caption)}\n:::"
    html = f'<figure><img alt="{html_text(alt)}" src="{_inline(svg)}"><figcaption>{html_text(caption)}</figcaption></figure>'
    data = {"text/markdown": markdown, "image/svg+xml": svg, "text/html": html, "text/plain": f"{caption}\n{alt}"}
    return View(data, lambda: record.frame(rows))


def _svg(draw, rows):
    from dbutils.report.figures import content

    return content(draw(rows), "svg").decode("utf-8")


def _blank():
    from dbutils.report import style

    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="60" viewBox="0 0 480 60">'
        f'<rect width="480" height="60" fill="{style.PAPER}"/><text x="240" y="35" text-anchor="middle" font-family="sans-serif"'
        f' font-size="14" fill="{style.MUTED}">no scores for this figure</text></svg>'
    )


def _inline(svg):
    import base64

    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8")).decode("ascii")


def interactive(number, rows):
    """The interactive version of a figure: what a point stands for is shown under the pointer.

    The script is data for book/_static/figures.js, which draws it in the book; JupyterLab draws `PLOTLY`.
    """
    from dbutils.report import figures

    record = figures.record(number)
    try:
        drawn, alt = record.interactive(rows), record.alt(rows)
    except InputError as error:
        return paragraph(f"No interactive figure: {error}.")
    if drawn is None:
        return paragraph("This figure has no interactive version.")
    plain = drawn.to_json()
    content = plain.replace("<", "\\u003c")
    html = f'<div class="interactive-figure" aria-label="{html_text(alt)}"><script type="application/json">{content}</script></div>'
    data = {PLOTLY: json.loads(plain), "text/html": html, "text/plain": f"Interactive version of figure {number}."}
    return View(data, lambda: record.frame(rows))
