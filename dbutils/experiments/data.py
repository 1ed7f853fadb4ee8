"""The data of a run: read when needed, named by their sha256 without reading where that is known.

A digest that was computed once is noted under `.digests` in the folder of the runs, together with a stamp
of all that it depends on (the code that reads, and names, sizes and times of the corpus's files), so
that asking again for a finished run reads nothing.
"""

import functools
import hashlib
import json
from pathlib import Path

from dbutils import csvio, paths, sandbox
from dbutils.corpora import catalogue, store, written
from dbutils.errors import InputError
from dbutils.experiments import parts


class Data:
    """The examples of parts for a task.

    limit: as for `parts.read`. folder: of the runs, where digests are noted (None: nowhere).
    """

    def __init__(self, task, limit=0, folder=None):
        self.task, self.limit, self.folder = task, limit, folder
        self._read, self._named, self._stamps = {}, {}, {}

    def examples(self, part):
        """The examples of a part as a list, read once; InputError if they are not what `named` said."""
        if part not in self._read:
            found = parts.read(self.task, part, self.limit)
            if part in self._named and self._named[part] != _name(found):
                self._note(part).unlink(missing_ok=True)
                raise InputError(f"{part}: its files changed while they were read; give the same command again")
            self._read[part] = found
        return self._read[part]

    def named(self, part):
        """{examples, sha256} of a part."""
        if part not in self._named:
            noted = _noted(self._note(part)) if self.folder else None
            self._named[part] = noted or _name(self.examples(part))
            if self.folder and not noted:
                csvio.write_text(self._note(part), json.dumps(self._named[part]))
        return self._named[part]

    def _note(self, part):
        if part.corpus not in self._stamps:
            self._stamps[part.corpus] = stamp(part.corpus)
        key = json.dumps([self.task, str(part), self.limit, self._stamps[part.corpus]])
        return Path(self.folder) / ".digests" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def _name(found):
    return {"examples": len(found), "sha256": parts.digest(found)}


def _noted(path):
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {"examples": int(found["examples"]), "sha256": str(found["sha256"])}
    except (OSError, ValueError, KeyError, TypeError):  # not there, or damaged: read again
        return None


def stamp(corpus):
    """A text that changes when what a corpus yields may have changed."""
    if corpus == sandbox.CORPUS:
        return _code("sandbox")
    total = hashlib.sha256((_code("corpora") + str(store.root())).encode())
    others = () if corpus == written.CORPUS else catalogue.corpus(corpus).reads
    for name in (corpus, *others):
        folder = store.folder(name)
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            facts = path.stat()
            total.update(f"{path.relative_to(folder)}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode())
    return total.hexdigest()


@functools.cache
def _code(room):
    root, total = paths.ROOT / "dbutils", hashlib.sha256()
    files = [*sorted((root / room).rglob("*.py")), root / "corpora" / "examples.py", root / "experiments" / "parts.py"]
    if room == "corpora":
        files += sorted(paths.DATA.glob("corpora*"))
    for path in files:
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()
