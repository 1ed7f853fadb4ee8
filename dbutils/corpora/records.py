"""The files of each corpus: data/corpora_files.csv, one row per file."""

import functools
import re
from dataclasses import dataclass

from dbutils import csvio, paths
from dbutils.errors import InputError

COLUMNS = ("corpus", "path", "code", "split", "bytes", "sha256", "address")
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """One file of a corpus.

    path: where it lies below the corpus folder (upstream's own relative path).
    code, split: what it holds, "" where it holds several. bytes: its size, -1 if not known.
    sha256: "" where no copy of known origin was at hand to take it from.
    address: where to fetch this file, "" where the corpus record gives the rule.
    """

    corpus: str
    path: str
    code: str
    split: str
    bytes: int
    sha256: str
    address: str


@functools.cache
def load():
    """All file records as {corpus id: tuple of File}; a broken row raises InputError naming it."""
    path = paths.data("corpora_files.csv")
    table = csvio.read_csv(path, COLUMNS)
    found, seen = {}, set()
    for line, row in zip(table.index, table.to_dict("records"), strict=True):
        record = _record(path, line, row)
        if (record.corpus, record.path) in seen:
            raise InputError(f"{path}:{line}: {record.corpus} {record.path!r} stands twice")
        seen.add((record.corpus, record.path))
        found.setdefault(record.corpus, []).append(record)
    return {corpus: tuple(files) for corpus, files in found.items()}


def _record(path, line, row):
    parts = row["path"].split("/")
    if not row["path"] or row["path"].startswith("/") or ".." in parts or "\\" in row["path"]:
        raise InputError(f"{path}:{line}: path {row['path']!r} is not a relative path inside the corpus")
    if row["sha256"] and not SHA256.fullmatch(row["sha256"]):
        raise InputError(f"{path}:{line}: sha256 {row['sha256']!r} is not 64 hexadecimal digits")
    if row["bytes"] and not row["bytes"].isdecimal():
        raise InputError(f"{path}:{line}: bytes {row['bytes']!r} is not a whole number")
    return File(**{**row, "bytes": int(row["bytes"] or -1)})


def of(corpus):
    """The file records of one corpus (may be empty: a corpus of unknown files)."""
    return load().get(corpus, ())


def find(corpus, code, split):
    """The one file record of (code, split) in a corpus, None if there is none."""
    return _by_content().get((corpus, code, split))


@functools.cache
def _by_content():
    return {(f.corpus, f.code, f.split): f for files in load().values() for f in files if f.code}
