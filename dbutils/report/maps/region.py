"""A map of scores by region: Swiss cantons or Italian regions."""

import re

import numpy as np

from dbutils.errors import InputError, unknown
from dbutils.report import geo, style
from dbutils.report.maps.board import Board, edge_point, roomiest

TALLEST = 7.9  # of the map itself, in inches
MARGIN = 0.08
STRIP = 0.85  # below the map: scale, legend, note
LINE = 1.05  # of their lines, in heights of a line
SIZES = (9.5, 8.0)  # of the values, in points; the smaller where the larger does not fit

# What a place is printed as, and what all of them are called.
KINDS = {"switzerland": ("canton", "cantons", "Switzerland"), "italy": ("region", "regions", "Italy")}


@style.context({})
def region_map(which, values, label, title="", note="", digits=1):
    """A choropleth with each value written in its region, as a matplotlib Figure 7.5 inches wide.

    which: `switzerland` or `italy`. values: {place: number or None}, places as in geo.outlines(which);
    places left out or None are hatched. label: what the numbers are (stands at the scale).
    note: a line below, for what has no place on the map. InputError for an unknown place or no number.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    values = checked(which, values)
    shape = geo.load(which)
    scaled, water, width, height = in_inches(shape)
    top = 0.35 if title else 0.05
    figure = style.canvas(style.WIDTH, height + STRIP + top)
    total = figure.get_figheight()
    axes = figure.add_axes([0, STRIP / total, 1, height / total])
    axes.set(xlim=(0, style.WIDTH), ylim=(0, height))
    axes.axis("off")
    shift = np.array([(style.WIDTH - width) / 2, 0])
    scaled = {key: [[ring + shift for ring in polygon] for polygon in polygons] for key, polygons in scaled.items()}
    water = [[ring + shift for ring in polygon] for polygon in water]

    numbers = [value for value in values.values() if value is not None]
    low, high = min(numbers), max(numbers)
    if low == high:
        low, high = low - 0.5, high + 0.5
    colours = ScalarMappable(Normalize(low, high), "cividis")
    for key, polygons in scaled.items():
        value = values.get(key)
        look = {"facecolor": colours.to_rgba(value)} if value is not None else HATCH
        for polygon in polygons:
            axes.add_patch(patch(polygon, edgecolor="white" if value is not None else "0.55", **look))
    for polygon in water:
        axes.add_patch(patch(polygon, facecolor=style.LAKE, edgecolor="0.6"))
    write_values(axes, shape, scaled, water, values, colours, digits)
    finish(figure, colours, label, title, note, any(values.get(key) is None for key in scaled), which)
    return figure


HATCH = {"facecolor": style.PAPER, "hatch": "/////", "linewidth": 0.6}


def checked(which, values):
    """The values with floats; InputError for a map without regions, an unknown place, or no number at all."""
    if which not in KINDS:
        raise unknown("map of regions", which, KINDS)
    places = geo.outlines(which)
    for key, value in values.items():
        if key not in places:
            raise unknown(f"{KINDS[which][0]} of {KINDS[which][2]}", key, places)
        if value is not None and not np.isfinite(value):
            raise InputError(f"{key}: {value} is no number to draw; use None where there is none")
    if all(value is None for value in values.values()):
        raise InputError(f"no value for any {KINDS[which][0]} of {KINDS[which][2]}: nothing to draw")
    return {key: None if value is None else float(value) for key, value in values.items()}


def in_inches(shape):
    """(places, water polygons, width, height) with all coordinates in inches from the lower left corner."""
    points = np.concatenate([ring for polygons in shape.places.values() for polygon in polygons for ring in polygon])
    low, high = points.min(axis=0), points.max(axis=0)
    stretch = np.array([1, shape.aspect])
    size = (high - low) * stretch
    scale = min((style.WIDTH - 2 * MARGIN) / size[0], (TALLEST - 2 * MARGIN) / size[1])

    def convert(polygon):
        return [(ring - low) * stretch * scale + MARGIN for ring in polygon]

    places = {key: [convert(polygon) for polygon in polygons] for key, polygons in shape.places.items()}
    water = [convert(polygon) for polygons in shape.water.values() for polygon in polygons]
    return places, water, *(size * scale + 2 * MARGIN)


def patch(polygon, **look):
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    look = {"linewidth": 0.7, **look}
    rings = [Path(np.vstack([ring, ring[:1]]), closed=True) for ring in polygon]
    return PathPatch(Path.make_compound_path(*rings), **look)


def write_values(axes, shape, scaled, water, values, colours, digits):
    """Write each value in its region, or beside the map with a leader where there is no room."""
    board = Board(style.WIDTH, axes.get_ylim()[1])
    board.take_polygons([*(polygon for polygons in scaled.values() for polygon in polygons), *water], margin=0.04)
    lakes = [polygon[0] for polygon in water]
    outside = []
    for key, polygons in scaled.items():
        value = values.get(key)
        number = "" if value is None else f"\n{value:.{digits}f}"
        texts = [f"{name}{number}" for name in names(key, shape.names[key])]
        for size, text in ((size, text) for size in SIZES for text in texts):
            extent = style.measure(text, size, LINE)
            centre, scale = roomiest(polygons[0], np.array(extent) + 0.03, lakes)
            if scale >= 1:
                draw_text(axes, centre, text, size, value, colours)
                break
        else:
            outside.append((key, texts[-1], anchor(polygons[0])))
    # The most hemmed in first: those in the middle of the map.
    middle = np.array([style.WIDTH, axes.get_ylim()[1]]) / 2
    for key, text, point in sorted(outside, key=lambda entry: np.hypot(*(entry[2] - middle))):
        extent = style.measure(text, SIZES[0], LINE)
        centre = board.nearest(point, np.array(extent) + 0.04, gap=0.1)
        if centre is None:
            raise InputError(f"no room on the map to write the value of {key}")
        start = edge_point(centre, np.array(extent) + 0.06, point)
        axes.plot(*zip(start, point), color="black", linewidth=0.8, path_effects=halo(2.4))
        axes.plot(*point, marker="o", markersize=3, color="black", markeredgecolor="white", markeredgewidth=0.6)
        draw_text(axes, centre, text, SIZES[0], None, None)
        board.take_label(centre, extent, margin=0.03)
        board.take_line(start, point)


def names(key, name):
    """The ways to print a place's name, the best first: a canton's code; a region's name, then broken."""
    return [key] if key.isupper() else list(dict.fromkeys([name, broken(name)]))


