"""What hand-written pages take from data: Tables 1 (tasks) and 2 (settings), a picture, the numbers in their prose."""

import json

from dbutils.report.numbers import NUMBERS, number, published
from dbutils.report.tables import myst

INCLUDED = (1, 2)
# drawn by the notebook `varieties`; the landing page shows it as well
PICTURE = "executed/figures/varieties/fig-world.svg"


def fragments():
    """{`tab-N.md`: the table as a labelled directive; `picture.md`: the map of the world with its alt text}."""
    from dbutils.report.figures import FIGURES

    alt = " ".join(FIGURES["world"].alt(published().scores).split())
    picture = f"```{{figure}} {PICTURE}\n:alt: {alt}\n```\n"
    return {f"tab-{n}.md": myst(published().table(n)) for n in INCLUDED} | {"picture.md": picture}


def numbers():
    """{`numbers.json`: {name: text}}, from which the book's extension takes what the role `number` shows."""
    return {"numbers.json": json.dumps({name: number(name) for name in NUMBERS}, ensure_ascii=False, indent=0) + "\n"}
