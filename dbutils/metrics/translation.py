"""BLEU and chrF++ by sacrebleu, from per-sentence sufficient statistics.

`bleu` is corpus BLEU. `sentence_bleu` is the paper's: BLEU of each sentence (as a corpus of one), averaged over the
sentences with a hypothesis (protocol, section 3).
"""

import functools

import numpy as np

from dbutils.metrics.base import Metric, column, share

EMPTY = ("", ". . .")  # what the paper's code takes for no hypothesis


@functools.cache
def _bleu():
    from sacrebleu.metrics import BLEU

    return BLEU()  # 13a, exp smoothing, no effective order: corpus BLEU's defaults


@functools.cache
def _chrf():
    from sacrebleu.metrics import CHRF

    return CHRF(word_order=2)


def signatures():
    """{metric: sacrebleu's signature}, to be recorded with the scores."""
    out = {}
    for name, metric in (("bleu", _bleu()), ("bleu_corpus", _bleu()), ("chrf", _chrf())):
        metric.corpus_score(["a"], [["a"]])
        out[name] = str(metric.get_signature())
    return out


def _sums(metric, gold, predicted):
    return np.array(metric._extract_corpus_statistics([predicted or ""], [[gold.reference]])[0], dtype=np.float64)


def bleu_statistics(gold, predicted):
    """[hypothesis length, reference length, right 1-4-grams, all 1-4-grams]."""
    return _sums(_bleu(), gold, predicted)


def bleu_value(s):
    """Corpus BLEU from sums of statistics, array (..., 10) -> (...), as sacrebleu computes it."""
    s = np.asarray(s, dtype=np.float64)
    length, reference, right, total = s[..., 0], s[..., 1], s[..., 2:6], s[..., 6:10]
    with np.errstate(divide="ignore", invalid="ignore"):
        zeros = np.cumsum(right == 0, axis=-1)  # exponential smoothing halves for each order without a match
        precision = np.where(right > 0, 100 * right / total, 100 / (2.0**zeros * total))
        # sacrebleu stops at the first order without any n-gram and leaves the rest at zero
        precision = np.where(np.cumsum(total == 0, axis=-1) > 0, 0, precision)
        penalty = np.where(length < reference, np.exp(1 - reference / np.maximum(length, 1e-9)), 1.0)
        score = penalty * np.exp(np.log(precision).mean(-1))
    dead = (right[..., 0] == 0) | (total == 0).any(-1) | (length == 0)
    return np.where(dead, 0.0, np.minimum(score, 100))


def chrf_value(s):
    """chrF++ from sums of statistics; one row at a time through sacrebleu."""
    s = np.asarray(s, dtype=np.float64)
    flat = s.reshape(-1, s.shape[-1])
    return np.array([_chrf()._compute_f_score([int(round(x)) for x in row]) for row in flat]).reshape(s.shape[:-1])


def sentence_statistics(gold, predicted):
    """[sentences with a hypothesis, BLEU of the sentence]; None, a missing prediction, counts and is wrong."""
    if predicted is None:
        return np.array([1.0, 0.0])
    if predicted.strip() in EMPTY:
        return np.zeros(2)
    return np.array([1, min(_bleu().corpus_score([predicted], [[gold.reference]]).score, 100) / 100])


BLEU = Metric("bleu_corpus", bleu_statistics, bleu_value)
CHRF = Metric("chrf", lambda gold, predicted: _sums(_chrf(), gold, predicted), chrf_value)
SENTENCE_BLEU = Metric("bleu", sentence_statistics, *share(column(1), column(0)))
