"""From words and texts to sub-words and back: every script, no word lost, windows that overlap."""

import unicodedata
from types import SimpleNamespace

import made_models as made
import numpy as np
import pytest

from dbutils.models.batches import Unit, collate
from dbutils.models.tokens import Tokens, windows
from dbutils.tasks.heads import words
from dbutils.tasks.hyper import Hyper

# a few words in every script of the benchmark, with marks, joiners and punctuation
SCRIPTS = {
    "Arabic": ["كَتَبَ", "الولدُ", "می‌خواهم", "،"],
    "Armenian": ["Ես", "խոսում", "եմ", "։"],
    "Bengali": ["আমি", "ক্ষমা", "র‍্যাব", "।"],
    "Cyrillic": ["Мы", "ідзём", "й", "…"],
    "Devanagari": ["क्षत्रिय", "मैं", "हूँ", "।"],
    "Ethiopic": ["ሰላም", "እንዴት", "ነህ", "።"],
    "Greek": ["Ἀρχὴ", "ἥμισυ", "παντός", ";"],
    "Gurmukhi": ["ਮੈਂ", "ਪੰਜਾਬੀ", "ਹਾਂ", "।"],
    "Hangul": ["나는", "한국어를", "해요", "."],
    "Han": ["我", "講", "廣東話", "。"],
    "Hebrew": ["שָׁלוֹם", "עולם", "״", "!"],
    "Latin": ["Việt", "ngữ", "ß", "ﬁn", "I’m"],
}
TOKENIZERS = {"wordpiece": made.wordpiece, "unigram": made.unigram}


@pytest.fixture(scope="module", params=TOKENIZERS)
def tokens(request):
    texts = [" ".join(sentence) for sentence in SCRIPTS.values()] + list(made.SENTENCES)
    return Tokens(TOKENIZERS[request.param](texts), segments=request.param == "wordpiece")


def head(size, training=False, cut_training=False):
    hyper = Hyper(1, 1e-3, 1, size, size, cut_training=cut_training)
    counts = {}

    def count(what, number=1):
        if number:
            counts[what] = counts.get(what, 0) + number

    return SimpleNamespace(
        room=lambda tokens, training: size - tokens.special(), hyper=hyper, count=count, counts=counts
    )


def sentence(*tokens):
    return SimpleNamespace(id="s", tokens=tuple(tokens))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_word_of_every_script_keeps_its_sub_words(tokens, script, form):
    given = [unicodedata.normalize(form, word) for word in SCRIPTS[script]]
    (unit,) = words.units(head(128), tokens, [sentence(*given)], training=False)
    assert unit.data["words"].tolist() == list(range(len(given)))
    ((pieces, empty),) = tokens.words([given])
    assert not empty
    for row, position, index in unit.data["place"].tolist():
        assert unit.rows[row][position] == pieces.ids[position - 1]
        assert pieces.words[position - 1] == unit.data["words"][index]


@pytest.mark.parametrize("training", [True, False])
def test_words_without_sub_words_are_read_as_unknown_and_counted(tokens, training):
    one = head(128)
    units = words.units(one, tokens, [sentence("", "a", "", "\u200d", "b"), sentence(""), sentence()], training)
    assert [unit.data["words"].tolist() for unit in units] == [[0, 1, 2, 3, 4], [0], []]
    assert one.counts == {"words without sub-words, read as unknown": 4}
    assert [len(unit.rows[0]) for unit in units[1:]] == [3, 2]  # the third has special tokens alone
    for unit, empty in zip(units, ([0, 2, 3], [0], []), strict=True):
        ids = {index: unit.rows[0][position] for _, position, index in unit.data["place"].tolist()}
        assert [index for index, number in ids.items() if number == tokens.filler] == empty


