"""What a notebook's last line shows: one thing, as MyST for the book and as HTML or text elsewhere."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dbutils.report.tables import Cell, directive, html, html_cell, myst_cell, notes_of, plain, plain_cell


@dataclass(frozen=True)
class View:
    """One thing to look at. `data` maps media types to contents; Jupyter picks the one it can show.

    make_frame: returns what is shown as a pandas DataFrame.
    """

    data: dict
    make_frame: Callable

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.data

    @property
    def text(self):
        """What a terminal shows."""
        return self.data["text/plain"]

    @property
    def frame(self):
        """What is shown as a pandas DataFrame: a table's cells, a figure's points, the sentences of a text.

        InputError, with the reason that the picture shows, for a figure that cannot be drawn.
        """
        return self.make_frame()


def paragraph(*sentences):
    """A paragraph of plain Markdown; empty sentences are left out."""
    sentences = [sentence for sentence in sentences if sentence]
    return _text(" ".join(sentences), sentences)


def bullets(items):
    """A list of plain Markdown sentences."""
    items = list(items)
    return _text("\n".join(f"- {item}" for item in items), items)


def _text(text, sentences):
    return View({"text/markdown": text, "text/plain": text}, partial(_frame, ["text"], [[s] for s in sentences], ()))


def listing(headings, rows, caption, name, numeric=(), filterable=False):
    """A labelled table.

    headings: column names. rows: lists of cells, plain text each, numbers already rounded, or `Cell`s, whose known
    faults are marked and explained below. name: its label. numeric: the headings of the columns that hold numbers.
    """
    cells = [[cell if isinstance(cell, Cell) else Cell(str(cell)) for cell in row] for row in rows]
    notes = notes_of(cell.flags for row in cells for cell in row)
    rows = [[cell.text for cell in row] for row in cells]
    numbers = [heading in numeric for heading in headings]
    return View(
        {
            "text/markdown": directive(
                headings, [[myst_cell(c) for c in row] for row in cells], caption, name, numbers, filterable, notes
            ),
            "text/html": html(headings, [[html_cell(c) for c in row] for row in cells], caption, numbers, notes=notes),
            "text/plain": plain(headings, [[plain_cell(c) for c in row] for row in cells], caption, notes),
        },
        partial(_frame, headings, rows, numeric),
    )


def _frame(headings, rows, numeric):
    """Cells as a DataFrame; numeric columns as numbers with nan where a cell is empty, but as text if a cell holds more."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(headings), dtype=object)
    for heading in set(numeric):
        with contextlib.suppress(ValueError):  # `44.5 (40.1–49.2)`
            frame[heading] = pd.to_numeric(frame[heading].str.replace(",", "").replace("", None))
    return frame


def unnumbered(headings, rows, numeric=()):
    """A table without caption, number and label, for what a text beside it explains. Arguments as in `listing`."""
    view = listing(headings, rows, "", "", numeric)
    lines = view.data["text/markdown"].splitlines()
    markdown = "\n".join([":::{table}", *(line for line in lines[1:] if line != ":name: "), ""])
    return View(view.data | {"text/markdown": markdown}, view.make_frame)


def number(value, decimals=1):
    """A number as text, half to even like the tables; empty where there is none."""
    from dbutils.analysis.tables import show

    return show(value, decimals)


def between(value, low, high):
    """`44.5 (40.1–49.2)`: a number with its interval, if it has one."""
    return number(value) + (f" ({number(low)}–{number(high)})" if number(low) else "")
