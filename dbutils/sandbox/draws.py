"""Chance that is the same on every machine: every draw is a function of its name.

`hash()`, the order of sets and the global random state differ between machines or processes;
SHA-2 of a name does not. Of `random.Random` only `random()` is used, the one method whose
sequence Python promises to keep.
"""

import hashlib
import random


def integer(*name):
    """A whole number in 0..2**64-1 that depends on the parts of the name alone."""
    text = "\x1f".join(map(str, name))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def uniform(*name):
    """A number in [0, 1) that depends on the parts of the name alone."""
    return (integer(*name) >> 11) / 2**53


def source(*name):
    """A `random.Random` that starts from the parts of the name."""
    return random.Random(integer(*name))


def pick(rng, sequence):
    """One element of a non-empty sequence, all equally likely."""
    return sequence[int(rng.random() * len(sequence))]


def shuffled(rng, sequence):
    """The elements of a sequence in random order."""
    return [item for _, _, item in sorted((rng.random(), i, item) for i, item in enumerate(sequence))]
