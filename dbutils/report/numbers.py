"""The numbers in the book's prose: name -> text, each computed from the registry and the score rows.

A page writes the role number with one of these names; no result is ever typed into prose. Names are
made of the task code and what is meant: `dep-average`, `gap-ner-fine-tuned-lowest-cluster`.
"""

import functools
import math

from dbutils import SETTINGS, TASKS
from dbutils.analysis.tables.base import show
from dbutils.errors import unknown
from dbutils.registry import LEVELS, TASK_FACTS


class Facts:
    """The registry and a table of score rows, and what is computed from them, each thing once."""

    def __init__(self, registry, scores):
        self.registry = registry
        self.scores = scores

    @functools.cached_property
    def benchmark(self):
        """The published cells."""
        from dbutils.scores import cells

        return cells.published(self.scores)

    @functools.cached_property
    def cells(self):
        """Every audited cell of the paper."""
        from dbutils.analysis.audit import audit

        return audit(self.scores)

    @functools.cache
    def table(self, number):
        """Table `number` of the paper, recomputed."""
        from dbutils.analysis.tables import table

        return table(number, self.scores)

    @functools.cache
    def maxima(self, level):
        """The maximum obtainable scores of a task (translation: `mt-dialect`, `mt-region`)."""
        from dbutils.analysis.tables.summaries import best_scores

        return best_scores(self.scores, level)

    @functools.cache
    def gaps(self, task):
        """{name of the gap: cluster gaps under Table 4's conventions}."""
        from dbutils.analysis.gap import table4

        return dict(zip(GAPS, table4(self.scores, task).values(), strict=True))

    @functools.cache
    def averages(self, task):
        """Table 5's four averages of a task: {(model, stage): mean}."""
        from dbutils.analysis import comparison

        return comparison.averages(self.scores, task, printed_rows=comparison.printed_keys(task))

    def values(self, task, model, setting, metric="f1"):
        """The test scores of one system, as score rows."""
        rows = self.benchmark
        return rows[
            (rows.task == task)
            & (rows.model == model)
            & (rows.setting == setting)
            & (rows.metric == metric)
            & (rows.split == "test")
        ]


@functools.cache
def published():
    """The Facts of the registry and the published scores."""
    from dbutils import registry, scores

    return Facts(registry.load(), scores.load())


def number(name, facts=None):
    """The text of one number; InputError naming the nearest for an unknown name."""
    if name not in NUMBERS:
        raise unknown("number", name, NUMBERS)
    return NUMBERS[name](facts or published())


def count(value):
    """A whole number with commas between thousands."""
    return f"{int(value):,}"


def one(value):
    """A number with one decimal; a minus sign instead of a hyphen."""
    return show(value, 1).replace("-", "\u2212") if not math.isnan(value) else "none"


def share(part, whole):
    """`part` of `whole` in per cent."""
    return f"{one(100 * part / whole)}\u00a0%"


# ---- the registry and the scores -------------------------------------------------------------


def _largest(facts):
    return max(facts.registry.clusters, key=lambda c: len(facts.registry.of(c)))


def _registry():
    def number_of(test):
        return lambda facts: count(sum(1 for v in facts.registry if test(v)))

    return {
        "varieties": lambda f: count(len(f.registry)),
        "clusters": lambda f: count(len(f.registry.clusters)),
        "tasks": lambda f: count(len(TASKS)),
        "settings": lambda f: count(len(SETTINGS)),
        "corpora": lambda f: count(len({c.corpus for v in f.registry for c in v.codes})),
        "codes": lambda f: count(sum(len(v.codes) for v in f.registry)),
        "scripts": lambda f: count(len({s for v in f.registry for s in v.scripts})),
        "glottocodes": lambda f: count(len({v.glottocode for v in f.registry if v.glottocode})),
        "varieties-without-glottocode": number_of(lambda v: not v.glottocode),
        "varieties-coded-as-language": number_of(lambda v: v.level == "language"),
        "varieties-coded-as-dialect": number_of(lambda v: v.level == "dialect"),
        "varieties-coded-as-family": number_of(lambda v: v.level == "family"),
        "varieties-seen": number_of(lambda v: v.mbert_seen),
        "varieties-with-one-task": number_of(lambda v: len(v.tasks) == 1),
        "varieties-for-translation-only": number_of(lambda v: v.tasks == ("mt",)),
        "varieties-with-population": number_of(lambda v: v.population is not None),
        "varieties-with-separators": number_of(lambda v: v.population is not None and not v.population_plain),
        "clusters-of-one": lambda f: count(sum(len(f.registry.of(c)) == 1 for c in f.registry.clusters)),
        "clusters-unseen": lambda f: count(sum(not f.registry.seen_by_mbert(c) for c in f.registry.clusters)),
        "clusters-in-one-task": lambda f: count(
            sum(len({t for v in f.registry.of(c) for t in v.tasks}) == 1 for c in f.registry.clusters)
        ),
        "largest-cluster": _largest,
        "largest-cluster-varieties": lambda f: count(len(f.registry.of(_largest(f)))),
        "representatives-differ": lambda f: count(sum(len(_representatives(f, c)) > 1 for c in f.registry.clusters)),
        "score-rows": lambda f: count(len(f.scores)),
        "score-rows-upstream": lambda f: count((f.scores.origin == "upstream").sum()),
        "score-rows-paper": lambda f: count((f.scores.origin == "paper").sum()),
    }


