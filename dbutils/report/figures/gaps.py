"""Figures 4 and 11: a cluster's gap against English and its gap against its own representative.

Zero-shot transfer from English; a cluster's gap is the mean over its members other than the reference
(`gap`), over the rows that Table 4 looks at, so a point stands where Table 4's averages have it.
"""

from dataclasses import asdict, dataclass

from dbutils import names, registry
from dbutils.analysis import gap
from dbutils.errors import InputError
from dbutils.report import style
from dbutils.report.figures import labels
from dbutils.report.figures.base import (
    PaperFigure,
    common_flags,
    faults,
    hover,
    need,
    percent,
    signed,
    task_name,
    task_title,
)
from dbutils.scores import cells, flags

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
    flags: tuple = ()  # known faults of its members' scores and of the references' (`scores.flags`)


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
        raise InputError(
            f"{name} has no zero-shot score of {key[1]!r} to compare with, only of {len(score)} "
            "others: add one (upstream has it)"
        )
    own = pd.DataFrame(
        dict(
            cluster=rows.cluster,
            variety=rows.variety,
            reference=key[1],
            gap=[gap.relative(score[key], v) for v in rows.value],
        )
    )
    return gap.by_cluster(own)


def points(scores, task, model, name, own=None):
    """The clusters of one system with both gaps, sorted by name; InputError without a score of English. own: as in `gap.rows_of`."""
    known = registry.load()
    rows = gap.rows_of(scores, task, model, SETTING, own=own)
    x = against(rows, english(task), name).set_index("cluster")
    members = gap.by_variety(scores, task, model, SETTING, "representative", own=own)
    y = gap.by_cluster(members).set_index("cluster")
    have = {c: flags.together(*part) for c, part in members.groupby("cluster")["flags"]}
    both = x.gap.dropna().index.intersection(y.gap.dropna().index)
    return tuple(
        Point(c, float(x.gap[c]), float(y.gap[c]), y.reference[c], int(x.varieties[c]), known.seen_by_mbert(c), have[c])
        for c in sorted(both)
    )


def series(scores, number, task):
    """(series, reasons): published mBERT first, then every run with both gaps; why other runs are not drawn.

    Of a number that stands in several published sources upstream's is taken. Raises InputError if
    there is nothing to draw.
    """
    need(scores, number, task)
    out, reasons = [], []
    for name, source, model, part, own in _systems(gap.of_corpora(scores, task), task):
        try:
            out.append(Series(name, source, points(part, task, model, f"{name} ({source})", own)))
        except InputError as error:
            reasons.append(str(error))
    if not any(s.points for s in out):
        why = f" ({reasons[0]})" if reasons else ""
        raise InputError(
            f"figure {number} needs zero-shot scores of English, representatives and others in task {task!r}{why}"
        )
    return [s for s in out if s.points], reasons


def _systems(scores, task):
    """(name, source, model, scores, own) of the published mBERT and of each model of one's own.

    The seeds of a model are one system; runs that differ in more are drawn each by itself.
    """
    asked = gap.asked(task, MODEL, SETTING)
    have = cells.present(scores, "model", **(asked | {"model": None, "origin": {"paper", "upstream"}}))
    for model in [MODEL] if MODEL in have else sorted(have):  # another one where the reader asks for it alone
        origins = cells.published(scores, **(asked | {"model": model})).origin
        yield names.model(model), " and ".join(sorted(set(origins))), model, scores, False
    for model in sorted(cells.present(scores, "model", **(asked | {"model": None, "origin": "run"}))):
        of = cells.choose(scores, cells.Choice(model=model))
        runs = sorted(cells.present(of, "run", **(asked | {"model": model, "origin": "run"})))
        try:
            cells.cells(of, **(asked | {"model": model}))
        except cells.Mixed:
            for run in runs:
                yield model, f"run {run}", model, cells.choose(of, cells.Choice(run=run)), True
        else:
            yield model, f"run {runs[0]}" if len(runs) == 1 else f"{len(runs)} runs", model, of, True


# ---- the static figure --------------------------------------------------------------------------

BOX = (0.62, 0.52, 6.8, 4.3)  # left, bottom, width, height of the plot in inches
SEEN, UNSEEN = "cluster of which mBERT saw a variety", "cluster of which mBERT saw no variety"


