"""Lines of text files, and the files that only look like data."""

from dbutils.errors import InputError

LFS = b"version https://git-lfs"
BOM = b"\xef\xbb\xbf"


def not_data(start):
    """What the first bytes of a file show it to be instead of data ("" if nothing is wrong).

    Recognised: a Git LFS pointer, a web page, a login page.
    """
    head = start.removeprefix(BOM).lstrip()[:4096].lower()
    if head.startswith(LFS):
        return "a Git LFS pointer, not the data"
    if head.startswith((b"<!doctype html", b"<html", b"<?xml version")) and b"<html" in head:
        signs = (b"sign in", b"log in", b"login", b"password")
        return "a login page, not the data" if any(s in head for s in signs) else "a web page, not the data"
    return ""


def lines(path):
    """The lines of a UTF-8 file as (number from 1, text without its line end), read lazily.

    Only `\\n` and `\\r\\n` end a line (tweets hold U+2028 and U+0085); a byte order mark is
    dropped. InputError for a missing file, a Git LFS pointer, a web page, and bytes that are not
    UTF-8 (with the line).
    """
    try:
        file = open(path, "rb")  # noqa: SIM115  (closed below; only opening has these errors)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, not a file") from None
    except PermissionError:
        raise InputError(f"{path}: you may not read it; change its permissions") from None
    with file:
        wrong = not_data(file.peek(4096)[:4096])
        if wrong:
            raise InputError(f"{path}: {wrong}; fetch it again with 'dbutils corpora get'")
        yield from decoded(file, path)


def decoded(stream, name):
    """The lines of an open binary stream as (number, text); `name` is for the error message."""
    for number, raw in enumerate(stream, 1):
        if number == 1:
            raw = raw.removeprefix(BOM)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{name}:{number}: not UTF-8 text; the file is damaged, get it again") from None
        if text.endswith("\n"):
            text = text[:-1]
        yield number, text.removesuffix("\r")


def whole(path):
    """The whole text of a UTF-8 file, line ends as `\\n` (same checks as `lines`)."""
    return "\n".join(text for _, text in lines(path))
