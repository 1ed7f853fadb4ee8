"""Write the generated pages (a page per cluster, the variety explorer ...) to book/generated/.

The pages themselves are made in `dbutils.report.pages`: `GENERATORS` lists functions without
arguments that return {path relative to book/generated/: text}.
"""

import json
import sys
import tempfile
import time
from pathlib import Path, PurePosixPath

from dbutils import csvio
from dbutils.book import uses
from dbutils.errors import InputError


def collect(generators):
    """{relative path: text} of all generators.

    InputError if two make the same page, or a page would lie outside the folder.
    """
    pages = {}
    for generator in generators:
        for name, text in generator().items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise InputError(f"generated page {name!r} lies outside book/generated/")
            if name in pages:
                raise InputError(f"generated page {name!r} is made twice")
            pages[name] = text
    return pages


def write(pages, folder):
    """Bring `folder` to hold exactly `pages`; files that are right already are not touched.

    Sphinx reads a page again when its time changes, so an unchanged page costs nothing.
    """
    folder = Path(folder)
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode("utf-8"):
            csvio.write_text(path, text)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(folder).as_posix() not in pages:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def main(record):
    """Write all pages beside `record` (book/generated/pages.json), which lists them and what they were made from."""
    started = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="dbutils-") as folder:
        read = Path(folder) / "read"
        uses.watch(read)
        from dbutils.book.interface import interface
        from dbutils.report import pages

        made = collect([*pages.GENERATORS, interface])
        used = uses.record(read, started, docstrings=True)
    write(made, Path(record).parent)
    found = {"pages": sorted(made), "state": uses.handed(), "uses": used}
    csvio.write_text(record, json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
