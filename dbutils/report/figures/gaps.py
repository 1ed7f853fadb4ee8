"""Figures 4 and 11: a cluster's gap against English and its gap against its own representative.

Zero-shot transfer from English; a cluster's gap is the mean over its members other than the reference
(`gap_others`), over the rows that Table 4 looks at, so a point stands where Table 4's averages have it.
"""

from dataclasses import dataclass

from dbutils import registry
from dbutils.analysis import gap
from dbutils.errors import InputError
from dbutils.report import style
from dbutils.report.figures import labels
from dbutils.report.figures.base import (
    METRICS, PaperFigure, counted, hover, listed, need, percent, task_name,
)  # fmt: skip
from dbutils.scores import benchmark
from dbutils.scores.sources import CELL

MODEL, SETTING = "mbert", "zero_shot"


@dataclass(frozen=True)
class Point:
    """A cluster's two gaps in per cent: x against English, y against its representative."""

    cluster: str
    x: float
    y: float
    representative: str
    varieties: int  # members that the mean against English is over
    seen: bool  # whether mBERT saw one of the cluster's varieties


@dataclass(frozen=True)
class Series:
    """The points of one system: the published one, or a run of the reader's own."""

    name: str
    source: str
    points: tuple[Point, ...]


def english(task):
    """The key (cluster, variety) that stands for English in a task.

    Question answering has no row of English as such, only of its places: there it is the
    representative of the cluster.
    """
    codes = {c.task for c in registry.load().get(*gap.ENGLISH).codes}
    return gap.ENGLISH if task in codes else registry.load().representative(task, gap.ENGLISH[0]).key


def against(rows, key, name):
    """Mean gap per cluster against one variety, from rows of one system: a table of `gap.by_cluster`.

    Raises InputError if the variety has no score.
    """
    import pandas as pd

    score = {(r.cluster, r.variety): r.value for r in rows.itertuples()}
    if key not in score:
        raise InputError(f"{name} has no zero-shot score of {key[1]!r} to compare with, only of {len(score)} others: add one (upstream has it)")
    own = pd.DataFrame(
        dict(cluster=rows.cluster, variety=rows.variety, reference=key[1], gap=[gap.relative(score[key], v) for v in rows.value])
    )
    return gap.by_cluster(own)


def points(scores, task, model, name):
    """The clusters of one system that have both gaps, sorted by name; InputError without a score of English."""
    known = registry.load()
    rows = gap.rows_of(scores, task, model, SETTING)
    x = against(rows, english(task), name).set_index("cluster")
    y = gap.by_cluster(gap.by_variety(scores, task, model, SETTING, "representative")).set_index("cluster")
    both = x.gap_others.dropna().index.intersection(y.gap_others.dropna().index)
    return tuple(
        Point(c, x.gap_others[c], y.gap_others[c], y.reference[c], int(x.varieties[c]), known.seen_by_mbert(c)) for c in sorted(both)
    )


def series(scores, number, task):
    """(series, reasons): published mBERT first, then every run with both gaps; why other runs are not drawn.

    Of a number that stands in several published sources upstream's is taken. Raises InputError if
    there is nothing to draw.
    """
    need(scores, number, task)
    corpora = gap.TABLE4_CORPORA.get(task)
    rows = benchmark(scores[(scores.task == task) & (scores.setting == SETTING)])
    if corpora is not None:
        rows = rows[rows.corpus.isin(corpora)]
    out, reasons = [], []
    published = rows[(rows.origin != "run") & (rows.model == MODEL)]
    published = published.sort_values("origin", ascending=False, kind="stable").drop_duplicates(list(CELL))
    if len(published):
        try:
            found = points(published, task, MODEL, "mBERT")
        except InputError as error:
            raise InputError(f"figure {number}, task {task!r}: {error}") from None
        out.append(Series("mBERT", " and ".join(sorted(set(published.origin))), found))
    for (run, model, _), part in rows[rows.origin == "run"].groupby(["run", "model", "seed"], dropna=False, sort=True):
        try:
            found = points(part, task, model, f"run {run} of {model}")
        except InputError as error:
            reasons.append(str(error))
            continue
        if found:
            out.append(Series(model, f"run {run}", found))
    if not any(s.points for s in out):
        why = f" ({reasons[0]})" if reasons else ""
        raise InputError(f"figure {number} needs zero-shot scores of English, representatives and others in task {task!r}{why}")
    return [s for s in out if s.points], reasons


# ---- the static figure --------------------------------------------------------------------------