@pytest.mark.parametrize("size", [8, 12, 20])
def test_a_long_sentence_is_read_in_windows_each_word_whole_and_once(tokens, size):
    given = [f"w{i} sat".split()[i % 2] for i in range(60)] + ["mat"]
    one = head(size)
    (unit,) = words.units(one, tokens, [sentence(*given)], training=False)
    assert len(unit.rows) > 2 and all(len(row) <= size for row in unit.rows)
    assert one.counts == {"sentences in windows": 1}
    assert unit.data["words"].tolist() == list(range(61))
    pieces = tokens.words([given])[0][0]
    for index in range(61):
        place = unit.data["place"][unit.data["place"][:, 2] == index]
        assert len(set(place[:, 0])) == 1
        ids = [unit.rows[row][position] for row, position, _ in place]
        assert ids == [i for i, word in zip(pieces.ids, pieces.words, strict=True) if word == index]


def test_a_word_is_read_where_it_has_most_context(tokens):
    (unit,) = words.units(head(12), tokens, [sentence(*["mat"] * 40)], training=False)
    place = unit.data["place"]
    last = max(place[:, 0])
    pieces = len(tokens.words([["mat"]])[0][0])
    for row, position, _ in place.tolist():
        if 0 < row < last and pieces == 1:
            assert 3 <= position <= 8  # not at the edges of a row of 12


def test_in_training_the_paper_s_protocol_keeps_the_first_window_only(tokens):
    one = head(12, cut_training=True)
    (unit,) = words.units(one, tokens, [sentence(*["mat"] * 40)], training=True)
    assert len(unit.rows) == 1 and 0 < len(unit.data["words"]) <= 10
    assert one.counts == {"sentences cut": 1}


def test_flat_positions_point_at_the_sub_words_in_the_batch(tokens):
    import torch

    given = [sentence("cat", "", "unheardof", "."), sentence(*["birds"] * 30), sentence("sun")]
    units = words.units(head(16), tokens, given, training=False)
    batch = collate(units, torch.device("cpu"), tokens.pad)
    for first_only in (True, False):
        flat, unit, index = words.positions(batch, first_only)
        found = batch.ids.flatten()[torch.from_numpy(flat)].tolist()
        wanted = []
        for number, example in enumerate(given):
            pieces, _ = tokens.words([example.tokens])[0]
            seen = set()
            for i, word in zip(pieces.ids.tolist(), pieces.words.tolist(), strict=True):
                if not (first_only and word in seen):
                    wanted.append((number, i))
                seen.add(word)
        assert sorted(zip(unit.tolist(), found, strict=True)) == sorted(wanted)
        assert len(set(zip(unit.tolist(), index.tolist(), strict=True))) == 4 + 30 + 1


def test_windows_cover_every_piece():
    tokens = Tokens(made.wordpiece(), segments=True)
    text = " ".join(["the cat sat on the mat ."] * 9)
    (whole,) = tokens.texts([text])
    parts = windows(whole, 20, 7)
    assert [start for start, _ in parts] == [13 * i for i in range(len(parts))]
    for start, window in parts:
        assert window.ids.tolist() == whole.ids[start : start + 20].tolist()
    assert parts[-1][0] + len(parts[-1][1]) == len(whole)
    assert [(start, len(window)) for start, window in windows(whole[:20], 20, 7)] == [(0, 20)]
    assert [(start, len(window)) for start, window in windows(whole[:0], 20, 7)] == [(0, 0)]


def test_marks_tell_shared_pieces_and_shared_pairs():
    tokens = Tokens(made.wordpiece(), segments=True, marks=True)
    first, second = tokens.texts(["the cat sat", "a dog saw the cat"])
    row = tokens.row(first, second)
    names = [tokens.cutter.backend.id_to_token(number) for number in row.ids.tolist()]
    by_token = dict(zip(names, row.types.tolist(), strict=True))
    assert by_token["sat"] == 0 and by_token["dog"] == 1
    assert by_token["cat"] in (4, 5) and by_token["the"] in (4, 5)  # the pair "the cat" stands in both
    plain = Tokens(made.wordpiece(), segments=True).row(*tokens.texts(["the cat sat", "a dog saw the cat"]))
    assert set(plain.types.tolist()) == {0, 1}


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("texts", [("the cat sat on",), ("the cat", "a dog saw")])
def test_rows_are_those_of_the_library(name, texts):
    tokenizer = TOKENIZERS[name]()
    row = Tokens(tokenizer, segments=True).row(*Tokens(tokenizer, segments=True).texts(texts))
    expected = tokenizer(*texts, return_token_type_ids=True)
    assert row.ids.tolist() == expected.input_ids and row.types.tolist() == expected.token_type_ids


