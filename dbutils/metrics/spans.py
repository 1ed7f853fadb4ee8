"""Span F1 and exact match of extractive question answering.

`squad` normalises as SQuAD 1.1 does, which is made for English: lower case, ASCII punctuation and the
words a, an, the dropped. The Unicode-aware normalisation (NFKC, case folding, every punctuation mark and
symbol, no words dropped) compares words of letters, and characters where a script writes no spaces. Digits of all
scripts are the same where NFKC says so (full width), not else: an answer in other digits is another string to a reader.
Punctuation parts words there, so that 1,000 is the words 1 and 000 and U.S. the words u and s, on both sides alike.

Where the tokens of an answer and of the prediction are both none (an answer of punctuation or articles alone), the F1
is 100: they agree, and the exact match says so. SQuAD 1.1's script gives 0 for F1 and 1 for the exact match there.

It leaves out marks that nobody sees: those of direction (U+061C, 200E, 200F, 202A to 202E, 2066 to 2069), the soft
hyphen (00AD), the byte order mark (FEFF), joiners of words (2060, 034F) and selectors of a sign's form (FE00 to FE0F). The
zero-width space (200B) parts words as a blank does. The zero-width non-joiner and joiner (200C, 200D) belong to the spelling in
Persian, Telugu and others: they stay between letters, and are left out at the ends of a word, where they change nothing.
"""

import re
import string
import unicodedata
from collections import Counter

import numpy as np

from dbutils.metrics.base import Metric, column, share

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_ASCII = set(string.punctuation)
# scripts written without spaces: one character is one token
_UNSPACED = re.compile(
    r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
)
_UNSEEN = re.compile("[\u00ad\u034f\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_JOINERS = "\u200c\u200d"


def squad(text):
    """Tokens of a text as SQuAD 1.1 compares them."""
    text = "".join(c for c in text.lower() if c not in _ASCII)
    return _ARTICLES.sub(" ", text).split()


def unicode_tokens(text):
    """Tokens of a text, script by script: NFKC, case folded, without punctuation, symbols and unseen marks."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = _UNSEEN.sub("", text).replace("\u200b", " ")
    text = "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in text)
    words = (word.strip(_JOINERS) for word in _UNSPACED.sub(r" \1 ", text).split())
    return [word for word in words if word]


def overlap(gold, predicted):
    """F1 of two bags of tokens in 0..1; two empty ones agree."""
    if not gold or not predicted:
        return float(gold == predicted)
    shared = sum((Counter(gold) & Counter(predicted)).values())
    return 2 * shared / (len(gold) + len(predicted))


def _statistics(tokens):
    def statistics(gold, predicted):
        """[1, F1, exact match], each the best over the references; None is no answer."""
        found = tokens(predicted or "")
        references = [tokens(answer) for answer in gold.answers]
        return np.array([1, max(overlap(r, found) for r in references), max(float(r == found) for r in references)])

    return statistics


SPAN_F1 = Metric("f1", _statistics(squad), *share(column(1), column(0)))
EXACT = Metric("exact_match", _statistics(squad), *share(column(2), column(0)))
UNICODE_F1 = Metric("f1_unicode", _statistics(unicode_tokens), *share(column(1), column(0)))
UNICODE_EXACT = Metric("exact_match_unicode", _statistics(unicode_tokens), *share(column(2), column(0)))
