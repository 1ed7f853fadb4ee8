"""What hand-written pages take from data: Tables 1 (tasks) and 2 (settings), and the numbers in their prose."""

import json

from dbutils.report.numbers import NUMBERS, number, published
from dbutils.report.tables import myst

INCLUDED = (1, 2)


def fragments():
    """{`tab-N.md`: the table as a labelled directive}."""
    return {f"tab-{n}.md": myst(published().table(n)) for n in INCLUDED}


def numbers():
    """{`numbers.json`: {name: text}}, from which the book's extension takes what the role `number` shows."""
    return {"numbers.json": json.dumps({name: number(name) for name in NUMBERS}, ensure_ascii=False, indent=0) + "\n"}
