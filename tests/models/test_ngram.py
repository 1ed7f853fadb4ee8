"""n-gram classifiers: they tell texts apart, and a saved one is the same without pickle."""

import zipfile

import numpy as np
import pytest

from dbutils.errors import InputError
from dbutils.models.ngram import NgramClassifier

TEXTS = [(f"{word} {i}",) for i in range(6) for word in ("colour", "color")]
LABELS = ["gb", "us"] * 6


@pytest.mark.parametrize("name", ["svm", "logreg", "nb"])
def test_a_saved_classifier_predicts_the_same(tmp_path, name):
    model = NgramClassifier(name).fit(TEXTS, LABELS)
    model.save(tmp_path)
    unseen = [("my colour",), ("no color here",), ("",), ("…\u200d",)]
    assert model.predict(unseen)[:2] == ["gb", "us"]
    assert NgramClassifier.load(tmp_path).predict(unseen) == model.predict(unseen)
    with zipfile.ZipFile(tmp_path / "ngram.npz") as file:
        assert all(np.lib.format.read_magic(file.open(name)) for name in file.namelist())
    for array in np.load(tmp_path / "ngram.npz", allow_pickle=False).values():
        assert array.dtype != object


def test_fields_have_vocabularies_of_their_own():
    pairs = [("aa", "bb"), ("bb", "aa")] * 4
    model = NgramClassifier("svm").fit(pairs, ["x", "y"] * 4)
    assert model.predict([("aa", "bb"), ("bb", "aa")]) == ["x", "y"]


def test_one_label_alone_cannot_be_learnt():
    with pytest.raises(InputError, match="fewer than two labels"):
        NgramClassifier("svm").fit(TEXTS, ["gb"] * 12)


def test_texts_without_a_common_gram_are_one_clear_line():
    with pytest.raises(InputError, match="no gram occurs in two"):
        NgramClassifier("nb").fit([("a",), ("b",)], ["x", "y"])


def test_an_empty_folder_holds_no_model(tmp_path):
    with pytest.raises(InputError, match="no saved n-gram model"):
        NgramClassifier.load(tmp_path)


def test_nothing_to_predict():
    assert NgramClassifier("svm").fit(TEXTS, LABELS).predict([]) == []
