"""Sentiment of Arabic varieties: nine codes from eight corpora. Labels are words in lower case."""

from dbutils.corpora import splits, store
from dbutils.corpora.examples import TextExample
from dbutils.corpora.formats import sheets, tables
from dbutils.corpora.readers import texts
from dbutils.corpora.text import lines
from dbutils.errors import InputError


def tsac(task, code, split):
    """Tunisian comments; one file per split and label. `paper-...` has the phantom empty row of each file."""
    part = split.removeprefix("paper-")
    for stem, label in ((f"{part}_neg", "negative"), (f"{part}_pos", "positive")):
        for line, text in lines(store.find("tsac", f"{stem}.txt")):
            if text.strip():
                yield TextExample(f"{stem}:{line}", text.strip(), label)
            elif split != part:
                yield texts.phantom(f"{stem}:{line}", label)
        if split != part:
            yield texts.phantom(f"{stem}:end", label)


TUNIZI = {"1": "positive", "-1": "negative", "0": "neutral"}


def tunizi(task, code, split):
    """Tunisian Arabizi. `paper-...` reads version 2 (three classes), all others version 1."""
    version = "V2" if split.startswith("paper-") else "V1"
    return texts.seeded(_tunizi(store.find("tunizi", f"TUNIZI_{version}.txt")), split)


def _tunizi(path):
    for line, row in lines(path):
        if not row.strip():
            continue
        text, semicolon, word = row.rpartition(";")
        if not semicolon:
            raise InputError(f"{path}:{line}: no ';' before the label")
        yield TextExample(str(line), text.strip() or texts.MISSING, texts.label(path, line, word.strip(), TUNIZI))


def dzsentia(task, code, split):
    """Algerian posts, no official split."""
    path = store.find("dzsentia", "dataset.csv")
    labels = {"Positive": "positive", "Negative": "negative"}
    rows = tables.named(path, tables.quoted(path), ("id", "text", "sentiment"))
    return texts.seeded(_rows(path, rows, "text", "sentiment", labels), split)


def saudibank(task, code, split):
    """Tweets to Saudi banks, no official split; the label is the final annotation."""
    path = store.find("saudibank", "data_Saudi_banks.xlsx")
    labels = {"NEG": "negative", "NEU": "neutral", "POS": "positive"}
    rows = sheets.rows(path, "Sheet1", ("Tweet", "Final annotation"))
    return texts.seeded(_rows(path, rows, "Tweet", "Final annotation", labels), split)


def ajgt(task, code, split):
    """Jordanian tweets, no official split; the sheet is called `1`."""
    path = store.find("ajgt", "AJGT.xlsx")
    labels = {"Negative": "negative", "Positive": "positive"}
    rows = sheets.rows(path, "1", ("Feed", "Sentiment"))
    return texts.seeded(_rows(path, rows, "Feed", "Sentiment", labels), split)


def oclar(task, code, split):
    """Lebanese reviews, no official split; the label is the rating from 1 to 5."""
    path = store.find("oclar", "OCLAR - Opinion Corpus for Lebanese Arabic Reviews.csv")
    labels = {rating: rating for rating in "12345"}
    rows = tables.named(path, tables.quoted(path), ("review", "rating"))
    return texts.seeded(_rows(path, rows, "review", "rating", labels), split)


MAC = {"arb_arab": "standard", "ary_arab": "dialectal"}


def mac(task, code, split):
    """Moroccan tweets, standard or dialectal, no official split.

    Twelve rows have the class `diatectal`; they are left out, as the paper did.
    """
    path = store.find("mac", "MAC corpus.csv")
    labels = {name: name for name in ("negative", "neutral", "positive", "mixed")}
    rows = tables.named(path, tables.quoted(path), ("tweets", "type", "class"))
    rows = ((line, row) for line, row in rows if row["class"] == MAC[code])
    return texts.seeded(_rows(path, rows, "tweets", "type", labels), split)


def _rows(path, rows, text, label, labels):
    """Examples of table rows; a row that repeats the header is none, an empty text is `[UNK]`."""
    for line, row in rows:
        word = row[label].strip()
        if word in ("label", label):
            continue
        name = texts.label(path, line, word, labels)
        yield TextExample(str(line), row[text].strip() or texts.MISSING, name)


ASTD = {"OBJ": "objective", "NEG": "negative", "NEUTRAL": "neutral", "POS": "positive"}
ASTD_PARTS = {"train": "train", "dev": "validation", "test": "test"}


def astd(task, code, split):
    """Egyptian tweets. `train`, `dev`, `test` are the corpus's own unbalanced index files,
    `balanced-...` its balanced ones; `paper-...` is a 70/30 split of all.
    """
    found = list(_astd(store.find("astd", "data/Tweets.txt")))
    if split.startswith("paper-"):  # upstream counted the empty row after the last line, too
        return splits.stand_in(found, split.removeprefix("paper-"), phantoms=1)
    kind, part = ("balanced", split.removeprefix("balanced-")) if "-" in split else ("unbalanced", split)
    path = store.find("astd", f"data/4class-{kind}-{ASTD_PARTS[part]}.txt")
    return _by_index(path, found)


def _astd(path):
    for line, row in lines(path):
        if not row:
            continue
        text, tab, word = row.rpartition("\t")
        if not tab:
            raise InputError(f"{path}:{line}: no tab before the label")
        yield TextExample(str(line), text.strip() or texts.MISSING, texts.label(path, line, word, ASTD))


def _by_index(path, found):
    for line, number in lines(path):
        if not number.strip():
            continue
        if not number.strip().isdecimal() or int(number) >= len(found):
            raise InputError(f"{path}:{line}: {number!r} is no row number of Tweets.txt (0 to {len(found) - 1})")
        yield found[int(number)]
