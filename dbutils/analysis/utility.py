"""Utility of a system for the varieties of a cluster.

Linguistic and demographic utility: paper, section 2 "Evaluation Principles", after Blasi et al.
(2022). How Tables 23-31 were computed: protocol, section 6. Gini coefficient: Song et al. (2023),
GlobalBench, which measures how unevenly utility is spread over languages.
"""

import math

from dbutils import registry
from dbutils.scores import flags


def linguistic(values):
    """Mean of m(v): every variety counts alike."""
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def demographic(values, populations):
    """Mean of m(v) weighted by speakers; varieties without a population drop out of both sums.

    Not-a-number if no variety of the cluster has a population.
    """
    pairs = [(m, p) for m, p in zip(values, populations) if p is not None]
    total = sum(p for _, p in pairs)
    return sum(m * p for m, p in pairs) / total if total else math.nan


def deviation(values):
    """Sample standard deviation (n - 1); not-a-number for a single value."""
    values = list(values)
    if len(values) < 2:
        return math.nan
    mean = linguistic(values)
    return math.sqrt(sum((m - mean) ** 2 for m in values) / (len(values) - 1))


def gini(values):
    """Gini coefficient: 0 = every variety is served alike, towards 1 = one variety gets it all.

    Half the mean absolute difference of all pairs over the mean. Not-a-number without values;
    0 where all are zero (nobody has more than anybody else).
    """
    values = sorted(values)
    n, total = len(values), sum(values)
    if not n:
        return math.nan
    if total == 0:
        return 0.0
    return sum((2 * i - n - 1) * x for i, x in enumerate(values, 1)) / (n * total)


def population(variety, as_printed):
    """Speakers of a variety, or None. `as_printed`: only if the registry writes it in digits alone.

    Three populations are written with separators; the paper's code could not read them.
    """
    if as_printed and not variety.population_plain:
        return None
    return variety.population


def by_cluster(maxima, as_printed=True):
    """Utilities per cluster from the maxima of a task, sorted by cluster.

    maxima: table of `maximum.maxima`. Returns a table cluster, varieties, linguistic_utility,
    demographic_utility, min_variety, min_value, standard_deviation, gini (values in per cent, the
    Gini coefficient in 0..1), flags (known faults of any of its scores), min_flags (of the minimum).
    """
    import pandas as pd

    known = registry.load()
    groups = {}
    for r in maxima.itertuples():
        groups.setdefault(r.cluster, []).append(r)
    rows = []
    for cluster, members in sorted(groups.items()):
        values = [r.value for r in members]
        worst = min(members, key=lambda r: r.value)
        speakers = [population(known.get(cluster, r.variety), as_printed) for r in members]
        rows.append(
            dict(
                cluster=cluster,
                varieties=len(members),
                linguistic_utility=linguistic(values),
                demographic_utility=demographic(values, speakers),
                min_variety=worst.variety,
                min_value=worst.value,
                standard_deviation=deviation(values),
                gini=gini(values),
                flags=flags.together(*(getattr(r, "flags", ()) for r in members)),
                min_flags=getattr(worst, "flags", ()),
            )
        )
    return pd.DataFrame(rows)
