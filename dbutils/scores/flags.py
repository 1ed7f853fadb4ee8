"""Which known fault does a number have? Flags attach reviewed facts to score rows.

A flag says what a reader must know before using a number: no model was trained, no text was
tested, the training rows were the test rows. Most are facts of single published numbers, reviewed
one by one in `data/flags.csv` with their evidence; a few follow from the rows themselves
(`_by_rule`), so that runs of one's own get them too. `of` gives all flags of a table of score rows, but
`partial`, which `scores.cells` adds: it knows the sizes of the test sets.
"""

import functools
from dataclasses import dataclass

LEAST_PREDICTIONS = 10  # a label predicted fewer times has hardly been tried


@dataclass(frozen=True)
class Flag:
    """A kind of fault.

    name: in words, as the column `flags` has it; mark: the short sign beside a number; sentence: the
    note under a table, picture or page; excluded: such a number is no result, so it is never a best
    or worst cell, has no rank and is no baseline of a gap.
    """

    id: str
    name: str
    mark: str
    sentence: str
    excluded: bool = False


FLAGS = {
    f.id: f
    for f in (
        Flag(
            "missing-value",
            "missing value",
            "Ø",
            "The test set holds no example: the number stands for a missing value.",
            True,
        ),
        Flag(
            "no-zero-shot",
            "no zero-shot",
            "=",
            "No zero-shot score exists: the number repeats the fine-tuned one.",
            True,
        ),
        Flag(
            "placeholder-text",
            "placeholder text",
            "…",
            "The words of the test set are placeholders: nothing was measured.",
            True,
        ),
        Flag("never-learnt", "never learnt", "×", "The fine-tuned model never learnt its task.", True),
        Flag(
            "trained-on-test",
            "trained on its test rows",
            "†",
            "The model was trained on the very rows that it was tested on.",
        ),
        Flag(
            "few-predictions",
            f"predicted fewer than {LEAST_PREDICTIONS} times",
            f"<{LEAST_PREDICTIONS}",
            f"The model predicted the label fewer than {LEAST_PREDICTIONS} times.",
        ),
        Flag("mixed-test-set", "mixed test set", "½", "Only a part of the test set is of this variety."),
        Flag(
            "copied-column",
            "copied column",
            "‖",
            "The same numbers stand under another model or variety: to which of them they belong is not known.",
        ),
        Flag("partial", "part of the test set", "¼", "Measured on a part of the test set."),
        Flag(
            "pseudo-reference",
            "pseudo-reference",
            "~",
            "Scored against a machine translation of the standard variety's sentences.",
        ),
    )
}
COLUMNS = ("task", "corpus", "model", "setting", "train", "split", "code")  # patterns; empty: any
# what a fact is about: the rows of the paper and of upstream alone; or also runs of one's own that
# were made with the paper's splits, as their name says (`experiments.identity.run_name`)
ABOUT = {"published": None, "as-paper": r"-paper-s-?\d+"}


def of(scores):
    """The flags of each score row: a list of tuples of ids of `FLAGS`, in its order.

    How often a label of dialect identification was predicted is known from the rows of the metric
    `predicted`, so all rows of a run should be there, not a part of them.
    (A column of this name is `table["flags"]`: pandas keeps `table.flags` for itself.)
    """
    found = [()] * len(scores)
    for flag, hits in _masks(scores):
        for at in hits.nonzero()[0]:
            if flag not in found[at]:
                found[at] += (flag,)
    order = list(FLAGS)
    return [tuple(sorted(f, key=order.index)) if len(f) > 1 else f for f in found]


def excluded(flags):
    """Whether a number with these flags is no result (see `Flag`)."""
    return any(FLAGS[f].excluded for f in flags)


def together(*several):
    """The flags of all these numbers, once each and in the order of `FLAGS`: what an average of them has."""
    have = {f for flags in several for f in flags}
    return tuple(f for f in FLAGS if f in have)


def marks(flags):
    """The signs of these flags with spaces between; "" for none."""
    return " ".join(FLAGS[f].mark for f in flags)


def names(flags):
    """These flags in words, as the column `flags` has them."""
    return ", ".join(FLAGS[f].name for f in flags)


def sentences(flags):
    """The notes of these flags, once each: [(sign, sentence)]."""
    return [(FLAGS[f].mark, FLAGS[f].sentence) for f in together(flags)]


