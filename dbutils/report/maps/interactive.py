"""The map of varieties to move about in: a plotly figure that draws its own land, so nothing is fetched."""

import html

import numpy as np

from dbutils.errors import InputError
from dbutils.report import geo, style
from dbutils.report.maps.points import gathered, styles, unplaced
from dbutils.report.maps.projection import equal_earth
from dbutils.report.maps.world import degrees

SPREAD = 0.45  # degrees between the varieties that share a place
TURN = np.pi * (3 - np.sqrt(5))  # the golden angle: points in the order of a sunflower's seeds
# West, east, south, north in degrees of what a button shows.
WINDOWS = {"The world": (-152, 198, -40, 76), "Europe and the Near East": (-13, 56, 29, 71)}


def world_map_interactive(points):
    """A plotly Figure with a marker per variety that tells its name, cluster, Glottocode, tasks, mBERT.

    points: dicts with lon, lat, cluster, variety, n_tasks, and glottocode, tasks (codes), mbert_seen.
    Varieties at one place are spread about it. The background is transparent, for light and dark pages.
    """
    import plotly.graph_objects as go

    places, rest = gathered(points)
    for point in points:
        for key in ("glottocode", "tasks", "mbert_seen"):
            if key not in point:
                raise InputError(f"point {point['variety']!r}: {key!r} is missing")
    look = styles(places)
    figure = go.Figure(land())
    clusters = {}
    for place in places:
        for point, (lon, lat) in zip(place.points, spread(place)):
            x, y = equal_earth(lon, lat)
            clusters.setdefault(place.cluster, []).append((float(x), float(y), hover(point, len(place.points))))
    for cluster in sorted(clusters):
        colour, (_, shape) = look[cluster]
        x, y, text = zip(*clusters[cluster])
        figure.add_trace(
            go.Scatter(
                x=[round(v, 4) for v in x],
                y=[round(v, 4) for v in y],
                text=text,
                name=f"{cluster} ({len(x)})",
                mode="markers",
                hovertemplate="%{text}<extra></extra>",
                marker={"color": colour, "symbol": shape, "size": 8, "line": {"color": style.PAPER, "width": 0.7}},
            )
        )
    figure.update_layout(**layout(rest))
    return figure


def land():
    """The land as one filled trace."""
    x, y = [], []
    for polygon in geo.outlines("world")["land"]:
        for ring in polygon:
            px, py = equal_earth(*np.vstack([ring, ring[:1]]).T)
            x += [*np.round(px, 3).tolist(), None]
            y += [*np.round(py, 3).tolist(), None]
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "fillcolor": style.FAINT,
        "line": {"width": 0.4, "color": style.GREY},
    }


def spread(place):
    """The degrees at which the varieties of a place are drawn: the place itself, then around it."""
    i = np.arange(len(place.points))
    away = SPREAD * np.sqrt(i)
    lon = place.lon + away * np.cos(i * TURN) / np.cos(np.radians(place.lat))
    return np.column_stack([lon, place.lat + away * np.sin(i * TURN)])


def hover(point, together):
    lines = [
        f"<b>{html.escape(point['variety'])}</b>",
        f"cluster: {html.escape(point['cluster'])}",
        f"Glottocode: {point['glottocode'] or 'none'}",
        f"tasks: {', '.join(point['tasks'])} ({point['n_tasks']})",
        f"seen by mBERT: {'yes' if point['mbert_seen'] else 'no'}",
    ]
    if together > 1:
        where = f"{degrees(point['lat'], 'NS')} {degrees(point['lon'], 'EW')}"
        lines.append(f"one of {together} varieties that Glottolog puts at {where}")
    return "<br>".join(lines)


def layout(rest):
    """No axes, equal scale, transparent; a button for each window."""

    def ranges(west, east, south, north):
        x, _ = equal_earth(np.array([west, east]), np.full(2, (south + north) / 2))
        _, y = equal_earth(np.zeros(2), np.array([south, north]))
        return {"xaxis.range": x.tolist(), "yaxis.range": y.tolist()}

    start = ranges(*WINDOWS["The world"])
    axis = {"visible": False, "showgrid": False, "zeroline": False}
    buttons = [{"label": name, "method": "relayout", "args": [ranges(*window)]} for name, window in WINDOWS.items()]
    return {
        "xaxis": {**axis, "range": start["xaxis.range"]},
        "yaxis": {**axis, "range": start["yaxis.range"], "scaleanchor": "x", "scaleratio": 1},
        "paper_bgcolor": style.CLEAR,
        "plot_bgcolor": style.CLEAR,
        "font": {"color": style.GREY},
        "dragmode": "pan",
        "hovermode": "closest",
        "height": 620,
        "margin": {"l": 0, "r": 0, "t": 40, "b": 0},
        "legend": {"orientation": "h", "yanchor": "top", "y": -0.02, "x": 0, "font": {"size": 11}},
        "updatemenus": [
            {
                "type": "buttons",
                "direction": "right",
                "x": 0,
                "y": 1.0,
                "xanchor": "left",
                "yanchor": "bottom",
                "buttons": buttons,
                "showactive": False,
                "pad": {"b": 6},
                "bgcolor": style.FAINT,
            }
        ],
        "annotations": [
            {
                "text": unplaced(rest),
                "showarrow": False,
                "xref": "paper",
                "yref": "paper",
                "x": 0,
                "y": 0,
                "xanchor": "left",
                "yanchor": "bottom",
            }
        ]
        if rest
        else [],
    }
