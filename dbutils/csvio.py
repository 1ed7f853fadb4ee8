"""The one reader and the one writer of CSV for the whole project.

Every cell is text. Nothing is read as null, number or boolean, so the codes `nan` (Min Nan),
`no` (Norwegian), `NA` and `007` stay what they are (pandas' own reader loses them). The index of
a table that was read is the line of the file, so that a bad cell can be named.
"""

import csv
import io
import os
import tempfile
from pathlib import Path

import pandas as pd

from dbutils.errors import InputError


def read_csv(path, columns=None):
    """Read a CSV file as a table of text, indexed by line number.

    path: file to read (UTF-8, with or without BOM, any line ends).
    columns: the column names the file must have, in any order (None: any).
    Raises InputError naming file and line for what is not a rectangular UTF-8 table.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, not a CSV file") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not UTF-8 text; save the file as UTF-8") from None
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, None)
        if not header:
            raise InputError(f"{path}: empty file, a header row is needed")
        start = reader.line_num
        for row in reader:
            start, line = reader.line_num, start + 1
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(f"{path}:{line}: {len(row)} cells where the header has {len(header)}")
            rows.append(row)
            lines.append(line)
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: {error}") from None
    if len(set(header)) != len(header):
        twice = sorted({name for name in header if header.count(name) > 1})
        raise InputError(f"{path}:1: column {twice[0]!r} stands twice in the header")
    if columns is not None:
        _check_header(path, header, list(columns))
    # plain Python strings: iterating over pandas' arrow strings is ten times slower
    return pd.DataFrame(rows, columns=header, index=pd.Index(lines, name="line"), dtype=object)


def _check_header(path, header, columns):
    from dbutils.errors import nearest

    missing = [name for name in columns if name not in header]
    surplus = [name for name in header if name not in columns]
    if missing:
        close = nearest(missing[0], surplus)
        hint = f" (is {close[0]!r} it?)" if close else f"; it must have: {', '.join(columns)}"
        raise InputError(f"{path}:1: column {missing[0]!r} is missing{hint}")
    if surplus:
        raise InputError(f"{path}:1: unknown column {surplus[0]!r}; it may have: {', '.join(columns)}")


def to_csv(table):
    """A table as CSV text: no index, `\\n` line ends, missing values as empty cells."""
    return table.to_csv(index=False, lineterminator="\n", na_rep="")


def write_csv(table, path):
    """Write a table as CSV, whole or not at all."""
    write_text(path, to_csv(table))


def check_output(path, endings=()):
    """Raise InputError unless a file can be written to `path`: a folder is none, its folder must be there, its ending known.

    endings: with their dots; none: any.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: is a folder, not a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"unknown ending {path.suffix!r}: this is written as {', '.join(endings)}")


def write_text(path, text):
    """Write text (UTF-8) to a file, whole or not at all, also if the power fails."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path, content):
    """Write bytes to a file, whole or not at all, also if the power fails."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
