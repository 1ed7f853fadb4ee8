"""Evidence about dialect identification: exchanged columns, training on test rows, labels hardly ever predicted.

These views read the authors' files, whatever scores a notebook shows besides.
"""

from dbutils import names
from dbutils.analysis.tables.summaries import LEAST_PREDICTIONS
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import printed, raw_upstream
from dbutils.scores.flags import predicted

# The official sets that the authors' script read for training and for testing alike (protocol of the paper's code).
READ_TWICE = {"dsl_tl", "dmt"}


def _raw():
    rows = raw_upstream()
    return rows[rows.task == "did"]


def halves(corpus="madar"):
    """A sentence: how many printed precisions of a data set are whole counts out of its gold size."""
    rows = _raw()
    rows = rows[(rows.corpus == corpus) & (rows.metric == "recall") & (rows.model == "mbert") & rows.variety.ne("")]
    n = int(rows.n.iloc[0])
    paper = {r.variety_norm: float(r.precision_mbert) for r in printed(16).itertuples()}
    values = [paper[v] for v in rows.variety if v in paper]
    whole = sum(abs(v * n / 100 - round(v * n / 100)) < 0.006 for v in values)
    return paragraph(
        f"Each label of `{corpus}` has {n} gold sentences, and {whole} of its {len(values)} printed precisions are whole numbers of"
        f" sentences out of {n}: shares of the gold sentences, which is what recall is."
    )


def test_sets():
    """A table: per data set its labels, gold sentences, whether its training rows are its test rows, accuracy and mean F1."""
    rows = _raw()
    rows = rows[rows.model.isin(["mbert", "xlmr"])]
    lines = []
    for name, part in rows.groupby(rows.code.str.partition(":")[0], sort=True):
        labels = part[~part.code.str.endswith((":accuracy", " avg"))]
        of = labels[(labels.model == "mbert") & (labels.metric == "f1")]
        total = part[part.code == f"{name}:accuracy"]
        accuracy = total.set_index("model").value
        lines.append(
            [
                name,
                part.corpus.iloc[0],
                len(of),
                f"{int(of.n.sum()):,}",
                "yes" if part.corpus.iloc[0] in READ_TWICE else "no",
                number(accuracy["mbert"], 2),
                number(accuracy["xlmr"], 2),
            ]
        )
    headings = ["data set", "corpus", "labels", "gold", "trained on its test rows", "accuracy mBERT", "accuracy XLM-R"]
    caption = "The data sets of dialect identification. Gold: sentences of all labels together, worked out from the two ratios of each label."
    return listing(headings, lines, caption, "tab-did-sets", ["labels", "gold", "accuracy mBERT", "accuracy XLM-R"])


def rare_labels():
    """A table: the labels that mBERT predicts too rarely to enter the summaries."""
    rows = _raw()
    counts = predicted(rows)
    f1 = rows[rows.metric == "f1"].set_index(["model", "code"]).value
    gold = rows[rows.metric == "f1"].set_index(["model", "code"]).n
    few = [(n, code) for (model, code), n in counts.items() if model == "mbert" and n < LEAST_PREDICTIONS]
    lines = [[code, int(gold["mbert", code]), n, number(f1["mbert", code], 2)] for n, code in sorted(few)]
    caption = f"Labels that mBERT predicts fewer than {LEAST_PREDICTIONS} times. Table 16 has no row for them, the summaries leave them out."
    return listing(["label", "gold", "predicted", "F1"], lines, caption, "tab-did-rare", ["gold", "predicted", "F1"])


def labels(data_set):
    """A sentence: the labels of a data set as the authors' files name them."""
    rows = _raw()
    codes = rows[rows.code.str.startswith(data_set + ":") & rows.variety.ne("")].code
    labels = list(dict.fromkeys(codes.str.partition(":")[2]))
    return paragraph(
        f"The {names.counted(len(labels), 'label')} of this set in the authors' files: {names.listed(f'`{n}`' for n in labels)}."
    )
