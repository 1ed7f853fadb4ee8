import json

import pytest

from dbutils.corpora import load
from dbutils.corpora.formats import squad
from dbutils.corpora.readers import answers
from dbutils.errors import InputError

GOLD = "sd-qa/data/Question-Answering/SDQA-gold-task/sdqa-{}-{}.json"


def read(corpus, code, split="test"):
    return list(load.examples("eqa", corpus, code, split))


def test_offsets_are_mended_and_a_reference_outside_the_passage_stays(place):
    place("negative_ids_and_wrong_offsets.json", GOLD.format("test", "english-ind_n"))
    first, second = read("sd-qa", "english--ind_n")
    assert first.passage[first.starts[0] :].startswith("red car") and first.question == "?"
    assert second.answers == ("home", "Bob") and second.starts == (9, -1)
    assert first.passage_id != second.passage_id


def test_dialects_with_the_same_name_need_their_language(place, trap, write):
    place("negative_ids_and_wrong_offsets.json", GOLD.format("test", "swahili-kenya"))
    assert len(read("sd-qa", "swahili--kenya")) == 2
    with pytest.raises(InputError, match="english-kenya.json is missing"):
        read("sd-qa", "english--kenya")


@pytest.mark.parametrize(
    ("id", "parts"),
    [
        ("english--3215621880858840488-2", ("english", -3215621880858840488, "2")),
        ("english-17-nga", ("english", 17, "nga")),
        ("english--5-ind_n", ("english", -5, "ind_n")),
        ("korean-12", ("korean", 12, "")),
    ],
)
def test_ids_have_numbers_that_may_be_negative(id, parts):
    assert answers.parts(id) == parts


def test_an_id_of_another_form_is_refused():
    with pytest.raises(InputError, match="question id 'q1' is not of the form"):
        answers.parts("q1")


def test_sound_train_leaves_out_the_questions_of_sd_qa_dev(write):
    def qa(*ids):
        paragraphs = [
            {
                "context": f"Text {i} here",
                "qas": [{"id": i, "question": f"{i}?", "answers": [{"text": "Text", "answer_start": 0}]}],
            }
            for i in ids
        ]
        return json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]})

    folder = "tydiqa-goldp/language_data/english/english_tydiqa_"
    write(folder + "train.json", qa("english--1-0", "english--1-3", "english-2-0", "english-3-1"))
    write(folder + "dev.json", qa("english-9-0"))
    for dialect in ("aus", "gbr", "ind_n", "ind_s", "irl", "kenya", "nga", "nzl", "phl", "usa", "zaf"):
        write(GOLD.format("dev", f"english-{dialect}"), qa(f"english--1-{dialect}"))
    assert len(read("tydiqa-goldp", "english", "train")) == 4
    assert [e.id for e in read("tydiqa-goldp", "english", "sound-train")] == ["english-2-0", "english-3-1"]


def test_byte_offsets_become_character_offsets():
    assert squad.characters("añb", 3) == 2  # ñ takes two bytes
    assert squad.characters("añb", 2) == 1  # inside ñ: that character
    assert squad.characters("añb", 99) == 3


def test_the_nearest_occurrence_is_taken():
    assert squad.place("ab ab ab", "ab", 4) == 3
    assert squad.place("ab ab ab", "ab", 6) == 6
    assert squad.place("ab", "x", 0) == -1


def test_broken_json_and_another_form_are_named(write):
    write(GOLD.format("test", "korean-kors"), '{"data": [\n{]')
    with pytest.raises(InputError, match=r"sdqa-test-korean-kors.json:2: not JSON"):
        read("sd-qa", "korean--kors")
    write(GOLD.format("test", "korean-kors"), '{"data": [{"paragraphs": [{}]}]}')
    with pytest.raises(InputError, match="not in SQuAD form"):
        read("sd-qa", "korean--kors")
