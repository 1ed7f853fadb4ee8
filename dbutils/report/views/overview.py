"""A figure across tasks: does a cluster fare better or worse when its varieties are weighed by speakers?"""

from dbutils import TASKS, names, registry
from dbutils.analysis import utility
from dbutils.analysis.maximum import candidates
from dbutils.analysis.tables.summaries import best_scores
from dbutils.errors import InputError
from dbutils.report import style
from dbutils.report.views.view import number

COLUMNS = 5
TITLE = "Linguistic and demographic utility of each cluster"


def utilities(rows):
    """{task: table of `utility.by_cluster` with both utilities}, of the tasks that have any; InputError if none has."""
    out = {}
    for task in TASKS:
        if len(candidates(rows, task)):
            table = utility.by_cluster(best_scores(rows, task), as_printed=False)
            table = table[(table.varieties > 1) & table.demographic_utility.notna()]
            if len(table):
                out[task] = table.reset_index(drop=True)
    if not out:
        raise InputError("these scores hold no cluster with two varieties and a known number of speakers")
    return out


def frame(rows):
    """The points as a DataFrame: task and the columns of `utility.by_cluster`."""
    import pandas as pd

    return pd.concat([table.assign(task=task) for task, table in utilities(rows).items()], ignore_index=True)


def furthest(table):
    """The row of the cluster whose two utilities lie furthest apart."""
    return table.loc[(table.demographic_utility - table.linguistic_utility).abs().idxmax()]


def draw(rows):
    """A matplotlib Figure: one panel per task, one point per cluster, the line on which both utilities are equal."""
    found = utilities(rows)
    lines = -(-len(found) // COLUMNS)
    with style.context():
        figure = style.canvas(style.WIDTH, 0.5 + 1.75 * lines)
        axes = figure.subplots(lines, COLUMNS, squeeze=False, sharex=True, sharey=True)
        for axis in axes.flat[len(found) :]:
            axis.set_visible(False)
        for axis, (task, table) in zip(axes.flat, found.items()):
            _panel(axis, registry.load().tasks.at[task, "name"], table)
        for column in range(COLUMNS):  # the lowest visible panel of each column carries the numbers
            below = [axes[line][column] for line in range(lines) if axes[line][column].get_visible()]
            if below:
                below[-1].tick_params(labelbottom=True)
        figure.supxlabel("linguistic utility (every variety alike)", fontsize=style.TEXT, y=0.01)
        figure.supylabel("demographic utility (by speakers)", fontsize=style.TEXT, x=0.01)
        figure.subplots_adjust(
            left=0.075,
            right=0.99,
            top=1 - 0.25 / figure.get_figheight(),
            bottom=0.5 / figure.get_figheight(),
            wspace=0.12,
            hspace=0.28,
        )
    return figure


def _panel(axis, title, table):
    axis.plot([0, 100], [0, 100], color=style.MUTED, linewidth=0.8, zorder=1)
    axis.scatter(
        table.linguistic_utility,
        table.demographic_utility,
        s=16,
        color=style.BLUE,
        edgecolor=style.PAPER,
        linewidth=0.4,
        zorder=2,
    )
    axis.set_title(title, fontsize=style.TEXT, loc="left", pad=3)
    far = furthest(table)
    axis.scatter(
        [far.linguistic_utility],
        [far.demographic_utility],
        s=26,
        marker="D",
        color=style.ORANGE,
        edgecolor=style.PAPER,
        linewidth=0.4,
        zorder=3,
    )
    _label(axis, _short(far.cluster), far.linguistic_utility, far.demographic_utility)
    axis.set(xlim=(0, 103), ylim=(0, 103), xticks=[0, 50, 100], yticks=[0, 50, 100], aspect="equal")


def _label(axis, text, x, y):
    """The name beside its point: left of it above the line, where no points lie; right of it below the line."""
    left = y >= x
    room = x if left else 103 - x
    narrow = 4.6 * len(text) > room  # a letter takes about 4.6 units
    vertical = (5 if left else -5) if narrow else 0
    axis.annotate(
        text,
        (x, y),
        fontsize=style.SMALL,
        textcoords="offset points",
        xytext=((0 if narrow else -5) if left else (0 if narrow else 5), vertical),
        ha=("left" if narrow and x < 50 else "right") if left else ("right" if narrow else "left"),
        va="center" if not narrow else "bottom" if left else "top",
    )


def _short(name, longest=18):
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"


def alt(rows):
    """What the figure shows, from its data."""
    parts = []
    for task, table in utilities(rows).items():
        far = furthest(table)
        above = int((table.demographic_utility > table.linguistic_utility).sum())
        parts.append(
            f"{registry.load().tasks.at[task, 'name']}: {above} of {names.counted(len(table), 'point')} above the line, furthest from it"
            f" {far.cluster} ({number(far.linguistic_utility)} and {number(far.demographic_utility)})"
        )
    return (
        f"{names.counted(len(parts), 'scatter plot')}, one per task, each with a point per cluster: linguistic utility to the right, demographic"
        f" utility upwards, and the line on which they are equal. {'; '.join(parts)}."
    )


def caption(rows):
    """What is drawn, by which convention."""
    return (
        f"{TITLE}, of the best score of each variety, one panel per task; above the line a cluster's large varieties are served better than"
        " its small ones. Clusters with two or more scored varieties of which a number of speakers is known; the diamond marks the cluster"
        " whose two utilities lie furthest apart."
    )
