"""Figures of one's own runs: the gap against the distance, and what was taken for what.

Each has draw, alt and caption, functions of an `experiments.notebook.NotebookRuns`; InputError where there is nothing to draw.
"""

import functools
from collections import Counter

import numpy as np

from dbutils import names, sandbox
from dbutils.errors import InputError
from dbutils.report import style
from dbutils.report.figures.base import percent

MARKS = "osD^vP"
MOST = 17  # labels that a table of errors can show


class GapByDistance:
    """One panel per setting: a variety's gap with its interval against its distance from the reference.

    Only constructed varieties have a distance; others stand side by side, ordered by their gap.
    """

    @staticmethod
    @functools.lru_cache(maxsize=2)  # picture, alt text and caption want the same
    def points(mine):
        """{setting: table of gaps with a column `distance`}, without the reference itself."""
        found = {}
        for setting in mine.folders:
            gaps = mine.gaps(setting) if mine.task != "did" else None
            if gaps is None:
                continue
            gaps = gaps[(gaps.code != gaps.reference) & gaps.gap.notna()].copy()
            if mine.profile == "sandbox":
                gaps["distance"] = [
                    sandbox.distance(code, to) for code, to in zip(gaps.code, gaps.reference, strict=True)
                ]
            else:
                gaps = gaps.sort_values("gap", kind="stable")
                gaps["distance"] = range(1, len(gaps) + 1)
            if len(gaps):
                found[setting] = gaps
        if not found:
            raise InputError("a gap needs the score of a variety and one above 0 of its reference, in one setting")
        return found

    @classmethod
    def frame(cls, mine):
        import pandas as pd

        return pd.concat(list(cls.points(mine).values()), ignore_index=True)

    @classmethod
    def draw(cls, mine):
        found = cls.points(mine)
        clusters = list(dict.fromkeys(c for gaps in found.values() for c in gaps.cluster))
        with style.context():
            figure = style.canvas(style.WIDTH, 3.3)
            axes = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
            for axis, (setting, gaps) in zip(axes, found.items(), strict=True):
                cls._panel(axis, gaps, clusters, mine.profile)
                axis.set_title(names.setting(setting), fontsize=style.TEXT)
            axes[0].set_ylabel("gap in per cent of the reference's score")
            if len(clusters) <= len(style.SERIES):
                axes[-1].legend(loc="best", title="cluster", title_fontsize=style.TEXT)
            figure.tight_layout()
        return figure

    @staticmethod
    def _panel(axis, gaps, clusters, profile):
        axis.axhline(0, color=style.MUTED, linewidth=0.8)
        axis.grid(axis="y")
        for place, cluster in enumerate(clusters):
            mine = gaps[gaps.cluster == cluster]
            look = dict(color=style.SERIES[place % len(style.SERIES)], marker=MARKS[place % len(MARKS)])
            error = np.maximum([mine.gap - mine.low, mine.high - mine.gap], 0)
            axis.errorbar(
                mine.distance, mine.gap, error, linestyle="none", markersize=4, elinewidth=0.8, label=cluster, **look
            )
        axis.set_xlabel("distance from the reference (0 to 1)" if profile == "sandbox" else "varieties, by their gap")

    @classmethod
    def alt(cls, mine):
        found = cls.points(mine)
        return f"Points with intervals, {len(found)} panel{'s' if len(found) > 1 else ''}. " + " ".join(
            f"{names.setting(setting).capitalize()}, {len(gaps)} varieties: the smallest gap is {cls._named(gaps, 'idxmin')}, "
            f"the largest {cls._named(gaps, 'idxmax')}." + cls._tendency(gaps, mine.profile)
            for setting, gaps in found.items()
        )

    @staticmethod
    def _named(gaps, which):
        row = gaps.loc[getattr(gaps.gap, which)()]
        return f"{percent(row.gap)} ({row.variety or row.code})"

    @staticmethod
    def _tendency(gaps, profile):
        from scipy.stats import spearmanr

        if profile != "sandbox" or len(gaps) < 4 or gaps.gap.nunique() < 2:
            return ""
        return f" Rank correlation of gap and distance: {spearmanr(gaps.distance, gaps.gap).statistic:.2f}."

    @classmethod
    def caption(cls, mine):
        far = (
            "against its distance from the reference: edit distance between parallel sentences, as written"
            if mine.profile == "sandbox"
            else "in order"
        )
        return (
            f"The gap of {mine.model} in each variety {far}. The reference is English's part (zero-shot, in context) or the cluster's representative; "
            "bars are 95 % intervals of the gap, paired where the sentences are the same."
        )


