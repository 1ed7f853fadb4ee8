import pandas as pd
import pytest

from dbutils.corpora import catalogue, load, stats
from dbutils.corpora.examples import (
    ChoiceExample,
    PairExample,
    SpanExample,
    TaggedExample,
    TextExample,
    TranslationExample,
    TreeExample,
)


def test_texts_labels_duplicates_and_overlap():
    found = [TextExample("1", "a b", "yes"), TextExample("2", "A  b", "no"), TextExample("3", "c", "no")]
    assert stats.of_examples(found, ("no", "yes", "never"), {"c"}) == {
        "examples": "3",
        "tokens": "5",
        "labels": "no=2;yes=1",
        "duplicates": "1",
        "overlap": "1",
    }


def test_overlap_is_empty_where_there_is_no_train_on_disk():
    assert stats.of_examples([], (), None)["overlap"] == ""


@pytest.mark.parametrize(
    ("example", "tokens", "labels"),
    [
        (TreeExample("1", ("a", "_"), ("X", "X"), (0, 1), ("root", "dep"), (True, False)), "2", "root=1"),
        (TaggedExample("1", ("a", "b"), ("NOUN", "X")), "2", "NOUN=1;X=1"),
        (TaggedExample("1", ("a", "b", "c"), ("B-PER", "I-PER", "O")), "3", "PER=1"),
        (PairExample("1", "a b", "c", "neutral"), "3", "neutral=1"),
        (ChoiceExample("1", "p q", "r", ("a", "b"), 1, "x"), "5", "2=1"),
        (SpanExample("1", "p q", "r", ("p", "q"), (0, 2), "x"), "3", "2 answers=1"),
        (TranslationExample("1", "a b", "c d e", 1, "english"), "2", "english=1"),
    ],
)
def test_every_type_is_counted(example, tokens, labels):
    values = stats.of_examples([example])
    assert (values["tokens"], values["labels"]) == (tokens, labels)


def test_counting_a_corpus_covers_what_is_on_disk_only(place):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    (row,) = stats.count("sib-200")
    assert row == {
        "task": "tc",
        "corpus": "sib-200",
        "code": "arz_Arab",
        "split": "test",
        "examples": "2",
        "tokens": "6",
        "labels": "science/technology=1;travel=1",
        "duplicates": "0",
        "overlap": "",
        "source": "counted",
    }


def test_overlap_is_against_the_train_part_of_the_same_family(write):
    for split, texts in (("train", "a b"), ("gold", "b c")):
        write(f"swiss_did/GDI2019/{split}.txt", "".join(f"{t}\tZH\n" for t in texts.split()))
    write("swiss_did/GDI2018/train.txt", "c\tZH\n")
    write("swiss_did/GDI2018/gold.txt", "c\tZH\nc\tXY\n")
    overlap = {row["split"]: row["overlap"] for row in stats.count("swiss_did")}
    assert overlap["test"] == "1" and overlap["2018-test"] == "1" and overlap["2018-test-xy"] == "2"


def test_refreshing_keeps_published_rows_and_the_catalogues_order(place):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    published = ["did", "madar", "arabic", "test", "5200", "", "", "", "", "published"]
    table = pd.DataFrame([published], columns=stats.COLUMNS, dtype=str)
    fresh = stats.refreshed(table, ["sib-200", "madar"], say=lambda text: None)
    assert fresh["corpus"].tolist() == ["madar", "sib-200"]
    assert fresh["source"].tolist() == ["published", "counted"]


def test_committed_statistics_name_known_corpora_codes_and_splits():
    table = stats.committed()
    assert not table.duplicated(["task", "corpus", "code", "split"]).any()
    for row in table.drop_duplicates(["task", "corpus", "code"]).itertuples():
        assert row.code in load.codes(row.task, row.corpus)
        assert row.split in load.names(row.task, row.corpus, row.code)
    assert set(table["source"]) == {"counted", "published"}


def test_every_corpus_has_statistics_or_a_published_size():
    without = set(catalogue.load()) - set(stats.committed()["corpus"])
    assert without == {"race", "sciq", "multirc", "mcscript2", "reclor"}  # their sizes are not stated by the paper


@pytest.mark.parametrize(
    ("corpus", "code", "split", "number"),
    [
        ("ud", "UD_English-EWT", "test", 2077),
        ("ud", "UD_Arabic-PADT", "train", 6075),
        ("wikiann_og", "jam", "test", 0),
        ("wikiann", "zh-min-nan", "test", 100),
        ("sd-qa", "english--usa", "test", 440),
        ("madar", "arabic", "test", 5200),
        ("astd", "arz_arab", "paper-test", 3003),
    ],
)
def test_committed_numbers_are_those_of_the_paper_and_its_sources(corpus, code, split, number):
    assert stats.published(corpus, code, split) == number