def _representatives(facts, cluster):
    found = (facts.registry.representative(level, cluster) for level in LEVELS)
    return {v.key for v in found if v is not None}


def _sizes():
    """Numbers of varieties and clusters with data, per task."""

    def entry(task):
        with_data = lambda f: [v for v in f.registry if task in v.tasks]  # noqa: E731
        return {
            f"{task}-registered": lambda f: count(len(with_data(f))),
            f"{task}-registered-clusters": lambda f: count(len({v.cluster for v in with_data(f)})),
        }

    return {name: function for task in TASKS for name, function in entry(task).items()}


# ---- Table 3 ---------------------------------------------------------------------------------


def _maxima():
    def entry(level):
        best = lambda f: f.maxima(level).loc[f.maxima(level).value.idxmax()]  # noqa: E731
        worst = lambda f: f.maxima(level).loc[f.maxima(level).value.idxmin()]  # noqa: E731
        return {
            f"{level}-varieties": lambda f: count(len(f.maxima(level))),
            f"{level}-clusters": lambda f: count(f.maxima(level).cluster.nunique()),
            f"{level}-average": lambda f: one(f.maxima(level).value.mean()),
            f"{level}-best": lambda f: best(f).variety,
            f"{level}-best-cluster": lambda f: best(f).cluster,
            f"{level}-best-score": lambda f: one(best(f).value),
            f"{level}-worst": lambda f: worst(f).variety,
            f"{level}-worst-cluster": lambda f: worst(f).cluster,
            f"{level}-worst-score": lambda f: one(worst(f).value),
            f"{level}-seen-average": lambda f: one(_mean_by(f, level, lambda v: v.mbert_seen)),
            f"{level}-unseen-average": lambda f: one(_mean_by(f, level, lambda v: not v.mbert_seen)),
        }

    return {name: function for level in LEVELS for name, function in entry(level).items()}


def _mean_by(facts, level, test):
    table = facts.maxima(level)
    chosen = [m for c, v, m in zip(table.cluster, table.variety, table.value) if test(facts.registry.get(c, v))]
    return sum(chosen) / len(chosen) if chosen else math.nan


# ---- gaps ------------------------------------------------------------------------------------

GAPS = ("english", "representative", "fine-tuned")
GAP_TASKS = tuple(code for code, task in TASK_FACTS.items() if task.gaps)


def _gaps():
    def entry(task, name):
        gap = lambda f: f.gaps(task)[name].set_index("cluster").gap  # noqa: E731
        return {
            f"gap-{task}-{name}": lambda f: one(gap(f).mean()),
            f"gap-{task}-{name}-clusters": lambda f: count(len(gap(f))),
            f"gap-{task}-{name}-highest": lambda f: one(gap(f).max()),
            f"gap-{task}-{name}-highest-cluster": lambda f: gap(f).idxmax(),
            f"gap-{task}-{name}-lowest": lambda f: one(gap(f).min()),
            f"gap-{task}-{name}-lowest-cluster": lambda f: gap(f).idxmin(),
            f"gap-{task}-{name}-negative": lambda f: count((gap(f) < 0).sum()),
            f"gap-{task}-{name}-without-lowest": lambda f: one(gap(f).drop(gap(f).idxmin()).mean()),
        }

    return {k: function for task in GAP_TASKS for name in GAPS for k, function in entry(task, name).items()} | {
        f"{name}-gap-tasks-where-fine-tuning-is-wider": _wider(size)
        for name, size in (("signed", lambda x: x), ("absolute", abs))
    }


def _wider(size):
    """In how many tasks the mean within-cluster gap, or its size, is larger fine-tuned than zero-shot."""

    def mean(facts, task, name):
        return facts.gaps(task)[name].gap.mean()

    return lambda f: count(sum(size(mean(f, t, "fine-tuned")) > size(mean(f, t, "representative")) for t in GAP_TASKS))


