"""The varieties on a map of the world, and on one of Europe and the Near East where most of them are."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dbutils.errors import InputError, unknown
from dbutils.report import geo, style
from dbutils.report.maps.board import Board, edge_point
from dbutils.report.maps.points import gathered, styles, unplaced
from dbutils.report.maps.projection import azimuthal, equal_earth
from dbutils.report.maps.region import halo, patch

STRIP = 0.5  # below the map: sizes and note, in inches
AREA = 22  # of a marker, in square points, for each variety
SIZE = 8.5  # of the cluster names, in points


@dataclass(frozen=True)
class View:
    """A part of the world: projection, and lower left and upper right corner in the projection's plane."""

    name: str
    project: Callable
    low: tuple
    high: tuple

    def shows(self, lon, lat):
        x, y = self.project(lon, lat)
        return (x >= self.low[0]) & (x <= self.high[0]) & (y >= self.low[1]) & (y <= self.high[1])


VIEWS = {
    "world": View("the world", equal_earth, (-2.55, -0.83), (3.05, 1.27)),
    "europe": View("Europe and the Near East", azimuthal, (-0.425, -0.335), (0.44, 0.36)),
}


@style.context({})
def world_map(points, view="world", title=""):
    """The varieties as markers on a map, as a matplotlib Figure 7.5 inches wide.

    points: dicts with lon, lat (degrees or None), cluster, variety, n_tasks. view: a key of VIEWS.
    A marker stands for all varieties at a place: its area is their number, colour and shape the cluster.
    On the world map Europe and the Near East are framed, drawn smaller, and named on their own map only.
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    places, rest = gathered(points)
    look, here = styles(places), VIEWS[view]
    low, high = np.array(here.low), np.array(here.high)
    scale = style.WIDTH / (high[0] - low[0])
    height = float((high[1] - low[1]) * scale)
    top = 0.35 if title else 0
    total = height + STRIP + top
    figure = style.canvas(style.WIDTH, total)
    axes = figure.add_axes([0, STRIP / total, 1, height / total])
    axes.set(xlim=(0, style.WIDTH), ylim=(0, height), facecolor=style.SEA)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set(linewidth=0.5, color="0.6")

    def inches(lon, lat):
        return (np.stack(here.project(lon, lat), axis=-1) - low) * scale

    for polygon in geo.outlines("world")["land"]:
        rings = within([inches(*ring.T) for ring in polygon], style.WIDTH, height)
        if rings:
            axes.add_patch(patch(rings, facecolor=style.LAND, edgecolor="none"))
    shown = [place for place in places if here.shows(place.lon, place.lat)]
    framed = [place for place in shown if view == "world" and VIEWS["europe"].shows(place.lon, place.lat)]
    board = Board(style.WIDTH, height)
    for place in shown:
        size = AREA * (0.45 if place in framed else 1) * len(place.points)
        centre = inches(place.lon, place.lat)
        colour, (shape, _) = look[place.cluster]
        axes.scatter(*centre, s=size, c=colour, marker=shape, edgecolors=style.PAPER, linewidths=0.6, zorder=3)
        board.take_disc(centre, radius(size))
    if view == "world":
        draw_frame(axes, board, inches)
    name_clusters(axes, board, [place for place in shown if place not in framed], look, inches)
    finish(figure, title, note(points, shown, rest))
    return figure


def within(rings, width, height):
    """The rings cut off at the edges of the map, or [] if nothing is inside: keeps the files small."""
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    box = Bbox([[-0.05, -0.05], [width + 0.05, height + 0.05]])
    result = []
    for ring in rings:
        path = Path(np.vstack([ring, ring[:1]]), closed=True).clip_to_bbox(box)
        path.should_simplify = False  # it would round to tenths of an inch
        result += [part for part in path.to_polygons(closed_only=False) if len(part) > 2]
    return result


def radius(size):
    """The radius in inches of a marker of this size (square points), with its rim."""
    return np.sqrt(size) / 72 / 2 + 0.02


def draw_frame(axes, board, inches):
    """The frame of the map of Europe on the map of the world; no name is written inside it."""
    lon, lat = np.meshgrid(np.linspace(-45, 90, 541), np.linspace(15, 85, 281))
    inside = VIEWS["europe"].shows(lon, lat)
    at = inches(lon, lat)
    lines = axes.contour(
        *np.moveaxis(at, -1, 0), inside, levels=[0.5], colors="0.35", linewidths=0.8, linestyles="--", zorder=4
    )
    edge = lines.get_paths()[0].vertices
    board.take_polygons([[edge]], margin=0.04)
    middle = (edge[:, 1].min() + edge[:, 1].max()) / 2
    west = min(edge[np.abs(edge[:, 1] - middle) < 0.05], key=lambda point: point[0])
    write_name(axes, board, "drawn smaller: see the map of Europe", west, 0.06, "0.35", style="italic")


def name_clusters(axes, board, places, look, inches):
    """Write each cluster's name once, at the place with most of its varieties, the crowded ones first."""
    first = {}
    for place in places:
        first.setdefault(place.cluster, place)
    spots = {cluster: inches(place.lon, place.lat) for cluster, place in first.items()}

    def crowd(cluster):
        return sum(np.hypot(*(spots[cluster] - spot)) < 0.8 for spot in spots.values())

    for cluster in sorted(spots, key=lambda cluster: (-crowd(cluster), cluster)):
        gap = radius(AREA * len(first[cluster].points)) + 0.01
        write_name(axes, board, cluster, spots[cluster], gap, look[cluster][0])


