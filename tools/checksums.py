"""Write data/SHA256SUMS: the facts of the project are not changed by accident.

    python tools/checksums.py          after a deliberate change, with the reason in the commit

`sha256sum -c SHA256SUMS` in `data/` checks the same; so does the test suite.
"""

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from dbutils.csvio import write_text  # noqa: E402
from dbutils.paths import DATA  # noqa: E402

FOLDERS = ("registry", "scores", "geo")


def sums(folder):
    """{path below the folder: sha256} of every fact file."""
    files = sorted(p for name in FOLDERS for p in (folder / name).rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


if __name__ == "__main__":
    write_text(DATA / "SHA256SUMS", "".join(f"{digest}  {name}\n" for name, digest in sums(DATA).items()))
