"""Under which language code of NLLB-200 a variety is presented to a translation model: data/nllb_codes.csv.

Columns: corpus; group (the folder of CODET that holds the file); code (empty: every code of the group without a row of
its own); paper (what the paper used, by the files' endings); best (a code of the variety's own where NLLB has one);
standard (the code of the standard's sentence, from which a pseudo-reference is made); note (why).
"""

import functools
from dataclasses import dataclass
from pathlib import PurePosixPath

from dbutils import csvio, paths
from dbutils.corpora import places
from dbutils.errors import InputError

FILE = "nllb_codes.csv"
COLUMNS = ("corpus", "group", "code", "paper", "best", "standard", "note")
TARGET = "eng_Latn"
# What models of the M2M100 kind call the same languages.
ISO = {
    "arb_Arab": "ar",
    "azj_Latn": "az",
    "bak_Cyrl": "ba",
    "ben_Beng": "bn",
    "deu_Latn": "de",
    "ell_Grek": "el",
    "eng_Latn": "en",
    "fra_Latn": "fr",
    "ita_Latn": "it",
    "kaz_Cyrl": "kk",
    "nno_Latn": "no",
    "oci_Latn": "oc",
    "pes_Arab": "fa",
    "swh_Latn": "sw",
    "tur_Latn": "tr",
    "uzn_Latn": "uz",
    "yor_Latn": "yo",
}


@dataclass(frozen=True)
class Codes:
    """The codes of one variety; see the module's description."""

    corpus: str
    group: str
    code: str
    paper: str
    best: str
    standard: str
    note: str


@functools.cache
def load():
    """All rows, in file order."""
    table = csvio.read_csv(paths.data(FILE), COLUMNS)
    return tuple(Codes(**row) for row in table.to_dict("records"))


def of(corpus, code):
    """The Codes of a code of a corpus; InputError where the table has none."""
    group = _group(corpus, code)
    mine = [row for row in load() if row.corpus == corpus and row.group == group and row.code in (code, "")]
    if not mine:
        raise InputError(
            f"{FILE} has no language code for {code!r} of corpus {corpus!r}: name one with --set source=CODE"
        )
    return max(mine, key=lambda row: row.code == code)


def _group(corpus, code):
    held = places.of(corpus, code)
    return PurePosixPath(held[0].path).parent.name if corpus == "codet" and held else ""
