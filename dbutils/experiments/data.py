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
from dbutils.corpora import store
from dbutils.experiments import parts

# Corpora whose readers look into others.
LOOKS_INTO = {
    "xnli-en": ("c-xnli",),
    "tydiqa-goldp": ("sd-qa",),
    "belebele_training": ("mctest", "race", "sciq", "multirc", "mcscript2", "reclor"),
}


class Data:
    """The examples of parts for a task.

    limit: as for `parts.read`. folder: of the runs, where digests are noted (None: nowhere).
    """

    def __init__(self, task, limit=0, folder=None):
        self.task, self.limit, self.folder = task, limit, folder
        self._read = {}

    def examples(self, part):
        """The examples of a part as a list, read once."""
        if part not in self._read:
            self._read[part] = parts.read(self.task, part, self.limit)
        return self._read[part]

    def named(self, part):
        """{examples, sha256} of a part."""
        key = [self.task, str(part), self.limit, stamp(part.corpus)]
        path = Path(self.folder or ".") / ".digests" / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]}.json"
        noted = _noted(path) if self.folder and part not in self._read else None
        if noted is None:
            found = self.examples(part)
            noted = {"examples": len(found), "sha256": parts.digest(found)}
            if self.folder:
                csvio.write_text(path, json.dumps(noted))
        return noted


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
    for name in (corpus, *LOOKS_INTO.get(corpus, ())):
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