def _example():
    """The worked example of the gap: Nynorsk beside Bokmål, parsed zero-shot by mBERT."""
    cluster, u, v = "norwegian", "norwegian bokmål (m:written)", "norwegian nynorsk (m:written)"

    def score(facts, variety):
        rows = facts.values("dep", "mbert", "zero_shot", "uas")
        return float(rows[(rows.cluster == cluster) & (rows.variety == variety)].value.iloc[0])

    return {
        "example-baseline": lambda f: show(score(f, u), 2),
        "example-variety": lambda f: show(score(f, v), 2),
        "example-gap": lambda f: one(100 * (score(f, u) - score(f, v)) / score(f, u)),
    }


# ---- models, scripts -------------------------------------------------------------------------

STAGES = ("zero-shot", "fine-tuned")


def _models():
    from dbutils.analysis.comparison import MODELS, stages, tasks

    def average(task, model, stage):
        return lambda f: one(f.averages(task)[model, stage])

    def wins(model, stage):
        def text(facts):
            from dbutils.analysis.comparison import wins as contest

            won, of = contest({task: facts.averages(task) for task in tasks()})[model, stage]
            return f"{won} of {of}"

        return text

    out = {
        f"{task}-{name}-{model}": average(task, model, stage)
        for task in tasks()
        for stage, name in enumerate(STAGES)
        if stages(task)[stage]
        for model in MODELS
    }
    out |= {f"wins-{name}-{model}": wins(model, stage) for stage, name in enumerate(STAGES) for model in MODELS}
    out["eqa-in-context"] = lambda f: one(f.values("eqa", "mistral-7b", "in_context").value.mean())
    out["sa-in-context"] = lambda f: one(f.values("sa", "mistral-7b", "in_context", "accuracy").value.mean())
    out["nynorsklia-zero-shot-xlmr"] = lambda f: _cell(f, "zero_shot", "xlmr")
    out["nynorsklia-fine-tuned-xlmr"] = lambda f: _cell(f, "in_variety", "xlmr")
    out["nynorsklia-fine-tuned-mbert"] = lambda f: _cell(f, "in_variety", "mbert")
    return out


def _cell(facts, setting, model):
    rows = facts.values("dep", model, setting, "uas")
    return one(float(rows[rows.code == "UD_Norwegian-NynorskLIA"].value.iloc[0]))


def _scripts():
    def mean(task, latin):
        def text(facts):
            script = {(c.task, c.code): c.script for v in facts.registry for c in v.codes}
            rows = facts.values(task, "mbert", "zero_shot", TASK_FACTS[task].metric)
            return one(rows[[(script.get((task, code)) == "Latn") == latin for code in rows.code]].value.mean())

        return text

    out = {f"{task}-zero-shot-latin": mean(task, True) for task in ("dep", "pos", "ner", "tc", "nli", "eqa")}
    out |= {f"{task}-zero-shot-other": mean(task, False) for task in ("dep", "pos", "ner", "tc", "nli", "eqa")}
    for side in ("highest", "lowest"):
        out[f"latin-{side}"] = _marked(side, "mixed_or_nonlatin_marker", "")
        out[f"standard-{side}"] = _marked(side, "standard_marker", "1")
        out[f"latin-{side}-printed"] = _footer(side, "Latin")
        out[f"standard-{side}-printed"] = _footer(side, "Standard")
    out["reversals"] = lambda f: count(len(f.table(22).frame))
    out["extremes-tasks"] = lambda f: count(f.table(21).frame.task.nunique())
    return out


def _marked(side, column, mark):
    def text(facts):
        frame = facts.table(21).frame
        frame = frame[frame.side == side]
        return share((frame[column] == mark).sum(), len(frame))

    return text


def _footer(side, value):
    def text(facts):
        from dbutils.analysis.audit import printed_footer

        table = printed_footer()
        return f"{table[table.value == value].iloc[0][f'{side}_pct']}\u00a0%"

    return text


# ---- the audit -------------------------------------------------------------------------------


def _audit():
    from dbutils.analysis.audit import STATUSES

    def of(status):
        return lambda f: sum(cell.status == status for cell in f.cells)

    out = {
        "audit-cells": lambda f: count(len(f.cells)),
        "audit-tables": lambda f: count(len({cell.table for cell in f.cells} - {"text"})),
        "audit-statements": lambda f: count(sum(cell.table == "text" for cell in f.cells)),
    }
    for status in STATUSES:
        out[f"audit-{status}"] = lambda f, n=of(status): count(n(f))
        out[f"audit-{status}-percent"] = lambda f, n=of(status): share(n(f), len(f.cells))
    return out


NUMBERS = {**_registry(), **_sizes(), **_maxima(), **_gaps(), **_example(), **_models(), **_scripts(), **_audit()}
