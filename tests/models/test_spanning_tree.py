"""The best tree with one root, against trying every tree."""

import itertools

import numpy as np
import pytest

from dbutils.models.spanning_tree import best_tree, is_tree


def total(scores, heads):
    return sum(scores[word, head] for word, head in enumerate(heads))


def every_tree(n):
    for heads in itertools.product(range(n + 1), repeat=n):
        if is_tree(np.array(heads)):
            yield heads


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_no_tree_scores_more(n):
    random = np.random.default_rng(n)
    trees = list(every_tree(n))
    for _ in range(40):
        scores = random.normal(size=(n, n + 1)).astype(np.float32) * random.choice([1, 100])
        found = best_tree(scores)
        assert is_tree(found)
        assert total(scores, found) == pytest.approx(max(total(scores, heads) for heads in trees), rel=1e-5)


def test_the_root_is_single_where_two_would_score_more():
    scores = np.array([[9.0, 0, 1], [9.0, 1, 0]])  # both words want the root
    assert sorted(best_tree(scores).tolist()) in ([0, 1], [0, 2])


def test_an_arc_to_oneself_is_never_chosen():
    scores = np.array([[0.0, 99, 0], [1.0, 0, 99]])
    assert best_tree(scores).tolist() == [2, 0]


def test_a_long_sentence_has_one_root_and_no_loop():
    scores = np.random.default_rng(0).normal(size=(120, 121)).astype(np.float32)
    assert is_tree(best_tree(scores))


def test_no_words_no_heads():
    assert best_tree(np.zeros((0, 1))).tolist() == []


@pytest.mark.parametrize(
    ("heads", "answer"),
    [
        ([0], True),
        ([0, 1, 2], True),
        ([2, 0], True),
        ([2, 1], False),
        ([0, 0], False),
        ([0, 3, 2], False),
        ([1], False),
    ],
)
def test_what_is_a_tree(heads, answer):
    assert is_tree(np.array(heads)) == answer
