"""The outlines in data/geo: Swiss cantons, Italian regions, the land of the world.

Format, sources and licences: data/geo/README.md. Made by tools/make_geo.py.
"""

import functools
import json
import re
from dataclasses import dataclass

import numpy as np

from dbutils import paths
from dbutils.errors import InputError, unknown

NAMES = ("switzerland", "italy", "world")

# Names of a place in a variety name that differ from its key in the file.
ALIASES = {"italy": {"apulia": "puglia"}}


@dataclass(frozen=True)
class Outlines:
    """One file of outlines.

    places, water: {key: polygons}; a polygon is [outer ring, hole, ...], a ring an array (n, 2) of x, y,
    not closed (the last point is not the first again).
    names: {key of a place: its name to print}. aspect: length of a unit of y over that of a unit of x.
    """

    title: str
    places: dict
    names: dict
    water: dict
    aspect: float
    projection: str
    licence: str
    attribution: str


@functools.cache
def load(name):
    """The Outlines called `name` (one of NAMES); InputError if there is no such file or it is broken."""
    if name not in NAMES:
        raise unknown("map", name, NAMES)
    path = paths.data("geo", f"{name}.json")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); make it again with tools/make_geo.py") from None
    return parse(content, path)


def outlines(name):
    """{place: polygons} of a map (see Outlines for the shapes)."""
    return load(name).places


def parse(content, path):
    """Outlines from the content of a file; InputError naming `path` and what is wrong."""

    def need(mapping, key, kind):
        value = mapping.get(key) if isinstance(mapping, dict) else None
        if not isinstance(value, kind) or value in ("", {}, []):
            raise InputError(f"{path}: {key!r} is missing or broken; make it again with tools/make_geo.py")
        return value

    def ring(points, where):
        try:
            array = np.array(points, dtype=float)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.ndim != 2 or array.shape[1] != 2 or len(array) < 3 or not np.isfinite(array).all():
            raise InputError(f"{path}: a ring of {where!r} is not a list of three or more pairs of numbers")
        array.setflags(write=False)
        return array

    def layer(key):
        return {
            place: [[ring(points, place) for points in polygon] for polygon in need(body, "polygons", list)]
            for place, body in need(content, key, dict).items()
        }

    texts = {key: need(content, key, str) for key in ("title", "projection", "licence", "attribution")}
    return Outlines(
        places=layer("places"),
        names={place: need(body, "name", str) for place, body in content["places"].items()},
        water=layer("water") if "water" in content else {},
        aspect=float(need(content, "aspect", (int, float))),
        **texts,
    )


def place_of(name, variety):
    """The key of the place that a variety is named after, or None if the map has no such place.

    `central alemannic (a:zh)` -> `ZH`; `italian (a:unknown)` and `italian` -> None.
    """
    match = re.search(r"\(a:([^,)]+)", variety)
    if not match:
        return None
    area = match[1].strip()
    area = ALIASES.get(name, {}).get(area, area)
    return {key.lower(): key for key in load(name).places}.get(area.lower())


def by_place(name, values):
    """Values of varieties as (values of places, values of varieties that have no place on the map).

    values: {variety: number}. InputError if two varieties are named after the same place.
    """
    placed, rest, owner = {}, {}, {}
    for variety, value in values.items():
        place = place_of(name, variety)
        if place is None:
            rest[variety] = value
        elif place in placed:
            raise InputError(f"{variety!r} and {owner[place]!r} are both named after {place}: pass one")
        else:
            placed[place], owner[place] = value, variety
    return placed, rest
