"""Where the project's files are."""

import os
import sys
from pathlib import Path

from dbutils.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("DBUTILS_DATA", ROOT / "data"))


def data(*parts):
    """The path of a file below `data/`; InputError if it is not there."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        raise InputError(
            f"{path} is missing: run from a checkout of the project, or set DBUTILS_DATA to its data folder"
        )
    sys.audit("dbutils.data", str(path))  # whoever records what is read hears of it, even if a library in C reads it
    return path
