"""A drawn figure as a file: the same figure gives the same bytes."""

import io
from pathlib import Path

from dbutils.csvio import write_bytes
from dbutils.errors import InputError
from dbutils.paths import check_output
from dbutils.report import style

# what matplotlib would write of the day and of itself
ENDINGS = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def check(path):
    """The format that a path asks for; InputError for an unknown ending or a missing folder."""
    check_output(path)
    return _known(Path(path).suffix[1:].lower())


def _known(ending):
    if ending not in ENDINGS:
        raise InputError(
            f"unknown ending {'.' + ending!r}: figures are written as {', '.join('.' + e for e in ENDINGS)}"
        )
    return ending


def content(figure, ending):
    """The figure as bytes of an SVG (texts as outlines), PNG (200 dots per inch) or PDF file."""
    buffer = io.BytesIO()
    with style.context():
        figure.savefig(buffer, format=_known(ending), dpi=style.DPI, metadata=ENDINGS[ending])
    return buffer.getvalue()


def save(figure, path):
    """Write a figure to a file, whole or not at all; its ending says the format.

    Raises InputError as `check` does.
    """
    write_bytes(path, content(figure, check(path)))
