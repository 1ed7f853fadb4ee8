"""Figure 2: the clusters with their numbers of varieties per task, all of them, from the registry alone."""

from dbutils import TASKS, names, registry
from dbutils.report import style
from dbutils.report.figures.base import PaperFigure, hover

NUMBER = "2"


def counts():
    """{cluster: (varieties, {task: varieties with data in the task})}, the largest cluster first."""
    known = registry.load()
    found = {}
    for cluster in known.clusters:
        members = known.of(cluster)
        found[cluster] = len(members), {t: sum(t in v.tasks for v in members) for t in TASKS}
    return dict(sorted(found.items(), key=lambda item: (-item[1][0], item[0])))


LEFT, CELL_HEIGHT, TOP = 1.75, 0.188, 0.4


def draw(scores):
    """A matrix, clusters by tasks; a cell holds the number of varieties, its colour grows with it."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm
    from matplotlib.patches import Rectangle

    with style.context():
        found = counts()
        titles = registry.load().tasks["name"]
        largest = max(n for _, cells in found.values() for n in cells.values())
        colours, norm = LinearSegmentedColormap.from_list("few_to_many", style.SEQUENCE), LogNorm(1, largest)
        rows = len(found) + 1
        height = style.HEAD + TOP + rows * CELL_HEIGHT + 0.1
        figure = style.canvas(style.WIDTH, height)
        style.heading(figure, "Varieties per cluster and task")
        axes = figure.add_axes(
            [LEFT / style.WIDTH, 0.08 / height, 1 - (LEFT + 0.06) / style.WIDTH, rows * CELL_HEIGHT / height]
        )
        for y, (cluster, (size, cells)) in enumerate(found.items()):
            for x, task in enumerate(TASKS):
                n = cells[task]
                if not n:
                    continue
                axes.add_patch(
                    Rectangle(
                        (x, y), 1, 1, facecolor=colours(norm(n)), edgecolor=style.PAPER, lw=0.8, gid=f"{cluster}/{task}"
                    )
                )
                axes.text(
                    x + 0.5,
                    y + 0.5,
                    str(n),
                    ha="center",
                    va="center",
                    color=style.PAPER if norm(n) > 0.45 else style.INK,
                )
            axes.text(len(TASKS) + 0.5, y + 0.5, str(size), ha="center", va="center", fontweight="bold")
        for x, n in enumerate([*_totals(found), sum(size for size, _ in found.values())]):
            axes.text(x + 0.5, len(found) + 0.5, str(n), ha="center", va="center", fontweight="bold")
        axes.hlines(range(rows), 0, len(TASKS) + 1, color=style.GRID, lw=0.5, zorder=0)
        axes.set(xlim=(0, len(TASKS) + 1), ylim=(rows, 0))
        axes.set_yticks([y + 0.5 for y in range(rows)], [*found, "all clusters"], fontsize=style.TEXT)
        axes.set_xticks(
            [x + 0.5 for x in range(len(TASKS) + 1)],
            [*(titles[t].replace(" ", "\n") for t in TASKS), "all\nvarieties"],
            fontsize=style.TEXT,
        )
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        return figure


def _totals(found):
    return [sum(cells[t] for _, cells in found.values()) for t in TASKS]


def alt(scores):
    """How many varieties, clusters and tasks, the largest cells, how uneven it is."""
    found = counts()
    titles = registry.load().tasks["name"]
    totals = dict(zip(TASKS, _totals(found)))
    most, least = max(TASKS, key=totals.get), min(TASKS, key=totals.get)
    cluster, task = max(((c, t) for c in found for t in TASKS), key=lambda at: found[at[0]][1][at[1]])
    largest = list(found)[0]
    wide = max(found, key=lambda c: sum(n > 0 for n in found[c][1].values()))
    single = [c for c, (_, cells) in found.items() if sum(n > 0 for n in cells.values()) == 1]
    return (
        f"Matrix of {len(found)} clusters by {len(TASKS)} tasks with the number of varieties in each cell, "
        f"{sum(size for size, _ in found.values())} varieties in all: the largest cluster is {largest} "
        f"with {found[largest][0]}, the "
        f"largest cell {cluster} in {titles[task]} with {found[cluster][1][task]}. {titles[most]} covers "
        "most varieties "
        f"({totals[most]}), {titles[least]} fewest ({totals[least]}); {wide} takes part in "
        f"{sum(n > 0 for n in found[wide][1].values())} tasks, "
        f"{names.counted(len(single), 'cluster')} in only one."
    )


def caption(scores):
    """What is counted."""
    none = [v.variety for v in registry.load() if not v.tasks]
    text = (
        "Language clusters with the number of their varieties that have data in each task, by the "
        "ticks of Table 8; the largest "
        "cluster first, colour on a logarithmic scale. The last column counts all varieties of the cluster"
    )
    return text + (f"; without any task: {names.listed(none)}." if none else ".")


def frame(scores):
    """The matrix as a DataFrame: cluster, varieties, and a column per task."""
    import pandas as pd

    return pd.DataFrame([{"cluster": c, "varieties": n, **cells} for c, (n, cells) in counts().items()])


def interactive(scores):
    """The same matrix with the names of the varieties of each cell on hover."""
    import math

    import plotly.graph_objects as go

    found, known = counts(), registry.load()
    titles = known.tasks["name"]
    numbers = [[cells[t] for t in TASKS] for _, cells in found.values()]
    figure = go.Figure(
        go.Heatmap(
            x=[titles[t] for t in TASKS],
            y=[hover(c) for c in found],
            z=[[math.log(n) if n else None for n in row] for row in numbers],
            text=[[str(n) if n else "" for n in row] for row in numbers],
            texttemplate="%{text}",
            hovertext=[[_hover(known, c, t, titles[t]) for t in TASKS] for c in found],
            hovertemplate="%{hovertext}<extra></extra>",
            colorscale=[[i / (len(style.SEQUENCE) - 1), c] for i, c in enumerate(style.SEQUENCE)],
            showscale=False,
            xgap=1,
            ygap=1,
            hoverongaps=False,
        )
    )
    figure.update_layout(**style.PLOTLY, height=20 * len(found) + 90)
    figure.update_yaxes(autorange="reversed", automargin=True, showgrid=False, tickmode="linear")
    figure.update_xaxes(side="top", automargin=True, showgrid=False, tickmode="linear")
    return figure


def _hover(known, cluster, task, name, longest=24):
    """The varieties of a cell, one a line."""
    members = [v.variety for v in known.of(cluster) if task in v.tasks]
    lines = [hover(v) for v in members[:longest]] + (
        [f"and {len(members) - longest} more"] if len(members) > longest else []
    )
    return "<br>".join(
        [f"<b>{hover(cluster)}</b>, {hover(name)}: {names.counted(len(members), 'variety', 'varieties')}", *lines]
    )


FIGURE = PaperFigure(NUMBER, "Language clusters with their varieties per task", draw, alt, caption, frame, interactive)
