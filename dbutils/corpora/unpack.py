"""Unpacking archives safely: regular files only, inside the folder, within a size."""

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from dbutils.errors import InputError

BLOCK = 1 << 16
LARGEST = 4 << 30  # bytes of all unpacked files together
MOST = 200_000  # files


def wanted(paths):
    """A rule for `unpack`: the members whose path is one of `paths` or ends with /path.

    Archives put their files below a folder of their own (`repo-c57415f/`), which is cut off.
    """
    by_name = {}
    for path in paths:
        by_name.setdefault(PurePosixPath(path).name, []).append(path)

    def rule(member):
        for path in by_name.get(PurePosixPath(member).name, ()):
            if f"/{member}".endswith(f"/{path}"):
                return path
        return None

    return rule


def everything(member):
    """The rule for `unpack` that takes every file under its own path."""
    return member


def unpack(archive, folder, rule, largest=LARGEST):
    """Unpack the members of a .zip or .tar(.gz, .xz, .bz2) for which rule(path) gives a path.

    Each file appears in `folder` whole or not at all. Returns the paths written. Raises InputError
    for a member that leaves the folder, is a link or a device, for more than `largest` bytes or
    too many files in all, for a password and for a damaged archive.
    """
    written, total = [], 0
    try:
        for name, opened in _members(archive):
            path = rule(name)
            if path is None:
                continue
            target = _inside(archive, folder, path)
            if len(written) >= MOST:
                raise InputError(f"{archive}: more than {MOST} files; not unpacked further")
            total += _write(archive, opened, target, largest - total)
            written.append(path)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"{archive}: damaged archive ({error}); remove it and get it again") from None
    except RuntimeError as error:  # zipfile's way to say that a password is needed
        raise InputError(f"{archive}: {error}") from None
    return written


def _members(archive):
    """(path, function that opens it) of each regular file; a link or device raises InputError if wanted."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if info.is_dir():
                    continue
                kind = stat.S_IFMT(info.external_attr >> 16)
                odd = kind not in (0, stat.S_IFREG)
                yield info.filename, _refuse(archive, info.filename) if odd else lambda i=info: opened.open(i)
    else:
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.isdir():
                    continue
                name = member.name
                yield (name, _refuse(archive, name) if not member.isfile() else lambda m=member: opened.extractfile(m))


def _refuse(archive, name):
    def refuse():
        raise InputError(f"{archive}: {name!r} is a link or a device; refused")

    return refuse


def _inside(archive, folder, path):
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or path.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
        raise InputError(f"{archive}: {path!r} leads out of the folder; refused")
    return Path(folder).joinpath(*parts)


def _write(archive, opened, target, left):
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.unpacking")
    size = 0
    with opened() as source, open(temporary, "wb") as file:
        while block := source.read(BLOCK):
            size += len(block)
            if size > left:
                temporary.unlink()
                raise InputError(f"{archive}: unpacks to more than is allowed; stopped at {target.name!r}")
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, target)
    return size
