"""The sandbox at a glance: one row per variety."""

from dbutils.sandbox.derivation import explain
from dbutils.sandbox.distances import distance
from dbutils.sandbox.family import CLUSTERS, varieties

COLUMNS = (
    "cluster",
    "code",
    "variety",
    "parent",
    "dial",
    "train",
    "representative",
    "from_source",
    "from_source_romanised",
    "from_representative",
    "rules",
    "sentence",
)


def overview(cluster=None, item="test-0010", seed=0):
    """One dict per variety, with the keys COLUMNS.

    rules: those on top of the parent's, as "name strength". train: number of training examples.
    from_...: `distance` from the source, as written and as if written in one script, and from the
    cluster's representative. sentence: the item's main sentence.
    """
    return [_row(v, item, seed) for v in varieties(cluster)]


def _row(v, item, seed):
    representative = CLUSTERS[v.cluster].representative
    return dict(
        cluster=v.cluster,
        code=v.code,
        variety=v.name,
        parent=v.parent,
        dial=v.dial,
        train=v.train,
        representative=representative == v.code,
        from_source=distance(v, seed=seed),
        from_source_romanised=distance(v, letters=False, seed=seed),
        from_representative=distance(v, representative, seed=seed),
        rules="; ".join(f"{rule.name} {strength:g}" for rule, strength in v.rules),
        sentence=explain(v, item, seed).steps[-1].text,
    )
