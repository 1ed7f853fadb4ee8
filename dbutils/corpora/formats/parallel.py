"""Line-aligned parallel text: line n of one file translates line n of the other."""

from dbutils.corpora.text import lines
from dbutils.errors import InputError


def aligned(source, reference):
    """The pairs of two line-aligned files as (line number, source, reference), both non-empty.

    An empty line means that this sentence is missing there: it keeps the alignment and is left
    out only after pairing. A missing last line end changes nothing. InputError if the files have
    different numbers of lines.
    """
    left, right = lines(source), lines(reference)
    for number, text in left:
        other = next(right, None)
        if other is None:
            raise InputError(
                f"{reference}: ends at line {number - 1}, before {source}; they must have equally many lines"
            )
        text, translation = text.strip(), other[1].strip()
        if text and translation:
            yield number, text, translation
    surplus = next(right, None)
    if surplus is not None:
        raise InputError(
            f"{source}: ends at line {surplus[0] - 1}, before {reference}; they must have equally many lines"
        )
