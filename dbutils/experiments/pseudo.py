"""How far scores against pseudo-references follow the true ones, where both are known of the same translations."""

import functools

from dbutils import sandbox
from dbutils.errors import InputError
from dbutils.experiments import predictions
from dbutils.metrics import intervals

BOTH = ("zero_shot", "pseudo_reference")
COLUMNS = (
    "cluster",
    "variety",
    "code",
    "n",
    "true",
    "true_low",
    "true_high",
    "pseudo",
    "pseudo_low",
    "pseudo_high",
    "difference",
    "low",
    "high",
    "p",
    "sentences",
    "standard",
    "distance",
)


def pairs(mine):
    """{code: (Result against true references, Result against pseudo-references)} of an `notebook.NotebookRuns`.

    InputError unless some variety has both, from the same translations.
    """
    if set(BOTH) - set(mine.folders):
        raise InputError("both settings, zero_shot and pseudo_reference, must have been run")
    true, pseudo = (
        {code: r for (code, split), r in mine.results(setting).items() if split == "test"} for setting in BOTH
    )
    found = {code: (true[code], pseudo[code]) for code in pseudo if code in true}
    if not found:
        raise InputError("no variety has true references and pseudo-references: a corpus has the ones or the others")
    for code, sides in found.items():
        one, other = (
            list(zip(*(r.table.column(c).to_pylist() for c in ("id", "prediction")), strict=True)) for r in sides
        )
        if one != other:
            raise InputError(
                f"{code}: the two runs have not made the same translations, so their references cannot be compared"
            )
    return found


@functools.lru_cache(maxsize=2)  # a page asks several times
def compared(mine):
    """One row per variety, with COLUMNS, in the run's order.

    true, pseudo: BLEU against either reference, with their intervals; difference: pseudo minus true, with its interval
    and p (paired). sentences: rank correlation of the two over sentences (empty where one of them is constant).
    standard: true BLEU of the standard's translations, which the pseudo-references are. distance: from the standard.
    """
    import pandas as pd

    scores = mine.scores.set_index(["setting", "code"])
    rows = []
    for code, (true, pseudo) in pairs(mine).items():
        metric = true.metrics[0]
        a, b = (predictions.statistics(r.table, metric.name) for r in (pseudo, true))
        found = intervals.difference(metric, a, b, groups=predictions.groups(true.table))
        standard = sandbox.CLUSTERS[true.entry["cluster"]].representative if mine.profile == "sandbox" else ""
        row = {"cluster": true.entry["cluster"], "variety": true.entry["variety"], "code": code, "n": len(a)}
        for name, setting in zip(("true", "pseudo"), BOTH, strict=True):
            score = scores.loc[(setting, code)]
            row |= {name: score.value, f"{name}_low": score.low, f"{name}_high": score.high}
        row |= {"difference": found.value, "low": found.low, "high": found.high, "p": found.p}
        row |= {"sentences": _rank_correlation(a[:, 1], b[:, 1])}
        known = (BOTH[0], standard) in scores.index
        row |= {"standard": scores.loc[(BOTH[0], standard)].value if known else None}
        row |= {"distance": sandbox.distance(code, standard) if standard else None}
        rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def tracking(table):
    """{"": rank correlation of true and pseudo over all varieties of `compared`, cluster: over its own}, None where constant."""
    groups = {"": table} | dict(iter(table.groupby("cluster", sort=False)))
    return {name: _rank_correlation(part["true"], part.pseudo) for name, part in groups.items()}


def _rank_correlation(one, other):
    from scipy.stats import spearmanr

    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return float(spearmanr(one, other).statistic)


def most_different(mine, code, most=3, over=True):
    """[(example with its true reference, pseudo-reference, translation)] where the two scores of a sentence differ most.

    over: the pseudo-reference praises too much, else too little.
    """
    from dbutils.experiments import notebook

    true, pseudo = pairs(mine)[code]
    metric = true.metrics[0].name
    a, b = (predictions.statistics(r.table, metric)[:, 1] for r in (pseudo, true))
    order = sorted(range(len(a)), key=lambda i: ((b[i] - a[i]) if over else (a[i] - b[i]), i))[:most]
    examples, references = notebook.examples(true), notebook.examples(pseudo)
    return [(examples[i][0], references[i][1], examples[i][2]) for i in order if (a[i] > b[i]) == over and a[i] != b[i]]
