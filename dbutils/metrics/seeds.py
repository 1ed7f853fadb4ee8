"""Two configurations of several seeds each: a difference with its interval for test set and seeds together.

Two things are left to chance, the units of the test set and the seed of the training. Their variances add up (a
bootstrap over seeds and units estimates the same sum, but of two or three seeds it sees too little spread); how sure
one can be of the sum is Satterthwaite's (1946) number of degrees of freedom.
"""

import math

import numpy as np

from dbutils.metrics import bootstrap, intervals


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

    far = intervals.quantile(df, intervals.LEVEL) * math.sqrt(total)
    p = float(2 * stdtr(df, -abs(value) / math.sqrt(total)))
    return intervals.Difference(value, max(value - far, -100.0), min(value + far, 100.0), p)
