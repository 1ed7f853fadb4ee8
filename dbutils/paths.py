"""Where the project's files are, and whether a path that a user names can be used: told before any work, in one line."""

import os
import secrets
import stat
import sys
import unicodedata
from pathlib import Path

from dbutils.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("DBUTILS_DATA") or ROOT / "data").expanduser()


def data(*parts):
    """The path of a file below `data/`; InputError if it is not there."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        raise InputError(
            f"{path} is missing: run from a checkout of the project, or set DBUTILS_DATA to its data folder"
        )
    sys.audit("dbutils.data", str(path))  # whoever records what is read hears of it, even if a library in C reads it
    return path


def expand(text):
    """The path that a text means: `~` and `~user` are home folders. InputError for an unknown user or a NUL byte."""
    if "\0" in str(text):
        raise InputError(f"{str(text)!r}: a path cannot hold a NUL byte")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise InputError(f"{text}: the home folder is not known; write the whole path") from None


def existing(path):
    """The file or folder that is there under this name or under another Unicode spelling of it; else the path itself.

    Systems differ in whether `ì` is one sign (NFC) or two (NFD), and copying from one to another may change it.
    """
    path = Path(path)
    if str(path).isascii() or path.exists():
        return path
    found = Path(*path.parts[:1])
    for part in path.parts[1:]:
        if not (found / part).exists():
            try:
                names = os.listdir(found)
            except OSError:
                return path
            same = [name for name in names if nfc(name) == nfc(part)]
            if not same:
                return path
            part = min(same)
        found /= part
    return found


def nfc(text):
    """Text in Unicode's composed form, in which names and codes are compared."""
    return unicodedata.normalize("NFC", text)


def check_input(path):
    """Raise InputError unless a file (or pipe) can be read at `path`."""
    mode = _mode(path)
    if mode is None:
        raise InputError(f"{_short(path)}: no such file")
    if stat.S_ISDIR(mode):
        raise InputError(f"{path}: is a folder, not a file")
    if not _may(path, os.R_OK):
        raise InputError(f"{path}: cannot be read: no permission")


def check_folder(path, writable=False):
    """Raise InputError unless `path` is a folder that can be read, or is not there; writable: unless it can be filled too,
    made first where it is not there."""
    mode = _mode(path)
    if mode is not None and not stat.S_ISDIR(mode):
        raise InputError(f"{path}: is a file, not a folder")
    if mode is not None and not _may(path, os.R_OK | os.X_OK):
        raise InputError(f"{path}: cannot be read: no permission")
    if writable:
        _try_folder(path, _ancestor(path))


def check_output(path, endings=(), make=False):
    """Raise InputError unless a file can be written to `path`: a folder is none, its folder must be there and take a file,
    its ending known.

    endings: with their dots; none: any. make: its folder may be made.
    """
    mode = _mode(path)
    path = Path(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError(f"{path}: is a folder, not a file")
    folder = Path(os.path.realpath(path)).parent  # a link is written through
    if make and not folder.exists():
        folder = _ancestor(folder)
    if _mode(folder) is None or not folder.is_dir():
        shown = path.parent if not path.is_symlink() else folder
        raise InputError(f"{path}: there is no folder {str(shown)!r}; make it first")
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"unknown ending {path.suffix!r}: this is written as {', '.join(endings)}")
    if mode is None:
        _try_folder(path, folder)
    elif not _may(path, os.W_OK):
        raise InputError(f"{path}: cannot be written: no permission")


def _mode(path):
    """The mode of what is at a path, None for nothing; InputError for a path that cannot be one."""
    text = str(path)
    if "\0" in text:
        raise InputError(f"{text!r}: a path cannot hold a NUL byte")
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{_short(text)}: cannot be a path here: {error.strerror}") from None


def _may(path, what):
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _ancestor(path):
    """The folder that is nearest above a path, or the path itself."""
    for folder in [Path(path), *Path(os.path.abspath(path)).parents]:
        mode = _mode(folder)
        if mode is not None:
            if not stat.S_ISDIR(mode):
                raise InputError(f"{_short(path)}: {folder} is a file, not a folder")
            return folder
    raise InputError(f"{_short(path)}: there is no folder above it")


def _try_folder(path, folder):
    """Raise InputError unless a file can be made in a folder; the only sure way is to make one."""
    probe = Path(folder) / f".{secrets.token_hex(6)}"
    try:
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        probe.unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be written: no file can be made in {folder} ({error.strerror})") from None


def _short(path):
    text = str(path)
    return text if len(text) <= 200 else f"{text[:80]}... ({len(text)} characters)"
