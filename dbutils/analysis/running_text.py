"""The numbers and claims of the paper's running text, each with the function that recomputes it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dbutils import TASKS, registry
from dbutils.analysis import gap
from dbutils.analysis.rounding import half_even
from dbutils.analysis.tables.summaries import best_scores
from dbutils.analysis.utility import deviation
from dbutils.errors import InputError
from dbutils.registry import is_region
from dbutils.scores import cells


@dataclass(frozen=True)
class Statement:
    """A number (or a name) that the text states, and how to recompute it.

    where: place in the paper; what: the claim in our words; printed: as printed;
    compute(facts) -> number or text; decimals: of a number that is rounded.
    """

    where: str
    what: str
    printed: str
    compute: Callable
    decimals: int = 0


class Facts:
    """What the statements are computed from: score rows and registry."""

    def __init__(self, scores):
        self.scores = scores
        self.rows = cells.published(scores)
        self.known = registry.load()
        self._best = {}

    def score(self, task, variety, model, setting, metric, split="test"):
        rows = self.rows
        found = rows[
            (rows.task == task)
            & (rows.variety == variety)
            & (rows.model == model)
            & (rows.setting == setting)
            & (rows.metric == metric)
            & (rows.split == split)
            & (rows.origin != "run")
        ]
        return float(found.value.iloc[0]) if len(found) else math.nan

    def best(self, task, cluster=None):
        if task not in self._best:
            self._best[task] = best_scores(self.scores, task)
        table = self._best[task]
        return table if cluster is None else table[table.cluster == cluster]

    def extreme(self, task, cluster=None, lowest=False):
        """The variety with the highest (lowest) maximum score."""
        table = self.best(task, cluster)
        if table.empty:
            return ""
        return table.loc[table.value.idxmin() if lowest else table.value.idxmax()].variety

    def clusters(self, task):
        return {v.cluster for v in self.known if task in v.tasks}

    def codes(self, task, prefix="", corpus=None):
        return [
            c.code
            for v in self.known
            for c in v.codes
            if c.task == task and c.code.startswith(prefix) and corpus in (None, c.corpus)
        ]

    def shots(self, task):
        """Number of exemplars of the in-context runs of a task, e.g. '4'."""
        trains = self.rows[(self.rows.task == task) & (self.rows.setting == "in_context")].train
        return "/".join(sorted({t.split("-")[0] for t in trains if t.endswith("-shot")}))


def _mean_by_cluster(facts, lowest):
    rows = facts.rows
    rows = rows[(rows.task == "eqa") & (rows.setting == "zero_shot") & (rows.split == "test") & (rows.metric == "f1")]
    if rows.empty:
        return ""
    means = rows.groupby("cluster").value.mean()
    return means.idxmin() if lowest else means.idxmax()


def answering(rows):
    """Mean span F1 per cluster on the test split of question answering: {cluster: {(model, setting): mean}}."""
    rows = rows[(rows.task == "eqa") & (rows.split == "test") & (rows.metric == "f1") & (rows.origin != "run")]
    out = {}
    for (cluster, model, setting), group in rows.groupby(["cluster", "model", "setting"], observed=True):
        out.setdefault(cluster, {})[model, setting] = float(group.value.mean())
    return out


def _listed(found):
    return ", ".join(sorted(found)) or "none"


def _not_helped(facts):
    """Clusters for which neither encoder gains from combined fine-tuning."""
    means = answering(facts.rows)
    pairs = {
        c: [
            (of[m, "zero_shot"], of[m, "combined"])
            for m in ("mbert", "xlmr")
            if {(m, "zero_shot"), (m, "combined")} <= set(of)
        ]
        for c, of in means.items()
    }
    if not any(pairs.values()):
        return ""
    return _listed(c for c, of in pairs.items() if of and all(after <= before for before, after in of))


def _in_context_ahead(facts):
    """Clusters for which in-context learning beats every fine-tuned encoder."""
    means = answering(facts.rows)
    tuned = {c: [v for (_, s), v in of.items() if s == "combined"] for c, of in means.items()}
    shown = {c: [v for (_, s), v in of.items() if s == "in_context"] for c, of in means.items()}
    if not any(tuned[c] and shown[c] for c in means):
        return ""
    return _listed(c for c in means if tuned[c] and shown[c] and max(shown[c]) > max(tuned[c]))


def disparities(best):
    """Sample standard deviation of the maxima per cluster, largest first: [(deviation, cluster, values)].

    best: a table of maxima; clusters of one variety have none.
    """
    groups = {}
    for r in best.itertuples():
        groups.setdefault(r.cluster, []).append(r.value)
    found = [(deviation(values), cluster, values) for cluster, values in groups.items() if len(values) > 1]
    return sorted(found, reverse=True)


def _most_unequal(facts, task):
    found = disparities(facts.best(task))
    return found[0][1] if found else ""


def gap_averages(scores):
    """The two averages of Table 4 from the cluster's representative, per task: {task: (zero-shot, fine-tuned)}."""
    out = {}
    for task in gap.of_table4():
        try:
            tables = gap.table4(scores, task)
        except InputError:
            continue
        _, zero, tuned = (tables[g].gap.mean() for g in gap.variations(task))
        out[task] = (float(zero), float(tuned))
    return out


