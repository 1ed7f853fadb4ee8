"""Which files of a translation corpus make up a code: data/corpora_places.csv.

A code is a dialect of one file or a region of many places. Columns: corpus, code, paper_code (what
the paper counts the place to, empty if it left it out), path, note.
"""

import functools
from dataclasses import dataclass
from pathlib import PurePosixPath

from dbutils import csvio, paths

COLUMNS = ("corpus", "code", "paper_code", "path", "note")


@dataclass(frozen=True, slots=True)
class Place:
    """One place or dialect: the file `path` counts to `code`, in the paper to `paper_code`."""

    corpus: str
    code: str
    paper_code: str
    path: str
    note: str

    @property
    def name(self):
        """The file's name without its ending: `Aarau,AG` (town and canton, as towns repeat)."""
        return PurePosixPath(self.path).stem


@functools.cache
def load():
    """All places in file order."""
    table = csvio.read_csv(paths.data("corpora_places.csv"), COLUMNS)
    return tuple(Place(**row) for row in table.to_dict("records"))


def of(corpus, code, paper=False):
    """The places of a code in file order; a place's own name is a code too (unless a region has it).

    paper: by the paper's grouping.
    """
    mine = [place for place in load() if place.corpus == corpus]
    found = [place for place in mine if (place.paper_code if paper else place.code) == code]
    return tuple(found or [place for place in mine if place.name == code])


def codes(corpus):
    """The codes of a corpus in file order."""
    return tuple(dict.fromkeys(place.code for place in load() if place.corpus == corpus))
