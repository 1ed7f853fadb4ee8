"""What hand-written pages take from data: Tables 1 (tasks) and 2 (settings), a picture, the numbers in their prose."""

import json

from dbutils.report.markup import md
from dbutils.report.numbers import NUMBERS, count, number, published
from dbutils.report.tables import directive, flagged, myst
from dbutils.scores import flags

INCLUDED = (1, 2)
# drawn by the notebook `varieties`; the landing page shows it as well
PICTURE = "executed/figures/varieties/fig-world.svg"


def fragments():
    """{`tab-N.md`: the table as a labelled directive; `picture.md`: the map of the world; `marks.md`: what the signs mean}."""
    from dbutils.report.figures import FIGURES

    alt = " ".join(FIGURES["world"].alt(published().scores).split())
    picture = f"```{{figure}} {PICTURE}\n:alt: {alt}\n```\n"
    return {f"tab-{n}.md": myst(published().table(n)) for n in INCLUDED} | {"picture.md": picture, "marks.md": _marks()}


def _marks():
    """A table of the flags: sign, name, meaning, whether it still is a result, and how many published scores have it."""
    have = [f for of in flags.of(published().benchmark) for f in of]
    rows = [
        [flagged("", (f.id,)), md(f.name), md(f.sentence), "no" if f.excluded else "yes", count(have.count(f.id))]
        for f in flags.FLAGS.values()
    ]
    caption = (
        "The signs beside numbers. What is no result has no rank, is no best or worst cell and no baseline of a gap."
    )
    headings = ["sign", "name", "meaning", "a result", "published scores"]
    return directive(headings, rows, caption, "tab-marks", [False] * 4 + [True], filterable=False)


def numbers():
    """{`numbers.json`: {name: text}}, from which the book's extension takes what the role `number` shows."""
    return {"numbers.json": json.dumps({name: number(name) for name in NUMBERS}, ensure_ascii=False, indent=0) + "\n"}
