"""The standard streams while a command runs: results are never lost without a word, and messages never stop the work.

Standard output is for results: where it is closed from the start, or takes only signs of another encoding, the command
fails with one line; where its reader has had enough (`| head`), the command may end quietly. Standard error is for messages:
where nobody reads them any more, the work goes on without them.
"""

import contextlib
import os
import sys

from dbutils.errors import InputError


class Unread(BrokenPipeError):
    """The reader of standard output is gone."""


class _Stream:
    def __init__(self, stream):
        self._stream = stream

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __iter__(self):
        return iter(self._stream)

    def writelines(self, lines):
        for line in lines:
            self.write(line)


class _Results(_Stream):
    """Standard output."""

    def write(self, text):
        return self._do(lambda: self._stream.write(text))

    def flush(self):
        return self._do(self._stream.flush)

    def _do(self, action):
        try:
            return action()
        except BrokenPipeError:
            _silence(1)
            raise Unread from None
        except UnicodeEncodeError as error:
            sign = error.object[error.start : error.start + 1]
            raise InputError(
                f"standard output takes only {error.encoding}, and {sign!a} is none of it: set PYTHONIOENCODING=utf-8"
            ) from None


class _Messages(_Stream):
    """Standard error."""

    def write(self, text):
        return self._do(lambda: self._stream.write(text), len(text))

    def flush(self):
        return self._do(self._stream.flush)

    def _do(self, action, otherwise=None):
        try:
            return action()
        except (OSError, ValueError):  # the reader is gone, the disk is full, it was closed
            with contextlib.suppress(OSError):
                _silence(2)
            return otherwise


class _Closed:
    """Standard output that was closed from the start: a command that prints has nowhere to."""

    encoding = "utf-8"

    def write(self, text):
        raise InputError("standard output is closed, so nothing can be printed: give -o FILE where there is one")

    def flush(self):
        pass

    def isatty(self):
        return False


def _silence(number):
    """Let a file descriptor lead nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


@contextlib.contextmanager
def guarded():
    """The standard streams as above while the command runs."""
    out, err = sys.stdout, sys.stderr
    for number in (0, 1, 2):  # a file opened later must not become a standard stream
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                handle = os.open(os.devnull, os.O_RDWR)
                if handle != number:
                    os.dup2(handle, number)
                    os.close(handle)
    if out is not None and not os.environ.get("PYTHONIOENCODING") and hasattr(out, "reconfigure") and not out.isatty():
        out.reconfigure(encoding="utf-8")  # what is written into a file or pipe is UTF-8, whatever the terminal takes
    sys.stdout = _Closed() if out is None else _Results(out)
    sys.stderr = _Messages(open(os.devnull, "w") if err is None else err)  # noqa: SIM115  (it lives as long as the process)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
