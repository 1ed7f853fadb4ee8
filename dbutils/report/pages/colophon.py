"""The colophon: which versions and which data this book was made from. No dates: the same state gives the same page."""

import hashlib
import re

from dbutils import __version__, paths
from dbutils.report.markup import md
from dbutils.report.numbers import count
from dbutils.report.tables import directive

HEAD = """(colophon)=
# Colophon

What this book was made from. Two books with the same versions and the same data have the same numbers; when a number
differs from one that you remember, compare this page first.

"""
DATA = """
## Data

Every file that a number of this book can come from, with the start of its SHA-256 checksum. Where the data
come from is said in `data/README.md` and on the page {ref}`tasks-and-data`.

"""
SOFTWARE = """
## Software

The packages that the project asks for, in the versions that the lock file `requirements.txt` pins, with everything that they
need in turn. Python {python}; dbutils {version}.

"""


def colophon():
    """{`colophon.md`: the page}."""
    software = SOFTWARE.format(python="3.11 or newer", version=__version__)
    return {"colophon.md": HEAD + _totals() + DATA + _data() + software + _packages()}


def _totals():
    return (
        f"Checksum over all data files: `{digest(data_files())}`. The score rows that the tables are computed from: "
        "{number}`score-rows`, of which the authors published {number}`score-rows-upstream` as files and the paper prints "
        "{number}`score-rows-paper` that have no file.\n"
    )


def data_files():
    """The CSV files of registry and scores, and the outlines of the maps, sorted."""
    folders = (("registry", "*.csv"), ("scores", "*.csv"), ("geo", "*.json"))
    return sorted(path for folder, pattern in folders for path in paths.data(folder).rglob(pattern))


def digest(files):
    """sha256 over names and contents, as hex."""
    total = hashlib.sha256()
    for path in files:
        total.update(
            path.relative_to(paths.DATA).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest()
        )
    return total.hexdigest()


def _data():
    rows = []
    for path in data_files():
        content = path.read_bytes()
        name = path.relative_to(paths.DATA).as_posix()
        lines = count(content.count(b"\n") - 1) if path.suffix == ".csv" else ""
        rows.append([f"`{name}`", lines, count(len(content)), f"`{hashlib.sha256(content).hexdigest()[:16]}`"])
    return directive(
        ["file", "rows", "bytes", "SHA-256"], rows, "The data files", "tab-data-files", [False, True, True, False]
    )


def pinned(text):
    """[(name, version)] of the direct dependencies in the text of the lock file."""
    return re.findall(r"^([\w.-]+)==(\S+)\s+# direct", text, flags=re.M)


def _packages():
    rows = [[md(name), version] for name, version in pinned((paths.ROOT / "requirements.txt").read_text("utf-8"))]
    return directive(["package", "version"], rows, "The software", "tab-software")
