"""Figures 3 and 7-10: the maximum obtainable score of every variety, in bars grouped by cluster.

Within a cluster the worst variety is leftmost; clusters stand by their mean, the lowest first. The
representative (Table 9) is striped; a cluster of which mBERT saw no variety (Table 8) is shaded.
"""

import math
import textwrap
from dataclasses import asdict, dataclass

from dbutils import names, registry
from dbutils.analysis import maximum
from dbutils.analysis.tables.summaries import LEAST_PREDICTIONS, best_scores
from dbutils.errors import InputError
from dbutils.report import style
from dbutils.report.figures.base import (
    PaperFigure,
    common_flags,
    faults,
    hover,
    metric_names,
    need,
    percent,
    signed,
    task_name,
    task_title,
)
from dbutils.scores import flags


@dataclass(frozen=True)
class Bar:
    """One variety: its best score in per cent and where that comes from."""

    cluster: str
    variety: str
    value: float
    n: int | None
    model: str
    setting: str
    origin: str
    run: str
    representative: bool
    flags: tuple = ()  # known faults (`scores.flags`)

    @property
    def result(self):
        """Whether the score is one: no missing value and no failed training."""
        return not flags.excluded(self.flags)


@dataclass(frozen=True)
class Group:
    """A cluster's bars, the worst first."""

    cluster: str
    bars: tuple[Bar, ...]
    seen: bool  # whether mBERT saw one of its varieties

    @property
    def mean(self):
        return sum(b.value for b in self.bars) / len(self.bars)


def groups(scores, number, task):
    """The groups of a task's figure, the lowest mean first. Their values are those of Tables 3 and 23-31.

    Raises InputError if the scores have nothing of the task.
    """
    import pandas as pd

    base, _, level = task.partition("-")
    need(scores, number, base)
    table = best_scores(scores, task)
    if table.empty:
        raise InputError(f"figure {number} needs scores of {level}s in task {base!r}; these have none")
    known = registry.load()
    found = {}
    for r in table.itertuples():
        best = known.representative(task, r.cluster)
        n = None if pd.isna(r.n) else int(r.n)
        found.setdefault(r.cluster, []).append(
            Bar(
                r.cluster,
                r.variety,
                r.value,
                n,
                r.model,
                r.setting,
                r.origin,
                r.run,
                best is not None and best.key == (r.cluster, r.variety),
                r.flags,
            )
        )
    out = [
        Group(c, tuple(sorted(bars, key=lambda b: (b.value, b.variety))), known.seen_by_mbert(c))
        for c, bars in found.items()
    ]
    return sorted(out, key=lambda g: (g.mean, g.cluster))


# ---- the static figure, in inches -------------------------------------------------------------

LEFT, RIGHT = 0.44, 0.06
PLOT = style.WIDTH - LEFT - RIGHT
SLOT, WIDEST = 0.12, 0.4  # from bar to bar: as narrow as upright names can be read, as wide as useful
BETWEEN = 0.55  # space between clusters, in slots
HEIGHT = 1.6  # of the bars
SLANT = math.radians(40)  # of cluster names that are wider than their bars
ONE_LINE, LONGEST = (40, 48)  # characters of a variety's name: on one line, if two have room; on one line at most
CLOSE = dict(linespacing=0.95)  # names on two lines


def draw(scores, number, task):
    """The figure: one or more rows of upright bars with the names of all varieties."""
    with style.context():
        found = groups(scores, number, task)
        rows, slot = arrange(found)
        parts = [Row(row, slot, common_flags(b.flags for g in found for b in g.bars)) for row in rows]
        keys = _keys(found)
        above = style.HEAD + style.legend_height([key.get_label() for key in keys])
        total = above + sum(part.height for part in parts) + 0.04
        figure = style.canvas(style.WIDTH, total)
        style.heading(figure, f"{task_title(task)}: best score per variety")
        style.legend(figure, keys)
        top, ceiling = total - above, _ceiling(found)
        for part in parts:
            bottom = top - part.above - HEIGHT
            box = [LEFT / style.WIDTH, bottom / total, slot * width(part.groups) / style.WIDTH, HEIGHT / total]
            axes = figure.add_axes(box)
            part.draw(axes)
            axes.set_ylim(0, ceiling * (1.06 if part.shows_values else 1))
            axes.set_ylabel(_unit(task), labelpad=2)
            top -= part.height
        return figure


