"""The gaps of all tasks side by side, and what the conventions of Table 4 change."""

from dbutils import names, registry
from dbutils.analysis import gap
from dbutils.errors import InputError
from dbutils.report.views.gaps import model_of
from dbutils.report.views.source import chosen
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import cells, printed

NONE = "These scores hold no task with a gap in these settings."


def level_name(level):
    """`DEP parsing`, `MT, dialects`."""
    base, _, kind = level.partition("-")
    name = registry.load().tasks.at[base, "name"]
    return f"{name}, {kind}s" if kind else name


def _tables(rows, run):
    """[(heading, level, setting, model, table of `gap.by_variety`)] of the tasks and settings chosen, from the representative."""
    out = []
    for level in registry.LEVELS:
        for setting in run.settings:
            try:
                model = model_of(level, rows, run.model)
                table = gap.by_variety(rows, level, model, setting)
            except InputError:
                continue
            if len(table):
                heading = level_name(level) + (f", {names.setting(setting)}" if len(run.settings) > 1 else "")
                out.append((heading, level, setting, model, table))
    return out


def _caption(text, run, found):
    models = ", ".join(dict.fromkeys(names.model(model) for _, _, _, model, _ in found))
    return f"{text} in per cent, measured from the representative ({', '.join(names.setting(s) for s in run.settings)}; {models})."


def clusters(rows, run):
    """A table: the gap of each cluster in each task: the mean over its members other than the representative."""
    found = _tables(rows, run)
    if not found:
        return paragraph(NONE)
    columns = [(heading, gap.by_cluster(table).set_index("cluster").gap) for heading, _, _, _, table in found]
    lines = []
    for cluster in registry.load().clusters:
        if any(cluster in column.index for _, column in columns):
            lines.append(
                [cluster, *(number(column[cluster]) if cluster in column.index else "" for _, column in columns)]
            )
    headings = ["cluster", *(heading for heading, _ in columns)]
    return listing(
        headings,
        lines,
        _caption("Gap of each cluster, the mean over its members other than the representative,", run, found),
        "tab-gap-clusters",
        headings[1:],
        filterable=True,
    )


def varieties(rows, run):
    """A table: the gap of each variety that the parameter `varieties` names (all if it is empty) in each task."""
    found = _tables(rows, run)
    columns = []
    for heading, _, _, _, table in found:
        table = chosen(table, run.varieties)
        columns.append((heading, dict(zip(zip(table.cluster, table.variety), table.gap))))
    lines = []
    for v in registry.load():
        if any(v.key in column for _, column in columns):
            lines.append(
                [v.variety, v.cluster, *(number(column[v.key]) if v.key in column else "" for _, column in columns)]
            )
    if not lines:
        return paragraph(NONE if not found else "None of the chosen varieties has a gap in these settings.")
    headings = ["variety", "cluster", *(heading for heading, _ in columns)]
    return listing(
        headings, lines, _caption("Gap of each variety", run, found), "tab-gap-varieties", headings[2:], filterable=True
    )


def conventions(rows):
    """A table: the averages of Table 4 by the definition, without the reference, and by the table's own choice of clusters."""
    lines = []
    for row in printed(4).itertuples():
        task = registry.load().tasks_in(4)[row.task]
        try:
            own = {g.symbol: (g, t) for g, t in gap.table4(rows, task).items()}
        except InputError:
            continue
        kind, table = own[row.gap_metric]
        every = gap.by_cluster(gap.by_variety(rows, task, "mbert", kind.setting, kind.reference))
        lines.append(
            [
                row.task,
                row.gap_metric,
                number(every.gap_all.mean()),
                len(every),
                number(every.gap.mean()),
                number(table.gap.mean()),
                len(table),
                row.avg_value,
            ]
        )
    if not lines:
        return paragraph("These scores do not hold mBERT zero-shot and fine-tuned in any of the four tasks of Table 4.")
    headings = [
        "task",
        "gap",
        "as defined",
        "clusters",
        "without the reference",
        "Table 4's clusters",
        "clusters there",
        "printed",
    ]
    caption = (
        "Average gap over clusters, mBERT, in per cent: as the formula defines it (all members, every cluster that has a"
        " reference); without the reference in its own cluster's mean; by the choice of clusters of Table 4; and as printed."
    )
    return listing(headings, lines, caption, "tab-gap-conventions", headings[2:])


def special_cases(rows, run):
    """A table: what the gaps do on purpose with cases that the formula leaves open, and how often each occurs here."""
    found = _tables(rows, run)
    if not found:
        return paragraph(NONE)
    import pandas as pd

    known = registry.load()
    zero, single, no_head, unscored, empty, foreign = [], [], [], [], [], []
    for heading, level, setting, _, table in found:
        for r in table.itertuples():
            where = f"{r.variety} ({heading})"
            if r.reference_score == 0:
                zero.append(where)
            if not pd.isna(r.n) and r.n == 0:
                empty.append(where)
            if not r.same_source:
                foreign.append(where)
        sizes = table.groupby("cluster").variety.count()
        single += [f"{cluster} ({heading})" for cluster in sizes[sizes == 1].index]
        have = cells.present(rows, "cluster", task=level.partition("-")[0], setting=setting)
        heads = known.representatives(level)
        no_head += [f"{cluster} ({heading})" for cluster in sorted(have - set(heads)) if level[:2] != "mt"]
        unscored += [f"{cluster} ({heading})" for cluster in sorted((have & set(heads)) - set(table.cluster))]
    cases = (
        ("the reference scores 0", "no gap: the division has no value", zero),
        (
            "the cluster has one scored member",
            "no gap of the cluster: there is no member other than the reference",
            single,
        ),
        (
            "the cluster has no representative for the task",
            "no gap from a representative; the gap from English exists",
            no_head,
        ),
        ("the representative has no score in the setting", "no gap", unscored),
        ("the test set is empty", "the score is 0 and so the gap is 100; it enters means, as in the print", empty),
        (
            "reference and variety were trained on different data",
            "the gap is computed, and marked in the column same_source",
            foreign,
        ),
    )
    lines = [[case, what, len(of), "; ".join(of[:3]) + (" ..." if len(of) > 3 else "")] for case, what, of in cases]
    caption = "Cases that the definition leaves open, what is done with them, and how often they occur in the gaps shown here."
    return listing(["case", "what is done", "times", "such as"], lines, caption, "tab-gap-cases", ["times"])