HEIGHT = 5.4
BOX = (0.62, 0.52, 6.8, 4.3)  # left, bottom, width, height of the plot in inches
RUN_COLOURS = ("#c44e00", "#009e73", "#a3498a", "#6b5fc7")


def draw(scores, number, task):
    """The scatter plot, every cluster named beside its point."""
    with style.context():
        found, _ = series(scores, number, task)
        figure = style.canvas(style.WIDTH, HEIGHT)
        style.heading(figure, f"{title(task)}: zero-shot gap of each cluster")
        left, bottom, width, height = BOX
        box = [left / style.WIDTH, bottom / HEIGHT, width / style.WIDTH, height / HEIGHT]
        axes = figure.add_axes(box)
        _frame(axes, found)
        handles = _points(axes, found)
        figure.legend(handles=handles, loc="upper left", ncols=4, borderaxespad=0, borderpad=0, columnspacing=1.5,
                      bbox_to_anchor=(0.08 / style.WIDTH, 1 - style.HEAD / HEIGHT), handletextpad=0.4)  # fmt: skip

        _names(figure, axes, box, found)
        return figure


def _names(figure, axes, box, found):
    """Write every cluster's name once, beside its first point, on a sheet over the axes that is ruled in inches."""
    from matplotlib.patheffects import withStroke

    area = BOX[2:]
    paper = figure.add_axes(box)
    paper.set(xlim=(0, area[0]), ylim=(0, area[1]), gid="names")
    paper.axis("off")
    at = {id(p): axes.transLimits.transform((p.x, p.y)) * area for s in found for p in s.points}
    first = {}
    for s in found:
        for p in s.points:
            first.setdefault(p.cluster, at[id(p)])
    sizes = [style.measure(name, style.TEXT) for name in first]
    zero = axes.transLimits.transform((0, 0)) * area
    lines = [(0, zero[1], area[0], zero[1]), (zero[0], 0, zero[0], area[1])]
    centres = labels.place(list(first.values()), sizes, area, lines, list(at.values()))
    rim = [withStroke(linewidth=1.6, foreground=style.PAPER)]
    for (name, anchor), size, centre in zip(first.items(), sizes, centres):
        line = labels.leader(centre, size, anchor, at.values())
        if line is not None:
            paper.plot(*zip(*line), color=style.MUTED, lw=0.6, zorder=1)
        paper.text(*centre, name, ha="center", va="center", path_effects=rim)


def title(task):
    """The task's name with a capital."""
    name = task_name(task)
    return name[0].upper() + name[1:]


LABELS = ("gap against English, in % of its score", "gap against the representative, in % of its score")


def _frame(axes, found):
    for values, setter in (([p.x for s in found for p in s.points], axes.set_xlim), ([p.y for s in found for p in s.points], axes.set_ylim)):
        low, high = min(0, *values), max(0, *values)
        margin = 0.08 * (high - low or 1)
        setter(low - margin, high + margin)
    axes.axhline(0, color=style.MUTED, lw=0.8, zorder=1)
    axes.axvline(0, color=style.MUTED, lw=0.8, zorder=1)
    axes.grid(zorder=0)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"← better      {LABELS[0]}")
    axes.set_ylabel(f"← better      {LABELS[1]}")  # turned, its arrow points down


def _points(axes, found):
    handles = []
    first = found[0]
    for seen, look, label in (
        (True, dict(marker="o", facecolor=style.BLUE, edgecolor=style.PAPER), "cluster of which mBERT saw a variety"),
        (False, dict(marker="^", facecolor="#f2b705", edgecolor=style.INK), "cluster of which mBERT saw no variety"),
    ):
        shown = [p for p in first.points if p.seen == seen]
        if shown:
            handles.append(
                axes.scatter([p.x for p in shown], [p.y for p in shown], s=38, linewidth=0.7, zorder=3, label=label, **look)
            )
    start = {p.cluster: p for p in first.points}
    for i, other in enumerate(found[1:]):
        colour = RUN_COLOURS[i % len(RUN_COLOURS)]
        for p in other.points:
            if p.cluster in start:
                a = start[p.cluster]
                axes.plot([a.x, p.x], [a.y, p.y], color=colour, lw=0.6, alpha=0.7, zorder=2)
        handles.append(
            axes.scatter([p.x for p in other.points], [p.y for p in other.points], s=34, marker="D", facecolor=colour,
                         edgecolor=style.PAPER, linewidth=0.7, zorder=3, label=f"{other.name} ({other.source})")
        )  # fmt: skip
    return handles


