"""From meaning to tree and text, and to English: whole gold of literal meanings."""

import pytest

from dbutils.sandbox import english, grammar, variety
from dbutils.sandbox.language import say, say_filler
from dbutils.sandbox.meaning import Event, Name, Phrase, question
from dbutils.sandbox.tree import offsets, read, text

PODAR, GUILD = Name("LOC", ("Podar",)), Name("ORG", ("Guild", "Midor"))
NIR = Name("PER", ("Nir", "Lenor"))
BOTH = Event(
    "to read", "past", (Phrase("teacher", of=PODAR), NIR), Phrase("map", 3, False, "old"), PODAR, "yesterday", "kindly"
)
STATE = Event("be", "future", (Phrase("net", quality="big"),), quality="bad", place=Phrase("bay"), negated=True)


def test_gold_of_an_act():
    s = read(grammar.clause(BOTH))
    assert s.forms == (
        "Do",
        "limelno",
        "pi",
        "Podar",
        "eta",
        "Nir",
        "Lenor",
        "torisa",
        "tir",
        "vede",
        "buvan",
        "boni",
        "so",
        "Podar",
        "giti",
        ".",
    )
    assert s.upos == (
        "DET",
        "NOUN",
        "ADP",
        "PROPN",
        "CCONJ",
        "PROPN",
        "PROPN",
        "VERB",
        "NUM",
        "ADJ",
        "NOUN",
        "ADV",
        "ADP",
        "PROPN",
        "ADV",
        "PUNCT",
    )
    assert s.heads == (2, 8, 4, 2, 6, 2, 6, 0, 11, 11, 8, 8, 14, 8, 8, 8)
    assert s.relations == (
        "det",
        "nsubj",
        "case",
        "nmod",
        "cc",
        "conj",
        "flat",
        "root",
        "nummod",
        "amod",
        "obj",
        "advmod",
        "case",
        "obl",
        "advmod",
        "punct",
    )
    assert s.entities == (
        "O",
        "O",
        "O",
        "B-LOC",
        "O",
        "B-PER",
        "I-PER",
        "O",
        "O",
        "O",
        "O",
        "O",
        "O",
        "B-LOC",
        "O",
        "O",
    )
    assert s.spans == {"agent": (0, 7), "patient": (8, 11), "place": (13, 14), "time": (14, 15)}


def test_gold_of_a_state():
    s = read(grammar.clause(STATE))
    assert s.forms == ("Do", "gere", "ratuta", "ma", "esu", "dape", "so", "do", "nonsa", ".")
    assert s.heads == (3, 3, 6, 6, 6, 0, 9, 9, 6, 6)
    assert s.relations == ("det", "amod", "nsubj", "advmod", "cop", "root", "case", "det", "obl", "punct")


@pytest.mark.parametrize(
    "role, asked",
    [
        ("agent", "Ki torisa tir vede buvan?"),
        ("patient", "Do limelno pi Podar eta Nir Lenor torisa kela?"),
        ("place", "Do limelno pi Podar eta Nir Lenor torisa tir vede buvan kuso?"),
        ("time", "Do limelno pi Podar eta Nir Lenor torisa tir vede buvan kimi?"),
    ],
)
def test_questions(role, asked):
    assert text(say(question(BOTH, role), variety("tal"), "q").forms) == asked


@pytest.mark.parametrize(
    "filler, said",
    [((GUILD,), "Gilsan Midor"), (Phrase("vine", 2, False), "duk bulan"), ("soon", "kessi"), (PODAR, "Podar")],
)
def test_fillers_stand_as_inside_a_sentence(filler, said):
    assert say_filler(filler, variety("tal"), "f") == said


OINTMENT, LETTER = Phrase("ointment", definite=False), Phrase("letter", definite=False, quality="old")
LAMP, LOAVES = Phrase("lamp"), Phrase("loaf", 2)


@pytest.mark.parametrize(
    "event, said",
    [
        (BOTH, "The teacher of Podar and Nir Lenor read three old maps kindly in Podar yesterday."),
        (STATE, "The big net will not be bad in the bay."),
        (Event("to mix", "present", (GUILD,), OINTMENT), "The Midor Guild mixes an ointment."),
        (Event("to copy", "present", (NIR,), LETTER, negated=True), "Nir Lenor does not copy an old letter."),
        (Event("to buy", "past", (NIR,), LOAVES, negated=True), "Nir Lenor did not buy the two loaves."),
        (Event("to buy", "past", (NIR,), LOAVES), "Nir Lenor bought the two loaves."),
        (Event("to buy", "present", (NIR, GUILD), LAMP), "Nir Lenor and the Midor Guild buy the lamp."),
        (Event("to buy", "future", (NIR,), LAMP), "Nir Lenor will buy the lamp."),
        (Event("be", "past", (LAMP,), quality="old"), "The lamp was old."),
        (Event("be", "past", (LAMP,), quality="old", negated=True), "The lamp was not old."),
    ],
)
def test_english(event, said):
    assert english.sentence(event) == said


def test_text_and_offsets_agree_around_punctuation():
    forms = ("Ki", ",", "do", "sovo", "?")
    assert text(forms) == "Ki, do sovo?" and offsets(forms) == [0, 2, 4, 7, 11]
    assert all(text(forms)[at:].startswith(form) for at, form in zip(offsets(forms), forms, strict=True))
