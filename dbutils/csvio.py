"""The one reader and the one writer of CSV for the whole project.

Every cell is text. Nothing is read as null, number or boolean, so the codes `nan` (Min Nan),
`no` (Norwegian), `NA` and `007` stay what they are (pandas' own reader loses them). The index of
a table that was read is the line of the file, so that a bad cell can be named.
"""

import csv
import errno
import io
import os
import secrets
import stat
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
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
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
        check_header(path, header, list(columns))
    # plain Python strings: iterating over pandas' arrow strings is ten times slower
    return pd.DataFrame(rows, columns=header, index=pd.Index(lines, name="line"), dtype=object)


def check_header(path, header, columns):
    """Raise InputError unless a header has these columns, in any order."""
    from dbutils.errors import nearest

    missing = [name for name in columns if name not in header]
    surplus = [name for name in header if name not in columns]
    if missing:
        close = nearest(missing[0], surplus)
        hint = f" (is {close[0]!r} it?)" if close else f"; it must have: {', '.join(columns)}"
        raise InputError(f"{path}:1: column {missing[0]!r} is missing{hint}")
    if surplus:
        raise InputError(f"{path}:1: unknown column {surplus[0]!r}; it may have: {', '.join(columns)}")


class NeedsCare(Exception):
    """A file that only `read_csv` can read, or can say what is wrong with."""


def arrow_blocks(paths, columns, distinct=(), size=1 << 22):
    """Many rows at once: the rows of CSV files, one after the other, as Arrow tables of text, each of some thousand rows.

    columns: the header that each file must have, in this order. distinct: columns whose cells are nearly all different;
    the others come as dictionaries (equal cells share one text). size: bytes of text that stand in memory at once.
    It reads what `read_csv` reads in the same way, ten times as fast, and nothing that needs care: for a file with lone
    carriage returns, empty lines, cells over several lines, another header, odd quotes or ragged rows, or that is no
    UTF-8 or cannot be read, NeedsCare is raised; `read_csv` says what is wrong where.
    """
    import pyarrow as pa
    import pyarrow.csv

    text, few = pa.string(), pa.dictionary(pa.int32(), pa.string())
    types = {name: text if name in distinct else few for name in columns}
    convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    for block in _blocks(paths, ",".join(columns).encode("utf-8"), size):
        block = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        if b"\r" in block or block.startswith(b"\xef\xbb\xbf") or not _plain_quotes(block, columns):
            raise NeedsCare
        read = pa.csv.ReadOptions(column_names=list(columns), block_size=len(block) + 1)
        try:
            table = pa.csv.read_csv(pa.BufferReader(block), read_options=read, convert_options=convert)
        except pa.ArrowInvalid:  # ragged, not UTF-8
            raise NeedsCare from None
        if len(table) != block.count(b"\n"):
            raise NeedsCare
        yield table


def _blocks(paths, header, size):
    """The lines below the headers of files, in blocks of about `size` bytes, each of whole lines."""
    held = []
    for path in paths:
        try:
            with open(path, "rb") as file:
                if file.readline().removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n") != header:
                    raise NeedsCare
                while block := file.read(size):
                    block += file.readline()
                    held.append(block if block.endswith(b"\n") else block + b"\n")
                    if sum(map(len, held)) >= size:
                        yield b"".join(held)
                        held = []
        except OSError:
            raise NeedsCare from None
    if held:
        yield b"".join(held)


def _plain_quotes(block, columns):
    """Whether every line with a quote is by itself a good row."""
    lines, at = [], block.find(b'"')
    while at >= 0:
        end = block.find(b"\n", at)
        lines.append(block[block.rfind(b"\n", 0, at) + 1 : end])
        at = block.find(b'"', end)
    try:
        rows = list(csv.reader([line.decode("utf-8") for line in lines], strict=True))
    except (csv.Error, UnicodeDecodeError):
        return False
    return len(rows) == len(lines) and all(len(row) == len(columns) for row in rows)


def to_csv(table):
    """A table as CSV text: no index, `\\n` line ends, missing values as empty cells."""
    return table.to_csv(index=False, lineterminator="\n", na_rep="")


def write_csv(table, path):
    """Write a table as CSV, whole or not at all."""
    write_text(path, to_csv(table))


def write_text(path, text):
    """Write text (UTF-8) to a file, whole or not at all, also if the power fails."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path, content):
    """Write bytes to a file, whole or not at all, also if the power fails.

    A link is written through; a pipe or device is written to. A file that is there keeps its mode, a new one gets that of the
    umask. Only where the folder does not let a file be replaced (one that is mounted by itself, a folder of others) is the
    file written over in place.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        path.write_bytes(content)
        return
    try:
        _replace(path, content, mode)
    except OSError as error:
        if mode is None or error.errno not in (errno.EBUSY, errno.EACCES, errno.EPERM, errno.EXDEV, errno.EROFS):
            raise
        path.write_bytes(content)


def _replace(path, content, mode):
    stem = path.name if len(os.fsencode(path.name)) < 240 else path.name[:40]  # names have at most 255 bytes
    name = path.parent / f".{stem}.{secrets.token_hex(4)}"
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(name, stat.S_IMODE(mode))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
