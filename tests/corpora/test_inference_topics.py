import pytest

from dbutils.corpora import load
from dbutils.errors import InputError


def read(task, corpus, code, split="test"):
    return list(load.examples(task, corpus, code, split))


def test_topics_keep_ids_and_quote_marks(place):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    assert [(e.id, e.text, e.label) for e in read("tc", "sib-200", "arz_Arab")] == [
        ("17", 'The "boat left', "travel"),
        ("4", "Atoms are small", "science/technology"),
    ]


def test_test_rows_without_label_take_it_by_row_from_the_croatian_file(place):
    place("test_rows_without_label.tsv", "xnli-en/data/xnli/test-en.tsv")
    place("hypothesis_column_called_hypo.csv", "c-xnli/data/xnli.test.hr.csv")
    assert [(e.id, e.premise, e.hypothesis, e.label) for e in read("nli", "xnli-en", "en")] == [
        ("11", 'He said "come.', "He spoke.", "entailment"),
        ("12", "It rains.", "It is dry.", "contradiction"),
    ]
    assert read("nli", "c-xnli", "hr")[0].premise == "Rekao je, dođi."


def test_rows_and_labels_of_different_number_are_refused(place, write):
    place("hypothesis_column_called_hypo.csv", "c-xnli/data/xnli.test.hr.csv")
    write("xnli-en/data/xnli/test-en.tsv", "a\tb\n")
    with pytest.raises(InputError, match="ends before the gold labels of c-xnli"):
        read("nli", "xnli-en", "en")
    write("xnli-en/data/xnli/test-en.tsv", "a\tb\n" * 3)
    with pytest.raises(InputError, match=r"test-en.tsv:3: more rows than the gold labels"):
        read("nli", "xnli-en", "en")


def test_dev_rows_have_their_label_and_quotes_are_text(place):
    place("dev_rows_with_label.tsv", "xnli-en/data/xnli/dev-en.tsv")
    assert [(e.premise, e.label) for e in read("nli", "xnli-en", "en", "dev")] == [('It "rains.', "entailment")]


@pytest.mark.parametrize(
    ("corpus", "code", "path"),
    [
        ("xnli-mt", "en", "xnli-mt/XNLI-MT-1.0/multinli/multinli.train.en.tsv"),
        ("dialect_nli", "eng_Latn", "dialect_nli/train-eng_Latn.tsv"),
    ],
)
def test_contradictory_is_contradiction_and_na_is_text(place, corpus, code, path):
    place("label_spelled_contradictory.tsv", path)
    first, second = read("nli", corpus, code, "train")
    assert (first.premise, first.label) == ('It "rains.', "contradiction")
    assert (second.premise, second.hypothesis) == ("NA", "nan")


def test_one_file_holds_all_languages(place):
    place("all_languages_in_one_file.tsv", "dialect_nli/test.tsv")
    (example,) = read("nli", "dialect_nli", "lmo_Latn")
    assert (example.id, example.premise, example.label) == ("5", 'Piöv "tant', "neutral")
    place("all_languages_in_one_file.tsv", "xnli/XNLI-1.0/xnli.test.tsv")
    with pytest.raises(load.NoExamples, match="corpus 'xnli', en test: there is no example in it"):
        read("nli", "xnli", "en")  # XNLI writes en, the translate-test set eng_Latn


def test_varieties_of_the_translate_test_set_have_no_train(place):
    with pytest.raises(InputError, match="has no split 'train'; it has: dev, test"):
        read("nli", "dialect_nli", "lmo_Latn", "train")


def test_wrong_number_of_cells_is_named_by_line(write):
    write("xnli-en/data/xnli/dev-en.tsv", "a\tb\tneutral\na\tb\n")
    with pytest.raises(InputError, match=r"dev-en.tsv:2: 2 columns where 3 were expected"):
        read("nli", "xnli-en", "en", "dev")
