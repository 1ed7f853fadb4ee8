"""Natural language inference: XNLI, its Croatian extension, DialectBench's translate-test set."""

from dbutils.corpora import store
from dbutils.corpora.examples import PairExample
from dbutils.corpora.formats import tables
from dbutils.corpora.readers import texts
from dbutils.errors import InputError

LABELS = {name: name for name in ("entailment", "neutral", "contradiction")}
TRAIN_LABELS = {**LABELS, "contradictory": "contradiction"}  # as machine-translated MNLI spells it


def c_xnli(task, code, split):
    """The Croatian dev and test sets; they carry the gold labels and pair ids of XNLI, in its order."""
    path = store.find("c-xnli", f"data/xnli.{split}.{code}.csv")
    columns = ("premise", "hypo", "pairID", "label")
    for line, row in tables.named(path, tables.quoted(path), columns):
        label = texts.label(path, line, row["label"], LABELS)
        yield PairExample(row["pairID"], row["premise"], row["hypo"], label)


def xnli(task, code, split):
    """XNLI in the layout of XTREME: test rows without label (taken from c-xnli by row), others with."""
    path = store.find("xnli-en", f"data/xnli/{split}-{code}.tsv")
    if split != "test":
        for line, (premise, hypothesis, word) in tables.plain(path, 3):
            label = texts.label(path, line, word, TRAIN_LABELS)
            yield PairExample(str(line), premise, hypothesis, label)
        return
    gold = c_xnli(task, "hr", "test")
    line = 0
    for line, (premise, hypothesis) in tables.plain(path, 2):
        pair = next(gold, None)
        if pair is None:
            raise InputError(f"{path}:{line}: more rows than the gold labels of c-xnli")
        yield PairExample(pair.id, premise, hypothesis, pair.label)
    if next(gold, None) is not None:
        raise InputError(f"{path}:{line}: ends before the gold labels of c-xnli do")


def dialect_nli(task, code, split):
    """The translate-test set: dev and test hold all varieties in one file, train is English."""
    if split == "train":
        return _train(store.find("dialect_nli", f"train-{code}.tsv"))
    return _of_language(store.find("dialect_nli", f"{split}.tsv"), code)


def xnli_all(task, code, split):
    """XNLI 1.0 as published: dev and test with gold labels, all languages in one file."""
    return _of_language(store.find("xnli", f"XNLI-1.0/xnli.{split}.tsv"), code)


def xnli_mt(task, code, split):
    """The MultiNLI train set in English or machine-translated."""
    return _train(store.find("xnli-mt", f"XNLI-MT-1.0/multinli/multinli.train.{code}.tsv"))


def _train(path):
    for line, row in tables.plain_named(path, ("premise", "hypo", "label")):
        label = texts.label(path, line, row["label"], TRAIN_LABELS)
        yield PairExample(str(line), row["premise"], row["hypo"], label)


def _of_language(path, code):
    columns = ("language", "gold_label", "sentence1", "sentence2", "pairID")
    for line, row in tables.plain_named(path, columns):
        if row["language"] == code:
            label = texts.label(path, line, row["gold_label"], LABELS)
            yield PairExample(row["pairID"], row["sentence1"], row["sentence2"], label)
