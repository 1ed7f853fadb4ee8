"""How far the headline quantities may be off: gaps and utilities of clusters, averages, ranks, who wins.

A cluster's number would be another with other test examples and with other varieties of the cluster. Both are drawn
again: the varieties with replacement, and each one's score from what its own interval leaves open (a bootstrap at two
levels; it errs on the wide side, since the varieties' spread holds some of the examples' already: Davison and Hinkley
1997, section 3.8). Of fewer than `intervals.FEW` varieties or clusters there is no interval: too few to tell.

Test sets with the same items in all varieties are taken for independent ones, which errs on the wide side too.

A score's own interval is that of its row, or for a published score, which has none, what n examples leave open: as if
each were all right or all wrong, which for a mean of scores is the widest that it can be; for a macro F1 with rare labels it
may be too narrow. A score without both has no interval, and what is made of it has none.
"""

import math

import numpy as np

from dbutils import registry
from dbutils.analysis import comparison, gap, utility
from dbutils.metrics import intervals

RESAMPLES = 1000
SEED = 20


# ---- a score -----------------------------------------------------------------------------------


def _parts(cells):
    """(value, down, up, n) of cells, arrays (m,): down and up in standard errors, not-a-number without an interval."""
    value, low, high, n = (cells[c].to_numpy(float, na_value=math.nan) for c in ("value", "low", "high", "n"))
    if "size" in cells:
        n = np.where(np.isnan(n), cells["size"].to_numpy(float, na_value=math.nan), n)
    t = intervals.quantile(math.inf, intervals.LEVEL)
    return value, (value - low) / t, (high - value) / t, n


def quantiles(cells, q):
    """The scores that lie at q (0..1) of what the intervals of m cells leave open, in per cent, (m,).

    cells: a table with value, low, high, n and, if it has it, size. Not-a-number for a cell without interval and n.
    """
    from scipy.special import betaincinv, ndtri

    value, down, up, n = _parts(cells)
    z, share = ndtri(q), np.clip(value / 100, 0, 1)
    own = np.clip(value + z * (down if z < 0 else up), 0, 100)
    # Jeffreys' for the shares: it has no zero width at either end
    return np.where(np.isnan(own), 100 * betaincinv(share * n + 0.5, (1 - share) * n + 0.5, q), own)


def _draw(cells, random, count):
    """Scores from what the intervals of m cells leave open, as `quantiles`: (count, m)."""
    value, down, up, n = _parts(cells)
    z, share = random.standard_normal((count, len(value))), np.clip(value / 100, 0, 1)
    own = np.clip(value + z * np.where(z < 0, down, up), 0, 100)
    units = np.where(np.isnan(n), 0, n)
    binomial = 100 * random.beta(share * units + 0.5, (1 - share) * units + 0.5, z.shape)
    return np.where(np.isnan(own), np.where(np.isnan(n), math.nan, binomial), own)


class _Drawn:
    """Scores of varieties, drawn anew: keys (cluster, variety), values (resamples, m)."""

    def __init__(self, cells, seed, resamples=RESAMPLES):
        self.random = np.random.default_rng(seed)
        values = _draw(cells, self.random, resamples)
        self.of = dict(zip(zip(cells.cluster, cells.variety), values.T))

    def __getitem__(self, keys):
        return np.stack([self.of[key] for key in keys], axis=1)

    def again(self, values, count=0):
        """Columns of values (resamples, m) drawn with replacement within each resample."""
        m = values.shape[1]
        return np.take_along_axis(values, self.random.integers(m, size=(len(values), count or m)), axis=1)


def _ends(values, m):
    """(low, high) of resampled values of m units; None where they are too few, or where one is not known."""
    if m < intervals.FEW or np.isnan(values).any():
        return None, None
    return tuple(float(end) for end in np.quantile(values, intervals.tails(m)))


# ---- gaps --------------------------------------------------------------------------------------


