"""Dialect identification: DSL-TL, DMT, Greek, Swiss German (GDI), MADAR.

A code is a set of texts (`english`); `english:EN-GB` is that label's share of it, cut by load.
"""

from dbutils.corpora import splits, store
from dbutils.corpora.examples import TextExample
from dbutils.corpora.formats import tables
from dbutils.corpora.readers import texts
from dbutils.corpora.text import lines
from dbutils.errors import InputError

DSL_TL = {"english": "EN", "spanish": "ES", "portuguese": "PT"}


def dsl_tl(task, code, split):
    """News sentences. The paper trained and tested on dev; the gold test file came out later."""
    letters = DSL_TL[code]
    if split == "test":
        return _dsl_gold(letters)
    part = "dev" if split.startswith("paper-") else split
    return _dsl(store.find("dsl_tl", f"DSL-TL-Corpus/{letters}-DSL-TL/{letters}_{part}.tsv"))


def _dsl(path):
    for line, cells in tables.quoted(path, "\t"):
        if len(cells) != 3:
            raise InputError(f"{path}:{line}: {len(cells)} columns where 3 were expected")
        yield TextExample(f"{line}:{cells[0]}", cells[1], cells[2])


def _dsl_gold(letters):
    path = store.find("dsl_tl", "DSL-TL-Corpus/Test-DSL-TL/DSL-TL-Gold.tsv")
    for line, row in tables.named(path, tables.quoted(path, "\t"), ("sentence", "label")):
        if row["label"].partition("-")[0] == letters:
            yield TextExample(str(line), row["sentence"], row["label"])


DMT = {"mandarin_simplified": "SIMP", "mandarin_traditional": "TRAD"}


def dmt(task, code, split):
    """Sentences of Mainland (M) and Taiwan (T) news; the paper trained and tested on dev."""
    part = "dev" if split.startswith("paper-") else split
    folder = f"raw_data/TRAININGSET-DMT_{DMT[code]}-VARDIAL2019"
    return _text_tab_label(store.find("dmt", f"{folder}/{part}.txt"), {"M": "M", "T": "T"})


def _text_tab_label(path, labels):
    for line, (text, word) in tables.plain(path, 2):
        yield TextExample(str(line), text.strip(), texts.label(path, line, word, labels))


GREEK = ("cg_fb", "cg_other", "cg_twitter", "smg_fb", "smg_other", "smg_twitter")


def greek_did(task, code, split):
    """Cypriot (cg) and Standard Modern Greek (smg); the file name is the label."""
    paper = split.startswith("paper-")
    return texts.seeded((e for stem in GREEK for e in _lines_of(stem, paper)), split)


def _lines_of(stem, paper):
    path = store.find("greek_did", f"Data/{stem}.txt")
    for line, text in lines(path):
        if text.strip():
            yield TextExample(f"{stem}:{line}", text.strip(), stem)
    if paper:
        yield texts.phantom(f"{stem}:end", stem)


GDI = {label: label for label in ("BE", "BS", "LU", "ZH")}
GDI_2018 = {**GDI, "XY": "XY"}


def swiss_did(task, code, split):
    """Swiss German utterances. Speakers do not overlap between train, dev and test.

    `paper-...`: a 70/30 split of the 2019 test set. `2018-...`: the earlier edition;
    `2018-test` is without the surprise dialect XY, `2018-test-xy` with it.
    """
    if split.startswith("paper-"):
        return splits.stand_in(swiss_did(task, code, "test"), split.removeprefix("paper-"))
    edition, part = ("2018", split.removeprefix("2018-")) if split.startswith("2018-") else ("2019", split)
    name = "gold" if part in ("test", "test-xy") else part
    found = _text_tab_label(store.find("swiss_did", f"GDI{edition}/{name}.txt"), GDI_2018)
    return found if part == "test-xy" else (e for e in found if e.label != "XY")


def madar(task, code, split):
    """Travel phrases in 25 city dialects and Modern Standard Arabic (MADAR-26)."""
    for path in store.matching("madar", "MADAR_Corpus/MADAR.corpus.*.tsv"):
        for _, row in tables.plain_named(path, ("sentID.BTEC", "split", "lang", "sent")):
            if f"corpus-26-{split}" in row["split"]:
                yield TextExample(f"{row['lang']}:{row['sentID.BTEC']}", row["sent"], row["lang"])