def _unit(task):
    return f"{metric_names(registry.facts(task).maximum.metrics)} (%)"


def _ceiling(found):
    highest = max(b.value for g in found for b in g.bars)
    return 100 if highest > 60 else 10 * (int(highest / 10) + 1)


def width(row):
    """Width of a row of groups, in slots."""
    return sum(len(g.bars) for g in row) + BETWEEN * len(row)


def arrange(found):
    """(rows, slot): the groups in as few rows as leave every bar SLOT inches, and what each bar gets."""
    for count in range(1, len(found) + 1):
        rows = rows_of(found, count)
        slot = _slot(rows)
        if slot >= SLOT:
            break
    return rows, slot


def rows_of(found, count):
    """The groups in at most `count` rows, the longest as short as can be; a group stays in one row."""
    lengths = sorted({width(found[i:j]) for i in range(len(found)) for j in range(i + 1, len(found) + 1)})
    return next(rows for limit in lengths if len(rows := _pack(found, limit)) <= count)


def _pack(found, limit):
    rows = [[]]
    for group in found:
        if rows[-1] and width([*rows[-1], group]) > limit + 1e-9:
            rows.append([])
        rows[-1].append(group)
    return rows


def _slot(rows):
    """The widest slot at which all rows and their clusters' names stay on the page."""
    slot, last = WIDEST, None
    while slot != last:
        last = slot
        for row in rows:
            slot = min(slot, PLOT / width(row))
            if None in level_names(row, slot):
                slot = min(slot, *_slanted_limits(row))
    return slot


def _slanted_limits(row):
    centre = 0.0
    for group, (w, _) in zip(row, (style.measure(g.cluster) for g in row)):
        middle = centre + (len(group.bars) + BETWEEN) / 2
        yield (PLOT - w * math.cos(SLANT)) / middle
        centre += len(group.bars) + BETWEEN


def level_names(row, slot):
    """The clusters' names in lines no wider than their bars; None for one that does not fit in three."""
    return [_wrapped(g.cluster, slot * (len(g.bars) + BETWEEN) - 0.05) for g in row]


def _wrapped(text, room):
    for columns in range(len(text), 2, -1):
        lines = textwrap.wrap(text, columns, break_long_words=False)
        if len(lines) > 3:
            return None
        if max(style.measure(line)[0] for line in lines) <= room:
            return "\n".join(lines)
    return None


def short(name, longest=LONGEST):
    """A variety's name with the middle of its first part left out if it is too long; attributes stay."""
    if len(name) <= longest:
        return name
    base, bracket, rest = name.partition(" (")
    keep = longest - len(bracket + rest) - 1
    if keep < 4:
        return name[: longest - 1].rstrip() + "…"
    return base[:keep].rstrip() + "…" + bracket + rest


def variety_labels(names, slot):
    """The names under the bars: long ones on two lines where there is room for them, else shortened."""
    one, two = style.measure("x")[1], style.measure("x\nx", **CLOSE)[1]
    out = []
    for name in names:
        room = slot >= (one + two) / 2 and (slot >= two or not out or "\n" not in out[-1])
        base, bracket, rest = name.partition(" (")
        out.append(f"{base}\n({rest}" if len(name) > ONE_LINE and bracket and room else short(name))
    return out