def draw(scores, number, task):
    """The scatter plot, every cluster named beside its point."""
    with style.context():
        found, _ = series(scores, number, task)
        texts = [text for seen, text in ((True, SEEN), (False, UNSEEN)) if any(p.seen == seen for p in found[0].points)]
        texts += [_run_name(s) for s in found[1:]]
        left, bottom, width, height = BOX
        total = style.HEAD + style.legend_height(texts) + height + bottom
        figure = style.canvas(style.WIDTH, total)
        style.heading(figure, f"{task_title(task)}: zero-shot gap of each cluster, {_cut(found[0].name, 30)}")
        box = [left / style.WIDTH, bottom / total, width / style.WIDTH, height / total]
        axes = figure.add_axes(box)
        _frame(axes, found)
        style.legend(figure, _points(axes, found))
        _names(figure, axes, box, found)
        return figure


def _run_name(s):
    return _cut(f"{s.name} ({s.source})", 60)


def _cut(text, longest):
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _names(figure, axes, box, found):
    """Write every cluster's name once, beside its first point, on axes in inches over the others."""
    from matplotlib.patheffects import withStroke

    area = BOX[2:]
    paper = figure.add_axes(box)
    paper.set(xlim=(0, area[0]), ylim=(0, area[1]), gid="names")
    paper.axis("off")
    at = {id(p): axes.transLimits.transform((p.x, p.y)) * area for s in found for p in s.points}
    first, common = {}, common_flags(p.flags for s in found for p in s.points)
    for s in found:
        for p in s.points:
            first.setdefault(signed(p.cluster, p.flags, common), at[id(p)])
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


LABELS = ("gap against English, in % of its score", "gap against the representative, in % of its score")


def _limits(found):
    """(low, high) of x and of y: all points, the zero lines, and some margin."""
    out = []
    for values in zip(*((p.x, p.y) for s in found for p in s.points)):
        low, high = min(0, *values), max(0, *values)
        margin = 0.08 * (high - low or 1)
        out.append((low - margin, high + margin))
    return out


def _frame(axes, found):
    across, up = _limits(found)
    axes.set(xlim=across, ylim=up)
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
        (True, dict(marker="o", facecolor=style.BLUE, edgecolor=style.PAPER), SEEN),
        (False, dict(marker="^", facecolor=style.YELLOW, edgecolor=style.INK), UNSEEN),
    ):
        shown = [p for p in first.points if p.seen == seen]
        if shown:
            handles.append(
                axes.scatter(
                    [p.x for p in shown], [p.y for p in shown], s=38, linewidth=0.7, zorder=3, label=label, **look
                )
            )
    start = {p.cluster: p for p in first.points}
    for i, other in enumerate(found[1:]):
        colour = style.RUNS[i % len(style.RUNS)]
        for p in other.points:
            if p.cluster in start:
                a = start[p.cluster]
                axes.plot([a.x, p.x], [a.y, p.y], color=colour, lw=0.6, alpha=0.7, zorder=2)
        handles.append(
            axes.scatter(
                [p.x for p in other.points],
                [p.y for p in other.points],
                s=34,
                marker="D",
                facecolor=colour,
                edgecolor=style.PAPER,
                linewidth=0.7,
                zorder=3,
                label=_run_name(other),
            )
        )
    return handles


# ---- words --------------------------------------------------------------------------------------


def alt(scores, number, task):
    """What the points show: how many, the extremes of both gaps, how the two go together."""
    found, _ = series(scores, number, task)
    shown = found[0].points
    parts = [
        f"Scatter plot of the zero-shot gaps of {names.counted(len(shown), 'cluster')} in {task_name(task)}, "
        f"{found[0].name}: "
        f"{_extremes('against English', shown, lambda p: p.x)}; "
        f"{_extremes('against the representative', shown, lambda p: p.y)}."
    ]
    larger = sum(p.x > p.y for p in shown)
    ahead = sum(p.y < 0 for p in shown)
    parts.append(
        f"The gap against English is the larger one in {larger} of {len(shown)}; "
        f"in {names.counted(ahead, 'cluster')} the members do better than their representative on average."
    )
    if len(found) > 1:
        parts.append(
            f"Beside it: {names.listed(f'{s.name} ({s.source}, {len(s.points)} clusters)' for s in found[1:])}."
        )
    return " ".join(parts)


def _extremes(what, shown, value):
    low, high = min(shown, key=value), max(shown, key=value)
    return (
        f"{what} highest for {high.cluster} ({percent(value(high))} %), "
        f"lowest for {low.cluster} ({percent(value(low))} %)"
    )


