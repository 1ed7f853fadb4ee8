"""Rounding as the printed tables do it."""

import math


def half_even(value, decimals):
    """Round half to even on value x 10^decimals, as numpy does; not-a-number stays what it is.

    numpy and pandas round the scaled float, Python's own `round` the exact binary value: they
    differ on cells such as 73.25. The printed tables agree with numpy (protocol, section 6).
    """
    if value is None or math.isnan(value):
        return math.nan
    import numpy

    return float(numpy.round(value, decimals))
