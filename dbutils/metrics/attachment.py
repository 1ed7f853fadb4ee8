"""Attachment scores of dependency parsing (CoNLL 2018 shared task, on gold words).

Every word counts, punctuation included; relations are compared without their subtypes.
"""

import numpy as np

from dbutils.metrics.base import Metric, column, share


def bare(relation):
    """A relation without its subtype: `nsubj:pass` -> `nsubj`."""
    return relation.partition(":")[0]


def statistics(gold, predicted):
    """[words, right heads, right heads with right relation] of a sentence.

    gold: has heads, relations and scored (one entry per word, heads 1-based, 0 = root).
    predicted: (heads, relations), one entry per word; a word without prediction has head None.
    """
    heads, relations = predicted
    if not len(heads) == len(relations) == len(gold.heads):
        raise ValueError(f"{len(heads)} predicted heads for {len(gold.heads)} words")
    words = attached = labelled = 0
    for g, r, counts, head, relation in zip(gold.heads, gold.relations, gold.scored, heads, relations):
        if counts:
            words += 1
            if head == g:
                attached += 1
                labelled += relation is not None and bare(relation) == bare(r)
    return np.array([words, attached, labelled])


UAS = Metric("uas", statistics, *share(column(1), column(0)))
LAS = Metric("las", statistics, *share(column(2), column(0)))
