"""From words and texts to sub-words and back: every script, no word lost, windows that overlap."""

import unicodedata
from types import SimpleNamespace

import made_models as made
import numpy as np
import pytest

from dbutils.models.batches import Unit, collate
from dbutils.models.tokens import Tokens, cut, windows
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

    return SimpleNamespace(size=lambda training: size, hyper=hyper, count=count, counts=counts)


def sentence(*tokens):
    return SimpleNamespace(id="s", tokens=tuple(tokens))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_word_of_every_script_keeps_its_sub_words(tokens, script, form):
    given = [unicodedata.normalize(form, word) for word in SCRIPTS[script]]
    (unit,) = words.units(head(128), tokens, [sentence(*given)], training=False)
    assert unit.data["words"].tolist() == list(range(len(given)))
    encoding = tokens.words([given])[0]
    for row, position, index in unit.data["place"].tolist():
        assert unit.rows[row][position] == encoding.ids[position - 1]
        assert encoding.word_ids[position - 1] == unit.data["words"][index]


def test_words_without_sub_words_are_left_out_and_counted(tokens):
    one = head(128)
    units = words.units(one, tokens, [sentence("a", "", "\u200d", "b"), sentence(""), sentence()], training=False)
    assert [unit.data["words"].tolist() for unit in units] == [[0, 3], [], []]
    assert one.counts == {"words without sub-words": 3}
    assert [len(unit.rows[0]) for unit in units[1:]] == [2, 2]  # special tokens alone


@pytest.mark.parametrize("size", [8, 12, 20])
def test_a_long_sentence_is_read_in_windows_each_word_whole_and_once(tokens, size):
    given = [f"w{i} sat".split()[i % 2] for i in range(60)] + ["mat"]
    one = head(size)
    (unit,) = words.units(one, tokens, [sentence(*given)], training=False)
    assert len(unit.rows) > 2 and all(len(row) <= size for row in unit.rows)
    assert one.counts == {"sentences in windows": 1}
    assert unit.data["words"].tolist() == list(range(61))
    pieces = tokens.words([given])[0]
    for index in range(61):
        place = unit.data["place"][unit.data["place"][:, 2] == index]
        assert len(set(place[:, 0])) == 1
        ids = [unit.rows[row][position] for row, position, _ in place]
        assert ids == [i for i, word in zip(pieces.ids, pieces.word_ids, strict=True) if word == index]


def test_a_word_is_read_where_it_has_most_context(tokens):
    (unit,) = words.units(head(12), tokens, [sentence(*["mat"] * 40)], training=False)
    place = unit.data["place"]
    last = max(place[:, 0])
    pieces = len(tokens.words([["mat"]])[0].ids)
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
            encoding = tokens.words([example.tokens])[0]
            seen = set()
            for i, word in zip(encoding.ids, encoding.word_ids, strict=True):
                if not (first_only and word in seen):
                    wanted.append((number, i))
                seen.add(word)
        assert sorted(zip(unit.tolist(), found, strict=True)) == sorted(wanted)
        assert len(set(zip(unit.tolist(), index.tolist(), strict=True))) == 3 + 30 + 1


def test_windows_cover_every_piece():
    tokens = Tokens(made.wordpiece(), segments=True)
    text = " ".join(["the cat sat on the mat ."] * 9)
    whole = tokens.texts([text])[0].ids
    parts = windows(tokens.texts([text])[0], 20, 7)
    assert [start for start, _ in parts] == [13 * i for i in range(len(parts))]
    for start, window in parts:
        assert window.ids == whole[start : start + 20]
    assert parts[-1][0] + len(parts[-1][1].ids) == len(whole)


def test_cutting():
    tokens = Tokens(made.wordpiece(), segments=True)
    (one,) = tokens.texts(["the cat sat"])
    size = len(one.ids)
    assert not cut(one, size) and len(one.ids) == size
    assert cut(one, 1) and len(one.ids) == 1
    assert cut(one, -3) and one.ids == []


def test_marks_tell_shared_pieces_and_shared_pairs():
    tokens = Tokens(made.wordpiece(), segments=True, marks=True)
    first, second = tokens.texts(["the cat sat", "a dog saw the cat"])
    row = tokens.row(first, second)
    by_token = dict(zip(tokens.backend.post_process(first, second).tokens, row.types.tolist(), strict=True))
    assert by_token["sat"] == 0 and by_token["dog"] == 1
    assert by_token["cat"] in (4, 5) and by_token["the"] in (4, 5)  # the pair "the cat" stands in both
    plain = Tokens(made.wordpiece(), segments=True).row(*tokens.texts(["the cat sat", "a dog saw the cat"]))
    assert set(plain.types.tolist()) == {0, 1}


def test_a_tokenizer_without_a_fast_version_is_refused():
    with pytest.raises(ValueError, match="no fast version"):
        Tokens(SimpleNamespace(pad_token_id=0), segments=False)


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
