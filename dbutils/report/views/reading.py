"""Evidence about the two question-answering tasks: chance, side runs, single-source training."""

import math

from dbutils import names
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import cells, raw_upstream

CHANCE = 25.0  # one of four answers
Z = 1.959964  # 95 %


def interval(share, n):
    """Wilson's 95 % interval of a share in per cent of n examples, as (low, high) in per cent."""
    p = share / 100
    middle, spread, base = p + Z * Z / (2 * n), Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)), 1 + Z * Z / n
    return 100 * (middle - spread) / base, 100 * (middle + spread) / base


def chance(rows):
    """A table: accuracy in reading comprehension with its interval, and how many right answers more than guessing gives."""
    rows = cells.cells(rows, task="mrc", metric="accuracy", split="test")
    rows = rows[rows.n.notna()]
    if rows.empty:
        return paragraph("These scores do not say how many questions there are, so no interval can be given.")
    lines = []
    for r in rows.sort_values("value").itertuples():
        low, high = interval(r.value, int(r.n))
        above = "yes" if low > CHANCE else "no"
        lines.append([r.variety, names.model(r.model), number(r.value), number(low), number(high), above])
    caption = f"Accuracy with Wilson's 95 % interval, lowest first, and whether the interval lies above guessing ({number(CHANCE, 0)} %)."
    return listing(
        ["variety", "model", "accuracy", "low", "high", "above chance"],
        lines,
        caption,
        "tab-mrc-chance",
        ["accuracy", "low", "high"],
    )


def side_runs():
    """A table: two further runs of reading comprehension in the authors' files beside the one that Table 19 shows."""
    rows = raw_upstream()
    rows = rows[(rows.task == "mrc") & (rows.model == "mbert") & (rows.metric == "accuracy")]
    value = {}
    for r in rows.itertuples():
        value.setdefault(r.variety, {})[r.train.rpartition(":")[2]] = r
    lines = []
    for variety, runs in value.items():
        if len(runs) > 1:
            spread = max(r.value for r in runs.values()) - min(r.value for r in runs.values())
            lines.append([variety, *(number(runs[k].value) for k in ("all", "run1", "run2")), number(spread)])
    source = rows[rows.train.str.contains(":run")].run.iloc[0].partition(":")[0]
    caption = (
        f"Accuracy of mBERT on the same questions in three runs: the one that Table 19 shows and the two of {source}."
        " Spread: highest minus lowest."
    )
    return listing(
        ["variety", "Table 19", "first side run", "second side run", "spread"],
        lines,
        caption,
        "tab-mrc-runs",
        ["Table 19", "first side run", "second side run", "spread"],
    )


def single_source():
    """A sentence: the question-answering models trained on one language that no table shows."""
    rows = raw_upstream()
    rows = rows[(rows.task == "eqa") & (rows.metric == "f1")]
    shown = {"all", "english", "2-shot"}
    other = sorted(set(rows.train) - shown)
    number_of = int(rows.train.isin(other).sum())
    return paragraph(
        f"The authors' files hold {names.counted(number_of, 'F1 score')} more, of models trained on one other language each:"
        f" {names.listed(other)}. No table shows them."
    )


def sizes(rows):
    """A table: questions per language in the development and test split of SD-QA."""
    rows = cells.cells(rows, task="eqa")
    rows = rows[rows.n.notna()]
    if rows.empty:
        return paragraph("These scores do not say how many questions there are.")
    lines = []
    for cluster, part in rows.groupby("cluster", sort=True):
        size = part.groupby("split").n.first()
        sizes = [f"{int(size[split]):,}" if split in size else "" for split in ("dev", "test")]
        lines.append([cluster, part.drop_duplicates("variety").shape[0], *sizes])
    return listing(
        ["cluster", "varieties", "development", "test"],
        lines,
        "Questions of each variety, the same ones for all varieties of a cluster.",
        "tab-eqa-sizes",
        ["varieties", "development", "test"],
    )
