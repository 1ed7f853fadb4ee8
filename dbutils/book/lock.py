"""Snakemake's lock of this folder: who holds it, and its removal when they are gone.

Snakemake leaves its lock behind when its terminal is closed or it is killed, and refuses every later run. So the run
that takes the lock puts a note of itself beside it, and the next one takes away a lock whose holder is gone.
"""

import json
import os
import shutil
import socket
import sys
from pathlib import Path

FOLDER = Path(".snakemake", "locks")
NOTE = "holder-{}.json"


def take():
    """Note beside the lock that this process holds it; Snakemake deletes the note with the lock."""
    if not any(FOLDER.glob("*.lock")):
        return  # under --nolock
    said = {"process": os.getpid(), "host": socket.gethostname(), "folder": FOLDER.stat().st_ino}
    (FOLDER / NOTE.format(os.getpid())).write_text(json.dumps(said), encoding="ascii")


def holders():
    """Who holds the lock of the current folder, in words; an empty list where none does or all are gone.

    One on this machine holds it while it lives and works in this folder; one on another machine is believed, unless
    the folder is a copy.
    """
    if not any(FOLDER.glob("*.lock")):
        return []
    found, notes = [], [_read(path) for path in FOLDER.glob(NOTE.format("*"))]
    for note in notes:
        if note.get("host") != socket.gethostname():
            if note.get("folder") == FOLDER.stat().st_ino:
                found.append(f"process {note.get('process')} on the machine {note.get('host')}")
        elif _works_here(note.get("process"), unknown=True):
            found.append(f"process {note['process']}")
    if not notes:  # killed before it could say who it is
        import psutil

        found = [f"process {number}" for number in psutil.pids() if _works_here(number)]
    return found


def clear():
    """Remove a lock that nobody holds any more, and say so; True if there was one."""
    if not any(FOLDER.glob("*.lock")) or holders():
        return False
    shutil.rmtree(FOLDER, ignore_errors=True)
    print("The lock of a run that was ended from outside is removed.", file=sys.stderr)
    return True


def _read(path):
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _works_here(number, unknown=False):
    """Whether a process other than this one is a Snakemake that lives in the current folder.

    unknown: the answer for a Snakemake of another user, whose folder the system does not tell.
    """
    import psutil

    try:
        process = psutil.Process(number)
        if number == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
            return False
        return "snakemake" in " ".join(process.cmdline()) and os.path.samefile(process.cwd(), ".")
    except psutil.AccessDenied:
        return unknown
    except (psutil.Error, OSError, TypeError, ValueError):
        return False


def main():
    """`make unlock`: remove the lock unless its holder lives on this machine; exit status 1 then."""
    here = [who for who in holders() if "on the machine" not in who]
    if here:
        print(f"dbutils: {', '.join(here)} is at work in this folder; end it first", file=sys.stderr)
        return 1
    if not clear():
        elsewhere = holders()
        shutil.rmtree(FOLDER, ignore_errors=True)
        said = f"The lock of {', '.join(elsewhere)} is removed." if elsewhere else "Nothing is locked."
        print(said, file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
