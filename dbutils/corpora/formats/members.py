"""Text files inside archives, read without unpacking."""

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib

from dbutils.corpora.text import decoded, not_data
from dbutils.errors import InputError

DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,  # zipfile's way to say that a password, or a method of compression, is missing
    OSError,
)


def lines_in_tar(path, name):
    """The lines of the member whose path is `name` or ends with /`name` in a .tar.gz, as `lines` has them."""
    _refuse(path)
    try:
        with tarfile.open(path, "r:*") as archive:
            for member in archive:
                if member.isfile() and f"/{member.name.removeprefix('./')}".endswith(f"/{name}"):
                    yield from decoded(archive.extractfile(member), f"{path}/{member.name}")
                    return
    except DAMAGED as error:
        raise InputError(f"{path}: damaged archive ({error}); get it again") from None
    raise InputError(f"{path}: holds no file {name!r}")


def lines_in_zip(path, name):
    """The lines of the member `name` of a .zip, as `lines` has them."""
    _refuse(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if name not in archive.namelist():
                raise InputError(f"{path}: holds no file {name!r}")
            with archive.open(name) as file:
                yield from decoded(io.BufferedReader(file), f"{path}/{name}")
    except DAMAGED as error:
        raise InputError(f"{path}: damaged archive ({error}); get it again") from None


def _refuse(path):
    try:
        with open(path, "rb") as file:
            wrong = not_data(file.read(4096))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if wrong:
        raise InputError(f"{path}: {wrong}; fetch it again with 'dbutils corpora get'")
