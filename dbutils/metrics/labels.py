"""Accuracy and macro F1 over a fixed label set, of labels and of tags.

The label set is the corpus's own, in fixed order: a label that neither gold nor predictions of a
sample contain still counts (with F1 0 if it never occurs at all: `support` tells), so that scores of
different varieties and resamples are comparable.
"""

import functools

import numpy as np

from dbutils.metrics.base import Metric, Shares, f1, ratio, share_of_counts


def _counts(pairs, place):
    """[gold, predicted, hits] per label, flattened: array (3k,); predictions outside the set hit nothing."""
    k = len(place)
    out = np.zeros((3, k))
    for gold, predicted in pairs:
        out[0, place[gold]] += 1
        if predicted in place:
            out[1, place[predicted]] += 1
            out[2, place[gold]] += gold == predicted
    return out.ravel()


def _unfold(s):
    s = np.asarray(s)
    return s.reshape(*s.shape[:-1], 3, s.shape[-1] // 3)


def _macro(s, labels_present):
    s = _unfold(s)
    gold, predicted, hits = s[..., 0, :], s[..., 1, :], s[..., 2, :]
    each = f1(hits, predicted, gold)
    if labels_present:
        present = (gold + predicted) > 0
        return np.divide(
            (each * present).sum(-1), present.sum(-1), out=np.zeros(each.shape[:-1]), where=present.any(-1)
        )
    return each.mean(-1)


def _macro_f1(labels_present):
    return lambda s: _macro(s, labels_present), Shares(_class_counts, f1=True, present=labels_present)


def _accuracy(s):
    s = _unfold(s)
    return ratio(s[..., 2, :].sum(-1), s[..., 0, :].sum(-1))


def _accuracy_counts(s):
    s = _unfold(s)
    return s[..., 2, :].sum(-1)[..., None], s[..., 0, :].sum(-1)[..., None]


def _class_counts(s):
    s = _unfold(s)
    return share_of_counts(s[..., 2, :], s[..., 1, :], s[..., 0, :])


_ACCURACY = (_accuracy, Shares(_accuracy_counts))


def _of_one_label(labels):
    """The statistics of one label per example; each pair of gold and prediction is counted out once."""
    place = {label: i for i, label in enumerate(labels)}
    counts = functools.cache(lambda gold, predicted: _counts([(gold, predicted)], place))
    return lambda gold, predicted: counts(gold.label, predicted)


def accuracy(labels):
    """Accuracy of one label per example. Raises KeyError for a gold label outside the set."""
    return Metric("accuracy", _of_one_label(labels), *_ACCURACY)


def macro_f1(labels):
    """Macro F1 over the fixed label set, one label per example."""
    return Metric("f1", _of_one_label(labels), *_macro_f1(labels_present=False))


def word_accuracy(tags):
    """Share of scored tokens with the right tag."""
    place = {tag: i for i, tag in enumerate(tags)}
    return Metric("accuracy", lambda g, p: _counts(_scored(g, p), place), *_ACCURACY)


def word_macro_f1(tags):
    """Macro F1 over the tags that occur in gold or prediction (scikit-learn's default), of scored tokens."""
    place = {tag: i for i, tag in enumerate(tags)}
    return Metric("macro_f1", lambda g, p: _counts(_scored(g, p), place), *_macro_f1(labels_present=True))


def _scored(gold, predicted):
    if len(predicted) != len(gold.tags):
        raise ValueError(f"{len(predicted)} predicted tags for {len(gold.tags)} tokens")
    return [(g, p) for g, p, counts in zip(gold.tags, predicted, gold.scored) if counts]


def of_label(metric, place, count):
    """F1, precision and recall of one label, as Metrics on the statistics of a macro F1 over `count` labels."""

    def counts(s):
        s = _unfold(s)[..., place]
        return s[..., 0, None], s[..., 1, None], s[..., 2, None]

    def measure(name, to_share, is_f1=False):
        def value(s):
            part, whole = (x[..., 0] for x in to_share(*counts(s)))
            return ratio(2 * part, part + whole) if is_f1 else ratio(part, whole)

        return Metric(name, metric.statistics, value, Shares(lambda s: to_share(*counts(s)), f1=is_f1))

    return (
        measure("f1", lambda gold, predicted, hits: share_of_counts(hits, predicted, gold), is_f1=True),
        measure("precision", lambda gold, predicted, hits: (hits, predicted)),
        measure("recall", lambda gold, predicted, hits: (hits, gold)),
    )
