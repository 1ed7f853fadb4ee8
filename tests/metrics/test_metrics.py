"""Metrics on literal cases, the known pitfalls by name, and invariants."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils.metrics import attachment, bootstrap, chunks, labels, spans, translation


def gold(**fields):
    return SimpleNamespace(**fields)


def tagged(*tags):
    return gold(tags=tags, scored=(True,) * len(tags))


# ---- chunks ----------------------------------------------------------------------------------


def test_default_mode_takes_an_i_without_b_for_an_entity_and_strict_does_not():
    tags = ["O", "I-LOC", "I-LOC", "O"]
    assert chunks.entities(tags) == {("LOC", 1, 2)}
    assert chunks.entities(tags, strict=True) == set()


def test_equal_neighbouring_tags_merge_into_one_chunk():
    # two of three words right, and yet no chunk is
    assert chunks.CHUNK_F1.score([tagged("NOUN", "NOUN", "VERB")], [["NOUN", "VERB", "VERB"]]) == 0


def test_conjunctions_share_a_type_and_every_s_tag_opens_a_chunk():
    # both have the type CONJ, and the S of the second opens a chunk without closing the first, which is lost
    assert chunks.entities(["CCONJ", "SCONJ"]) == {("CONJ", 1, 1)}
    assert chunks.entities(["SYM", "SYM"]) == {("YM", 0, 0), ("YM", 1, 1)}


def test_a_token_without_prediction_is_outside():
    assert chunks.CHUNK_F1.score([tagged("B-LOC", "O")], [[None, None]]) == 0
    with pytest.raises(ValueError, match="1 predicted tags for 2 tokens"):
        chunks.statistics(tagged("O", "O"), ["O"])


# ---- labels ----------------------------------------------------------------------------------


def test_the_label_set_is_the_corpuss_not_the_samples():
    golds, guesses = [gold(label="a"), gold(label="a")], ["a", "a"]
    assert labels.macro_f1(["a"]).score(golds, guesses) == 100
    assert labels.macro_f1(["a", "b"]).score(golds, guesses) == 50


def test_a_prediction_outside_the_set_is_wrong_and_a_gold_one_is_an_error():
    assert labels.accuracy(["a", "b"]).score([gold(label="a"), gold(label="b")], ["a", "?"]) == 50
    with pytest.raises(KeyError):
        labels.accuracy(["a"]).score([gold(label="b")], ["a"])


def test_placeholder_words_do_not_count():
    record = gold(tags=["X", "NOUN"], scored=(False, True))
    assert labels.word_accuracy(["X", "NOUN"]).score([record], [["NOUN", "NOUN"]]) == 100
    # a placeholder is outside every chunk, in gold and predicted
    assert chunks.CHUNK_F1.score([record], [["NOUN", "NOUN"]]) == 100
    assert chunks.CHUNK_F1.score([record], [["NOUN", "VERB"]]) == 0
    tree = gold(heads=(0, 1), relations=("root", "obj"), scored=(False, True))
    assert attachment.UAS.score([tree], [([2, 1], ["x", "obj"])]) == 100


# ---- trees -----------------------------------------------------------------------------------


def test_subtypes_are_cut_and_missing_words_are_wrong():
    tree = gold(heads=(2, 0, 2), relations=("nsubj:pass", "root", "punct"), scored=(True,) * 3)
    assert attachment.LAS.score([tree], [([2, 0, None], ["nsubj", "root", None])]) == pytest.approx(200 / 3)
    assert attachment.UAS.score([tree], [([2, 0, 2], ["obj", "root", "punct"])]) == 100


# ---- spans -----------------------------------------------------------------------------------

# (gold, prediction, F1 as SQuAD, F1 Unicode-aware)
SPANS = [
    ("the House", "house", 100, 66.666667),  # English articles are words elsewhere
    ("القاهرة،", "القاهرة", 0, 100),  # Arabic comma
    ("ঢাকা।", "ঢাকা", 0, 100),  # danda
    ("北京市", "北京", 0, 80),  # no spaces
    ("Caf\u00e9", "Cafe\u0301", 0, 100),  # NFC and NFD
    ("１２", "12", 0, 100),  # full width
    ("", "", 100, 100),
    ("x", None, 0, 0),
]


@pytest.mark.parametrize("answer, guess, squad, unicode", SPANS)
def test_span_f1_is_english_unless_unicode_aware(answer, guess, squad, unicode):
    record = [gold(answers=[answer])]
    assert spans.SPAN_F1.score(record, [guess]) == pytest.approx(squad)
    assert spans.UNICODE_F1.score(record, [guess]) == pytest.approx(unicode)


def test_the_best_reference_counts():
    assert spans.EXACT.score([gold(answers=["a dog", "cat"])], ["cat"]) == 100


# ---- translation -----------------------------------------------------------------------------


def test_two_perfect_short_sentences_have_corpus_bleu_zero():
    records = [gold(reference="a dog"), gold(reference="two cats")]
    assert translation.BLEU.score(records, ["a dog", "two cats"]) == 0
    assert translation.CHRF.score(records, ["a dog", "two cats"]) == 100


def test_sentences_without_hypothesis_are_skipped_by_the_papers_bleu():
    records = [gold(reference="the cat sat on the mat"), gold(reference="a dog ran")]
    assert translation.SENTENCE_BLEU.score(records, ["the cat sat on the mat", ""]) == pytest.approx(100)
    assert translation.SENTENCE_BLEU.score(records, ["", ". . ."]) == 0


# ---- bootstrap -------------------------------------------------------------------------------


def test_draws_are_seeded_and_sum_to_n():
    weights = bootstrap.draws(7, seed=1, resamples=50)
    assert weights.shape == (50, 7) and (weights.sum(axis=1) == 7).all()
    assert (weights == bootstrap.draws(7, seed=1, resamples=50)).all()
    assert (weights != bootstrap.draws(7, seed=2, resamples=50)).any()


def test_the_matrix_form_equals_recomputing_the_metric_on_every_resample():
    rng = np.random.default_rng(0)
    names = ["a", "b", "c"]
    golds = [gold(label=names[i]) for i in rng.integers(0, 3, 40)]
    guesses = [names[i] for i in rng.integers(0, 3, 40)]
    metric = labels.macro_f1(names)
    weights = bootstrap.draws(40, seed=3, resamples=20)
    fast = bootstrap.replicates(metric.value, metric.table(golds, guesses), weights)
    for w, value in zip(weights, fast):
        places = np.repeat(np.arange(40), w.astype(int))
        assert value == pytest.approx(metric.score([golds[i] for i in places], [guesses[i] for i in places]))


@given(st.lists(st.sampled_from(["B-A", "I-A", "B-B", "I-B", "O"]), min_size=1, max_size=12))
def test_gold_against_itself_is_one_hundred_or_has_no_entity(tags):
    for metric, strict in ((chunks.CHUNK_F1, False), (chunks.STRICT_F1, True)):
        expected = 100 if chunks.entities(tags, strict) else 0
        assert metric.score([tagged(*tags)], [tags]) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20), st.randoms())
def test_the_order_of_examples_does_not_matter(pairs, random):
    shuffled = pairs[:]
    random.shuffle(shuffled)
    metric = labels.macro_f1("abc")
    one = metric.score([gold(label=g) for g, _ in pairs], [p for _, p in pairs])
    two = metric.score([gold(label=g) for g, _ in shuffled], [p for _, p in shuffled])
    assert one == pytest.approx(two) and 0 <= one <= 100


@pytest.mark.parametrize(
    "mark",
    [
        "\u200f",
        "\u200e",
        "\u200b",
        "\ufeff",
        "\u00ad",
        "\u2069",
        "\u2066",
        "\u202b",
        "\u061c",
        "\u2060",
        "\ufe0f",
        "\u200c",
        "\u200d",
    ],
)
def test_marks_that_nobody_sees_around_an_answer_cost_nothing(mark):
    record = SimpleNamespace(answers=("abc def",))
    for guess in (f"abc def{mark}", f"{mark}abc def", f"{mark}abc{mark} def{mark}"):
        assert spans.UNICODE_F1.score([record], [guess]) == spans.UNICODE_EXACT.score([record], [guess]) == 100
    assert spans.UNICODE_F1.score([record], [mark]) == 0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("می\u200cروم", ["می\u200cروم"]),  # Persian: the non-joiner belongs to the spelling
        ("నెహ్రూ\u200cకు", ["నెహ్రూ\u200cకు"]),  # Telugu likewise
        ("soft\u00adware", ["software"]),
        ("ab\u200bcd", ["ab", "cd"]),
        ("\u200c \u200d", []),
    ],
)
def test_marks_inside_a_word_are_left_out_unless_they_are_letters_matter(text, tokens):
    assert spans.unicode_tokens(text) == tokens