def colours(bar):
    """(face, edge) of a bar: orange for a user's run, blue for published scores; pale under stripes, hollow if no result."""
    own = bar.origin == "run"
    strong, pale = (style.ORANGE, style.PALE_ORANGE) if own else (style.BLUE, style.PALE_BLUE)
    if not bar.result:
        return "white", strong
    return (pale if bar.representative else strong), strong


STRIPES = "/////"
UNSEEN = "cluster of which mBERT saw no variety"


class Row:
    """A row of groups: its texts, the room they need, and how it is drawn (all lengths in inches)."""

    def __init__(self, groups, slot, common=()):
        self.groups, self.slot = groups, slot
        names = level_names(groups, slot)
        self.slanted = None in names  # all names of a row stand alike
        self.clusters = [g.cluster for g in groups] if self.slanted else names
        self.varieties = variety_labels([b.variety for g in groups for b in g.bars], slot)
        bars = [b for g in groups for b in g.bars]
        self.varieties = [signed(name, b.flags, common) for name, b in zip(self.varieties, bars)]
        sizes = [style.measure(name) for name in self.clusters]
        self.above = (
            max(w * math.sin(SLANT) for w, _ in sizes) + 0.2 if self.slanted else max(h for _, h in sizes) + 0.12
        )
        self.below = max(style.measure(name)[0] for name in self.varieties) + 0.14

    @property
    def shows_values(self):
        return style.measure("00.0")[0] < self.slot

    @property
    def height(self):
        return self.above + HEIGHT + self.below

    def draw(self, axes):
        start, ticks = BETWEEN / 2, []
        for group, name in zip(self.groups, self.clusters):
            n = len(group.bars)
            if not group.seen:
                axes.axvspan(
                    start - BETWEEN / 2, start + n + BETWEEN / 2, color=style.SHADE, lw=0, zorder=0, gid="unseen"
                )
            ticks += self._bars(axes, group, start)
            self._cluster(axes, name, start, n)
            start += n + BETWEEN
        axes.set_xlim(0, start - BETWEEN / 2)
        axes.set_xticks(ticks, self.varieties, rotation=90, **CLOSE)
        axes.tick_params(axis="x", length=0, pad=2)
        axes.grid(axis="y", zorder=0)
        axes.set_axisbelow(True)

    def _bars(self, axes, group, start):
        places = [start + i + 0.5 for i in range(len(group.bars))]
        for x, bar in zip(places, group.bars):
            face, edge = colours(bar)
            axes.bar(
                x,
                bar.value,
                width=0.78,
                color=face,
                edgecolor=edge,
                linewidth=0.7,
                zorder=2,
                hatch=STRIPES if bar.representative else None,
                label=f"{bar.cluster}/{bar.variety}",
            )
            if self.shows_values or bar.value < 0.5:  # a bar of nothing is not seen
                axes.text(x, bar.value, percent(bar.value), ha="center", va="bottom", fontsize=style.SMALL)
        return places

    def _cluster(self, axes, name, start, n):
        across = axes.get_xaxis_transform()
        axes.plot(
            [start + 0.05, start + n - 0.05], [1.02, 1.02], transform=across, color=style.MUTED, lw=0.8, clip_on=False
        )
        how = (
            dict(rotation=math.degrees(SLANT), ha="left", rotation_mode="anchor") if self.slanted else dict(ha="center")
        )
        axes.annotate(
            name,
            (start + n / 2, 1.02),
            xycoords=across,
            xytext=(0, 3),
            textcoords="offset points",
            va="bottom",
            fontsize=style.SMALL,
            gid="cluster",
            **how,
        )


