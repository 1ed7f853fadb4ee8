"""Where corpora lie on this machine: $DBUTILS_CORPORA/<id>/<upstream relative path>."""

import os
from pathlib import Path

from dbutils import paths
from dbutils.errors import InputError


class NotOnDisk(InputError):
    """A corpus, or a file of it, is not on this machine; the message says how to get it."""


def root():
    """The folder that holds all corpora: $DBUTILS_CORPORA, else one in the user's cache folder.

    Raises InputError for a file instead of a folder, for one that may not be read, and where there is no home folder.
    """
    named = os.environ.get("DBUTILS_CORPORA")
    if named:
        try:
            found = paths.expand(named)
            paths.check_folder(found)
        except InputError as error:
            raise InputError(f"DBUTILS_CORPORA: {error}") from None
        return found
    import platformdirs

    try:
        found = Path(platformdirs.user_cache_dir("dbutils", appauthor=False)) / "corpora"
    except RuntimeError:  # no HOME, and a user whom the system does not know
        found = Path()
    if not found.is_absolute():
        raise InputError("there is no home folder for corpora: set DBUTILS_CORPORA to the folder that holds them")
    return found


def folder(corpus):
    """The folder of one corpus (it need not exist)."""
    return root() / corpus


def find(corpus, relative):
    """The path of a file of a corpus, in whichever Unicode spelling it is there; NotOnDisk where it is missing."""
    path = paths.existing(folder(corpus) / relative)
    if not path.is_file():
        raise missing(corpus, path)
    return path


def matching(corpus, pattern):
    """The paths of a corpus that match a glob pattern, sorted; NotOnDisk if there are none."""
    found = sorted(folder(corpus).glob(pattern))
    if not found:
        raise missing(corpus, folder(corpus) / pattern)
    return found


def missing(corpus, path):
    """The error for a file that is not there."""
    return NotOnDisk(f"corpus {corpus!r} is not complete on disk ({path} is missing): {how_to_get(corpus)}")


def how_to_get(corpus):
    """One line that says how to get a corpus."""
    from dbutils.corpora import catalogue

    by_hand = catalogue.corpus(corpus).by_hand
    if by_hand:
        return f"{by_hand}; put it into {folder(corpus)} or set DBUTILS_CORPORA"
    return f"run 'dbutils corpora get {corpus}', or set DBUTILS_CORPORA to the folder that holds it"
