"""p-values of many comparisons at once, adjusted for their number."""

import numpy as np


def holm(p):
    """Holm's (1979) adjusted p-values: below 0.05 with at most 5 % chance that any of the differences is none."""
    p = np.asarray(p, dtype=float)
    order = np.argsort(p, kind="stable")
    out = np.empty(len(p))
    out[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1)
    return out


def benjamini_hochberg(p):
    """Benjamini and Hochberg's (1995): of those below 0.05 at most 5 % are expected to be none."""
    from scipy.stats import false_discovery_control

    return false_discovery_control(p) if len(p) else np.empty(0)


def adjusted(rows, p="p"):
    """The rows (dicts) with `p_holm` and `p_bh` over all that have a p (None elsewhere), and how many these are."""
    have = [row for row in rows if row[p] is not None]
    for name, function in (("p_holm", holm), ("p_bh", benjamini_hochberg)):
        for row in rows:
            row[name] = None
        for row, value in zip(have, function([row[p] for row in have]), strict=True):
            row[name] = float(value)
    return len(have)
