"""Splits of our own: without leaks, the same on every machine, and stand-ins for unseeded ones."""

import hashlib
import math
import random
import unicodedata

from dbutils.corpora import examples

TRAIN, DEV = 0.6, 0.7  # cumulative shares: 60 % train, 10 % dev, 30 % test
PAPER_TEST = 0.3  # DialectBench: train_test_split(test_size=0.3) after an unseeded shuffle


def folded(text):
    """A text as it counts for duplicates: NFC, lower case, single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def content(example):
    """What an example says, folded: two examples with equal content are duplicates."""
    if isinstance(example, examples.TreeExample | examples.TaggedExample):
        return folded(" ".join(example.tokens))
    if isinstance(example, examples.TextExample):
        return folded(example.text)
    if isinstance(example, examples.PairExample):
        return folded(example.premise) + "\n" + folded(example.hypothesis)
    if isinstance(example, examples.TranslationExample):
        return folded(example.source)
    return folded(example.passage) + "\n" + folded(example.question)


def sound(found, split):
    """The examples that belong to `split` (train, dev or test) of the seeded split, lazily.

    The part depends only on the example's content, so duplicates never stand on both sides and
    another order or another machine changes nothing.
    """
    for example in found:
        digest = hashlib.sha256(b"dbutils split 0\n" + content(example).encode("utf-8")).digest()
        share = int.from_bytes(digest[:8], "big") / 2**64
        part = "train" if share < TRAIN else "dev" if share < DEV else "test"
        if part == split:
            yield example


def stand_in(found, split, phantoms=0):
    """The examples of `split` (train or test) of a random 70/30 split like the paper's.

    The paper's own draw was unseeded and is lost; this one has its sizes, with seed 0.
    phantoms: rows without label that the paper counted before it drew.
    """
    items = list(found)
    test = set(draw(len(items), PAPER_TEST, phantoms))
    return (item for i, item in enumerate(items) if (i in test) == (split == "test"))


def draw(size, share, phantoms=0):
    """A random share (of size + phantoms, rounded up) of the numbers in range(size), with seed 0."""
    return random.Random(0).sample(range(size), math.ceil(share * (size + phantoms)))


def without(found, seen):
    """The examples whose content is not in the set `seen`, each content once, lazily."""
    seen = set(seen)
    for example in found:
        what = content(example)
        if what not in seen:
            seen.add(what)
            yield example
