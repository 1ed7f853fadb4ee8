"""Whether what lies on disk is what the record says."""

import hashlib
from dataclasses import dataclass

from dbutils import paths
from dbutils.corpora import load, received, records, stats, store
from dbutils.corpora.text import not_data

GOOD = ("verified", "as received", "size right", "unchecked", "count right")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one file.

    status: `verified` (its sha256 is the recorded one), `as received` (no recorded checksum; it is
    what was downloaded), `size right` (no checksum either way, the recorded size), `unchecked`
    (present, nothing to compare with), `count right` (a code and split that has as many examples
    as upstream publishes), `differs`, `missing`. note: in what it differs.
    """

    path: str
    status: str
    note: str = ""


def files(corpus, deep=True):
    """The findings of a corpus, one per file recorded or received, lazily.

    deep=False compares sizes only (quick): what has the right size counts as `size right`.
    """
    notes = received.read(corpus)
    recorded = records.of(corpus)
    for file in recorded:
        yield one(corpus, file.path, file.bytes, file.sha256, notes, deep)
    for path in notes.keys() - {file.path for file in recorded}:
        yield one(corpus, path, -1, "", notes, deep)


def counts(corpus):
    """Findings on what has no recorded checksum: its number of examples against upstream's, lazily.

    Covers the codes and splits whose size is known only from upstream's publications, as far as
    they are on disk; the path of such a finding is "code split".
    """
    for row in stats.committed().to_dict("records"):
        if row["corpus"] != corpus or row["source"] != "published":
            continue
        name = f"{row['code']} {row['split']}"
        try:
            found = sum(1 for _ in load.examples(row["task"], corpus, row["code"], row["split"]))
        except store.NotOnDisk:
            continue
        except load.NoExamples:
            found = 0
        if found == int(row["examples"]):
            yield Finding(name, "count right")
        else:
            yield Finding(name, "differs", f"{found} examples instead of {row['examples']}")


def one(corpus, path, size, sha256, notes, deep=True):
    """The finding of one file; notes: what `received.read` gives for the corpus."""
    place = paths.existing(store.folder(corpus) / path)
    if not place.is_file():
        return Finding(path, "missing")
    have = place.stat().st_size
    noted_size, noted = notes.get(path, (-1, ""))
    expected = size if size >= 0 else noted_size
    with open(place, "rb") as file:
        wrong = not_data(file.read(4096))
        if wrong:
            return Finding(path, "differs", f"it is {wrong}")
        if 0 <= expected != have:
            return Finding(path, "differs", f"{have} bytes instead of {expected}")
        if not deep or not (sha256 or noted):
            return Finding(path, "size right" if expected >= 0 else "unchecked")
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != (sha256 or noted):
        return Finding(path, "differs", f"sha256 {digest[:12]}... instead of {(sha256 or noted)[:12]}...")
    return Finding(path, "verified" if sha256 else "as received")
