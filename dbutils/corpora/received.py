"""What was downloaded without a known checksum: a note of its checksum, to see later damage.

Kept as `.received.csv` in the corpus folder: path, bytes, sha256, address.
"""

import pandas as pd

from dbutils import csvio
from dbutils.corpora import store

COLUMNS = ["path", "bytes", "sha256", "address"]


def read(corpus):
    """{path: (bytes, sha256)} of a corpus."""
    path = store.folder(corpus) / ".received.csv"
    if not path.exists():
        return {}
    rows = csvio.read_csv(path, COLUMNS).to_dict("records")
    return {row["path"]: (int(row["bytes"]), row["sha256"]) for row in rows}


def note(corpus, received):
    """Add {path: (bytes, sha256, address)} to the notes of a corpus."""
    path = store.folder(corpus) / ".received.csv"
    rows = csvio.read_csv(path, COLUMNS).to_dict("records") if path.exists() else []
    known = {row["path"]: row for row in rows}
    for name, (size, digest, address) in received.items():
        known[name] = {"path": name, "bytes": str(size), "sha256": digest, "address": address}
    csvio.write_csv(pd.DataFrame(list(known.values()), columns=COLUMNS, dtype=str), path)
