"""What the paper's ways of splitting and scoring do to a score, on real corpora."""

from dbutils.analysis import effects as measured
from dbutils.report.views.view import listing, number, paragraph

METRICS = {"accuracy": "accuracy", "f1": "F1"}


def effects():
    """A table: scores made as the paper made them beside sound ones of the same model, with intervals and difference."""
    table = measured.load()
    if table.empty:
        return paragraph("No effect has been measured yet: `tools/effects.py` does it.")
    rows = [
        [
            measured.EFFECTS[r.effect],
            r.task.upper().replace("DID", "DId"),
            r.model,
            r.code,
            _metric(r),
            _with_interval(r.as_paper, r.as_paper_low, r.as_paper_high),
            _with_interval(r.sound, r.sound_low, r.sound_high),
            number(r.as_paper - r.sound, 1),
        ]
        for r in table.itertuples()
    ]
    headings = ["as the paper; sound", "task", "model", "code", "metric", "as the paper", "sound", "difference"]
    caption = (
        "What four choices do to a score: the same model, measured as the paper measured and soundly, with 95 % intervals."
        " ngram-svm is a linear model of character n-grams; e5 is a small multilingual encoder (multilingual-e5-small)."
    )
    return listing(headings, rows, caption, "tab-effects", ["difference"], filterable=True)


def _metric(row):
    return "chunk F1; accuracy" if row.effect == "chunks" else METRICS[row.metric]


def _with_interval(value, low, high):
    return f"{number(value)} ({number(low)} to {number(high)})"
