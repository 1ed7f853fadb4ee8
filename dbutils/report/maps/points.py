"""The varieties as points: checked, and gathered by place. One colour and shape per cluster."""

from dataclasses import dataclass

from dbutils.errors import InputError
from dbutils.report.style import CLUSTERS

NEEDED = ("lon", "lat", "cluster", "variety", "n_tasks")

# (matplotlib, plotly)
SHAPES = (("o", "circle"), ("s", "square"), ("^", "triangle-up"), ("D", "diamond"), ("v", "triangle-down"))


@dataclass(frozen=True)
class Place:
    """A spot with the varieties of one cluster that Glottolog puts there."""

    lon: float
    lat: float
    cluster: str
    points: tuple


def gathered(points):
    """(places, points without coordinates): places with most varieties first.

    points: dicts with at least NEEDED; `lon` and `lat` in degrees, both None where unknown.
    Raises InputError naming the variety and what is wrong.
    """
    spots, rest = {}, []
    for point in points:
        lacking = [key for key in NEEDED if key not in point]
        if lacking:
            raise InputError(f"point {point.get('variety', '?')!r}: {lacking[0]!r} is missing")
        lon, lat = point["lon"], point["lat"]
        if (lon is None) != (lat is None):
            raise InputError(f"point {point['variety']!r}: longitude {lon}, latitude {lat}: give both or neither")
        if lon is None:
            rest.append(point)
        elif not (-180 <= lon <= 180 and -90 <= lat <= 90):
            raise InputError(f"point {point['variety']!r}: longitude {lon}, latitude {lat} is not on earth")
        else:
            spots.setdefault((lon, lat, point["cluster"]), []).append(point)
    if not spots:
        raise InputError("no point has coordinates: nothing to draw")
    places = [Place(*key, tuple(group)) for key, group in spots.items()]
    return sorted(places, key=lambda place: -len(place.points)), rest


def styles(places):
    """{cluster: (colour, (matplotlib shape, plotly shape))}; neighbours (west to east) differ in colour."""
    west = {}
    for place in places:  # the place with most varieties stands for its cluster
        west.setdefault(place.cluster, place.lon)
    order = sorted(west, key=lambda cluster: (west[cluster], cluster))
    return {
        cluster: (CLUSTERS[i % len(CLUSTERS)], SHAPES[i // len(CLUSTERS) % len(SHAPES)])
        for i, cluster in enumerate(order)
    }


def unplaced(rest):
    """A sentence on the points without coordinates; '' if there are none."""
    if not rest:
        return ""
    return "1 variety has no coordinates" if len(rest) == 1 else f"{len(rest)} varieties have no coordinates"
