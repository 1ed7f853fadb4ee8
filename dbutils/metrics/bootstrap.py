"""Bootstrap intervals and paired comparisons from per-example statistics.

Examples are resampled with replacement, or whole clusters of them (questions on one passage), and the metric is
computed anew from the sums (Efron and Tibshirani 1993). Two systems on the same items share the draws.
"""

from dataclasses import dataclass

import numpy as np

RESAMPLES = 1000
LEVEL = 0.95
CELLS = 65536  # counts made at once: as many as stay in a processor's cache


def grouped(statistics, groups=None):
    """Sums per group of examples: (n, k) -> (g, k), groups in order of first appearance."""
    statistics = np.asarray(statistics, dtype=np.float64)
    if groups is None:
        return statistics
    if len(groups) != len(statistics):
        raise ValueError(f"{len(groups)} group names for {len(statistics)} examples")
    _, first, place = np.unique(np.asarray(groups, dtype=object).astype(str), return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    out = np.zeros((len(first), statistics.shape[1]))
    np.add.at(out, order[place], statistics)
    return out


def draws(n, seed, resamples=RESAMPLES):
    """How often each of n items is drawn in each resample: array (resamples, n), rows sum to n."""
    random = np.random.default_rng(seed)
    out = np.empty((resamples, n))
    some = max(1, CELLS // n)
    for start in range(0, resamples, some):
        block = out[start : start + some]
        places = random.integers(n, size=block.shape) + n * np.arange(len(block))[:, None]
        block[:] = np.bincount(places.ravel(), minlength=block.size).reshape(block.shape)
    return out


def replicates(value, statistics, weights):
    """The metric on every resample: array (resamples,)."""
    return np.asarray(value(weights @ statistics))


def percentile(values, level=LEVEL):
    """(low, high): the central `level` of the replicates."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def interval(metric, statistics, seed=0, groups=None, resamples=RESAMPLES):
    """(value, low, high) of a metric in per cent.

    statistics: array (n, k), n >= 1. groups: names of the clusters to draw instead of examples.
    """
    rows = grouped(statistics, groups)
    value = float(metric.value(rows.sum(axis=0)))
    low, high = percentile(replicates(metric.value, rows, draws(len(rows), seed, resamples)))
    return value, low, high


@dataclass(frozen=True)
class Difference:
    """Difference of two scores (a - b) with its interval; p: two-sided bootstrap p-value of no difference."""

    value: float
    low: float
    high: float
    p: float

    @property
    def significant(self):
        return not self.low <= 0 <= self.high


def compare(metric, a, b, seed=0, groups=None, paired=True, resamples=RESAMPLES, function=np.subtract):
    """The difference of a metric on two tables of statistics.

    paired: the rows are the same items in the same order and share their draws (else groups may not be
    given). function(a, b) of the two values: difference by default; for the dialectal gap see `gap`.
    """
    if paired:
        a, b = grouped(a, groups), grouped(b, groups)
        if len(a) != len(b):
            raise ValueError(f"paired items, but {len(a)} and {len(b)} of them")
        weights = draws(len(a), seed, resamples)
        ra, rb = replicates(metric.value, a, weights), replicates(metric.value, b, weights)
    else:
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        ra = replicates(metric.value, a, draws(len(a), seed, resamples))
        rb = replicates(metric.value, b, draws(len(b), seed + 1, resamples))
    value = float(function(metric.value(a.sum(axis=0)), metric.value(b.sum(axis=0))))
    values = function(ra, rb)
    low, high = percentile(values)
    p = min(1.0, 2 * min((np.sum(values <= 0) + 1), (np.sum(values >= 0) + 1)) / (resamples + 1))
    return Difference(value, low, high, float(p))


def gap(u, v):
    """The dialectal gap in per cent, 100 (u - v) / u, for `compare`; not-a-number where u is 0."""
    u, v = np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64)
    return 100 * np.divide(u - v, u, out=np.full(np.broadcast(u, v).shape, np.nan), where=u != 0)