def caption(scores, number, task):
    """What is drawn, over which rows and by which convention."""
    found, reasons = series(scores, number, task)
    metric = names.metric(registry.facts(task).metric)
    text = (
        f"{task_title(task)}, {metric}, zero-shot transfer from English, {names.listed(s.name for s in found)}: "
        "the mean gap of each cluster "
        "against English (x) and against its own representative (y), over its members other than the "
        "reference, as in Table 4. "
        "0 is as good as the reference, below 0 better; lower left is better. Clusters without a "
        "representative or without "
        "another member have no second gap and are not drawn."
    )
    table4 = registry.facts(task).gaps
    if table4 and table4.corpora:
        text += f" Only rows of the corpora {names.listed(sorted(table4.corpora))}, as in Table 4."
    if english(task) != gap.ENGLISH:
        text += (
            f" English is here {english(task)[1]}, the representative of its cluster: the task has no English as such."
        )
    if len(found) > 1:
        text += " Diamonds: runs of the reader's own, tied to the published point of the same cluster."
    if reasons:
        text += f" Not drawn: {'; '.join(reasons)}."
    return text + faults(p.flags for s in found for p in s.points)


# ---- the interactive figure ---------------------------------------------------------------------


def interactive(scores, number, task):
    """The same points with cluster, both gaps, representative and number of varieties on hover."""
    import plotly.graph_objects as go

    found, _ = series(scores, number, task)
    figure = go.Figure()
    first, *runs = found
    (left, right), (low, high) = _limits(found)
    for x, y in (((left, right), (0, 0)), ((0, 0), (low, high))):
        figure.add_scatter(
            x=x, y=y, mode="lines", line=dict(color=style.GREY, width=1.2), hoverinfo="skip", showlegend=False
        )
    for seen, look, name in (
        (True, dict(color=style.BRIGHT), SEEN),
        (False, dict(color=style.YELLOW, symbol="triangle-up"), UNSEEN),
    ):
        _trace(
            figure, first, [p for p in first.points if p.seen == seen], look, f"{first.name}, {name}" if runs else name
        )
    for i, s in enumerate(runs):
        _trace(figure, s, s.points, dict(color=style.RUNS[i % len(style.RUNS)], symbol="diamond"), _run_name(s))
    figure.update_layout(
        **style.PLOTLY, height=500, showlegend=True, legend=dict(orientation="h", y=1.02, yanchor="bottom", x=0)
    )
    axis = dict(gridcolor=style.PLOTLY_GRID, zeroline=False, automargin=True)
    figure.update_xaxes(title=f"← better   {LABELS[0]}", range=(left, right), **axis)
    figure.update_yaxes(title=f"← better   {LABELS[1]}", range=(low, high), **axis)
    return figure


def _trace(figure, s, points, look, name):
    if points:
        figure.add_scatter(
            x=[p.x for p in points],
            y=[p.y for p in points],
            mode="markers",
            name=hover(name),
            marker=dict(size=11, line=dict(width=1, color=style.GREY), **look),
            hovertext=[_hover(p, s) for p in points],
            hovertemplate="%{hovertext}<extra></extra>",
        )


def _hover(p, s):
    return "<br>".join(
        (
            f"<b>{hover(p.cluster)}</b>",
            f"against English {percent(p.x)} % ({names.counted(p.varieties, 'variety', 'varieties')})",
            f"against {hover(p.representative)} {percent(p.y)} %",
            f"mBERT saw {'a variety' if p.seen else 'no variety'} of it",
            f"{hover(s.name)}, zero-shot",
            f"source: {hover(s.source)}",
            *(hover(f"{sign} {sentence}") for sign, sentence in flags.sentences(p.flags)),
        )
    )


def frame(scores, number, task):
    """The points as a DataFrame: system, source and the columns of Point."""
    import pandas as pd

    found, _ = series(scores, number, task)
    return pd.DataFrame([{"system": s.name, "source": s.source, **asdict(p)} for s in found for p in s.points])


def figure(number, task):
    """The record of one of these figures."""
    return PaperFigure(
        id=number,
        title=f"Gaps per cluster: {task_name(task)}",
        tasks=(task,),
        draw=lambda scores: draw(scores, number, task),
        alt=lambda scores: alt(scores, number, task),
        caption=lambda scores: caption(scores, number, task),
        frame=lambda scores: frame(scores, number, task),
        interactive=lambda scores: interactive(scores, number, task),
        behind=lambda scores: (_behind(scores, task), [gap.asked(task, None, SETTING)]),
    )


def _behind(scores, task):
    systems = _systems(gap.of_corpora(scores, task), task)
    rows = [gap.rows_of(part, task, model, SETTING, own=own)["rows"] for _, _, model, part, own in systems]
    return {label for cells_ in rows for labels in cells_ for label in labels}
