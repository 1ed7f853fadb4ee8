"""The best dependency tree with a single root."""

import numpy as np


def best_tree(scores):
    """The heads (0 = root, else 1-based) of the tree of the greatest total score that has exactly one root.

    scores: array (n, n + 1), scores[i, h] of the arc from head h to word i + 1; an arc of a word to itself is
    never chosen. Returns an int array (n,).
    """
    scores = np.array(scores, dtype=np.float64)
    n = len(scores)
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    scores[np.arange(n), np.arange(1, n + 1)] = -np.inf
    heads = scores.argmax(axis=1)
    if is_tree(heads):  # every word has its best head, so no tree is better
        return heads
    from ufal.chu_liu_edmonds import chu_liu_edmonds

    # A second root must cost more than any other arcs can gain, so that the best tree has one root
    finite = scores[np.isfinite(scores)]
    cost = (finite.max() - finite.min() + 1) * (n + 1)
    square = np.full((n + 1, n + 1), np.nan)
    square[1:] = np.where(np.isfinite(scores), scores, np.nan)
    square[1:, 0] -= cost
    found, _ = chu_liu_edmonds(square)
    return np.array(found[1:], dtype=np.int64)


def is_tree(heads):
    """Whether heads (0 = root, else 1-based) are one tree with one root."""
    heads = heads.tolist()
    if heads.count(0) != 1:
        return False
    good = [True] + [False] * len(heads)  # reaches the root
    for word in range(1, len(heads) + 1):
        path, now = set(), word
        while not good[now]:
            if now in path:
                return False
            path.add(now)
            now = heads[now - 1]
        for seen in path:
            good[seen] = True
    return True
