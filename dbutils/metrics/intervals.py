"""Intervals and tests that hold for few examples: of a score, of a difference, of a dialectal gap.

The units are examples, or groups of them that belong together (questions on one passage). A metric that is a mean of
shares (accuracy, attachment, every F1) has its interval in closed form:

- A share is taken for a proportion of as many independent units as its spread among the units tells (the design
  effect), drawn towards one all-or-nothing unit where the data tell little; its interval is that of Clopper and Pearson
  for that effective number (Korn and Graubard 1998). With units that are right or wrong it is the exact binomial one.
  Wilson's and Jeffreys' intervals are narrower and fall below 93 % coverage for scores of 95 % and more.
- An F1 is a monotone function of one share, the hits among hits, misses and false alarms, and so is its interval.
- A macro F1 is a mean of those; their distances to the ends add up as their errors do (Zou and Donner 2008), and
  without mercy for labels that fewer than FEW units bear on.
- Of two systems on the same units the influences of each unit on the two scores are set against each other, with two
  more units of the largest difference seen (after Bonett and Price 2012); of different units the two intervals' ends
  give the difference's. A gap, which is a ratio, has its interval in Fieller's (1954) way.

Other metrics (BLEU of a whole set, chrF) have the bootstrap's interval, widened as a t-interval is (Hesterberg 2015).
p-values come from permutations: of the two systems' outputs on each unit where these are the same, else of the units
(Good 2005). All of them where they are few, else of as many as tell, with one added (Phipson and Smyth 2010).
"How sure can one be?" in the book shows by simulation how far this holds.
"""

import math
from dataclasses import dataclass

import numpy as np

from dbutils.metrics import bootstrap

LEVEL = 0.95
FEW = 5  # units: with fewer there is no interval
PRIOR = 0.25  # all-or-nothing units whose spread is added to that of the data
EXACT = 14  # units whose swaps are tried out one and all
PERMUTATIONS = (999, 9999)  # the second only where the first leave a doubt
CELLS = 2_000_000  # numbers made at once


# ---- a score --------------------------------------------------------------------------------


def interval(metric, statistics, groups=None, seed=0, level=LEVEL):
    """(value, low, high) of a metric in per cent; low and high None where there are too few units to tell.

    statistics: array (n, k), n >= 1. groups: names of what is drawn as one, instead of examples. seed: of the bootstrap.
    """
    if not len(statistics):
        raise ValueError("no examples, so there is no score")
    side = _Side.of(metric, bootstrap.grouped(statistics, groups), level, seed, alone=True)
    if side.down is None:
        return side.value, None, None
    low, high = side.value - side.down - side.few_down, side.value + side.up + side.few_up
    return side.value, max(low, 0.0), min(high, 100.0)


