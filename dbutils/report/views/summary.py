"""Views across tasks: who does well, and what goes along with it (pre-training, script, standard, model)."""

from dbutils import TASKS, names, registry
from dbutils.analysis.maximum import candidates
from dbutils.analysis.tables.summaries import best_scores
from dbutils.report.views.checks import main_rows
from dbutils.report.views.view import listing, number, paragraph

NONE = "These scores hold no task of the benchmark."


def _best(rows):
    """{task: maxima of `best_scores`} of the tasks that the scores hold."""
    return {task: best_scores(rows, task) for task in TASKS if len(candidates(rows, task))}


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def _contrast(rows, caption, name, sides, side_of):
    """A table: per task the mean best score of two kinds of varieties. side_of(task, row) -> True, False or None."""
    lines = []
    for task, best in _best(rows).items():
        kinds = {True: [], False: [], None: []}
        for r in best.itertuples():
            kinds[side_of(task, r)].append(r.value)
        a, b = kinds[True], kinds[False]
        difference = number(_mean(a) - _mean(b)) if a and b else ""
        lines.append(
            [registry.load().tasks.at[task, "name"], number(_mean(a)), number(_mean(b)), difference, len(a), len(b)]
        )
    if not lines:
        return paragraph(NONE)
    headings = ["task", *sides, "difference", *(f"n, {side}" for side in sides)]
    return listing(headings, lines, caption, name, headings[1:])


def seen_and_unseen(rows):
    """A table: mean best score of varieties that mBERT has seen in pre-training and of the others, per task."""
    known = registry.load()
    return _contrast(
        rows,
        "Mean best score of the varieties that mBERT saw in pre-training and of the others (n: varieties).",
        "tab-seen",
        ("seen", "unseen"),
        lambda task, r: known.get(r.cluster, r.variety).mbert_seen,
    )


def representatives_and_others(rows):
    """A table: mean best score of cluster representatives and of the other varieties of their clusters, per task."""
    known = registry.load()

    def side(task, r):
        levels = ("mt-dialect", "mt-region") if task == "mt" else (task,)
        heads = [v.key for level in levels if (v := known.representative(level, r.cluster))]
        return ((r.cluster, r.variety) in heads) if heads else None

    return _contrast(
        rows,
        "Mean best score of the cluster representatives and of the other varieties of the same clusters (n: varieties).",
        "tab-representatives",
        ("representatives", "others"),
        side,
    )


def latin_and_others(rows):
    """A table: mean best score of varieties written in Latin script and in other scripts, per task."""
    known = registry.load()

    def side(task, r):
        scripts = {c.script for c in known.get(r.cluster, r.variety).codes if c.task == task and c.code == r.code}
        return scripts == {"Latn"} if scripts else None

    return _contrast(
        rows,
        "Mean best score of test sets in Latin script and in other scripts (n: varieties).",
        "tab-latin",
        ("Latin", "other scripts"),
        side,
    )


def latin_share(rows):
    """A sentence: how many of the varieties of Table 21 are written in Latin script, on each side, and what the print says."""
    from dbutils.analysis.audit import printed_footer
    from dbutils.analysis.tables import table
    from dbutils.errors import InputError

    try:
        frame = table(21, rows).frame
    except InputError as error:
        return paragraph(f"No shares: {error}.")
    footer = printed_footer().set_index("value")
    parts = []
    for side in ("highest", "lowest"):
        of = frame[frame.side == side]
        latin = number(100 * (of.mixed_or_nonlatin_marker == "").mean())
        parts.append(f"{latin} % of the {len(of)} {side} (printed: {footer.at['Latin', f'{side}_pct']} %)")
    return paragraph(f"Written in Latin script are {parts[0]} and {parts[1]}.")


def in_context(rows):
    """A table: means of each model and setting in the two tasks with in-context results, over the varieties that all have."""
    lines = []
    for task, metric in (("sa", "accuracy"), ("eqa", "f1")):
        if metric == "f1":
            of = main_rows(task, rows)
        else:
            of = rows[(rows.task == task) & (rows.metric == metric) & (rows.split == "test") & (rows.variety != "")]
        systems = {
            key: part.groupby(["cluster", "variety"]).value.mean() for key, part in of.groupby(["setting", "model"])
        }
        if not systems:
            continue
        common = set.intersection(*(set(values.index) for values in systems.values()))
        for (setting, model), values in sorted(systems.items(), key=lambda s: -values_mean(s[1], common)):
            lines.append(
                [
                    registry.load().tasks.at[task, "long_name"],
                    names.setting(setting),
                    names.model(model),
                    len(common),
                    number(values_mean(values, common)),
                ]
            )
    if not lines:
        return paragraph("These scores hold neither sentiment analysis nor question answering.")
    caption = "Sentiment (accuracy) and question answering (span F1): means over the varieties that every system has a score for."
    return listing(
        ["task", "setting", "model", "varieties", "mean"], lines, caption, "tab-in-context", ["varieties", "mean"]
    )


def values_mean(values, keys):
    """Mean of a Series over some of its keys."""
    return _mean(values[key] for key in keys)


def fine_tuning(rows):
    """A table: per task and model how often fine-tuning helped against zero-shot from English, and the mean change."""
    lines = []
    for task in TASKS:
        of = main_rows(task, rows)
        zero = (
            of[(of.setting == "zero_shot") & (of.train != of.code)]
            .set_index(["model", "cluster", "variety"])
            .value.to_dict()
        )
        tuned = of[of.setting.isin(["in_variety", "in_cluster"])]
        for model, part in tuned.groupby("model"):
            keys = [((model, r.cluster, r.variety), r.value) for r in part.itertuples()]
            changes = [value - zero[key] for key, value in keys if key in zero]
            if changes:
                better = sum(c > 0 for c in changes)
                lines.append(
                    [
                        registry.load().tasks.at[task, "name"],
                        names.model(model),
                        len(changes),
                        better,
                        number(min(changes)),
                        number(_mean(changes)),
                        number(max(changes)),
                    ]
                )
    if not lines:
        return paragraph("These scores hold no task both zero-shot and fine-tuned.")
    headings = [
        "task",
        "model",
        "varieties",
        "better when fine-tuned",
        "smallest change",
        "mean change",
        "largest change",
    ]
    caption = "Fine-tuned against zero-shot from English, in points (pairs trained on English itself left out)."
    return listing(headings, lines, caption, "tab-fine-tuning", headings[2:])
