import pytest

from dbutils.corpora import load
from dbutils.errors import InputError


def test_arabic_words_are_split_and_joined_as_documented(place):
    place("empty_word_and_eos_rows.txt", "noisy_dialects/dialectal_arabic_resources/seg_plus_pos_glf.txt")
    first, third = load.examples("pos", "noisy_dialects", "dar-glf")
    assert first.tokens == ("و", "البيت", "المدن", "بيلعب", "ان")
    assert first.tags == ("CCONJ", "NOUN", "NOUN", "VERB", "SCONJ")
    assert third.tokens == ("ل", "الله", "😀")  # the segments need not spell the word
    assert third.tags == ("ADP", "NOUN", "SYM")


def test_sentence_with_an_empty_word_is_left_out_and_its_number_stays_unused(place):
    place("empty_word_and_eos_rows.txt", "noisy_dialects/dialectal_arabic_resources/seg_plus_pos_glf.txt")
    assert [e.id for e in load.examples("pos", "noisy_dialects", "dar-glf")] == ["1", "3"]


def test_unknown_arabic_tag_is_named_by_line(place, trap, write):
    text = trap("empty_word_and_eos_rows.txt").read_text(encoding="utf-8").replace("EMOT", "EMOJI")
    write("noisy_dialects/dialectal_arabic_resources/seg_plus_pos_egy.txt", text)
    with pytest.raises(InputError, match=r"seg_plus_pos_egy.txt:12: unknown tag 'EMOJI'"):
        list(load.examples("pos", "noisy_dialects", "dar-egy"))


def test_runs_of_empty_lines_make_no_empty_sentences(place):
    place("runs_of_empty_lines.tsv", "noisy_occitan/test_ROci_UPOS.tsv")
    assert [(e.tokens, e.tags) for e in load.examples("pos", "noisy_occitan", "ROci")] == [
        (("Lo", "gat"), ("DET", "NOUN")),
        (("Dormís", "."), ("VERB", "PUNCT")),
    ]


def test_line_without_tag_is_named(write):
    write("noisy_occitan/test_ROci_UPOS.tsv", "Lo\tDET\ngat\n")
    with pytest.raises(InputError, match=r"test_ROci_UPOS.tsv:2: expected 'token TAB tag'"):
        list(load.examples("pos", "noisy_occitan", "ROci"))


def test_finnish_dialects_by_region_with_auxiliaries_and_without_undefined(place):
    place("undefined_tag_and_auxiliaries.vrt", "murre/LA-murre-vrt/lam_a.vrt")
    assert [(e.tokens, e.tags) for e in load.examples("pos", "murre", "murre-HÄM")] == [
        (("mää", "voin", "tulla"), ("PRON", "AUX", "VERB")),
        (("oon", "kaikki", "oma"), ("AUX", "PRON", "ADJ")),
        (("pitäs", "voida"), ("AUX", "VERB")),  # the last predicate is no auxiliary
    ]
    assert [e.tokens for e in load.examples("pos", "murre", "murre-SAV")] == [("kala",)]