def _zero_shot_smaller(facts):
    found = gap_averages(facts.scores)
    return _listed(t for t, (zero, tuned) in found.items() if zero <= abs(tuned)) if found else ""


def _lowest_two(facts, cluster):
    table = facts.best("mt-dialect", cluster).sort_values("value")
    return ", ".join(sorted(table.variety.head(2)))


def _unseen(facts, task):
    return ", ".join(sorted(c for c in facts.clusters(task) if not facts.known.seen_by_mbert(c)))


def _dep_clusters(facts):
    return set(facts.known.representatives("dep"))


def _in_dep_clusters(facts, setting):
    rows = facts.rows
    rows = rows[
        (rows.task == "dep")
        & (rows.setting == setting)
        & (rows.metric == "uas")
        & rows.cluster.isin(_dep_clusters(facts))
    ]
    return rows.drop_duplicates(["cluster", "variety"]).shape[0] or math.nan


def marked_share(entries, side, value):
    """Per cent of the entries of one side of Table 21 that are in Latin script (`Latin`) or a standard variety (`Standard`).

    entries: a table like the printed one, with its marks.
    """
    column, mark = ("mixed_or_nonlatin_marker", "") if value == "Latin" else ("standard_marker", "1")
    marks = entries[entries.side == side][column]
    return 100 * sum(marks == mark) / len(marks) if len(marks) else math.nan


def _latin(facts):
    from dbutils.analysis.tables import table

    return marked_share(table(21, facts.scores).frame, "highest", "Latin")


def _zero_shot_tasks(facts):
    return len({t for t, s in zip(facts.rows.task, facts.rows.setting) if s == "zero_shot" and t != "mt"}) or math.nan


def _nli(facts, what):
    codes = facts.codes("nli")
    return len(codes) if what == "varieties" else len(facts.clusters("nli"))


