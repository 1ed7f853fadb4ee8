"""The numbers and claims of the paper's running text, each with the function that recomputes it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dbutils import TASKS, registry
from dbutils.analysis.rounding import half_even
from dbutils.analysis.tables.summaries import best_scores
from dbutils.errors import InputError
from dbutils.registry import is_region
from dbutils.scores import benchmark


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
        self.rows = benchmark(scores)
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


def _latin(facts):
    from dbutils.analysis.tables import table

    entries = table(21, facts.scores).frame
    entries = entries[entries.side == "highest"].mixed_or_nonlatin_marker
    return 100 * sum(entries == "") / len(entries) if len(entries) else math.nan


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
    """The running text's cells, for the audit."""
    from dbutils.analysis.audit import Cell

    facts = Facts(scores)
    cells = []
    for s in STATEMENTS:
        try:
            value = s.compute(facts)
        except InputError:  # the scores lack what the claim is about
            value = math.nan
        if isinstance(value, str):
            here, same = value, value == s.printed
        elif math.isnan(value):
            here, same = "", False
        else:
            here = f"{half_even(float(value), s.decimals):.{s.decimals}f}"
            same = float(here) == float(s.printed)
        if here == "":
            status, reason = "unverifiable", "missing run"
        else:
            status, reason = ("reproduced", "") if same else ("differs", "")
        cells.append(Cell("text", s.where, s.what, s.printed, here, status, reason))
    return cells
