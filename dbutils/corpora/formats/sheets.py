"""Excel workbooks (.xlsx)."""

import xml.etree.ElementTree as xml
import zipfile
import zlib

from dbutils.corpora.text import HALF, not_data
from dbutils.errors import InputError, nearest

BROKEN = (zipfile.BadZipFile, xml.ParseError, EOFError, zlib.error, KeyError, TypeError, ValueError, OSError)


def rows(path, sheet, columns):
    """The rows of a sheet as (row number, {column: text}) of the wanted columns.

    Numbers become their digits, empty cells "", and `_x000D_` the character that it stands for. What the file says of its own
    size is not believed. InputError for a file that is no workbook or is cut, a missing sheet or a missing column (the
    nearest is named).
    """
    import openpyxl

    try:
        with open(path, "rb") as file:
            wrong = not_data(file.read(4096))
        if wrong:
            raise InputError(f"{path}: {wrong}; fetch it again with 'dbutils corpora get'")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except BROKEN as error:
        raise InputError(f"{path}: not an Excel workbook ({_line(error)}); get it again") from None
    try:
        if sheet not in book.sheetnames:
            raise InputError(f"{path}: no sheet {sheet!r}; it has: {', '.join(book.sheetnames)}")
        table = _cells(path, book[sheet])
        header = [cell.strip() for cell in next(table, ())]
        for name in columns:
            if name not in header:
                close = nearest(name, header)
                hint = f" (is {close[0]!r} it?)" if close else ""
                raise InputError(f"{path}: sheet {sheet!r}: column {name!r} is missing{hint}")
        at = {name: header.index(name) for name in columns}
        for number, cells in enumerate(table, 2):
            yield number, {name: cells[i] if i < len(cells) else "" for name, i in at.items()}
    finally:
        book.close()


def _cells(path, sheet):
    """The rows of a sheet as lists of text, to the last that there is."""
    sheet.reset_dimensions()
    try:
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            cells = [_text(cell) for cell in row]
            if any(HALF.search(cell) for cell in cells):
                raise InputError(f"{path}: row {number}: half a character (a lone surrogate); the file is damaged")
            yield cells
    except InputError:
        raise
    except BROKEN as error:
        raise InputError(f"{path}: a damaged Excel workbook ({_line(error)}); get it again") from None


def _text(cell):
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    from openpyxl.utils.escape import unescape

    text = unescape(str(cell)) if "_x" in str(cell) else str(cell)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if HALF.search(text) else text


def _line(error):
    return " ".join(str(error).split())
