"""Fetching one file over HTTP: resumed, bounded, checked, and put in place whole or not at all."""

import hashlib
import os
import time
from pathlib import Path

from dbutils.corpora.text import not_data
from dbutils.errors import InputError

BLOCK = 1 << 16
LARGEST = 8 << 30  # bytes: no file of any corpus comes near it
ATTEMPTS = 5
TIMEOUT = 30  # seconds without a byte
USER_AGENT = "dialectbench-compendium (corpora get)"


class Broken(Exception):
    """The transfer ended too early or was refused for now: worth another attempt."""


class Unreachable(InputError):
    """The server cannot be reached or keeps breaking off: other files of it will fare no better."""


def fetch(address, target, size=-1, sha256="", progress=None, attempts=ATTEMPTS, timeout=TIMEOUT, pause=1.0):
    """Download `address` to the path `target` and return its sha256.

    What has arrived is kept beside the target as `.<name>.part` and resumed by this or a later
    call. The target appears only when the download is complete and right.
    size, sha256: what the file must have (-1 and "" if not known). progress: called with (bytes so
    far, bytes in all or -1). attempts, timeout (seconds), pause (seconds before the second attempt,
    doubled for each further one): for connections that break or stall.
    Raises InputError, naming the address, when the server refuses, sends a web page, a login page
    or a Git LFS pointer, or a file of another size or checksum; Unreachable when it keeps breaking.
    """
    target = Path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{target.parent}: cannot be written: {error.strerror}") from None
    if target.is_dir():
        raise InputError(f"{target}: is a folder, not a file; move it out of the way")
    part = target.with_name(f".{target.name}.part")
    failure = None
    for attempt in range(attempts):
        if attempt:
            time.sleep(pause * 2 ** (attempt - 1))
        resumed = part.exists() and part.stat().st_size > 0
        try:
            stated = _transfer(address, part, size, progress, timeout)
        except Broken as error:
            failure = error
            continue
        wrong = _wrong(part, stated, size, sha256)
        if not wrong:
            digest = sha256_of(part)
            os.replace(part, target)
            _validator(part).unlink(missing_ok=True)
            return digest
        _discard(part)
        if not resumed:  # a resumed file may be wrong because its first part was: start afresh once
            raise InputError(f"{address}: {wrong}")
        failure = wrong
    raise Unreachable(f"{address}: {failure}; run the same command again to go on")


def _transfer(address, part, size, progress, timeout):
    """Bring the part file up to its full length; returns the length the server stated (-1: none)."""
    import requests
    import urllib3

    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
    validator = _validator(part).read_text() if _validator(part).exists() else ""
    if have:
        headers["Range"] = f"bytes={have}-"
        if validator:
            headers["If-Range"] = validator
    try:
        with requests.get(address, headers=headers, stream=True, timeout=timeout) as answer:
            if answer.status_code == 416:  # nothing after what we have: it is complete, or wrong
                return have
            if answer.status_code in (408, 425, 429) or answer.status_code >= 500:
                raise Broken(f"the server answered {answer.status_code} {answer.reason}")
            if answer.status_code >= 400:
                raise InputError(f"{address}: the server answered {answer.status_code} {answer.reason}")
            start = _start(answer)
            if start not in (0, have):
                raise Broken("the server sent another part than was asked for")
            length = answer.headers.get("Content-Length", "")
            total = start + int(length) if length.isdecimal() else -1
            limit = size if size >= 0 else LARGEST
            if total > limit:
                _discard(part)
                raise InputError(f"{address}: the server offers {total} bytes where at most {limit} are expected")
            if start == 0:
                _validator(part).write_text(answer.headers.get("ETag", ""))
            _write(answer, part, start, total, limit, progress, address)
            return total
    except (requests.ConnectionError, requests.Timeout, urllib3.exceptions.HTTPError) as error:
        raise Broken(_why(error)) from None
    except requests.RequestException as error:
        raise InputError(f"{address}: {_why(error)}") from None
    except OSError as error:
        if (
            error.filename is None and error.errno is None
        ):  # of the connection: certificates that are not there, for one
            raise InputError(f"{address}: {_why(error)}") from None
        raise InputError(f"{error.filename or part}: cannot be written: {error.strerror or _why(error)}") from None
    except (ValueError, ImportError) as error:  # of the address, or of a proxy in the environment
        if isinstance(error, InputError):
            raise
        raise InputError(f"{address}: {_why(error)}") from None


def _write(answer, part, start, total, limit, progress, address):
    done = start
    with open(part, "ab" if start else "wb") as file:
        while block := answer.raw.read1(BLOCK):  # what has arrived, without waiting for a full block
            file.write(block)
            file.flush()
            done += len(block)
            if done > limit:
                break
            if progress:
                progress(done, total)
        os.fsync(file.fileno())
    if done > limit:
        _discard(part)
        raise InputError(f"{address}: the server sends more than the {limit} bytes expected")
    if done < total:
        raise Broken(f"the connection ended after {done} of {total} bytes")


def _start(answer):
    if answer.status_code != 206:
        return 0
    first = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("-")[0]
    return int(first) if first.isdecimal() else -1


def _wrong(part, stated, size, sha256):
    have = part.stat().st_size if part.exists() else 0
    with open(part, "rb") if part.exists() else open(os.devnull, "rb") as file:
        head = not_data(file.read(4096))
    if head:
        return f"the server sent {head}"
    if size >= 0 and have != size:
        return f"{have} bytes arrived where {size} were expected"
    if stated >= 0 and have != stated:
        return f"{have} bytes arrived where the server announced {stated}"
    if sha256:
        digest = sha256_of(part)
        if digest != sha256:
            return f"its sha256 is {digest}, the record says {sha256}"
    return ""


def sha256_of(path):
    """The sha256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _validator(part):
    return part.with_name(f"{part.name}.etag")


def _discard(part):
    part.unlink(missing_ok=True)
    _validator(part).unlink(missing_ok=True)


def _why(error):
    inner = error
    while inner.__cause__ or inner.__context__:
        inner = inner.__cause__ or inner.__context__
    return f"{type(error).__name__}: {' '.join(str(inner or error).split())[:200]}"
