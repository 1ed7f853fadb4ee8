"""The QCRI four-dialect Arabic files: segmented, tagged tweets, and their conversion to UPOS.

File: seven tab-separated columns with a header; a row tagged EOS ends a sentence, empty lines mean
nothing. Conversion as documented for the DialectBench copy (github.com/mainlp/convert-qcri-4dialects):
a determiner joins its noun or adjective, case and noun endings join what they end, the progressive
particle joins its verb; what is left over becomes tokens of their own.
"""

from dbutils.corpora.text import lines
from dbutils.errors import InputError

HEADER = ["Fold", "SubFold", "SentID", "Order", "Word", "Segmentation", "POS"]

UPOS = {
    "ADJ": "ADJ",
    "ADV": "ADV",
    "CASE": "X",
    "CONJ": "CCONJ",
    "DET": "DET",
    "EMOT": "SYM",
    "FOREIGN": "X",
    "FUT_PART": "AUX",
    "HASH": "X",
    "MENTION": "PROPN",
    "NEG_PART": "PART",
    "NOUN": "NOUN",
    "NSUFF": "X",
    "NUM": "NUM",
    "PART": "PART",
    "PREP": "ADP",
    "PROG_PART": "X",
    "PRON": "PRON",
    "PUNC": "PUNCT",
    "URL": "SYM",
    "V": "VERB",
}

JOINS = {"DET": ("NOUN", "ADJ"), "PROG_PART": ("V",)}  # joins the next segment of these tags
ENDINGS = ("CASE", "NSUFF")  # join the segment before
SUBORDINATING = ("إن", "ان", "أن", "إِن", "إِنَّ", "أَن", "أَنَّ")  # PART that UD Arabic tags SCONJ


def sentences(path):
    """The sentences of a file as (number from 1, list of (word, segments, tags)).

    A sentence with an empty word is left out, as in the converted files (8 in Gulf); its number
    stays unused, so the gap shows. InputError (file:line) for a broken row.
    """
    number, words, whole = 1, [], True
    for line, text in lines(path):
        cells = text.split("\t")
        if line == 1 and cells != HEADER:
            raise InputError(f"{path}:1: the header must be: {' '.join(HEADER)}")
        if line == 1 or not text.strip():
            continue
        if len(cells) != 7:
            raise InputError(f"{path}:{line}: {len(cells)} columns where 7 were expected")
        word, segmentation, tag = cells[4:]
        if tag == "EOS":
            if words and whole:
                yield number, words
            number, words, whole = number + 1, [], True
            continue
        whole = whole and bool(word)
        words.append((word, *_segments(path, line, word, segmentation, tag)))
    if words and whole:
        yield number, words


def _segments(path, line, word, segmentation, tag):
    tags = tag.split("+")
    for one in tags:
        if one not in UPOS:
            raise InputError(f"{path}:{line}: unknown tag {one!r}")
    segments = segmentation.split("+") if len(tags) > 1 else [word]
    if len(segments) != len(tags):
        raise InputError(f"{path}:{line}: {len(segments)} segments but {len(tags)} tags")
    return segments, tags


def to_upos(words):
    """Tokens and UPOS tags of a sentence; one word may give several tokens."""
    tokens, new = [], []
    for word, segments, tags in words:
        groups = _groups(tags)
        if len(tags) == 1 and tags[0] == "PART" and word in SUBORDINATING:
            tokens.append(word)
            new.append("SCONJ")
        elif len(groups) == 1:
            tokens.append(word)
            new.append(UPOS[groups[0][0]])
        else:
            for tag, start, end in groups:
                tokens.append("".join(segments[start:end]))
                new.append(UPOS[tag])
    return tokens, new


def _groups(tags):
    """The segments that stay together, as (tag of the whole, start, end)."""
    groups = []
    for position, tag in enumerate(tags):
        if groups and groups[-1][2] > position:
            continue  # taken by the segment before
        if tag in ENDINGS and groups:
            groups[-1] = (groups[-1][0], groups[-1][1], position + 1)
        elif tags[position + 1 : position + 2] and tags[position + 1] in JOINS.get(tag, ()):
            groups.append((tags[position + 1], position, position + 2))
        else:
            groups.append((tag, position, position + 1))
    return groups