def slow(name):
    """Tokenizers in Python."""
    import transformers

    return {"characters": transformers.CanineTokenizer, "bytes": transformers.ByT5Tokenizer}[name]()


@pytest.mark.parametrize("name", ["characters", "bytes"])
@pytest.mark.parametrize("texts", [("the çat  sat",), ("the cat", "가 <pad> ሰላም</s>")])
def test_rows_of_slow_tokenizers_are_those_of_the_library_and_know_their_place(name, texts):
    tokenizer = slow(name)
    tokens = Tokens(tokenizer, segments=True)
    found = tokens.texts(texts)
    row = tokens.row(*found)
    plain = [text for text in texts if "<" not in text]  # text that looks like a special token stays text
    if len(plain) == len(texts):
        expected = tokenizer(*texts, return_token_type_ids=True)
        assert row.ids.tolist() == expected.input_ids and row.types.tolist() == expected.token_type_ids
    for text, pieces in zip(texts, found, strict=True):
        sizes = [1 if name == "characters" else len(character.encode()) for character in text]
        assert pieces.spans.tolist() == [[i, i + 1] for i, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.parametrize("name", ["characters", "bytes"])
def test_words_of_characters_stand_in_running_text_whose_blanks_belong_to_none(name):
    tokens = Tokens(slow(name), segments=False)
    ((pieces, empty),) = tokens.words([["", "ça", "", "b"]])
    assert empty == 2
    run = tokens.texts([" ça  b"])[0].ids.tolist()
    assert [i for i in pieces.ids.tolist() if i != tokens.filler] == run
    size = len(tokens.texts(["ça"])[0])
    assert [w for w in pieces.words.tolist() if w >= 0] == [0, *[1] * size, 2, 3]
    one = head(128)
    (unit,) = words.units(one, tokens, [sentence("", "ça", "", "b")], training=False)
    assert unit.data["words"].tolist() == [0, 1, 2, 3] and len(unit.data["place"]) == size + 3


def test_a_slow_tokenizer_s_pieces_are_found_in_their_words(tmp_path):
    from transformers import PhobertTokenizer

    (tmp_path / "vocab.txt").write_text("the 1\nsun 1\nb@@ 1\nird 1\n")
    (tmp_path / "bpe.codes").write_text("t h 1\nth e</w> 1\ns u 1\nsu n</w> 1\ni r 1\nir d</w> 1\n")
    tokens = Tokens(PhobertTokenizer(str(tmp_path / "vocab.txt"), str(tmp_path / "bpe.codes")), segments=False)
    (pieces,) = tokens.texts([" the  bird sun"])
    assert pieces.spans.tolist() == [[1, 4], [6, 7], [7, 10], [11, 14]]
    ((pieces, empty),) = tokens.words([["the", "", "bird"]])
    assert pieces.words.tolist() == [0, 1, 2, 2] and pieces.ids[1] == tokens.filler and empty == 1


def test_a_tokenizer_that_turns_everything_into_nothing_is_refused():
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    nothing = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))
    with pytest.raises(ValueError, match="turns every text into nothing"):
        Tokens(nothing, segments=False).special()


def test_a_learnt_tokenizer_is_the_same_in_every_process():
    import subprocess
    import sys

    code = (
        "import hashlib; from dbutils import sandbox; from dbutils.models import tiny;"
        "made = tiny.tokenizer([e.text for e in sandbox.examples('tc', 'orv', 'train', size=80)]);"
        "print(hashlib.sha256(repr(sorted(made.get_vocab().items())).encode()).hexdigest(), len(made))"
    )
    said = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    }
    assert len(said) == 1 and int(said.pop().split()[1]) > 100


def test_units_know_their_length():
    assert Unit(0, [np.zeros(3), np.zeros(5)], []).length == 5