@dataclass(frozen=True)
class _Side:
    """A score and how far it may be off, all in per cent points.

    influence: what each unit adds to its deviation, (n,), sum about 0. unit: what one more unit, all or nothing, may
    change. down, up: to the ends of the interval (None: too few units to tell). few_down, few_up: farther to the ends
    for shares that too few units bear on; they are not in the influences either.
    """

    value: float
    influence: np.ndarray
    unit: float
    down: float | None = None
    up: float | None = None
    few_down: float = 0.0
    few_up: float = 0.0

    @classmethod
    def of(cls, metric, rows, level=LEVEL, seed=0, alone=False):
        """alone: to be compared with nothing, so that no influences of resampled scores are needed."""
        value = float(metric.value(rows.sum(axis=0)))
        if metric.shares is None:
            return cls._of_resamples(metric, rows, value, level, seed, alone)
        return cls._of_shares(metric, rows, value, level)

    @classmethod
    def _of_shares(cls, metric, rows, value, level):
        shares = metric.shares
        part, whole = shares.counts(rows)
        seen = (whole > 0).sum(axis=0)
        count = max((seen > 0).sum(), 1) if shares.present else len(seen)
        few = seen < FEW
        if len(rows) < FEW or (len(seen) == 1 and few[0]) or not seen.any():
            return cls(value, np.zeros(len(rows)), 100.0)
        s, low, high = proportion(part, whole, level)
        slope = 2 / (1 + s) ** 2 if shares.f1 else np.ones(len(s))
        total = whole.sum(axis=0)
        each = (part - s * whole) * np.divide(slope, total, out=np.zeros(len(s)), where=~few)
        if shares.f1:
            s, low, high = (2 * x / (1 + x) for x in (s, low, high))
        if shares.present:
            low, high = np.where(seen > 0, low, s), np.where(seen > 0, high, s)
        down, up = 100 * (s - low) / count, 100 * (high - s) / count
        together = _correlation(part, whole)
        return cls(
            value,
            100 * each.sum(axis=1) / count,
            100 / (count * seen[~few].min()) if (~few).any() else 0.0,
            _root(down * ~few, together),
            _root(up * ~few, together),
            float(down[few].sum()),
            float(up[few].sum()),
        )

    @classmethod
    def _of_resamples(cls, metric, rows, value, level, seed, alone):
        n, total = len(rows), rows.sum(axis=0)
        if n < FEW:
            return cls(value, np.zeros(n), 100.0)
        without = np.zeros(n) if alone else np.asarray(metric.value(total - rows))
        influence = (n - 1) / n * (without.mean() - without)
        drawn = bootstrap.replicates(metric.value, rows, bootstrap.draws(n, seed))
        low, high = np.quantile(drawn, tails(n, level))
        if low == high:  # all resamples alike: no spread was seen, which is no proof of none
            return cls(value, influence, 100 / n)
        return cls(value, influence, 100 / n, max(value - float(low), 0.0), max(float(high) - value, 0.0))


