import pytest

from dbutils.corpora import load, mixture
from dbutils.corpora.formats.choices import Question
from dbutils.errors import InputError


def read(corpus, code="english", split="test"):
    return list(load.examples("mrc", corpus, code, split))


def test_correct_answer_num_is_text_and_counts_from_1(place):
    place("correct_answer_num_is_text.jsonl", "belebele/eng_Latn.jsonl")
    (example,) = read("belebele", "eng_Latn")
    assert example.choices == ("sky", "sea", "boat", "car") and example.answer == 2
    assert (example.id, example.passage_id) == ("http://x/1#2", "http://x/1")


def test_correct_answer_num_outside_1_to_4_is_named(write, trap):
    text = trap("correct_answer_num_is_text.jsonl").read_text().replace('"3"', '"0"')
    write("belebele/ary_Arab.jsonl", text)
    with pytest.raises(InputError, match=r"ary_Arab.jsonl:1: correct_answer_num '0' is not 1, 2, 3 or 4"):
        read("belebele", "ary_Arab")


def test_one_line_per_passage_and_no_question_with_two_right_answers(place):
    place("one_line_per_passage.jsonl", "belebele-eng/data/belebele/eng_Latn.jsonl")
    (example,) = read("belebele-eng", "eng_Latn")
    assert (example.question, example.choices, example.answer) == ("What is red?", ("sky", "boat"), 1)


def test_mctest_escapes_prefixes_and_letters(place):
    place("newline_and_tab_escapes.tsv", "mctest/data/MCTest/mc500.train.tsv")
    place("letters_with_crlf.ans", "mctest/data/MCTest/mc500.train.ans")
    examples = read("mctest", split="train")
    assert examples[0].passage == "Tom had a boat.\nIt was\tred."
    assert [e.question for e in examples] == ["Question 1?", "Question 2?", "Question 3?", "Question 4?"]
    assert [e.choices[e.answer] for e in examples] == ["B1", "D2", "A3", "C4"]
    assert [e.id for e in examples] == [f"mc500.train.0.{n}" for n in (1, 2, 3, 4)]


def test_mctest_answers_that_are_no_letters_are_named(place, write):
    place("newline_and_tab_escapes.tsv", "mctest/data/MCTest/mc500.dev.tsv")
    write("mctest/data/MCTest/mc500.dev.ans", "B\tE\tA\tC\n")
    with pytest.raises(InputError, match="mc500.dev.ans:1: no four letters A to D"):
        read("mctest", split="dev")


def test_the_other_sets_of_the_mixture_in_their_formats(place):
    place("race_one_passage.txt", "race/RACE/train/middle/1.txt")
    assert [e.choices[e.answer] for e in read("race", split="train")] == ["dog", "dog"]
    place("sciq_support_may_be_empty.json", "sciq/SciQ dataset-2 3/valid.json")
    assert [e.choices[e.answer] for e in read("sciq", split="dev")] == ["ice", "d", "d"]
    place("multirc_several_right_answers.json", "multirc/splitv2/train_456-fixedIds.json")
    (example,) = read("multirc", split="train")
    assert (example.passage, example.answer, len(example.choices)) == ("Ann runs. She stops.", 0, 5)
    place("mcscript_two_answers.xml", "mcscript2/train-data.xml")
    assert [e.choices[e.answer] for e in read("mcscript2", split="train")] == ["tea", "I"]
    place("reclor_label_counts_from_0.json", "reclor/val.json")
    assert [e.choices[e.answer] for e in read("reclor", split="dev")] == ["d"]


def test_mixture_is_assembled_by_belebeles_rules(place):
    place("race_one_passage.txt", "race/RACE/train/middle/1.txt")
    place("sciq_support_may_be_empty.json", "sciq/SciQ dataset-2 3/train.json")
    place("multirc_several_right_answers.json", "multirc/splitv2/train_456-fixedIds.json")
    place("mcscript_two_answers.xml", "mcscript2/train-data.xml")
    place("reclor_label_counts_from_0.json", "reclor/train.json")
    place("newline_and_tab_escapes.tsv", "mctest/data/MCTest/mc500.train.tsv")
    place("letters_with_crlf.ans", "mctest/data/MCTest/mc500.train.ans")
    found = read("belebele_training", "all", "train")
    assert len(found) == 4 + 1 + 1 + 1 + 2 + 1  # no gap-filling question, no empty support
    assert all(len(set(e.choices)) == 4 for e in found)
    right = {e.question: e.choices[e.answer] for e in found}
    assert right["What melts?"] == "ice" and right["Who runs?"] == "Ann" and right["What was made?"] == "tea"
    assert list(read("belebele_training", "all", "train")) == found
    borrowed = next(e for e in found if e.question == "What was made?")
    assert set(borrowed.choices) == {"tea", "soup", "she", "I"}


def test_long_passages_stay_out_of_the_mixture_but_for_reclor():
    long = Question("q", "p", "Go. " * 26, "Why?", ("a", "b", "c", "d"), (1,))
    assert list(mixture.assemble("race", [long])) == []
    assert list(mixture.assemble("reclor", [long])) == [long]


@pytest.mark.parametrize(("text", "number"), [("One. Two! Three?", 3), ("No end", 1), ('He said "Go!" Then left.', 2)])
def test_sentences_are_counted_by_punctuation(text, number):
    assert mixture.sentences(text) == number


def test_the_papers_validation_is_a_random_tenth_whatever_the_split_column(place):
    place("assembled_mixture.jsonl", "belebele_training/train.jsonl")
    train, dev = (read("belebele_training", "all", "paper-train"), read("belebele_training", "all", "paper-dev"))
    assert (len(train), len(dev)) == (18, 2)
    assert not {e.id for e in train} & {e.id for e in dev}
    assert {len(read("belebele_training", "sciq", f"paper-{s}")) for s in ("train", "dev")} == {9, 1}


@pytest.mark.parametrize(
    ("path", "content", "code", "split", "message"),
    [
        ("race/RACE/dev/high/9.txt", '{"id": "x"}', "race", "dev", "9.txt: not in the form of RACE"),
        ("sciq/SciQ dataset-2 3/test.json", "[{}]", "sciq", "test", "test.json: not in the form of SciQ"),
        ("multirc/splitv2/dev_83-fixedIds.json", "{}", "multirc", "dev", "not in the form of MultiRC"),
        ("mcscript2/dev-data.xml", "<data>\n<broken", "mcscript2", "dev", "dev-data.xml:2: not XML"),
        ("reclor/train.json", "[{}]", "reclor", "train", "train.json: not in the form of ReClor"),
    ],
)
def test_files_of_another_form_are_named(write, path, content, code, split, message):
    write(path, content)
    with pytest.raises(InputError, match=message):
        read(code, split=split)
