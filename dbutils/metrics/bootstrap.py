"""Resampling from per-example statistics.

Examples are resampled with replacement, or whole groups of them (questions on one passage), and the metric is
computed anew from the sums (Efron and Tibshirani 1993). Of few examples the resamples vary too little: scores and
differences have the intervals of `intervals`.
"""

import numpy as np

RESAMPLES = 1000
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
