"""One score from several trainings: the mean over seeds, with an interval for test set and seeds together.

Two things are left to chance, the units of the test set and the seed of the training. Their variances add up (a
bootstrap over seeds and units estimates the same sum, but of two or three seeds it sees too little spread); how sure
one can be of the sum is Satterthwaite's (1946) number of degrees of freedom.
"""

import math
from dataclasses import dataclass

import numpy as np

from dbutils.metrics import bootstrap, intervals

NORMAL = 1.959964


@dataclass(frozen=True)
class Mean:
    """A mean over seeds: value, its interval (None: too few units in some seed), their number, their standard deviation."""

    value: float
    low: float | None
    high: float | None
    seeds: int
    spread: float | None


def combine(values, lows, highs):
    """The Mean of values of one configuration that differ in the seed, each with the interval of its test set.

    values, lows, highs: of each seed, on the same units; low and high None where there is none. With one seed the
    interval is that seed's: the variance of the training is not in it.
    """
    values = np.asarray(values, dtype=float)
    n, value = len(values), float(np.mean(values))
    if n == 1:
        return Mean(value, lows[0], highs[0], 1, None)
    spread = float(values.std(ddof=1))
    if any(end is None or math.isnan(end) for end in (*lows, *highs)):
        return Mean(value, None, None, n, spread)
    ends = []
    for sign, ends_of in ((-1, lows), (1, highs)):
        far = sign * (np.mean(ends_of) - value)
        of_units, of_seeds = (far / NORMAL) ** 2, spread**2 / n
        total = of_units + of_seeds
        df = total**2 * (n - 1) / of_seeds**2 if of_seeds else math.inf
        ends.append(value + sign * (_t(df) * math.sqrt(total) if of_seeds else far))
    return Mean(value, max(ends[0], 0.0), min(ends[1], 100.0), n, spread)


def difference(metric, a, b, groups=None):
    """The Difference of two configurations on the same units, of tables of statistics of one or more seeds each.

    a, b: lists of arrays (n, k), one per seed. With one seed each it is `intervals.difference`, which knows nothing
    of the variance of training; with several on one side only, the other's is taken to be the same. The test is a
    t-test on units and seeds; without an interval (fewer than `intervals.FEW` units) it has no p.
    """
    if len(a) == len(b) == 1:
        return intervals.difference(metric, a[0], b[0], groups)
    a, b = ([bootstrap.grouped(table, groups) for table in side] for side in (a, b))
    means, units, n = [], [], len(a[0])
    for side in (a, b):
        found = [intervals.influence(metric, rows) for rows in side]
        means.append([value for value, _ in found])
        units.append(np.mean([influence for _, influence in found], axis=0))
    value = float(np.mean(means[0]) - np.mean(means[1]))
    if n < intervals.FEW:
        return intervals.Difference(value, None, None, None)
    parts = [(intervals.padded(units[0] - units[1], n), n - 1)]
    known = [(np.var(m, ddof=1), len(m) - 1) for m in means if len(m) > 1]
    for m, own in zip(means, known if len(known) == 2 else known * 2, strict=True):
        parts.append((own[0] / len(m), own[1]))
    total = sum(variance for variance, _ in parts)
    df = total**2 / sum(variance**2 / df for variance, df in parts)
    from scipy.special import stdtr

    far = _t(df) * math.sqrt(total)
    p = float(2 * stdtr(df, -abs(value) / math.sqrt(total)))
    return intervals.Difference(value, max(value - far, -100.0), min(value + far, 100.0), p)


def _t(df):
    return NORMAL if math.isinf(df) else intervals.quantile(df, intervals.LEVEL)
