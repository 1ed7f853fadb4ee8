"""Sentences of our own: labels as each corpus has them."""

import pytest

from dbutils.corpora import written
from dbutils.errors import InputError


def test_each_code_gets_the_labels_that_its_corpus_knows():
    found = {
        code: {e.label for e in written.examples("sa", code)} for code in ("aeb_Arab", "arz_arab", "ary_arab", "ar-lb")
    }
    assert found == {code: set(written.labels("sa", code)) for code in found}
    assert found["ar-lb"] == set("12345") and found["aeb_Arab"] == {"negative", "positive"}


def test_there_are_enough_of_each_label_and_none_stands_twice():
    every = {e.id: e for code in ("arz_arab", "ary_arab", "ar-lb") for e in written.examples("sa", code)}
    assert len({e.text for e in every.values()}) == len(every) == 57
    for label in ("negative", "neutral", "positive", "mixed", "objective", "1", "2", "3", "4", "5"):
        assert sum(e.label == label for e in every.values()) >= 3


def test_an_unknown_code_is_one_line():
    with pytest.raises(InputError, match="unknown code of task sa 'aeb': did you mean 'aeb_"):
        written.examples("sa", "aeb")
