"""The variety explorer: one table of all varieties, each linking to the page of its cluster."""

from dbutils import TASKS, names
from dbutils.analysis.tables.base import show
from dbutils.report.markup import md, slug
from dbutils.report.numbers import count, published
from dbutils.report.tables import directive, flagged, notes_of

HEAD = """(explorer)=
# Variety explorer

All {number}`varieties` varieties of the benchmark in one table. Type in the box to keep the rows that hold every word that
you type: a name, a cluster, a Glottocode, a task (`DEP`, `NER` ...) or a script (`Deva`, `Cyrillic` ...). A heading sorts the
table by its column. A variety's name leads to the page of its cluster, with its codes, its place, and all its scores.

The columns of the tasks show the {term}`maximum obtainable score`: the best of all models and settings, in per cent.
Numbers of different tasks, and of different data sets of one task, are not on one scale. *Seen* means that the
variety was in mBERT's pre-training text; speakers are the paper's figures. A sign beside a number is a {ref}`known fault <marks>`.

"""
CAPTION = "The varieties, what is known of them, and their best score in each task"
CLUSTERS = """
(clusters)=
## The clusters

{number}`clusters` clusters; each has a page of its own.

"""


def explorer():
    """{`explorer.md`: the page}."""
    facts = published()
    best = {task: _maxima(facts, task) for task in TASKS}
    headings = ["variety", "cluster", "script", "Glottocode", "seen", "speakers", *names.TASKS.values(), "tasks"]
    numeric = [False] * 5 + [True] * (1 + len(TASKS)) + [False]
    notes = notes_of(have for of in best.values() for _, have in of.values())
    table = directive(headings, [_row(v, best) for v in facts.registry], CAPTION, "tab-explorer", numeric, notes=notes)
    return {"explorer.md": f"{HEAD}{table}{CLUSTERS}{_clusters(facts.registry)}"}


def _maxima(facts, task):
    from dbutils.analysis.maximum import maxima

    table = maxima(facts.scores, task)
    return {(r.cluster, r.variety): (r.value, r.flags) for r in table.itertuples()}


def _best(found):
    """A maximum with the signs of its known faults; found: (value, flags) or None."""
    return flagged(show(found[0], 1), found[1]) if found else ""


def _row(v, best):
    page = f"clusters/{slug(v.cluster)}.md"
    return [
        f"[{md(v.variety)}]({page})",
        md(v.cluster),
        ", ".join(names.script(s) for s in v.scripts),
        v.glottocode,
        "yes" if v.mbert_seen else "no",
        "" if v.population is None else count(v.population),
        *(_best(best[task].get(v.key)) for task in TASKS),
        "\u00a0".join(names.TASKS[t] for t in v.tasks),
    ]


def _clusters(registry):
    rows = []
    for cluster in registry.clusters:
        members = registry.of(cluster)
        tasks = [names.TASKS[t] for t in TASKS if any(t in v.tasks for v in members)]
        scripts = sorted({names.script(s) for v in members for s in v.scripts})
        rows.append(
            [
                f"[{md(cluster)}](clusters/{slug(cluster)}.md)",
                count(len(members)),
                count(sum(v.mbert_seen for v in members)),
                count(len(tasks)),
                " ".join(tasks),
                ", ".join(scripts),
            ]
        )
    headings = ["cluster", "varieties", "seen by mBERT", "number of tasks", "tasks", "scripts"]
    return directive(headings, rows, "The clusters", "tab-clusters", [False, True, True, True, False, False])