def proportion(part, whole, level=LEVEL):
    """(share, low, high), each (L,) in 0..1, of parts of wholes (n, L) that are additive over the n units.

    Where nothing was seen the share is 0 and the interval all of 0..1.
    """
    from scipy.special import betaincinv

    p, w = part.sum(axis=0), whole.sum(axis=0)
    seen = w > 0
    w = np.where(seen, w, 1)
    s = p / w
    units = np.where(seen, w**2 / np.where(seen, (whole**2).sum(axis=0), 1), 0)  # as many of equal size
    spread = ((part - s * whole) ** 2).sum(axis=0) / w**2 * units**2
    n = units / np.where(seen, (spread + PRIOR) / (s * (1 - s) * units + PRIOR), 1)
    right, wrong = s * n, (1 - s) * n
    tail = (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(right > 0, betaincinv(np.maximum(right, 1e-12), wrong + 1, tail), 0)
        high = np.where(wrong > 0, betaincinv(right + 1, np.maximum(wrong, 1e-12), 1 - tail), 1)
    return s, low, high


def _correlation(part, whole):
    """How the errors of the L shares go together: (L, L), from the units' deviations."""
    n = (whole > 0).sum(axis=0)
    s = (part.sum(axis=0) + 1) / (whole.sum(axis=0) + 2 * whole.sum(axis=0) / np.maximum(n, 1) + 1e-12)
    deviation = part - np.minimum(s, 1) * whole
    size = np.sqrt((deviation**2).sum(axis=0))
    found = deviation.T @ deviation / np.maximum(np.outer(size, size), 1e-300)
    np.fill_diagonal(found, 1)
    return found


def _root(far, together):
    return math.sqrt(max(far @ together @ far, 0))


def quantile(df, level):
    """Student's t of the central `level` with df degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


def tails(n, level=LEVEL):
    """The two quantiles of resamples of n units that make an interval: widened as a t-interval is (Hesterberg 2015)."""
    from scipy.special import ndtr

    tail = float(ndtr(-quantile(n - 1, level) * math.sqrt(n / (n - 1))))
    return tail, 1 - tail


# ---- two scores -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A difference of two scores, a - b, or their gap, with its interval, and p: of no difference, two-sided.

    low, high: None where there are too few units, or where the ratio of a gap has no interval.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    level: float = LEVEL

    @property
    def significant(self):
        return self.p <= 1 - self.level


def difference(metric, a, b, groups=None, paired=True, groups_b=None, seed=0, level=LEVEL, test=True):
    """The Difference a - b of a metric on two tables of statistics.

    paired: the rows are the same units in the same order, with the same groups. Else groups and groups_b are those of
    each side. The interval is None with too few units; p is exact however few. test: compute p, which takes the time
    (else None).
    """
    a, b = _units(a, b, groups, groups_b, paired)
    reach = _Reach(metric, a, b, paired, level, seed)
    value, ends = reach.u.value - reach.v.value, (None, None)
    if reach.known:
        down, up = reach(1.0)  # of b - a
        ends = max(value - up, -100.0), min(value + down, 100.0)
    return Difference(value, *ends, p_value(metric, a, b, paired, seed) if test else None, level)


def gap(metric, u, v, groups=None, paired=True, groups_v=None, seed=0, level=LEVEL, test=True):
    """The dialectal gap 100 (u - v) / u of a metric as a Difference; value not-a-number where u is 0.

    Its p is that of the difference u - v: a ratio has none where its reference may be 0. Its interval holds the gaps
    100 (1 - r) for which v - r u may be 0 (Fieller's way); None where u is not told from 0 (then see `difference`).
    """
    u, v = _units(u, v, groups, groups_v, paired)
    reach = _Reach(metric, u, v, paired, level, seed)
    p = p_value(metric, u, v, paired, seed) if test else None
    top, below = reach.u.value, reach.v.value
    if not top:
        return Difference(math.nan, None, None, p, level)
    ends = reach.ratio()
    return Difference(100 * (top - below) / top, *(100 * (1 - r) if r is not None else None for r in ends), p, level)


def _units(a, b, groups, groups_b, paired):
    a, b = bootstrap.grouped(a, groups), bootstrap.grouped(b, groups if paired else groups_b)
    if paired and len(a) != len(b):
        raise ValueError(f"paired items, but {len(a)} and {len(b)} of them")
    return a, b


def padded(influence, n, unit=None):
    """The variance of a sum of n influences, with two more units of the largest, or of `unit` where there is none."""
    largest = float(np.abs(influence).max())
    if largest < 1e-9:
        largest = 100 / n if unit is None else unit
    return float(influence @ influence + 2 * largest**2) * n / (n - 1)


def influence(metric, rows):
    """(value, what each unit adds to its deviation (n,)) of a table of units, in per cent points."""
    side = _Side.of(metric, rows)
    return side.value, side.influence


class _Reach:
    """How far v - r u may be off, (down, up), for any r >= 0; u and v the scores of two tables of units."""

    def __init__(self, metric, u, v, paired, level, seed):
        self.u, self.v = _Side.of(metric, u, level, seed), _Side.of(metric, v, level, seed)
        self.paired = paired
        self.known = self.u.down is not None and self.v.down is not None
        self.t = quantile(len(u) - 1, level) if self.known else math.nan

    def __call__(self, r):
        u, v = self.u, self.v
        if self.paired:
            variance = padded(v.influence - r * u.influence, len(u.influence), max(v.unit, r * u.unit))
            down = up = self.t * math.sqrt(variance)
        else:
            down, up = math.hypot(v.down, r * u.up), math.hypot(v.up, r * u.down)
        return down + v.few_down + r * u.few_up, up + v.few_up + r * u.few_down

    def ratio(self, most=1000.0):
        """The ends (high, low) of v / u; (None, None) where u is not told from 0."""
        from scipy.optimize import brentq

        if not self.known:
            return None, None
        u, v = self.u.value, self.v.value
        at = v / u

        def above(r):
            return v - r * u + self(r)[1]

        def below(r):
            return v - r * u - self(r)[0]

        if above(most) >= 0:
            return None, None
        high = brentq(above, at, most) if above(at) > 0 else at
        return high, brentq(below, 0, at) if below(0) > 0 else 0.0


# ---- permutations ---------------------------------------------------------------------------


def p_value(metric, a, b, paired=True, seed=0):
    """Two-sided permutation p-value of no difference of a metric between units a (n, k) and b (m, k).

    paired: rows are exchanged between a and b, all combinations with up to EXACT that differ; with three
    units p is never below 0.25. Else units are dealt out anew to the two sides.
    """
    return _swapped(metric, a, b, seed) if paired else _dealt(metric, a, b, seed)


def _swapped(metric, a, b, seed):
    differ = (a != b).any(axis=1)
    change, total_a, total_b = (b - a)[differ], a.sum(axis=0), b.sum(axis=0)
    n = len(change)
    if not n:
        return 1.0

    def apart(masks):
        moved = masks @ change
        return np.abs(metric.value(total_a + moved) - metric.value(total_b - moved))

    if n <= EXACT:  # a combination and its complement differ in the sign only
        masks = np.array(np.meshgrid(*[(0.0, 1.0)] * (n - 1), indexing="ij")).reshape(n - 1, -1).T if n > 1 else None
        masks = np.zeros((1, 1)) if masks is None else np.hstack([np.zeros((len(masks), 1)), masks])
        found = apart(masks)
        return float(np.mean(found >= found[0] - 1e-9))

    random = np.random.default_rng(seed)
    observed = apart(np.zeros((1, n)))[0]
    return _staged(lambda count: apart(random.integers(0, 2, (count, n)).astype(np.float64)), observed, n)


def _dealt(metric, a, b, seed):
    units = np.vstack([a, b])
    total, n, m = units.sum(axis=0), len(units), len(a)
    squares, scale = _squares(metric, units)
    whole = squares.sum(axis=0)

    def apart(masks):
        mine, spread = masks @ units, masks @ squares
        one, other = metric.value(mine), metric.value(total - mine)
        return np.abs(one - other) / np.sqrt(scale(spread, mine) + scale(whole - spread, total - mine))

    first = np.zeros((1, n))
    first[0, :m] = 1
    observed = apart(first)[0]
    if math.comb(n, m) <= PERMUTATIONS[1]:
        from itertools import combinations

        chosen = np.array(list(combinations(range(n), m)))
        masks = np.zeros((len(chosen), n))
        np.put_along_axis(masks, chosen, 1, axis=1)
        return float(np.mean(apart(masks) >= observed - 1e-9))
    random = np.random.default_rng(seed)
    small = min(m, n - m)

    def drawn(count):
        masks = np.zeros((count, n))
        keys = random.random((count, n), dtype=np.float32)
        np.put_along_axis(masks, np.argpartition(keys, small - 1, axis=1)[:, :small], 1, axis=1)
        return apart(masks if small == m else 1 - masks)

    return _staged(drawn, observed, n)


def _squares(metric, units):
    """(columns (n, 3), function of their sums and those of the units to a variance): what a test is studentised by.

    Only a single share has it; elsewhere all variances are 1.
    """
    shares = metric.shares
    if shares is not None:
        part, whole = shares.counts(units)
    if shares is None or part.shape[1] > 1:
        return np.zeros((len(units), 3)), lambda spread, sums: np.full(len(sums), 0.5)
    part, whole = part[:, 0], whole[:, 0]

    def scale(spread, sums):
        p, w = (x[..., 0] for x in shares.counts(sums))
        s = np.divide(p, w, out=np.zeros_like(w), where=w > 0)
        # one all-or-nothing unit more, lest a side without spread be infinitely sure
        found = spread[..., 0] - 2 * s * spread[..., 1] + s**2 * spread[..., 2] + (whole**2).mean() / 4
        slope = 2 / (1 + s) ** 2 if shares.f1 else 1.0
        return slope**2 * np.divide(found, w**2, out=np.full_like(w, 1.0), where=w > 0)

    return np.stack([part**2, part * whole, whole**2], axis=1), scale


def _staged(drawn, observed, n):
    """(1 + how many are as far apart) / (1 + how many), of the first stage alone where p is beyond doubt."""
    for count in PERMUTATIONS:
        further = left = 0
        for start in range(0, count, max(1, CELLS // n)):
            some = min(count - start, max(1, CELLS // n))
            further += int(np.sum(drawn(some) >= observed - 1e-9))
            left += some
        p = (further + 1) / (left + 1)
        if p > 0.1:
            break
    return p