@functools.cache
def facts():
    """The reviewed facts of `data/flags.csv`: a table of text with patterns, flag, finding and evidence.

    Raises InputError for an unknown flag, an unknown `about`, or no evidence.
    """
    import pandera.pandas as pa

    from dbutils.paths import data
    from dbutils.schema import column, read_checked

    pattern = column("a shell pattern", r"\S+", empty=True)
    return read_checked(
        data("flags.csv"),
        pa.DataFrameSchema(
            dict.fromkeys(COLUMNS, pattern)
            | {
                "about": column(" or ".join(ABOUT), among=set(ABOUT)),
                "flag": column("a flag", among=set(FLAGS)),
                "finding": column("the id of a finding", r"[a-z-]+"),
                "evidence": column("text"),
            }
        ),
        unique=(*COLUMNS, "about", "flag"),
    )


def predicted(rows):
    """Number of predictions of each label of dialect identification.

    rows: score rows of `did` with the metric `predicted` (a label's share of all predictions, in
    per cent). Returns a Series of whole numbers indexed by (model, code).
    """
    dataset = rows.code.str.partition(":")[0]
    shares = rows[rows.metric == "predicted"]
    total = rows[rows.code == dataset + ":accuracy"].groupby(dataset)["n"].first()
    counts = shares.value / 100 * dataset[shares.index].map(total).astype(float)
    counts.index = [shares.model, shares.code]
    return counts.round().astype(int)


def _masks(scores):
    """(flag, which rows) for each reviewed fact and each rule; rows as an array of booleans."""
    import re
    from fnmatch import fnmatchcase

    import numpy as np
    import pandas as pd

    # each name is looked at once, not once per row: 260,000 rows have a few hundred names
    coded = {c: pd.factorize(scores[c]) for c in COLUMNS}
    published = (scores.origin != "run").to_numpy()
    runs, codes_ = scores.run.where(scores.origin == "run", "").factorize()[::-1]
    about = {
        kind: published
        if name is None
        else published | np.array([re.search(name, r) is not None for r in runs], dtype=bool)[codes_]
        for kind, name in ABOUT.items()
    }
    for fact in facts().itertuples():
        hits = about[fact.about].copy()
        for c in COLUMNS:
            pattern = getattr(fact, c)
            if pattern:
                codes, names_ = coded[c]
                fits = np.array([fnmatchcase(name, pattern) for name in names_], dtype=bool)
                hits &= fits[codes] if len(fits) else False
        yield fact.flag, hits
    yield from _by_rule(scores)


def _by_rule(scores):
    """Flags that follow from the rows themselves, whoever made them."""
    yield "missing-value", (scores.n == 0).fillna(False).to_numpy(dtype=bool)
    yield "pseudo-reference", (scores.setting == "pseudo_reference").to_numpy()
    yield "few-predictions", _few(scores)


def _few(scores):
    """The scores of labels that their own model predicted fewer than LEAST_PREDICTIONS times."""
    import numpy as np

    hits = np.zeros(len(scores), dtype=bool)
    at = (scores.task == "did").to_numpy().nonzero()[0]
    rows = scores.iloc[at].reset_index(drop=True)
    published = (rows.origin != "run").to_numpy()
    few = _few_published()
    hits[at[published]] = [key in few for key in zip(rows.model[published], rows.code[published])]
    own = rows[~published]
    if (own.metric == "predicted").any():
        label = list(own[["model", "run", "split", "code"]].itertuples(index=False, name=None))
        size = {key: n for key, n in zip(label, own.n) if key[3].endswith(":accuracy")}
        counts = {
            key: value / 100 * size[*key[:3], key[3].partition(":")[0] + ":accuracy"]
            for key, metric, value in zip(label, own.metric, own.value)
            if metric == "predicted" and (*key[:3], key[3].partition(":")[0] + ":accuracy") in size
        }
        hits[at[~published]] = [round(counts.get(key, LEAST_PREDICTIONS)) < LEAST_PREDICTIONS for key in label]
    return hits


@functools.cache
def _few_published():
    """{(model, code)} of upstream's classifiers; the paper prints the counts of mBERT alone."""
    from dbutils.scores.sources import raw_upstream

    rows = raw_upstream()
    counts = predicted(rows[rows.task == "did"])
    return set(counts.index[counts < LEAST_PREDICTIONS])