# ---- words --------------------------------------------------------------------------------------


def alt(scores, number, task):
    """What the points show: how many, the extremes of both gaps, how the two go together."""
    found, _ = series(scores, number, task)
    shown = found[0].points
    parts = [
        f"Scatter plot of the zero-shot gaps of {counted(len(shown), 'cluster')} in {task_name(task)}, {found[0].name}: "
        f"{_extremes('against English', shown, lambda p: p.x)}; {_extremes('against the representative', shown, lambda p: p.y)}."
    ]
    larger = sum(p.x > p.y for p in shown)
    ahead = sum(p.y < 0 for p in shown)
    parts.append(
        f"The gap against English is the larger one in {larger} of {len(shown)}; "
        f"in {counted(ahead, 'cluster')} the members do better than their representative on average."
    )
    if len(found) > 1:
        parts.append(f"Beside it: {listed(f'{s.name} ({s.source}, {len(s.points)} clusters)' for s in found[1:])}.")
    return " ".join(parts)


def _extremes(what, shown, value):
    low, high = min(shown, key=value), max(shown, key=value)
    return f"{what} highest for {high.cluster} ({percent(value(high))} %), lowest for {low.cluster} ({percent(value(low))} %)"


def caption(scores, number, task):
    """What is drawn, over which rows and by which convention."""
    found, reasons = series(scores, number, task)
    metric = METRICS[gap.METRIC.get(task, "f1")]
    text = (
        f"{title(task)}, {metric}, zero-shot transfer from English, {listed(s.name for s in found)}: the mean gap of each cluster "
        "against English (x) and against its own representative (y), over its members other than the reference, as in Table 4. "
        "0 is as good as the reference, below 0 better; lower left is better. Clusters without a representative or without "
        "another member have no second gap and are not drawn."
    )
    corpora = gap.TABLE4_CORPORA.get(task)
    if corpora:
        text += f" Only rows of the corpora {listed(sorted(corpora))}, as in Table 4."
    if english(task) != gap.ENGLISH:
        text += f" English is here {english(task)[1]}, the representative of its cluster: the task has no English as such."
    if len(found) > 1:
        text += " Diamonds: runs of the reader's own, tied to the published point of the same cluster."
    if reasons:
        text += f" Not drawn: {'; '.join(reasons)}."
    return text


# ---- the interactive figure ---------------------------------------------------------------------


def interactive(scores, number, task):
    """The same points with cluster, both gaps, representative and number of varieties on hover."""
    import plotly.graph_objects as go

    found, _ = series(scores, number, task)
    figure = go.Figure()
    for i, s in enumerate(found):
        colour = RUN_COLOURS[(i - 1) % len(RUN_COLOURS)] if i else None
        figure.add_scatter(
            x=[p.x for p in s.points], y=[p.y for p in s.points], mode="markers", name=hover(f"{s.name} ({s.source})"),
            hovertext=[_hover(p, s) for p in s.points], hovertemplate="%{hovertext}<extra></extra>",
            marker=dict(size=11, line=dict(width=1, color="#808080"), symbol="diamond" if i else ["circle" if p.seen else "triangle-up" for p in s.points],
                        color=colour or ["#2f8fcf" if p.seen else "#f2b705" for p in s.points]),
        )  # fmt: skip
    figure.update_layout(**style.PLOTLY, height=480, showlegend=len(found) > 1, legend=dict(orientation="h", y=1.12))
    axis = dict(gridcolor=style.PLOTLY_GRID, zeroline=True, zerolinecolor="#808080", automargin=True)
    figure.update_xaxes(title=LABELS[0], **axis)
    figure.update_yaxes(title=LABELS[1], **axis)
    return figure


def _hover(p, s):
    return "<br>".join(
        (f"<b>{hover(p.cluster)}</b>", f"against English {percent(p.x)} % ({counted(p.varieties, 'variety', 'varieties')})",
         f"against {hover(p.representative)} {percent(p.y)} %", f"mBERT saw {'a variety' if p.seen else 'no variety'} of it",
         f"{hover(s.name)}, zero-shot", f"source: {hover(s.source)}")
    )  # fmt: skip


def figure(number, task):
    """The record of one of these figures."""
    return PaperFigure(
        id=number, title=f"Gaps per cluster: {task_name(task)}", tasks=(task,),
        draw=lambda scores: draw(scores, number, task), alt=lambda scores: alt(scores, number, task),
        caption=lambda scores: caption(scores, number, task), interactive=lambda scores: interactive(scores, number, task),
    )  # fmt: skip
