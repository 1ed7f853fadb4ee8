"""What a metric is: per-example sufficient statistics, and a value from their sums.

A metric's `statistics(gold, predicted)` gives one row of counts per example; `value(sums)` turns
sums of such rows into per cent. So a score, its bootstrap interval and the difference of two
systems are all sums of the same rows, and a resample is one matrix product.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Metric:
    """A metric: name as in score rows, statistics(gold, predicted) -> (k,), value((..., k)) -> (...) in per cent."""

    name: str
    statistics: Callable
    value: Callable

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
