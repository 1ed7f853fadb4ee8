"""What pos and ner share: tags as predictions, one per token, None where there is none."""

from collections import Counter
from types import SimpleNamespace

from dbutils.errors import InputError


def gold(example):
    return list(example.tags)


def held(gold):
    return SimpleNamespace(tokens=tuple(gold), tags=tuple(gold), scored=(True,) * len(gold))


def from_json(value, example):
    size = len(example.tokens)
    if not isinstance(value, list) or len(value) != size:
        found = f"{len(value)} tags" if isinstance(value, list) else f"{value!r} is no list of tags"
        raise InputError(f"{found} for the {size} tokens of the sentence")
    for position, tag in enumerate(value, 1):
        if tag is not None and not (isinstance(tag, str) and tag):
            raise InputError(f"tag {tag!r} of token {position} is neither text nor null")
    return tuple(value)


def frequent(examples):
    """The most frequent tag."""
    return most_frequent(tag for example in examples for tag in example.tags)


def repeat(tag, example):
    """A tag on every token."""
    return (tag,) * len(example.tokens)


def most_frequent(values):
    """The most frequent value (the smallest of equals); InputError if there is none."""
    counts = Counter(values)
    if not counts:
        raise InputError("there are no training examples")
    return min(counts, key=lambda value: (-counts[value], value))


def outcomes(gold, prediction):
    """(gold tag, predicted tag) of each token."""
    return [(tag, found or "none") for tag, found in zip(gold, prediction, strict=True)]