STATEMENTS = (
    Statement("abstract", "varieties", "281", lambda f: len(f.known)),
    Statement("section 1", "language clusters", "40", lambda f: len(f.known.clusters)),
    Statement("section 1", "tasks", "10", lambda f: len(TASKS)),
    Statement("section 3.2", "tasks with zero-shot transfer from English", "6", _zero_shot_tasks),
    Statement("section 3.2", "exemplars in the sentiment prompts", "5", lambda f: f.shots("sa")),
    Statement("section 3.2", "exemplars in the question answering prompts", "5", lambda f: f.shots("eqa")),
    Statement("figure 3", "clusters of parsing without a variety seen by mBERT", "komi", lambda f: _unseen(f, "dep")),
    Statement("section 4.1", "highest score in reading comprehension", "53.4", lambda f: f.best("mrc").value.max(), 1),
    Statement(
        "section 4.1", "variety with the highest score in reading comprehension", "english", lambda f: f.extreme("mrc")
    ),
    Statement("section 4.1", "lowest score in reading comprehension", "29", lambda f: f.best("mrc").value.min()),
    Statement(
        "section 4.1",
        "variety with the lowest score in reading comprehension",
        "southern sotho",
        lambda f: f.extreme("mrc", lowest=True),
    ),
    Statement(
        "section 4.1",
        "cluster with the highest mean in zero-shot question answering",
        "anglic",
        lambda f: _mean_by_cluster(f, False),
    ),
    Statement(
        "section 4.1",
        "cluster with the lowest mean in zero-shot question answering",
        "korean",
        lambda f: _mean_by_cluster(f, True),
    ),
    Statement(
        "section 4.1", "clusters that combined fine-tuning does not help in question answering", "anglic", _not_helped
    ),
    Statement(
        "section 4.1", "cluster with the largest disparity in inference", "kurdish", lambda f: _most_unequal(f, "nli")
    ),
    Statement(
        "section 4.1", "cluster with the largest disparity in topics", "kurdish", lambda f: _most_unequal(f, "tc")
    ),
    Statement(
        "section 4.1",
        "best Norwegian dialect in translation",
        "norwegian (a:eastern)",
        lambda f: f.extreme("mt-dialect", "norwegian"),
    ),
    Statement(
        "section 4.1",
        "best Arabic dialect in translation",
        "gulf arabic (a:riy)",
        lambda f: f.extreme("mt-dialect", "arabic"),
    ),
    Statement(
        "section 4.1", "worst Arabic dialect in translation", "sfax", lambda f: f.extreme("mt-dialect", "arabic", True)
    ),
    Statement(
        "section 4.1",
        "best Bengali dialect in translation",
        "vanga (a:jessore)",
        lambda f: f.extreme("mt-dialect", "bengali"),
    ),
    Statement(
        "section 4.1",
        "better Tigrinya variety in translation",
        "tigrinya (a:ethiopia)",
        lambda f: f.extreme("mt-dialect", "tigrinya"),
    ),
    Statement(
        "section 4.1",
        "best Basque dialect in translation",
        "basque (a:azkaine)",
        lambda f: f.extreme("mt-dialect", "basque"),
    ),
    Statement(
        "section 4.1",
        "the two lowest Basque dialects in translation",
        "basque (a:barkoxe), souletin (a:maule)",
        lambda f: _lowest_two(f, "basque"),
    ),
    Statement("section 4.2", "clusters with a representative in parsing", "13", lambda f: len(_dep_clusters(f))),
    Statement(
        "section 4.2", "varieties of these clusters in parsing", "37", lambda f: _in_dep_clusters(f, "zero_shot")
    ),
    Statement("section 4.2", "of them with in-variety fine-tuning", "20", lambda f: _in_dep_clusters(f, "in_variety")),
    Statement(
        "section 4.2",
        "tasks whose gap from the representative is no larger zero-shot than fine-tuned",
        "dep, ner, pos, tc",
        _zero_shot_smaller,
    ),
    Statement(
        "section 5",
        "clusters in which in-context learning beats fine-tuning in question answering",
        "none",
        _in_context_ahead,
    ),
    Statement("section 5", "top-ten varieties written in Latin script, per cent", "77.2", _latin, 1),
    Statement(
        "section 5",
        "XLM-R parsing of NynorskLIA, zero-shot",
        "56.08",
        lambda f: f.score("dep", "norwegian nynorsk (m:written, i:old)", "xlmr", "zero_shot", "uas"),
        2,
    ),
    Statement(
        "section 5",
        "XLM-R parsing of NynorskLIA, fine-tuned",
        "8.25",
        lambda f: f.score("dep", "norwegian nynorsk (m:written, i:old)", "xlmr", "in_variety", "uas"),
        2,
    ),
    Statement(
        "section 5",
        "mBERT parsing of NynorskLIA, fine-tuned",
        "78.39",
        lambda f: f.score("dep", "norwegian nynorsk (m:written, i:old)", "mbert", "in_variety", "uas"),
        2,
    ),
    Statement(
        "section 5",
        "Guarani variety with the highest score in parsing",
        "old guarani",
        lambda f: f.extreme("dep", "tupi-guarani subgroup i.a"),
    ),
    Statement(
        "section 5",
        "Guarani variety with the highest score in tagging",
        "mbyá guaraní (a:paraguay)",
        lambda f: f.extreme("pos", "tupi-guarani subgroup i.a"),
    ),
    Statement("appendix B", "clusters of the translate-test NLI set", "12", lambda f: _nli(f, "clusters")),
    Statement("appendix B", "varieties of the translate-test NLI set", "40", lambda f: _nli(f, "varieties")),
    Statement("appendix B", "Finnish dialects in tagging", "6", lambda f: len(f.codes("pos", "murre-"))),
    Statement("appendix B", "Arabic dialects of the noisy tagging data", "4", lambda f: len(f.codes("pos", "dar-"))),
    Statement(
        "appendix B", "Norwegian sets in entity recognition", "3", lambda f: len(f.codes("ner", corpus="norwegian_ner"))
    ),
    Statement("appendix B", "Turkic languages in translation", "8", lambda f: len(f.codes("mt", corpus="til-mt"))),
    Statement(
        "table 3",
        "varieties in translation by dialect",
        "73",
        lambda f: sum("mt" in v.tasks and not is_region(*v.key) for v in f.known),
    ),
    Statement(
        "table 3", "regions in translation", "41", lambda f: sum("mt" in v.tasks and is_region(*v.key) for v in f.known)
    ),
)


def statements(scores):
    """What became of each statement: a list of (Statement, recomputed as text, whether it is as printed).

    The recomputed text is empty where the scores lack what the claim is about.
    """
    facts = Facts(scores)
    out = []
    for s in STATEMENTS:
        try:
            value = s.compute(facts)
        except InputError:  # the scores lack what the claim is about
            value = math.nan
        if isinstance(value, str):
            out.append((s, value, value == s.printed))
        elif math.isnan(value):
            out.append((s, "", False))
        else:
            here = f"{half_even(float(value), s.decimals):.{s.decimals}f}"
            out.append((s, here, float(here) == float(s.printed)))
    return out
