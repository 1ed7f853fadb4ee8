"""Distances: right, symmetric, and rising with the dial."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbutils.sandbox import SOURCE, distance, varieties, variety
from dbutils.sandbox.distances import levenshtein, normalised

DERIVED = [v for v in varieties() if v.rules]


def plain(one, other):
    """The textbook table."""
    row = list(range(len(other) + 1))
    for n, a in enumerate(one, 1):
        last, row[0] = row[0], n
        for m, b in enumerate(other, 1):
            last, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, last + (a != b))
    return row[-1]


@pytest.mark.parametrize(
    "one, other, edits",
    [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 2), ("Դո", "Do", 2)],
)
def test_edit_distance_of_literal_pairs(one, other, edits):
    assert levenshtein(one, other) == edits


@settings(max_examples=400, deadline=None)
@given(st.text("abcd", max_size=90), st.text("abcd", max_size=90))
def test_edit_distance_equals_the_textbook_table(one, other):
    assert levenshtein(one, other) == plain(one, other) == levenshtein(other, one)


def test_normalised_is_between_none_and_all():
    assert normalised("", "") == 0 and normalised("ab", "cd") == 1 and normalised("abcd", "abxd") == 0.25


def test_distance_is_symmetric_and_zero_to_itself():
    assert distance("mir", "mir") == 0 == distance(SOURCE)
    assert distance("mir", "orv") == pytest.approx(distance("orv", "mir"))


def test_the_chain_of_talvo_is_ordered_by_its_dial():
    chain = [distance(code) for code in ("tal", "tal-hill", "tal-low", "tal-coast", "tal-isle")]
    assert chain == sorted(chain) and chain[-1] > 3 * chain[1] > 0.2


def test_another_script_hides_kinship():
    assert distance("orv") > 0.8 > 0.6 > distance("orv", letters=False) > 0.3
    assert distance("mir") == distance("mir", letters=False)


@pytest.mark.parametrize("record", DERIVED, ids=lambda v: v.code)
def test_distance_from_the_parent_rises_with_the_dial(record):
    far = [distance(replace(record, dial=step / 10), record.parent, size=60) for step in range(11)]
    assert far[0] == 0
    assert all(one < other for one, other in zip(far, far[1:], strict=False)), far


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(DERIVED), st.floats(0, 0.85), st.floats(0.15, 1))
def test_distance_rises_between_any_two_dials_that_differ_by_some(record, low, more):
    high = min(1.0, low + more)
    near, far = (distance(replace(record, dial=dial), record.parent) for dial in (low, high))
    assert near < far


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([(rule, v.parent) for v in DERIVED for rule, _ in v.rules]), st.floats(0, 1), st.floats(0, 1))
def test_distance_never_falls_with_the_strength_of_one_rule(step, one, other):
    rule, parent = step
    low, high = sorted((one, other))
    record = replace(variety("tal-isle"), parent=parent, dial=1.0)
    near, far = (distance(replace(record, rules=((rule, s),)), parent, size=60) for s in (low, high))
    assert near <= far + 0.005