def write_name(axes, board, text, point, gap, colour, **look):
    """Write a name at the free spot nearest to a point, with a leader if that is not beside it."""
    extent = style.measure(text, SIZE)
    centre = board.nearest(point, np.array(extent) + 0.02, gap)
    if centre is None:
        raise InputError(f"no room on the map for the name {text!r}")
    start = edge_point(centre, extent, point)
    if np.hypot(*(start - point)) > gap + 0.06:
        axes.plot(*zip(start, point), color=colour, linewidth=0.7, zorder=2)
        board.take_line(start, point)
    axes.text(
        *centre,
        text,
        fontsize=SIZE,
        color=darker(colour),
        ha="center",
        va="center",
        zorder=5,
        path_effects=halo(1.6),
        **look,
    )
    board.take_label(centre, extent, margin=0.02)


def darker(colour):
    """Half as light: of the marker's hue, and dark enough to read."""
    from matplotlib.colors import to_rgb

    return tuple(0.5 * part for part in to_rgb(colour))


def note(points, shown, rest):
    count = sum(len(place.points) for place in shown)
    others = {"elsewhere": len(points) - count - len(rest), "without coordinates": len(rest)}
    text = ", ".join(f"{number} {where}" for where, number in others.items() if number)
    return f"{count} of {len(points)} varieties at {len(shown)} places" + (f" ({text})" if text else "")


def finish(figure, title, text):
    """Title, the sizes of the markers, and the note."""
    total = figure.get_figheight()
    if title:
        figure.text(0.005, 1 - 0.08 / total, title, fontsize=11, weight="bold", va="top")
    axes = figure.add_axes([0, 0, 1, STRIP / total])
    axes.set(xlim=(0, style.WIDTH), ylim=(0, STRIP))
    axes.axis("off")
    x, middle = 0.1, STRIP / 2
    axes.text(x, middle, "varieties at a place:", fontsize=8.5, va="center")
    x = 1.45
    for number in (1, 5, 20):
        x += radius(AREA * number)
        axes.scatter(x, middle, s=AREA * number, c="0.55", edgecolors=style.PAPER, linewidths=0.6)
        x += radius(AREA * number) + 0.03
        axes.text(x, middle, str(number), fontsize=8.5, va="center")
        x += 0.3
    axes.text(style.WIDTH - 0.1, middle, text, fontsize=8.5, va="center", ha="right")


def world_alt(points, view="world"):
    """What a map of the varieties shows, in words: how many, where, the largest places, the extremes."""
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    places, rest = gathered(points)
    here = VIEWS[view]
    shown = [place for place in places if here.shows(place.lon, place.lat)]
    clusters = Counter()
    for place in shown:
        clusters[place.cluster] += len(place.points)
    count = sum(clusters.values())
    parts = [
        f"Map of {here.name} with {count} of {len(points)} varieties at {len(shown)} places, from "
        f"{len(clusters)} clusters; marker area is the number of varieties at a place."
    ]
    if view == "world":
        inner = sum(len(p.points) for p in shown if VIEWS["europe"].shows(p.lon, p.lat))
        parts.append(f"{inner} of them lie in {VIEWS['europe'].name}.")
    largest = ", ".join(
        f"{len(p.points)} of {p.cluster} at {degrees(p.lat, 'NS')} {degrees(p.lon, 'EW')}" for p in shown[:3]
    )
    parts.append(f"Most varieties at one place: {largest}.")
    north, south = max(shown, key=lambda p: p.lat), min(shown, key=lambda p: p.lat)
    parts.append(
        f"Northernmost: {north.cluster} at {degrees(north.lat, 'NS')}; southernmost: {south.cluster} "
        f"at {degrees(south.lat, 'NS')}."
    )
    if rest:
        parts.append(f"{unplaced(rest)}: not drawn.")
    return " ".join(parts)


def degrees(value, letters):
    """A coordinate in words: 43.05, `NS` -> `43° N`."""
    return f"{abs(value):.0f}° {letters[value < 0]}"
