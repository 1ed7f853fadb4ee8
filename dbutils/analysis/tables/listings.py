"""The tables without scores: 1 (tasks), 2 (settings), 7 (NLI test set), 8 (varieties), 9 (representatives)."""

from dbutils import registry
from dbutils.analysis.tables.base import build
from dbutils.scores import cells, printed

# Table 2's columns and the setting each one stands for
SETTING_COLUMNS = {
    "in_variety_ft": "in_variety",
    "in_cluster_ft": "in_cluster",
    "combined_ft": "combined",
    "zero_shot": "zero_shot",
    "no_reference": "pseudo_reference",
    "in_context_learning": "in_context",
}


def _lines(number):
    return list(printed(number).index)


def tasks(scores, choice=cells.ALL):
    """Table 1: the tasks, their metric and their data."""
    known = registry.load()
    rows = [
        (line, None, task, dict(category=r.category, task=r["name"], metric=r.metric, source_dataset=r.source_dataset))
        for line, (task, r) in zip(_lines(1), known.tasks.iterrows())
    ]
    return build(
        1, "The tasks and data sources of the benchmark", "From the registry of tasks.", rows, group="category"
    )


def settings(scores, choice=cells.ALL):
    """Table 2: in which settings each task has scores."""
    have = cells.present(scores, "task", "setting")
    names = {name.split(" ")[0]: task for task, name in registry.load().tasks["name"].items()}
    out = []
    for line, r in printed(2).iterrows():
        task = names[r.task]
        ticks = {c: "1" if (task, s) in have else "" for c, s in SETTING_COLUMNS.items()}
        out.append((line, None, task, dict(task=r.task, **ticks)))
    convention = "A tick where the scores hold at least one result of the task in the setting."
    return build(2, "Training and evaluation settings per task", convention, out)


def nli_sizes(scores, choice=cells.ALL):
    """Table 7: the translate-test NLI set, its codes and sizes."""
    found = cells.whole(cells.cells(scores, task="nli"), choice.partial)
    sizes = found[found.n.notna()].groupby("code")["n"].first()
    order = {r.language_code: (line, r.cluster, r.variety) for line, r in printed(7).iterrows()}
    known = registry.load()
    out, new = [], 0
    for v in known:
        for code in v.codes:
            if code.task == "nli":
                if code.code in order:
                    index, cluster, name = order[code.code]
                else:
                    new += 1
                    index, cluster, name = f"new {new}", v.cluster, v.printed
                n = int(sizes[code.code]) if code.code in sizes else ""
                row = dict(cluster=cluster, language_code=code.code, variety=name, num_sentences=n)
                out.append((index, v.key, code.code, row))
    out.sort(key=lambda row: (isinstance(row[0], str), row[0]))
    convention = "Sizes as the score rows give them; upstream's accuracies are fractions of exactly this size."
    return build(7, "Size of the translate-test NLI set", convention, out, {"num_sentences": 0}, group="cluster")


def varieties(scores, choice=cells.ALL):
    """Table 8: the varieties, whether mBERT saw them, and the tasks they have data for."""
    ticks = {task.table8: code for code, task in registry.TASK_FACTS.items()}
    out = []
    for line, v in zip(_lines(8), registry.load()):
        tasks = set(v.tasks)
        row = dict(
            cluster=v.cluster, variety=v.printed, glottocode=v.glottocode, mbert_seen="1" if v.mbert_seen else ""
        )
        row |= {c: "1" if ticks[c] in tasks else "" for c in printed(8).columns if c in ticks}
        out.append((line, v.key, f"{v.cluster}/{v.variety}", row))
    return build(
        8,
        "The varieties of the benchmark",
        "From the registry; a tick where a corpus has a code for the variety.",
        out,
        group="cluster",
    )


def representatives(scores, choice=cells.ALL):
    """Table 9: the representative of each cluster, per task."""
    known = registry.load()
    printed_name = {v.key: v.printed for v in known}
    out = []
    lines = iter(_lines(9))
    for name, level in known.tasks_in(9).items():
        for cluster, v in known.representatives(level).items():
            out.append(
                (None, v.key, f"{name} {cluster}", dict(task=name, cluster=cluster, representative=printed_name[v.key]))
            )
    place = {(r.task, r.cluster_norm): line for line, r in printed(9).iterrows()}
    out = sorted(
        ((place.get((r["task"], r["cluster"])) or next(lines), key, label, r) for _, key, label, r in out),
        key=lambda x: x[0],
    )
    return build(
        9, "Cluster representatives per task", "From the registry (paper and upstream agree).", out, group="task"
    )