def gaps(scores, table, task, model, setting, split="test", own=None, seed=SEED):
    """`gap.by_cluster` of a table of `gap.by_variety` made with the same arguments, with low and high of `gap`."""
    out = gap.by_cluster(table)
    drawn = _of_clusters(table, _Drawn(gap.rows_of(scores, task, model, setting, split, own), seed))
    ends = [
        _ends(*drawn[c]) if c in drawn and not math.isnan(g) else (None, None) for c, g in zip(out.cluster, out.gap)
    ]
    out.insert(out.columns.get_loc("gap_all") + 1, "low", [low for low, _ in ends])
    out.insert(out.columns.get_loc("low") + 1, "high", [high for _, high in ends])
    return out


def _of_clusters(table, drawn):
    """{cluster: (resampled gaps (resamples,), number of varieties)}, the reference itself not counted."""
    out = {}
    others = table[(table.variety != table.reference) & table.gap.notna()]
    for cluster, rows in others.groupby("cluster"):
        reference = (cluster, rows.reference.iloc[0])
        u = drawn[[reference if reference in drawn.of else gap.ENGLISH]]
        v = drawn.again(drawn[list(zip(rows.cluster, rows.variety))])
        with np.errstate(divide="ignore", invalid="ignore"):
            out[cluster] = np.where(u > 0, 100 * (u - v) / u, math.nan).mean(axis=1), len(rows)
    return out


def averages_of_gaps(scores, task, model="mbert", own=None, seed=SEED):
    """{Gap: (average over clusters, low, high, number of clusters)} of Table 4: clusters are drawn anew as well."""
    out = {}
    counted = gap.of_corpora(scores, task)
    for variation, table in gap.table4(scores, task, model, own=own).items():
        if table.empty:
            continue
        system = (task, model, variation.setting)
        drawn = _Drawn(gap.rows_of(counted, *system, own=own), seed)
        found = _of_clusters(gap.by_variety(counted, *system, variation.reference, own=own), drawn)
        values = np.stack([found[cluster][0] for cluster in table.cluster], axis=1)
        ends = _ends(drawn.again(values).mean(axis=1), len(table))
        out[variation] = (float(table.gap.mean()), *ends, len(table))
    return out


# ---- utilities ---------------------------------------------------------------------------------


def utilities(best, as_printed=True, seed=SEED):
    """`utility.by_cluster` of maxima, with low and high of linguistic and demographic utility and of the Gini coefficient.

    That the best of several systems is looked at, and so its luck, is not in them.
    """
    out = utility.by_cluster(best, as_printed)
    drawn, registered = _Drawn(best, seed), registry.load()
    ends = []
    for cluster in out.cluster:
        keys = [(cluster, variety) for variety in best.variety[best.cluster == cluster]]
        speakers = [utility.population(registered.get(*key), as_printed) for key in keys]
        ends.append(_of_utilities(drawn, keys, speakers))
    for name in ("linguistic", "demographic", "gini"):
        for side, place in (("low", 0), ("high", 1)):
            out.insert(out.columns.get_loc("flags"), f"{name}_{side}", [found[name][place] for found in ends])
    return out


def _of_utilities(drawn, keys, speakers):
    """{linguistic, demographic, gini: (low, high)} of some varieties; speakers: of each, None where not known."""
    m = len(keys)
    weight = np.array([math.nan if s is None else s for s in speakers], dtype=float)
    have = ~np.isnan(weight)
    places = drawn.random.integers(m, size=(RESAMPLES, m))
    values = np.take_along_axis(drawn[keys], places, axis=1)
    p = np.where(have, weight, 0)[places]
    with np.errstate(divide="ignore", invalid="ignore"):
        weighed = (values * p).sum(axis=1) / p.sum(axis=1)
        order = np.sort(values, axis=1)
        uneven = (order * (2 * np.arange(1, m + 1) - m - 1)).sum(axis=1) / (m * order.sum(axis=1))
    if m > 1:  # resamples hold some varieties twice, which makes them look more even
        uneven = np.minimum(uneven * m / (m - 1), 1)
    weighed = weighed[p.sum(axis=1) > 0]
    return {
        "linguistic": _ends(values.mean(axis=1), m),
        "demographic": _ends(weighed, int(have.sum())),
        "gini": _ends(uneven, m),
    }


# ---- ranks and winners -------------------------------------------------------------------------