def halo(width):
    """A white rim, so that a line or a text stays visible on any colour."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=width, foreground="white")]


def anchor(polygon):
    """A point well inside a polygon."""
    return roomiest(polygon, (0.1, 0.1))[0]


def draw_text(axes, centre, text, size, value, colours):
    """Write on the colour of a value, or on white with a rim where there is none."""
    look = {"path_effects": halo(2.5)} if value is None else {}
    colour = "black" if value is None else readable(colours.to_rgba(value))
    axes.text(*centre, text, fontsize=size, ha="center", va="center", linespacing=LINE, color=colour, **look)


def readable(background):
    """Black or white, whichever has the higher contrast (WCAG) on a background colour."""
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(background)]
    luminance = np.dot([0.2126, 0.7152, 0.0722], linear)
    return "black" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "white"


def broken(name):
    """A long name in lines: broken after hyphens and slashes and at spaces."""
    lines = [""]
    for part in re.findall(r"[^-/ ]+[-/ ]?", name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > 11:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def finish(figure, colours, label, title, note, hatched, which):
    """Title, scale, legend and note."""
    from matplotlib.patches import Patch

    total = figure.get_figheight()
    if title:
        figure.text(MARGIN / style.WIDTH, 1 - 0.08 / total, title, fontsize=11, weight="bold", va="top")
    scale = figure.add_axes([0.03, 0.56 / total, 0.45, 0.13 / total])
    bar = figure.colorbar(colours, cax=scale, orientation="horizontal")
    bar.ax.tick_params(labelsize=8, length=2.5)
    bar.outline.set_linewidth(0.4)
    figure.text(0.495, 0.625 / total, label, fontsize=9, va="center")
    if hatched:
        kind = KINDS[which][0]
        box = Patch(edgecolor="0.55", **HATCH)
        figure.legend(
            [box],
            [f"{kind} without a value"],
            loc="center right",
            bbox_to_anchor=(0.99, 0.625 / total),
            fontsize=8.5,
            frameon=False,
            handlelength=1.6,
            handleheight=1.2,
        )
    if note:
        figure.text(0.03, 0.07 / total, note, fontsize=8.5, va="bottom", color="0.2")


def region_alt(which, values, label, digits=1):
    """What a region map shows, in words: range, highest, lowest, where, and what has no value."""
    values = checked(which, values)
    shape = geo.load(which)
    one, many, country = KINDS[which]

    def called(key):
        return f"{shape.names[key]} ({key})" if key != shape.names[key].lower() else shape.names[key]

    have = sorted((key for key, value in values.items() if value is not None), key=lambda key: (-values[key], key))
    count = min(3, len(have) // 2)
    parts = [f"Map of the {many} of {country} coloured by {label}: {len(have)} of {len(shape.places)} have a value"]
    parts[0] += f", from {values[have[-1]]:.{digits}f} to {values[have[0]]:.{digits}f}." if len(have) > 1 else "."
    if count:
        for word, keys in (("Highest", have[:count]), ("Lowest", have[::-1][:count])):
            named = ", ".join(f"{called(key)} {values[key]:.{digits}f}" for key in keys)
            parts.append(f"{word}: {named}.")
        where = direction(shape, have[: len(have) // 3], have[-(len(have) // 3) :]) if len(have) >= 9 else ""
        if where:
            parts.append(f"On average the highest third lies to the {where} of the lowest third.")
    else:
        parts.append(f"It is {called(have[0])} with {values[have[0]]:.{digits}f}.")
    rest = sorted(set(shape.places) - set(have))
    if rest:
        parts.append(f"Without a value: {', '.join(called(key) for key in rest)}.")
    return " ".join(parts)


def direction(shape, high, low):
    """The compass direction from one group of places to another, or '' if they lie about in one place."""
    stretch = np.array([1, shape.aspect])

    def middle(keys):
        return np.mean([shape.places[key][0][0].mean(axis=0) * stretch for key in keys], axis=0)

    points = np.concatenate([polygons[0][0] for polygons in shape.places.values()]) * stretch
    dx, dy = middle(high) - middle(low)
    if np.hypot(dx, dy) < 0.1 * np.ptp(points, axis=0).max():
        return ""
    names = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    return names[int(np.round(np.degrees(np.arctan2(dy, dx)) / 45)) % 8]