class Errors:
    """What was right (rows) and what came (columns): where the model was trained and elsewhere, or one panel per classifier."""

    @staticmethod
    @functools.lru_cache(maxsize=2)
    def counts(mine):
        """{title of a panel: Counter of (right, came)} of the first setting."""
        from dbutils.experiments import notebook
        from dbutils.tasks import TASKS

        setting = next(iter(mine.folders))
        outcomes, panels = TASKS[mine.task].outcomes, {}
        for (code, split), result in mine.results(setting).items():
            if split == "test":
                counter = panels.setdefault(_panel(mine.task, setting, code, result), Counter())
                for _, gold, prediction in notebook.examples(result):
                    counter.update(outcomes(gold, prediction))
        panels = {
            title: counter for title, counter in sorted(panels.items(), key=lambda p: p[0] == ELSEWHERE) if counter
        }
        if not panels:
            raise InputError("there are no predictions to look at")
        return panels

    @classmethod
    def frame(cls, mine):
        import pandas as pd

        rows = [(panel, *pair, n) for panel, counter in cls.counts(mine).items() for pair, n in counter.items()]
        return pd.DataFrame(rows, columns=["panel", "right", "predicted", "count"])

    @classmethod
    def draw(cls, mine):
        panels = cls.counts(mine)
        with style.context():
            sizes = [_axes_of(counter) for counter in panels.values()]
            height = 0.9 + max(max(len(rows) for rows, _ in sizes) * 0.2, 1.6)
            figure = style.canvas(style.WIDTH, height)
            for place, ((title, counter), (rows, columns)) in enumerate(zip(panels.items(), sizes, strict=True), 1):
                axis = figure.add_subplot(1, len(panels), place)
                _heat(axis, _shares(counter, rows, columns), rows, columns)
                axis.set_title(title, fontsize=style.TEXT)
                axis.set_xlabel("what came")
            figure.axes[0].set_ylabel("what was right")
            figure.tight_layout()
        return figure

    @classmethod
    def alt(cls, mine):
        return "Shares of what came, per row of what was right. " + " ".join(
            f"{title[0].upper()}{title[1:]}: {_share_right(counter)}; most often {_worst(counter)}."
            for title, counter in cls.counts(mine).items()
        )

    @classmethod
    def caption(cls, mine):
        titles = list(cls.counts(mine))
        return (
            f"What {mine.model} took for what, {names.setting(next(iter(mine.folders)))}: rows are what was right, columns what came, in per cent of the row. "
            f"Panels: {names.listed(titles)}."
        )


HERE, SHOWN, ELSEWHERE = "where it was trained", "where its examples come from", "in the other varieties"


def _panel(task, setting, code, result):
    if task == "did":
        return f"in {code}"
    trained = {part["code"] for part in result.manifest["identity"]["train"]["parts"]}
    return ELSEWHERE if code not in trained else SHOWN if setting == "in_context" else HERE


def _axes_of(counter):
    """(rows, columns) to show: the most frequent ones, in alphabetical order unless they are grades."""
    right, came = Counter(), Counter()
    for (row, column), n in counter.items():
        right[row] += n
        came[column] += n
    rows = sorted(row for row, _ in right.most_common(MOST))
    columns = sorted(column for column, _ in came.most_common(MOST))
    grades = (
        "exact",
        "in part",
        "elsewhere",
        "nothing",
        "right",
        "head right, relation wrong",
        "relation right, head wrong",
        "both wrong",
    )
    return rows, sorted(columns, key=lambda c: (grades.index(c) if c in grades else -1, c))


def _shares(counter, rows, columns):
    table = np.array([[counter[row, column] for column in columns] for row in rows], dtype=float)
    totals = np.array([[sum(n for (r, _), n in counter.items() if r == row)] for row in rows])
    return 100 * table / totals


def _heat(axis, shares, rows, columns):
    import seaborn

    seaborn.heatmap(
        shares,
        ax=axis,
        vmin=0,
        vmax=100,
        cmap="Blues",
        cbar=False,
        annot=len(columns) <= 7,
        fmt=".0f",
        xticklabels=columns,
        yticklabels=rows,
        linewidths=0.4,
        linecolor=style.GRID,
        annot_kws={"fontsize": style.SMALL},
    )
    axis.set_xticks(
        np.arange(len(columns)) + 0.5,
        [_folded(c) for c in columns],
        rotation=90 if len(columns) > 4 else 0,
        fontsize=style.SMALL,
    )
    axis.set_yticks(np.arange(len(rows)) + 0.5, rows, rotation=0, fontsize=style.SMALL)


def _folded(text):
    return text.replace(", ", ",\n")


def _is_right(row, column):
    return row == column or column in ("right", "exact")


def _share_right(counter):
    right = sum(n for pair, n in counter.items() if _is_right(*pair))
    return f"{percent(100 * right / counter.total())} per cent right of {counter.total():,}"


def _worst(counter):
    wrong = Counter({pair: n for pair, n in counter.items() if not _is_right(*pair)})
    if not wrong:
        return "nothing is wrong"
    (row, column), n = min(wrong.items(), key=lambda item: (-item[1], item[0]))
    return f"wrong is {row} as {column} ({n:,} times)"
