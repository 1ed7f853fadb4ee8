"""What a table of the paper is, recomputed: cells, their decimals, and what was printed."""

import math
from dataclasses import dataclass, field

from dbutils.analysis.rounding import half_even
from dbutils.errors import InputError
from dbutils.scores import cells, printed


@dataclass
class Table:
    """A recomputed table.

    frame: one column per printed column, cells are numbers (full precision) or text; missing
    numbers are nan, missing text is "". Indexed by the line of the printed table's file where the
    row is printed there, else by "new N".
    """

    number: int
    title: str
    convention: str  # how the numbers were computed, in a sentence
    frame: object
    decimals: dict = field(default_factory=dict)  # numeric column -> decimals shown
    keys: list = field(default_factory=list)  # per row (cluster, variety) of the registry, or None
    labels: list = field(default_factory=list)  # per row: what names it in the audit
    origins: object = None  # like frame: origin of the score behind a cell, "" where there is none
    sizes: object = None  # like frame: number of gold examples behind a cell, 0 where unknown
    partial: object = None  # like frame: whether the score behind a cell is of a part of its test set
    behind: tuple = ()  # labels of the score rows behind the numbers
    asked: tuple = ()  # what was looked for among the rows, for `cells.told`
    told: object = None  # what was read and is not shown: a `cells.Told`
    rank: tuple = ()  # columns whose best and worst cell are marked (higher is better)
    group: str = ""  # column that repeats within blocks of rows (cluster, task)
    flags: object = None  # like frame: known faults of the scores behind a cell (ids of `scores.flags`), else ()

    @property
    def columns(self):
        return list(self.frame.columns)

    def text(self):
        """All cells as text."""
        import pandas as pd

        return pd.DataFrame(
            {c: [show(x, self.decimals.get(c)) for x in self.frame[c]] for c in self.columns},
            index=self.frame.index,
            dtype=str,
        )

    def raw(self):
        """All cells unrounded; missing ones empty."""
        return self.frame.map(lambda x: "" if _missing(x) else x)

    def printed(self):
        """The same cells as printed ("" where the print has none), or None for a table without rows there."""
        import pandas as pd

        source = printed(self.number)
        known = {c: dict(zip(source.index, source[c])) for c in self.columns if c in source}
        cells = {c: [known.get(c, {}).get(row, "") for row in self.frame.index] for c in self.columns}
        return pd.DataFrame(cells, index=self.frame.index, dtype=str)


def _missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def show(value, decimals=None):
    """A cell as text: `decimals` after the point, whole numbers and text as they are, missing as ""."""
    if _missing(value):
        return ""
    if isinstance(value, str):
        return value
    if decimals is None:
        return str(value)
    text = f"{half_even(float(value), decimals):.{decimals}f}"
    return text[1:] if text.startswith("-") and not float(text) else text


def lacking(number, task, scores):
    """The InputError of a table whose task the benchmark's rows of these scores do not have."""
    have = ", ".join(sorted(cells.present(scores, "task"))) or "none of the benchmark"
    why = "; ".join(cells.told(scores, (), [{"task": task}]).lines)
    return InputError(f"table {number} needs scores of task {task!r}; these have {have}{why and '; ' + why}")


def build(number, title, convention, rows, decimals=None, **more):
    """A Table from a list of (index, key, label, {column: value}) rows; of scores also {column: flags of the cell}."""
    import pandas as pd

    columns = list(rows[0][3]) if rows else []
    frame = pd.DataFrame([r[3] for r in rows], index=[r[0] for r in rows], columns=columns, dtype=object)
    decimals = {c: d for c, d in (decimals or {}).items() if c in columns}
    if rows and len(rows[0]) > 4:
        faults = [[r[4].get(c, ()) for c in columns] for r in rows]
        more["flags"] = pd.DataFrame(faults, index=frame.index, columns=columns, dtype=object)
    return Table(number, title, convention, frame, decimals, [r[1] for r in rows], [r[2] for r in rows], **more)
