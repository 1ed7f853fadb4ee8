"""The Finnish Dialect Corpus of the Syntax Archive (LA-murre, VRT) and its conversion to UPOS.

Token lines: cell 2 is the form, 3 the lemma, 4 the tag, 6 the syntactic function. Conversion as
documented for the DialectBench copy (github.com/mainlp/convert-la-murrekorpus): the tag table below;
sentences with an undefined tag are left out; auxiliaries are told from verbs by their lemma and
place in the predicate.
"""

import unicodedata

from dbutils.corpora.formats import vrt
from dbutils.errors import InputError

UNDEFINED = "__UNDEF__"

UPOS = {
    "a": "ADJ",
    "a:pron": "ADJ",
    "a:pron:dem": "ADJ",
    "a:pron:int": "ADJ",
    "a:pron:rel": "ADJ",
    "num:ord": "ADJ",
    "num:ord_pron": "ADJ",
    "p:post": "ADP",
    "p:pre": "ADP",
    "neg": "AUX",
    "adv": "ADV",
    "adv:pron": "ADV",
    "adv:pron:dem": "ADV",
    "adv:pron:int": "ADV",
    "adv:pron:rel": "ADV",
    "adv:q": "ADV",
    "p:adv": "ADV",
    "cnj:coord": "CCONJ",
    "intj": "INTJ",
    "n": "NOUN",
    "num:card": "NUM",
    "num:murto": "NUM",
    "pron": "PRON",
    "pron:dem": "PRON",
    "pron:int": "PRON",
    "pron:pers": "PRON",
    "pron:pers12": "PRON",
    "pron:ref": "PRON",
    "pron:rel": "PRON",
    "n:prop": "PROPN",
    "n:prop:pname": "PROPN",
    "punct": "PUNCT",
    "cnj:rel": "SCONJ",
    "cnj:sub": "SCONJ",
    "muu": "X",
    "v": "VERB",
}

# Quantifiers (tag q) that Finnish TDT treats as adjectives; all others are pronouns there.
QUANTIFIER, ADJECTIVES = "q", ("ensi", "eri", "koko", "kumma", "monias", "oma", "samainen", "omas")

COPULA = "olla"
AUXILIARIES = ("ei", "voida", "pitää", "saattaa", "täytyä", "joutua", "aikoa", "taitaa", "tarvita", "mahtaa")


def sentences(path, region):
    """The sentences of one dialect region (HÄM, KAA, ...) as (line number, tokens, tags).

    InputError (file:line) for a tag outside the table.
    """
    for line, text, rows in vrt.sentences(path, 6):
        if unicodedata.normalize("NFC", text.get("dialect_region", "")) != region:
            continue
        if any(row[3] == UNDEFINED for row in rows):
            continue
        last = max((row[5] for row in rows if row[5] in ("pred2", "pred3")), default=None)
        yield line, [row[1] for row in rows], [_tag(path, line, row, last) for row in rows]


def _tag(path, line, row, last):
    lemma, tag, function = row[2], row[3], row[5]
    if tag == QUANTIFIER:
        return "ADJ" if lemma in ADJECTIVES else "PRON"
    if tag not in UPOS:
        raise InputError(f"{path}:{line}: unknown tag {tag!r} in this sentence")
    if tag == "v" and (lemma == COPULA or (lemma in AUXILIARIES and function != last)):
        return "AUX"
    return UPOS[tag]
