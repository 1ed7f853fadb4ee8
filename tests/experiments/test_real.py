"""Baselines on real corpora: figures known from other programs, and what the paper's splits do to them."""

import os

import pytest

from dbutils.experiments.request import Request, make
from dbutils.scores import read_scores

pytestmark = pytest.mark.real


@pytest.fixture
def score(tmp_path):
    """score(task, model, setting, code, metric, options) -> value of a run on the corpora on disk."""
    if not os.environ.get("DBUTILS_CORPORA"):
        pytest.skip("DBUTILS_CORPORA names no folder")

    def value(task, model, setting, code, metric, **options):
        request = Request(task, model, setting, profile="paper", runs=str(tmp_path / "runs"), **options)
        (folder,) = make(request, lambda text: None)
        rows = read_scores(folder / "scores.csv")
        return float(rows[(rows.code == code) & (rows.metric == metric)].value.iloc[0])

    return value


@pytest.mark.parametrize(
    "model, accuracy, f1",
    [("ngram-svm", 70.5, 53.9), ("ngram-logreg", 69.6, 51.3), ("ngram-nb", 71.6, 50.6), ("majority", 52.1, 22.8)],
)
def test_identification_of_english_from_train_to_dev(score, model, accuracy, f1):
    options = dict(train="english@train")
    assert score("did", model, "in_cluster", "english", "accuracy", **options) == pytest.approx(accuracy, abs=0.7)
    assert score("did", model, "in_cluster", "english", "f1", **options) == pytest.approx(f1, abs=0.7)


def test_the_papers_split_of_dsl_tl_measures_memory(score):
    assert score("did", "ngram-svm", "in_cluster", "english", "f1", train="english") > 99
    assert score("did", "ngram-svm", "in_cluster", "mandarin_simplified", "accuracy", train="mandarin_simplified") > 99
    sound = score(
        "did", "ngram-svm", "in_cluster", "mandarin_simplified", "accuracy", train="mandarin_simplified", kind="sound"
    )
    assert 75 < sound < 95


@pytest.mark.parametrize("model, accuracy", [("ngram-svm", 95.6), ("ngram-nb", 92.3), ("majority", 50.0)])
def test_sentiment_of_tunisian_comments(score, model, accuracy):
    found = score("sa", model, "in_cluster", "aeb_Arab", "accuracy", train="aeb_Arab@train")
    assert found == pytest.approx(accuracy, abs=0.6)


def test_topics_from_english_reach_what_shares_its_letters(score):
    options = dict(train="eng_Latn", varieties=("eng_Latn", "ita_Latn", "arb_Arab"))
    own, near, far = (score("tc", "ngram-svm", "zero_shot", code, "f1", **options) for code in options["varieties"])
    assert own > 60 and own > near > far


def test_multiword_rows_as_words_change_the_gold(score):
    """The paper's tagging counts ranges as words: another gold, another score of the same baseline."""
    options = dict(train="UD_French-ParTUT", varieties=("UD_French-ParTUT",))
    values = {
        kind: score("pos", "majority", "zero_shot", "UD_French-ParTUT", "accuracy", kind=kind, **options)
        for kind in ("paper", "sound")
    }
    assert values["paper"] < values["sound"]
