"""What a metric is: per-example sufficient statistics, and a value from their sums.

A metric's `statistics(gold, predicted)` gives one row of counts per example; `value(sums)` turns
sums of such rows into per cent. So a score, its interval and the difference of two systems are all
sums of the same rows, and a resample is one matrix product.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shares:
    """How a metric is made of shares part / whole, each in 0..1: what its interval is computed from.

    counts: (..., k) statistics -> (part, whole), each (..., L), additive over examples, 0 <= part <= whole.
    The value is 100 times the mean of the L shares; with `f1` of 2 s / (1 + s), which is the F1 of the share
    s = hits / (hits + misses + false alarms). present: shares whose whole is 0 take no part in the mean
    (else they count as 0).
    """

    counts: Callable
    f1: bool = False
    present: bool = False


@dataclass(frozen=True)
class Metric:
    """A metric: name as in score rows, statistics(gold, predicted) -> (k,), value((..., k)) -> (...) in per cent.

    shares: None where the value is no mean of shares (BLEU of a whole set, chrF).
    """

    name: str
    statistics: Callable
    value: Callable
    shares: Shares | None = None

    def table(self, golds, predictions):
        """Statistics of all examples: array (n, k), n >= 1."""
        return np.stack([self.statistics(g, p) for g, p in zip(golds, predictions, strict=True)]).astype(np.float64)

    def score(self, golds, predictions):
        """The value over all examples, in per cent."""
        return float(self.value(self.table(golds, predictions).sum(axis=0)))


def ratio(part, whole):
    """100 part / whole, and 0 where whole is 0; arrays of any shape."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    return 100 * np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


def f1(hits, predicted, gold):
    """F1 in per cent from counts: 200 hits / (predicted + gold), 0 where both are 0."""
    return ratio(2 * np.asarray(hits), np.asarray(predicted) + np.asarray(gold))


def share(part, whole):
    """Metric fields (value, shares) of one share: part(s) and whole(s) from statistics."""
    return lambda s: ratio(part(s), whole(s)), Shares(lambda s: (part(s)[..., None], whole(s)[..., None]))


def column(place):
    """The function that takes one column of statistics."""
    return lambda s: s[..., place]


def share_of_counts(hits, predicted, gold):
    """(part, whole) of the share that an F1 follows from: hits of hits, misses and false alarms together."""
    return hits, predicted + gold - hits