def ranks(cells, level=intervals.LEVEL):
    """Varieties of a task by score: the cells, best first, with rank, rank_low, rank_high (1: the best).

    With probability `level` all true ranks lie in their intervals at once: each is between the numbers of varieties that are
    surely better and surely not worse, by intervals that hold together (Klein, Wright and Wieczorek 2020). Not-a-number without n.
    """
    found = cells.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)
    each = level ** (1 / max(len(found), 1))
    low, high = (quantiles(found, q) for q in ((1 - each) / 2, (1 + each) / 2))
    known = ~np.isnan(low)
    low, high = np.where(known, low, 0), np.where(known, high, 100)
    better = (low[None, :] > high[:, None]).sum(axis=1)
    worse = (high[None, :] < low[:, None]).sum(axis=1)
    return found.assign(
        rank=found.value.rank(ascending=False, method="min").astype(int),
        rank_low=np.where(known, better + 1, math.nan),
        rank_high=np.where(known, len(found) - worse, math.nan),
    )


def models(scores, models_=comparison.MODELS, seed=SEED):
    """Base models side by side, as in Table 5 but on the varieties that all have: (rows, wins).

    rows: a dict for each task and stage with task, stage, varieties, `models` ({model: dict of mean, low, high, rank, rank_low,
    rank_high}; 1: the best), and difference, difference_low, difference_high of the first model and the last. wins: {(model, stage): (tasks won, low, high, of how many)}, of the
    same draws: a task is won where the mean is the highest. Each draw has the same varieties for all models.
    """
    rows, won = [], {}
    for task in comparison.tasks():
        found = comparison.compared(scores, task, models_)
        for stage, setting in enumerate(comparison.stages(task)):
            sides = [found[(found.setting == setting) & (found.model == model)] for model in models_]
            shared = sorted(set.intersection(*(set(zip(s.cluster, s.variety)) for s in sides)))
            if not setting or not shared:
                continue
            row, wins = _side_by_side(sides, shared, models_, [seed, len(rows)])
            rows.append(dict(task=task, stage=stage, varieties=len(shared)) | row)
            won.setdefault(stage, []).append(wins)
    counted = {}
    for stage, contests in won.items():
        first, drawn = (sum(wins[which] for wins in contests) for which in (0, 1))
        for place, model in enumerate(models_):
            ends = (
                np.quantile(drawn[:, place], [0.025, 0.975], method="nearest")
                if not np.isnan(drawn).any()
                else (None,) * 2
            )
            counted[model, stage] = (int(first[place]), *(None if e is None else int(e) for e in ends), len(contests))
    return rows, counted


def _side_by_side(sides, shared, models_, seed):
    m = len(shared)
    drawn = [_Drawn(side, [*seed, place]) for place, side in enumerate(sides)]
    places = np.random.default_rng(seed).integers(m, size=(RESAMPLES, m))
    means = [side.set_index(["cluster", "variety"]).value.loc[shared].mean() for side in sides]
    values = np.stack([np.take_along_axis(d[shared], places, axis=1).mean(axis=1) for d in drawn], axis=1)
    place = 1 + (values[:, None, :] > values[:, :, None]).sum(axis=2)
    unknown = np.isnan(values).any()
    out = {}
    for i, model in enumerate(models_):
        low, high = _ends(values[:, i], m)
        rank = (
            (None, None) if unknown or m < intervals.FEW else np.quantile(place[:, i], [0.025, 0.975], method="nearest")
        )
        at = 1 + sum(other > means[i] for other in means)
        rank = [None if end is None else int(end) for end in rank]
        out[model] = dict(mean=float(means[i]), low=low, high=high, rank=int(at), rank_low=rank[0], rank_high=rank[1])
    first = _ends(values[:, 0] - values[:, -1], m)
    row = dict(models=out, difference=float(means[0] - means[-1]), difference_low=first[0], difference_high=first[1])
    top = np.array([mean == max(means) and means.count(mean) == 1 for mean in means], dtype=int)
    best = (values == values.max(axis=1, keepdims=True)).astype(float)
    return row, (top, np.where(unknown, math.nan, best))
