"""Utilities of the best scores of a task, and what the printed convention hides."""

from dbutils import registry
from dbutils.analysis import utility
from dbutils.analysis.maximum import candidates, hardly_tried
from dbutils.analysis.tables.summaries import best_scores
from dbutils.report.tables import Cell
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import flags

NONE = "These scores hold none of this task, so there are no utilities."


def summary(task, rows):
    """A paragraph: the range of the linguistic utility over clusters, and where speakers change it most."""
    if candidates(rows, task.partition("-")[0]).empty:
        return paragraph(NONE)
    table = utility.by_cluster(best_scores(rows, task), as_printed=False).set_index("cluster")
    high, low = table.linguistic_utility.idxmax(), table.linguistic_utility.idxmin()
    if len(table) == 1:
        only = table.iloc[0]
        return paragraph(
            f"The linguistic utility of the one cluster, {high}, is {number(only.linguistic_utility)}; weighed by speakers it is"
            f" {number(only.demographic_utility)}. The Gini coefficient of its scores is {number(only.gini, 2)}."
        )
    spread = (
        f"The linguistic utility of a cluster lies between {number(table.linguistic_utility[low])} ({low}) and"
        f" {number(table.linguistic_utility[high])} ({high})."
    )
    change = (table.demographic_utility - table.linguistic_utility)[table.varieties > 1].dropna()
    weighed = ""
    if len(change):
        most = change.abs().idxmax()
        weighed = f"Weighing by speakers changes it most for {most}, by {number(change[most])} points."
    uneven = table.gini[table.varieties > 1]
    worst = uneven.idxmax() if len(uneven) else None
    inside = (
        f"Scores are least even inside {worst}, with a Gini coefficient of {number(uneven[worst], 2)}." if worst else ""
    )
    return paragraph(spread, weighed, inside)


def clusters(task, rows):
    """A table: utilities per cluster, demographic utility with every population that the registry knows."""
    if candidates(rows, task.partition("-")[0]).empty:
        return paragraph(NONE)
    best = best_scores(rows, task)
    table = utility.by_cluster(best, as_printed=False)
    lines = [
        [
            u.cluster,
            u.varieties,
            Cell(number(u.linguistic_utility), flags=u.flags),
            number(u.demographic_utility),
            u.min_variety,
            Cell(number(u.min_value), flags=u.min_flags),
            number(u.standard_deviation),
            number(u.gini, 3),
        ]
        for u in table.itertuples()
    ]
    headings = [
        "cluster",
        "varieties",
        "linguistic",
        "demographic",
        "worst variety",
        "minimum",
        "standard deviation",
        "Gini",
    ]
    caption = "Utilities of the best scores per cluster. Demographic: weighed by speakers, over the varieties whose number is known."
    caption += "".join(f" {line[0].upper()}{line[1:]}." for line in hardly_tried(rows, task, best))
    return listing(
        headings, lines, caption, f"tab-{task}-utility", [h for h in headings if h not in ("cluster", "worst variety")]
    )


def tasks(rows):
    """A table: utilities of each task over all its varieties, with the Gini coefficient over varieties."""
    known = registry.load()
    lines = []
    for task, name in known.tasks["name"].items():
        if candidates(rows, task).empty:
            continue
        best = best_scores(rows, task)
        values = list(best.value)
        speakers = [known.get(r.cluster, r.variety).population for r in best.itertuples()]
        worst = best.loc[best.value.idxmin()]
        lines.append(
            [
                name,
                len(values),
                Cell(number(utility.linguistic(values)), flags=flags.together(*best["flags"])),
                number(utility.demographic(values, speakers)),
                sum(p is not None for p in speakers),
                worst.variety,
                Cell(number(worst.value), flags=worst["flags"]),
                number(utility.deviation(values)),
                number(utility.gini(values), 3),
            ]
        )
    if not lines:
        return paragraph("These scores hold no task of the benchmark.")
    headings = [
        "task",
        "varieties",
        "linguistic",
        "demographic",
        "with speakers",
        "worst variety",
        "minimum",
        "standard deviation",
        "Gini",
    ]
    caption = (
        "Utilities over all varieties of a task, of the best score of each: the mean, the mean weighed by speakers (over"
        " the varieties whose number is known), the worst variety, the spread."
    )
    return listing(
        headings, lines, caption, "tab-utility-tasks", [h for h in headings if h not in ("task", "worst variety")]
    )


def unread_populations():
    """A table: the varieties whose population is written in a way that the printed utilities did not count."""
    lines = [
        [v.variety, v.cluster, f"{v.population:,}", ", ".join(v.tasks)]
        for v in registry.load()
        if v.population is not None and not v.population_plain
    ]
    caption = "Varieties whose number of speakers is known but was left out of the printed demographic utilities."
    return listing(["variety", "cluster", "speakers", "tasks"], lines, caption, "tab-utility-unread", ["speakers"])
