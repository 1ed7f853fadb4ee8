"""Tables as text: tab-separated without quoting, and CSV dialects with quoting."""

import csv

from dbutils.corpora.text import lines
from dbutils.errors import InputError, nearest


def plain(path, columns, separator="\t"):
    """The rows of a file without quoting, as (line number, list of cells).

    columns: how many cells each row must have. Empty lines are left out. Quote marks are text.
    """
    for number, text in lines(path):
        if text == "":
            continue
        cells = text.split(separator)
        if len(cells) != columns:
            raise InputError(f"{path}:{number}: {len(cells)} columns where {columns} were expected")
        yield number, cells


def quoted(path, separator=","):
    """The rows of a file with CSV quoting ("" is a quote mark), as (line number, list of cells).

    A cell may hold line ends; the number is that of the row's last line. Empty lines are left out.
    """
    reader = csv.reader((text + "\n" for _, text in lines(path)), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: {error}") from None


def named(path, rows, columns):
    """Rows under a header as (line number, {column: cell}) of the wanted columns only.

    rows: iterator of (line number, cells) whose first row is the header. InputError for a wanted
    column that is missing (the nearest is named) and for a row of another length.
    """
    rows = iter(rows)
    number, header = next(rows, (1, []))
    for name in columns:
        if name not in header:
            close = nearest(name, header)
            hint = f" (is {close[0]!r} it?)" if close else ""
            raise InputError(f"{path}:{number}: column {name!r} is missing{hint}")
    at = {name: header.index(name) for name in columns}
    for number, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{path}:{number}: {len(cells)} cells where the header has {len(header)}")
        yield number, {name: cells[i] for name, i in at.items()}


def plain_named(path, columns, separator="\t"):
    """Like `named`, of a tab-separated file without quoting."""
    rows = ((number, text.split(separator)) for number, text in lines(path) if text)
    return named(path, rows, columns)
