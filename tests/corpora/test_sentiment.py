import contextlib

import openpyxl
import pytest

from dbutils.corpora import load
from dbutils.corpora.readers import sentiment
from dbutils.errors import InputError

ALL = ("train", "dev", "test")


def read(corpus, code, split="test"):
    return list(load.examples("sa", corpus, code, split))


def everything(corpus, code):
    """All examples of a corpus that is split by content, as (text, label) in id order."""
    found = []
    for split in ALL:
        with contextlib.suppress(load.NoExamples):  # a few lines do not fall into all three
            found += read(corpus, code, split)
    return [(e.text, e.label) for e in sorted(found, key=lambda e: int(e.id))]


def sheet(path, name, rows):
    book = openpyxl.Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


def test_the_file_name_is_the_label_and_na_is_text(place, write):
    place("no_label_column.txt", "tsac/test_neg.txt")
    write("tsac/test_pos.txt", "barcha\n")
    assert [(e.id, e.text, e.label) for e in read("tsac", "aeb_Arab")] == [
        ("test_neg:1", "behi barcha", "negative"),
        ("test_neg:2", "NA", "negative"),
        ("test_neg:4", "mouch behi", "negative"),
        ("test_pos:1", "barcha", "positive"),
    ]


def test_the_papers_phantom_rows_are_labelled_empty_texts(place, write):
    place("no_label_column.txt", "tsac/test_neg.txt")
    write("tsac/test_pos.txt", "barcha\n")
    texts = [e.text for e in read("tsac", "aeb_Arab", "paper-test")]
    assert texts == ["behi barcha", "NA", "[UNK]", "mouch behi", "[UNK]", "barcha", "[UNK]"]


def test_the_label_stands_behind_the_last_semicolon(place):
    path = place("label_after_the_last_semicolon.txt", "tunizi/TUNIZI_V2.txt")
    found = [(e.text, e.label) for e in sentiment._tunizi(path)]
    assert found == [("behi", "positive"), ("a;b;c", "negative"), ("[UNK]", "positive"), ("nan", "neutral")]


def test_workbook_sheet_and_columns(root):
    header = [
        "Tweet",
        "Bank",
        "Tokens",
        "Tokens without stop words",
        "Annotator 1 & 3",
        "Annotator 2 & 4",
        "Final annotation",
    ]
    rows = [["بنك", "X", "['بنك']", "['بنك']", "NEG", "POS", "NEG"], [2021, "X", "[]", "[]", "NEU", "NEU", "NEU"]]
    sheet(root / "saudibank/data_Saudi_banks.xlsx", "Sheet1", [header, *rows])
    assert everything("saudibank", "sau_arab") == [("بنك", "negative"), ("2021", "neutral")]


def test_sheet_called_1_and_texts_that_start_with_a_blank(root):
    sheet(root / "ajgt/AJGT.xlsx", "1", [["ID", "Feed", "Sentiment"], [1, " حلو", "Positive"], [2, None, "Negative"]])
    assert everything("ajgt", "jor_arab") == [("حلو", "positive"), ("[UNK]", "negative")]


def test_missing_sheet_or_column_names_what_there_is(root):
    path = root / "ajgt/AJGT.xlsx"
    sheet(path, "Sheet1", [["Feed", "Sentiment"]])
    with pytest.raises(InputError, match="no sheet '1'; it has: Sheet1"):
        everything("ajgt", "jor_arab")
    sheet(path, "1", [["Feed", "Sentiments"]])
    with pytest.raises(InputError, match="column 'Sentiment' is missing .is 'Sentiments' it"):
        everything("ajgt", "jor_arab")


def test_web_page_in_place_of_a_workbook_is_said(place):
    place("web_page.txt", "ajgt/AJGT.xlsx")
    with pytest.raises(InputError, match="a web page, not the data"):
        everything("ajgt", "jor_arab")


def test_rows_of_the_class_diatectal_are_left_out(place):
    place("diatectal.csv", "mac/MAC corpus.csv")
    assert everything("mac", "arb_arab") == [("زين, بزاف", "positive")]
    assert everything("mac", "ary_arab") == [("خايب", "negative"), ("نص نص", "mixed")]


def test_ratings_stay_text_and_a_repeated_header_is_no_example(place):
    place("ratings_as_labels.csv", "oclar/OCLAR - Opinion Corpus for Lebanese Arabic Reviews.csv")
    assert everything("oclar", "ar-lb") == [('جيد "جدا"', "5"), ("[UNK]", "1"), ("وسط", "3")]


def test_words_for_labels(place):
    place("words_for_labels.csv", "dzsentia/dataset.csv")
    assert everything("dzsentia", "arq_arab") == [("مليح", "positive"), ("ماشي مليح", "negative")]


def test_astd_index_files_count_rows_from_0(place, write):
    place("label_after_a_tab.txt", "astd/data/Tweets.txt")
    write("astd/data/4class-unbalanced-validation.txt", "3\n0\n")
    write("astd/data/4class-balanced-test.txt", "2\n")
    assert [(e.text, e.label) for e in read("astd", "arz_arab", "dev")] == [
        ("بين بين", "neutral"),
        ("جميل", "positive"),
    ]
    assert [e.label for e in read("astd", "arz_arab", "balanced-test")] == ["negative"]


def test_astd_index_beyond_the_rows_is_named(place, write):
    place("label_after_a_tab.txt", "astd/data/Tweets.txt")
    write("astd/data/4class-unbalanced-test.txt", "0\n4\n")
    with pytest.raises(InputError, match=r"test.txt:2: '4' is no row number of Tweets.txt \(0 to 3\)"):
        read("astd", "arz_arab")


def test_astd_paper_split_counts_the_row_after_the_last_line(write):
    write("astd/data/Tweets.txt", "".join(f"t{i}\tOBJ\n" for i in range(10)))
    assert [len(read("astd", "arz_arab", f"paper-{s}")) for s in ("train", "test")] == [6, 4]
