"""Constructed varieties with gold for all ten tasks: no download, the same on every machine.

    >>> from dbutils import sandbox
    >>> next(sandbox.examples("tc", "tal-coast", "test")).label in sandbox.labels("tc")
    True

A small grammar with an invented lexicon says the same meanings in every variety; varieties derive
from one another by rules with a strength (`rules`, `family`). Everything is drawn from names and
a seed. These are no human languages: the corpus id is `sandbox`, and nothing here enters the
registry or the benchmark's aggregates.
"""

from dataclasses import replace

from dbutils import TASKS
from dbutils.errors import unknown
from dbutils.sandbox.derivation import explain
from dbutils.sandbox.distances import distance
from dbutils.sandbox.family import CLUSTERS, CORPUS, NOTICE, SOURCE, Cluster, Variety, train_code, varieties, variety
from dbutils.sandbox.lexicon import TOPICS
from dbutils.sandbox.meaning import RELATIONS, SENTIMENTS
from dbutils.sandbox.stories import SPLITS, stories
from dbutils.sandbox.summary import overview
from dbutils.sandbox.tasks import pairs, reading, texts, translation, trees

__all__ = [
    "CLUSTERS",
    "CORPUS",
    "Cluster",
    "NOTICE",
    "SIZES",
    "SOURCE",
    "SPLITS",
    "Variety",
    "against_standard",
    "codes",
    "distance",
    "examples",
    "explain",
    "labels",
    "names",
    "overview",
    "train_code",
    "varieties",
    "variety",
]

SIZES = {"dev": 50, "test": 100}  # train: `Variety.train`

_GOLD = {
    "dep": trees.dep,
    "pos": trees.pos,
    "ner": trees.ner,
    "did": texts.did,
    "sa": texts.sa,
    "tc": texts.tc,
    "nli": pairs.nli,
    "mrc": reading.mrc,
    "eqa": reading.eqa,
    "mt": translation.mt,
}
_LABELS = {
    "dep": trees.RELATIONS,
    "pos": trees.UPOS,
    "ner": trees.ENTITIES,
    "sa": SENTIMENTS,
    "tc": TOPICS,
    "nli": RELATIONS,
    "mrc": ("0", "1", "2", "3"),
    "eqa": (),
    "mt": (),
}


def codes(task):
    """The codes of the varieties that have examples of a task: all of them, in fixed order."""
    _known(task)
    return tuple(v.code for v in varieties())


def names():
    """All that names varieties: their codes, their names, the codes of their clusters."""
    return {name for v in varieties() for name in (v.code, v.name)} | set(CLUSTERS)


def labels(task, cluster=None):
    """The labels of a task in fixed order; () for eqa and mt.

    For did they are the codes of the varieties, of one cluster if it is named.
    """
    _known(task)
    return tuple(v.code for v in varieties(cluster)) if task == "did" else _LABELS[task]


def examples(task, code, split, seed=0, size=None):
    """Yield the typed records (`dbutils.corpora.examples`) of a variety, or of a whole cluster.

    code: a `Variety`, its code, or the code of a cluster, or "sandbox" for all clusters: then the
    examples of the varieties follow one another, with ids such as "test-0003:tal-low".
    split: train, dev or test. size: how many per variety (default: the variety's `train`, or
    SIZES). seed: other seeds give other meanings in the same varieties.
    Equal ids are the same meaning in every variety and task.
    Raises InputError for an unknown task, code or split, or a size that is not in 0..2000.
    """
    _known(task)
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    if size is not None:
        stories(split, size, seed)  # says at once if there are not so many
    if code == CORPUS or code in CLUSTERS:
        return _of_many(task, varieties(None if code == CORPUS else code), split, seed, size)
    return _of_variety(task, code if isinstance(code, Variety) else variety(code), split, seed, size)


def against_standard(code, split, seed=0, size=None):
    """The translation examples of a variety with the sentence of its cluster's representative for a reference.

    Their kind is `standard`: a pseudo-reference is still to be made from it.
    """
    standard = CLUSTERS[variety(code).cluster].representative
    parallel = zip(examples("mt", code, split, seed, size), examples("mt", standard, split, seed, size), strict=False)
    for mine, other in parallel:
        yield replace(mine, reference=other.source, kind="standard")


def _of_variety(task, record, split, seed, size):
    count = size if size is not None else SIZES.get(split, record.train)
    for story in stories(split, count, seed):
        yield _GOLD[task](story, record)


def _of_many(task, records, split, seed, size):
    for record in records:
        for example in _of_variety(task, record, split, seed, size):
            yield replace(example, id=f"{example.id}:{record.code}")


def _known(task):
    if task not in TASKS:
        raise unknown("task", task, TASKS)
