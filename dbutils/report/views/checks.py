"""Evidence that a reader can check: small tables that show what a score of the benchmark rests on."""

from fractions import Fraction

from dbutils import names, registry
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import cells, raw_upstream


def main_rows(task, rows):
    """The benchmark's test rows of a task in its main metric."""
    return cells.cells(rows, task=task, metric=registry.facts(task).metric, split="test")


def cluster(task, rows, name):
    """A table: every score of the varieties of one cluster, one column per model and setting."""
    rows = main_rows(task, rows)
    rows = rows[rows.cluster == registry.load().cluster(name)]
    if rows.empty:
        return paragraph(f"These scores hold none of this task for the cluster {name}.")
    columns = list(dict.fromkeys(zip(rows.setting, rows.model)))
    value = rows.groupby(["variety", "setting", "model"]).value.mean().to_dict()
    codes = rows.groupby("variety", sort=False).code.first()
    lines = [[v, code, *(number(value.get((v, *c)), 2) for c in columns)] for v, code in codes.items()]
    headings = [f"{names.setting(setting)}, {names.model(model)}" for setting, model in columns]
    caption = f"{names.metric(registry.facts(task).metric)} of the varieties of the cluster {name}."
    return listing(["variety", "code", *headings], lines, caption, f"tab-{task}-{name.replace(' ', '-')}", headings)


def fractions(*codes, largest=60):
    """A table: the raw accuracies of one test set as fractions with the smallest possible denominator.

    codes: (task, code) pairs. A share of correct words has the number of scored words as its denominator, so a
    small denominator shows a small test set.
    """
    rows = raw_upstream()
    rows = rows[rows.metric.isin(["uas", "las", "accuracy"])]
    rows = rows[[key in codes for key in zip(rows.task, rows.code)]]
    lines = []
    for r in rows.itertuples():
        found = Fraction(r.value / 100).limit_denominator(largest)
        lines.append(
            [
                names.quantity(r.model, r.setting, r.metric),
                r.code,
                number(r.value, 2),
                f"{found.numerator}/{found.denominator}",
                r.run,
            ]
        )
    caption = "Shares of correct words, as the authors' files give them, and as fractions."
    return listing(
        ["share", "code", "per cent", "fraction", "source"],
        lines,
        caption,
        "tab-fractions-" + codes[0][0],
        ["per cent"],
    )


def worse_when_trained(task, rows):
    """A table: models that do worse on a variety after fine-tuning than zero-shot from English, worst first."""
    rows = main_rows(task, rows)
    english = rows[(rows.setting == "zero_shot") & (rows.train != rows.code)]
    zero = english.set_index(["model", "cluster", "variety"]).value.to_dict()
    tuned = rows[rows.setting.isin(["in_variety", "in_cluster"])]
    pairs = [
        (r, zero[r.model, r.cluster, r.variety]) for r in tuned.itertuples() if (r.model, r.cluster, r.variety) in zero
    ]
    worse = sorted(((r.value - before, r, before) for r, before in pairs if r.value < before), key=lambda x: x[0])
    if not pairs:
        return paragraph(
            "These scores do not hold this task both zero-shot and fine-tuned, so nothing can be compared."
        )
    lines = [
        [r.variety, names.model(r.model), r.train, number(before, 2), number(r.value, 2), number(lost, 2)]
        for lost, r, before in worse
    ]
    caption = (
        f"Fine-tuning that lowered the score: {len(worse)} of {names.counted(len(pairs), 'pair')} of model and variety"
        " (pairs that were trained on English itself left out)."
    )
    return listing(
        ["variety", "model", "trained on", "zero-shot", "fine-tuned", "change"],
        lines,
        caption,
        f"tab-{task}-worse",
        ["zero-shot", "fine-tuned", "change"],
        filterable=True,
    )


def foreign_sources(task, rows):
    """A table: in-cluster scores whose training data are not the representative's, and whether they are from the cluster."""
    known = registry.load()
    tuned = main_rows(task, rows)
    tuned = tuned[(tuned.setting == "in_cluster") & (tuned.train != "")].drop_duplicates(["cluster", "variety"])
    lines = []
    for r in tuned.itertuples():
        source = known.coded(task, r.train)
        representative = known.representative(task, r.cluster)
        if source is None or source is representative:
            continue
        place = "in the cluster" if source.cluster == r.cluster else f"outside: {source.cluster}"
        lines.append(
            [r.variety, r.cluster, r.code, r.train, place, representative.variety if representative else "none"]
        )
    if not lines:
        return paragraph("With these scores every in-cluster model was trained on the representative of its cluster.")
    outside = sum(line[4].startswith("outside") for line in lines)
    caption = (
        f"In-cluster scores that do not come from the representative's training data: {len(lines)} of {len(tuned)} varieties,"
        f" {outside} of them from another cluster."
    )
    return listing(
        ["variety", "cluster", "code", "trained on", "that source is", "representative"],
        lines,
        caption,
        f"tab-{task}-sources-used",
        filterable=True,
    )


def smallest(task, rows, most=100):
    """A table: the test sets with at most `most` examples, and their scores; smallest first."""
    rows = main_rows(task, rows)
    rows = rows[rows.n.notna() & (rows.origin != "paper") | (rows.n.notna() & (task != "did"))]
    rows = rows[rows.n <= most]
    if rows.empty:
        return paragraph(f"These scores name no test set of this task with {most} examples or fewer.")
    lines = []
    for (_, variety), part in sorted(rows.groupby(["cluster", "variety"]), key=lambda g: g[1].n.min()):
        first = part.iloc[0]
        lines.append(
            [variety, first.code, first.corpus, int(first.n), number(part.value.min(), 2), number(part.value.max(), 2)]
        )
    caption = f"Test sets with at most {most} examples, and the lowest and highest score on them."
    return listing(
        ["variety", "code", "corpus", "examples", "lowest", "highest"],
        lines,
        caption,
        f"tab-{task}-small",
        ["examples", "lowest", "highest"],
        filterable=len(lines) > 12,
    )


def metrics_apart(task, rows, setting, count_shown=8):
    """A table: where accuracy and F1 of the same predictions lie furthest apart (all models, one setting)."""
    found = cells.cells(rows, task=task, setting=setting, split="test")
    key = ["model", "cluster", "variety", "code"]
    both = found.pivot_table(index=key, columns="metric", values="value")
    if not {"accuracy", "f1"} <= set(both.columns) or both[["accuracy", "f1"]].dropna().empty:
        return paragraph("These scores do not hold both accuracy and F1 of this task, so the two cannot be compared.")
    both = both[["accuracy", "f1"]].dropna()
    apart = (both.accuracy - both.f1).sort_values(ascending=False, key=abs)
    lines = [
        [
            v,
            code,
            names.model(m),
            number(both.accuracy[m, c, v, code], 2),
            number(both.f1[m, c, v, code], 2),
            number(d, 2),
        ]
        for (m, c, v, code), d in apart.head(count_shown).items()
    ]
    caption = (
        f"Accuracy and F1 of the same predictions ({names.setting(setting)}): the {len(lines)} largest of {len(apart)} differences;"
        f" on average accuracy is {number((both.accuracy - both.f1).mean(), 2)} points higher."
    )
    return listing(
        ["variety", "code", "model", "accuracy", "F1", "difference"],
        lines,
        caption,
        f"tab-{task}-apart",
        ["accuracy", "F1", "difference"],
    )
