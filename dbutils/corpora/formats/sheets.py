"""Excel workbooks (.xlsx)."""

import zipfile

from dbutils.corpora.text import not_data
from dbutils.errors import InputError, nearest


def rows(path, sheet, columns):
    """The rows of a sheet as (row number, {column: text}) of the wanted columns.

    Numbers become their digits, empty cells "". InputError for a file that is no workbook, a
    missing sheet or a missing column (the nearest is named).
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
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise InputError(f"{path}: not an Excel workbook ({error}); get it again") from None
    try:
        if sheet not in book.sheetnames:
            raise InputError(f"{path}: no sheet {sheet!r}; it has: {', '.join(book.sheetnames)}")
        table = book[sheet].iter_rows(values_only=True)
        header = [_text(cell).strip() for cell in next(table, ())]
        for name in columns:
            if name not in header:
                close = nearest(name, header)
                hint = f" (is {close[0]!r} it?)" if close else ""
                raise InputError(f"{path}: sheet {sheet!r}: column {name!r} is missing{hint}")
        at = {name: header.index(name) for name in columns}
        for number, cells in enumerate(table, 2):
            yield number, {name: _text(cells[i]) if i < len(cells) else "" for name, i in at.items()}
    finally:
        book.close()


def _text(cell):
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
