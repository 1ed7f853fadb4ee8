from collections import Counter

import pytest

from dbutils.corpora import load
from dbutils.errors import InputError


def read(corpus, code, split="test"):
    return list(load.examples("did", corpus, code, split))


def test_quoted_cells_come_out_unquoted(place):
    place("quoted_cells_and_crlf.tsv", "dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_dev.tsv")
    assert [(e.text, e.label) for e in read("dsl_tl", "english", "dev")] == [
        ('He said "no", twice', "EN-GB"),
        ('Plain text with a " inside', "EN"),
        ("A tab\tinside", "EN-US"),
    ]


def test_the_papers_train_and_test_are_the_same_dev_rows(place):
    place("quoted_cells_and_crlf.tsv", "dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_dev.tsv")
    assert read("dsl_tl", "english", "paper-train") == read("dsl_tl", "english", "paper-test")
    assert len(read("dsl_tl", "english", "paper-test")) == 3


def test_a_label_of_a_set_is_a_code_of_its_own(place):
    place("quoted_cells_and_crlf.tsv", "dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_dev.tsv")
    assert [e.text for e in read("dsl_tl", "english:EN-US", "dev")] == ["A tab\tinside"]


def test_gold_test_file_is_cut_by_language(place):
    place("gold_with_header_and_three_languages.tsv", "dsl_tl/DSL-TL-Corpus/Test-DSL-TL/DSL-TL-Gold.tsv")
    assert [(e.text, e.label) for e in read("dsl_tl", "spanish")] == [('Uno "dos"', "ES")]
    assert [e.label for e in read("dsl_tl", "english")] == ["EN-US"]


def test_sound_train_has_no_text_of_dev_and_no_text_twice(write, place):
    place("quoted_cells_and_crlf.tsv", "dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_dev.tsv")
    write("dsl_tl/DSL-TL-Corpus/Test-DSL-TL/DSL-TL-Gold.tsv", "sentence\tlabel\nIn test\tEN\n")
    rows = ['1\tplain text  with a " inside\tEN', "2\tNew\tEN-GB", "3\tnew\tEN-GB", "4\tIn test\tEN"]
    write("dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_train.tsv", "\r\n".join(rows))
    assert [e.text for e in read("dsl_tl", "english", "sound-train")] == ["New"]


def test_trailing_blank_goes_and_full_width_digits_stay(place):
    place("text_ends_with_a_blank.txt", "dmt/raw_data/TRAININGSET-DMT_SIMP-VARDIAL2019/dev.txt")
    assert [(e.text, e.label) for e in read("dmt", "mandarin_simplified", "dev")] == [
        ("她 ９０ 岁", "M"),
        ("他 來", "T"),
    ]


def test_unknown_label_is_named_by_line(write):
    write("dmt/raw_data/TRAININGSET-DMT_TRAD-VARDIAL2019/train.txt", "a \tM\nb \tX\n")
    with pytest.raises(InputError, match=r"train.txt:2: unknown label 'X'; known: M, T"):
        read("dmt", "mandarin_traditional", "train")


GREEK = ("cg_fb", "cg_other", "cg_twitter", "smg_fb", "smg_other", "smg_twitter")


def greek(place, write, sizes=None):
    place("odd_quote_mark.txt", "greek_did/Data/cg_fb.txt")
    for stem in GREEK[1:]:
        write(f"greek_did/Data/{stem}.txt", "".join(f"{stem} {i}\n" for i in range(20)))


def test_an_odd_quote_mark_swallows_no_line_and_the_file_name_is_the_label(place, write):
    greek(place, write)
    found = [e for s in ("train", "dev", "test") for e in read("greek_did", "greek", s)]
    assert Counter(e.label for e in found) == {"cg_fb": 3, **dict.fromkeys(GREEK[1:], 20)}
    assert {e.text for e in found if e.label == "cg_fb"} == {'μια "λεξη', "αλλη γραμμη", "τελος"}


def test_only_the_papers_split_has_the_phantom_rows(place, write):
    greek(place, write)
    paper = [e for s in ("paper-train", "paper-test") for e in read("greek_did", "greek", s)]
    assert sum(e.text == "[UNK]" for e in paper) == 6 and len(paper) == 109
    assert len(read("greek_did", "greek", "paper-test")) == 33  # 30 % of 109, rounded up


def test_surprise_dialect_is_kept_or_dropped_by_name(place):
    place("surprise_dialect_xy.txt", "swiss_did/GDI2018/gold.txt")
    assert [e.label for e in read("swiss_did", "swiss-dialects", "2018-test")] == ["BE"]
    assert [e.label for e in read("swiss_did", "swiss-dialects", "2018-test-xy")] == ["BE", "XY"]


def test_the_papers_swiss_split_cuts_the_official_test_set(write):
    write("swiss_did/GDI2019/gold.txt", "".join(f"satz {i}\tZH\n" for i in range(10)))
    parts = [{e.id for e in read("swiss_did", "swiss-dialects", f"paper-{s}")} for s in ("train", "test")]
    assert [len(part) for part in parts] == [7, 3] and not parts[0] & parts[1]


def test_madar_rows_are_chosen_by_their_split_column(place):
    place("column_split_of_parallel_corpus.tsv", "madar/MADAR_Corpus/MADAR.corpus.Aleppo.tsv")
    assert [(e.id, e.text) for e in read("madar", "arabic", "train")] == [("ALE:12", 'نعم "هنا')]
    assert [e.text for e in read("madar", "arabic", "dev")] == ["لا"]
    assert [e.text for e in read("madar", "arabic:ALE", "test")] == ["طيب"]
