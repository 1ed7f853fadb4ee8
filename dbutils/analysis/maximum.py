"""The maximum obtainable score m(v): the best score of a variety over models and settings.

Source: paper, section 4.1; what it is taken over per task: protocol, section 6.
"""

from dataclasses import dataclass

from dbutils.registry import is_region
from dbutils.scores import benchmark


@dataclass(frozen=True)
class Maximum:
    """What the maximum of a task is taken over."""

    task: str
    metrics: tuple[str, ...]
    settings: tuple[str, ...]
    models: tuple[str, ...] = ("mbert", "xlmr")
    split: str = "test"
    sentence: str = ""


_FT = ("zero_shot", "in_variety")
_FC = ("zero_shot", "in_cluster")

MAXIMUM = {
    m.task: m
    for m in (
        Maximum("dep", ("uas",), _FT, sentence="UAS, zero-shot and fine-tuned"),
        Maximum("pos", ("f1",), _FT, sentence="F1, zero-shot and fine-tuned"),
        Maximum("ner", ("f1",), _FC, sentence="F1, zero-shot and fine-tuned"),
        Maximum("did", ("f1",), ("in_cluster",), sentence="F1, fine-tuned"),
        Maximum(
            "sa",
            ("accuracy", "f1"),
            ("in_cluster", "in_context"),
            ("mbert", "xlmr", "mistral-7b"),
            sentence="accuracy and F1 of all models",
        ),
        Maximum("tc", ("f1",), _FC, sentence="F1, zero-shot and fine-tuned"),
        Maximum("nli", ("f1",), ("zero_shot",), sentence="F1, zero-shot"),
        Maximum("mrc", ("f1",), ("combined",), sentence="F1, combined fine-tuning"),
        Maximum(
            "eqa",
            ("f1",),
            ("zero_shot", "combined", "in_context"),
            ("mbert", "xlmr", "mistral-7b"),
            sentence="span F1 on the test split, zero-shot, fine-tuned and in-context",
        ),
        Maximum(
            "mt",
            ("bleu",),
            ("zero_shot", "pseudo_reference"),
            ("nllb-600m", "nllb-1.3b"),
            sentence="BLEU of both NLLB models",
        ),
    )
}


def candidates(scores, task):
    """The rows that the maximum of a task is taken over: the paper's models, and every run of one's own."""
    rows = benchmark(scores)
    m = MAXIMUM[task]
    return rows[
        (rows.task == task)
        & rows.metric.isin(m.metrics)
        & (rows.split == m.split)
        & ((rows.setting.isin(m.settings) & rows.model.isin(m.models)) | (rows.origin == "run"))
    ]


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


def maxima(scores, task, least_predictions=0):
    """m(v) of every variety of a task: a table cluster, variety, code, value, n, model, setting, metric, origin, run.

    The best row of each variety, in the order of first appearance. `task` is a task code, for
    translation also `mt-dialect` or `mt-region`. `least_predictions`: leave out the labels of
    dialect identification that mBERT predicts fewer times than this (Table 3 leaves out four).
    """
    base, _, level = task.partition("-")
    rows = candidates(scores, base)
    if level:
        region = [is_region(c, v) for c, v in zip(rows.cluster, rows.variety)]
        rows = rows.loc[[r == (level == "region") for r in region]]
    if least_predictions and base == "did":
        counts = predicted(scores[scores.task == "did"])
        few = {code for (model, code), n in counts.items() if model == "mbert" and n < least_predictions}
        rows = rows[~rows.code.isin(few)]
    best = rows.groupby(["cluster", "variety"], sort=False)["value"].idxmax()
    columns = ["cluster", "variety", "code", "value", "n", "model", "setting", "metric", "origin", "run"]
    return rows.loc[best, columns].reset_index(drop=True)