def _keys(found):
    """What the colours and stripes mean, as far as they occur."""
    from matplotlib.patches import Patch

    bars = [b for g in found for b in g.bars]
    keys = []
    if any(b.origin != "run" for b in bars):
        keys.append(Patch(facecolor=style.BLUE, edgecolor=style.BLUE, label="variety"))
    if any(b.origin == "run" for b in bars):
        keys.append(Patch(facecolor=style.ORANGE, edgecolor=style.ORANGE, label="variety, best in a run of yours"))
    if any(b.representative for b in bars):
        keys.append(
            Patch(facecolor=style.PALE_BLUE, edgecolor=style.BLUE, hatch=STRIPES, label="representative of its cluster")
        )
    if not all(b.result for b in bars):
        keys.append(Patch(facecolor="white", edgecolor=style.BLUE, label="no result: missing value or failed training"))
    if not all(g.seen for g in found):
        keys.append(Patch(facecolor=style.SHADE, edgecolor=style.SHADE, label=UNSEEN))
    return keys


# ---- words --------------------------------------------------------------------------------------


def alt(scores, number, task):
    """What the bars show: how many, the best and the worst, what the shaded and the striped ones do."""
    found = groups(scores, number, task)
    bars = [b for g in found for b in g.bars]
    results = [b for b in bars if b.result] or bars
    best, worst = max(results, key=lambda b: b.value), min(results, key=lambda b: b.value)
    what = metric_names(registry.facts(task).maximum.metrics)
    text = (
        f"Bar chart of the best {what} of {names.counted(len(bars), 'variety', 'varieties')} in "
        f"{names.counted(len(found), 'cluster')}, "
        f"in {task_name(task)}: highest {best.variety} ({best.cluster}) with {percent(best.value)}, "
        f"lowest {worst.variety} ({worst.cluster}) with {percent(worst.value)}."
    )
    none = [f"{b.variety} ({flags.names(b.flags)})" for b in bars if not b.result]
    text += f" Marked as no result: {names.listed(none)}." if none else ""
    unseen, seen = (
        _mean(b.value for g in found if not g.seen for b in g.bars),
        _mean(b.value for g in found if g.seen for b in g.bars),
    )
    if unseen is not None and seen is not None:
        k = sum(not g.seen for g in found)
        text += (
            f" Varieties of the {names.counted(k, 'cluster')} that mBERT has not seen average {percent(unseen)}, "
            f"the others {percent(seen)}."
        )
    judged = [g for g in found if len(g.bars) > 1 and any(b.representative for b in g.bars)]
    k = sum(any(b.representative and b.value == g.bars[-1].value for b in g.bars) for g in judged)
    if len(judged) == 1:
        text += f" The representative of {judged[0].cluster} is{'' if k else ' not'} its best variety."
    elif judged:
        text += f" In {k} of {len(judged)} clusters with several varieties the representative is the best."
    return text


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def caption(scores, number, task):
    """What is drawn and how it is to be read."""
    found = groups(scores, number, task)
    base = task.partition("-")[0]
    unseen = sorted(g.cluster for g in found if not g.seen)
    text = (
        f"{task_title(task)}: maximum obtainable score of each variety ({registry.facts(task).maximum.sentence}). Within a "
        "cluster the worst "
        "variety is leftmost; clusters stand by their mean, the lowest first. Striped: the "
        "representative of the cluster "
        "(Table 9)."
    )
    text += (
        f" Shaded: clusters of which mBERT saw no variety in pre-training by Table 8 ({names.listed(unseen)})."
        if unseen
        else " mBERT saw a variety of every cluster shown (Table 8)."
    )
    if base == "did":
        text += f" Labels that mBERT predicts fewer than {LEAST_PREDICTIONS} times are left out, as in Table 3."
    if any(b.origin == "run" for g in found for b in g.bars):
        text += " Orange: the best score comes from a run of the reader's own."
    if not all(b.result for g in found for b in g.bars):
        text += " Hollow: no result."
    return text + faults(b.flags for g in found for b in g.bars)


# ---- the interactive figure ---------------------------------------------------------------------


