"""Evidence about machine translation: two kinds of reference that must not be ranked together."""

from dbutils.report.views.view import count, listing, number, paragraph
from dbutils.report.views.words import SETTINGS
from dbutils.scores import benchmark


def references(rows):
    """A table: the kind of reference of each cluster, with the number of varieties and their mean BLEU."""
    found = benchmark(rows)
    found = found[(found.task == "mt") & (found.metric == "bleu")]
    if found.empty:
        return paragraph("These scores hold none of this task.")
    kind = {"zero_shot": "English, by people", "pseudo_reference": SETTINGS["pseudo_reference"].removeprefix("against a ")}
    best = found.groupby(["setting", "cluster", "variety"]).value.max()
    lines = []
    for (setting, cluster), part in best.groupby(level=["setting", "cluster"]):
        lines.append([cluster, kind.get(setting, setting), len(part), number(part.mean()), number(part.min()), number(part.max())])
    by_kind = [f"{kind.get(s, s)}: {number(part.mean())} over {count(len(part), 'variety', 'varieties')}" for s, part in best.groupby(level="setting")]
    caption = f"What translations are compared with, and the better of both models per variety. Means: {'; '.join(by_kind)}."
    return listing(["cluster", "reference", "varieties", "mean", "lowest", "highest"], sorted(lines), caption, "tab-mt-references",
                   ["varieties", "mean", "lowest", "highest"])  # fmt: skip
