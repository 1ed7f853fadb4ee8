"""How far varieties are from one another: edit distance between parallel sentences."""

from functools import cache

from dbutils.sandbox.family import SOURCE, Variety, variety
from dbutils.sandbox.stories import stories
from dbutils.sandbox.tasks import main_sentence
from dbutils.sandbox.tree import text


def levenshtein(one, other):
    """The least number of insertions, deletions and substitutions of characters that turn one into the other.

    Bit-parallel over Python's whole numbers (Myers 1999, as extended by Hyyrö 2003): a step per
    character of `other`, whatever the length of `one`.
    """
    if not one:
        return len(other)
    masks = {}
    for n, letter in enumerate(one):
        masks[letter] = masks.get(letter, 0) | 1 << n
    full, top = (1 << len(one)) - 1, 1 << len(one) - 1
    up, down, score = full, 0, len(one)
    for letter in other:
        match = masks.get(letter, 0)
        diagonal = ((match & up) + up ^ up) | match | down
        plus = down | ~(diagonal | up) & full
        minus = up & diagonal
        score += bool(plus & top) - bool(minus & top)
        plus, minus = (plus << 1 | 1) & full, minus << 1 & full
        up = minus | ~(diagonal | plus) & full
        down = plus & diagonal
    return score


def normalised(one, other):
    """Edit distance over the length of the longer text: 0 (equal) to 1 (nothing shared)."""
    return levenshtein(one, other) / max(len(one), len(other), 1)


def distance(code, to=SOURCE, letters=True, size=100, seed=0):
    """Mean normalised edit distance between the parallel main sentences of two varieties, in 0..1.

    code, to: a `Variety` or its code. letters=False: as if both were written alike (rules of the
    stage "letters" left out), so that another script does not hide kinship. size: how many
    sentences of the test split.
    """
    records = (v if isinstance(v, Variety) else variety(v) for v in (code, to))
    one, other = (_texts(record, letters, size, seed) for record in records)
    return sum(map(normalised, one, other)) / len(one)


@cache
def _texts(record, letters, size, seed):
    skip = () if letters else ("letters",)
    return [text(main_sentence(story, record, skip).forms) for story in stories("test", size, seed)]