def interactive(scores, number, task):
    """The same bars with the variety, cluster, score, n, model, setting and source of each on hover."""
    import plotly.graph_objects as go

    found = groups(scores, number, task)
    xs, bars, centres, x = [], [], [], 0.0
    figure = go.Figure()
    for group in found:
        n = len(group.bars)
        if not group.seen:
            figure.add_vrect(
                x0=x - BETWEEN / 2,
                x1=x + n + BETWEEN / 2,
                fillcolor=style.BAND,
                opacity=style.BAND_OPACITY,
                line_width=0,
                layer="below",
            )
        xs += [x + i + 0.5 for i in range(n)]
        bars += group.bars
        centres.append(x + n / 2)
        x += n + BETWEEN
    what = metric_names(registry.facts(task).maximum.metrics)
    for own in (False, True):  # one trace per look: plotly warns of a list of colours under a pattern
        for striped in (False, True):
            shown = [(at, b) for at, b in zip(xs, bars) if (b.origin == "run") == own and b.representative == striped]
            if shown:
                look = dict(color=style.ORANGE if own else style.BRIGHT)
                if striped:
                    look |= dict(
                        pattern=dict(shape="/", fillmode="overlay", fgcolor=style.PAPER, size=7, solidity=0.35)
                    )
                figure.add_bar(
                    x=[at for at, _ in shown],
                    y=[b.value for _, b in shown],
                    width=0.82,
                    marker=look,
                    name=("representative of its cluster" if striped else "variety")
                    + (", best in a run" if own else ""),
                    hovertext=[_hover(b, what) for _, b in shown],
                    hovertemplate="%{hovertext}<extra></extra>",
                )
    if not all(g.seen for g in found):
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=UNSEEN,
            hoverinfo="skip",
            marker=dict(symbol="square", size=12, color=style.BAND_KEY),
        )
    figure.update_layout(
        **style.PLOTLY,
        height=460,
        bargap=0,
        barmode="overlay",
        showlegend=True,
        legend=dict(orientation="h", y=1.02, yanchor="bottom", x=0),
    )
    figure.update_xaxes(
        tickvals=centres,
        ticktext=[hover(g.cluster) for g in found],
        tickangle=-90 if len(found) > 16 else -60,
        showgrid=False,
        zeroline=False,
        range=[-BETWEEN / 2, x - BETWEEN / 2],
        automargin=True,
    )
    figure.update_yaxes(title=_unit(task), gridcolor=style.PLOTLY_GRID, rangemode="tozero", fixedrange=True)
    return figure


def _hover(bar, what):
    n = "" if bar.n is None else f" (n = {bar.n})"
    lines = [
        f"<b>{hover(bar.variety)}</b>",
        f"cluster {hover(bar.cluster)}",
        f"{what} {percent(bar.value)}{n}",
        f"{hover(bar.model)}, {bar.setting.replace('_', ' ')}",
        f"source: {hover(source(bar.origin, bar.run))}",
    ]
    lines += [hover(f"{sign} {sentence}") for sign, sentence in flags.sentences(bar.flags)]
    if bar.representative:
        lines.insert(2, "representative of the cluster")
    return "<br>".join(lines)


def source(origin, run):
    """`paper table10:3`, `upstream pos.txt:7`, `run my-model-1a2b`."""
    return f"{origin} {run}".strip()


def frame(scores, number, task):
    """The bars as a DataFrame, with the columns of Bar."""
    import pandas as pd

    return pd.DataFrame([asdict(bar) for group in groups(scores, number, task) for bar in group.bars])


def figure(number, task):
    """The record of one of these figures."""
    return PaperFigure(
        id=number,
        title=f"Maximum obtainable scores: {task_name(task)}",
        tasks=(task.partition("-")[0],),
        draw=lambda scores: draw(scores, number, task),
        alt=lambda scores: alt(scores, number, task),
        caption=lambda scores: caption(scores, number, task),
        frame=lambda scores: frame(scores, number, task),
        interactive=lambda scores: interactive(scores, number, task),
        behind=lambda scores: (_behind(scores, task), [maximum.asked(task)]),
    )


def _behind(scores, task):
    return {label for labels in best_scores(scores, task)["rows"] for label in labels}
