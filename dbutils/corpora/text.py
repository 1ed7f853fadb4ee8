"""Where text enters: lines of files, JSON, and the files that only look like data.

Text is checked here and nowhere else: bytes must be UTF-8, and JSON, which can name half a character (`\\ud83d`), must not.
Files are refused by file and line; what a server answers is mended and counted.
"""

import json
import re

from dbutils.errors import InputError

LFS = b"version https://git-lfs"
BOM = b"\xef\xbb\xbf"
HALF = re.compile("[\ud800-\udfff]")
HALF_WRITTEN = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


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
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
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
            if b"\r" in raw.rstrip(b"\r\n") and not raw.endswith(b"\n"):  # the whole file is one line
                raise InputError(f"{name}: its lines end in CR alone, as on old Macs; save it with LF line ends")
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


def mended(text):
    """The text with U+FFFD for each half of a character that stands alone, and how many there were.

    Such text (a lone surrogate) cannot be written as UTF-8 to any file.
    """
    return HALF.subn("\ufffd", text)


def from_json(text, name, line=1):
    """The value of a JSON text that begins at a line of the file `name`.

    InputError (name:line) for what is no JSON, NaN and Infinity, nesting or numbers beyond measure, and half a character.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{line + error.lineno - 1}: not JSON ({error.msg})") from None
    except RecursionError:
        raise InputError(f"{name}:{line}: not JSON that can be read (nested too deeply)") from None
    except ValueError as error:
        raise InputError(f"{name}:{line}: not JSON ({str(error).partition(';')[0]})") from None
    if HALF_WRITTEN.search(text) and _halves(value):
        found = HALF_WRITTEN.search(text)
        at = line + text.count("\n", 0, found.start())
        raise InputError(f"{name}:{at}: {found.group()} is half a character (a lone surrogate)")
    return value


def _no_constant(name):
    raise ValueError(f"{name} is no number of JSON")


def _halves(value):
    """Whether a text of a JSON value, a key included, holds half a character."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if HALF.search(one):
                return True
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False
