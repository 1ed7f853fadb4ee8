"""What a task is measured on: varieties, clusters, scripts and sizes of the test sets."""

from collections import Counter

from dbutils import names, registry
from dbutils.report.views.view import listing, paragraph
from dbutils.scores import cells


def members(task, rows):
    """One row per variety with a score of the task: the registry's entry, its corpora and test size, as a list of Member.

    In the paper's Table 16 the number beside a score counts predictions, not examples: it is no test size.
    """
    found = cells.cells(rows, task=task)
    sizes = found[(found.split == "test") & found.n.notna() & ~((found.task == "did") & (found.origin == "paper"))]
    size = sizes.groupby(["cluster", "variety"])["n"].max().to_dict()
    corpora = found.groupby(["cluster", "variety"])["corpus"].agg(lambda c: tuple(sorted(set(c)))).to_dict()
    known = registry.load()
    return [Member(known.get(*key), task, corpora[key], size.get(key)) for key in corpora]


class Member:
    """A variety in a task: `variety` of the registry, `corpora`, `scripts` and `n` (examples of the test set or None)."""

    def __init__(self, variety, task, corpora, n):
        self.variety, self.corpora, self.n = variety, corpora, None if n is None else int(n)
        self.scripts = tuple(sorted({names.SCRIPTS[c.script] for c in variety.codes if c.task == task and c.script}))


def size(task, rows):
    """A paragraph: how many varieties, clusters, corpora and scripts, how many mBERT has seen, how large the test sets are."""
    found = members(task, rows)
    if not found:
        return paragraph("These scores hold none of this task.")
    clusters = {m.variety.cluster for m in found}
    corpora = sorted({c for m in found for c in m.corpora})
    seen = sum(m.variety.mbert_seen for m in found)
    scripts = Counter(s for m in found for s in m.scripts)
    return paragraph(
        f"{names.counted(len(found), 'variety', 'varieties')} in {names.counted(len(clusters), 'cluster')} have scores, on"
        f" {names.counted(len(corpora), 'corpus', 'corpora')} ({names.listed(f'`{c}`' for c in corpora)}).",
        ""
        if task == "mt"
        else f"{seen} of the varieties {'was' if seen == 1 else 'were'} in the pre-training data of mBERT.",
        f"Scripts: {names.listed(f'{name} ({n})' for name, n in scripts.most_common())}.",
        _sizes(found),
    )


def _sizes(found):
    import statistics

    known = sorted((m for m in found if m.n is not None), key=lambda m: m.n)
    if not known:
        return "The score rows do not say how many examples the test sets have."
    low, high, lacking = known[0], known[-1], len(found) - len(known)
    if low.n == high.n:
        text = f"Every test set has {low.n:,} examples"
    else:
        text = (
            f"The smallest test set has {names.counted(low.n, 'example')} ({low.variety.variety}), the largest {high.n:,}"
            f" ({high.variety.variety}); the median is {statistics.median(m.n for m in known):,.0f}"
        )
    return text + (f"; for {names.counted(lacking, 'variety', 'varieties')} the size is not known." if lacking else ".")


def clusters(task, rows):
    """A table: per cluster its varieties, representative, corpora, scripts, how many mBERT has seen, sizes of the test sets."""
    groups = {}
    for member in members(task, rows):
        groups.setdefault(member.variety.cluster, []).append(member)
    if not groups:
        return paragraph("These scores hold none of this task, so there are no clusters to list.")
    sized = any(m.n is not None for group in groups.values() for m in group)
    lines = []
    for cluster, group in sorted(groups.items()):
        seen = [] if task == "mt" else [sum(m.variety.mbert_seen for m in group)]
        lines.append(
            [
                cluster,
                len(group),
                *seen,
                *([_span([m.n for m in group if m.n is not None])] if sized else []),
                ", ".join(sorted({s for m in group for s in m.scripts})),
                _representative(task, cluster),
                ", ".join(sorted({c for m in group for c in m.corpora})),
            ]
        )
    numbers = ["varieties", *([] if task == "mt" else ["seen"]), *(["examples"] if sized else [])]
    caption = (
        "The clusters of this task."
        + ("" if task == "mt" else " Seen: how many of the varieties were in mBERT's pre-training data (Table 8).")
        + (" Examples: sizes of the test sets." if sized else "")
        + " Representative: what gaps are measured from (Table 9)."
    )
    return listing(
        ["cluster", *numbers, "scripts", "representative", "corpora"], lines, caption, f"tab-{task}-clusters", numbers
    )


def _representative(task, cluster):
    known = registry.load()
    levels = ("mt-dialect", "mt-region") if task == "mt" else (task,)
    found = [v.variety for level in levels if (v := known.representative(level, cluster))]
    return ", ".join(dict.fromkeys(found)) or "none"


def _span(sizes):
    if not sizes:
        return ""
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
