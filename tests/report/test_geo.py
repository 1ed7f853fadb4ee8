"""The outlines name every place of the paper's regional scores, are sound, and leave no gaps."""

import copy
import json
from collections import Counter

import numpy as np
import pytest

from dbutils.errors import InputError
from dbutils.paths import data
from dbutils.report import geo

# The regions of Table 20 (level = region).
CANTONS = [
    "zh",
    "gl",
    "tg",
    "bs",
    "gr",
    "ag",
    "sh",
    "zg",
    "ai",
    "ar",
    "sz",
    "vs",
    "ur",
    "be",
    "lu",
    "nw",
    "bl",
    "fr",
    "ow",
    "sg",
    "so",
]
REGIONS = [
    "umbria",
    "lazio",
    "veneto",
    "toscana",
    "marche",
    "trentino-alto adige/südtirol",
    "friuli-venezia giulia",
    "sicilia",
    "calabria",
    "liguria",
    "lombardia",
    "campania",
    "molise",
    "puglia",
    "piemonte",
    "basilicata",
    "emilia-romagna",
    "sardegna",
    "abruzzo",
]


def rings(name):
    for key, polygons in geo.outlines(name).items():
        for polygon in polygons:
            for ring in polygon:
                yield key, ring


def area(ring):
    x, y = ring.T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def around(ring):
    return [frozenset((tuple(a), tuple(b))) for a, b in zip(ring, np.roll(ring, -1, axis=0))]


def edges(name):
    return [edge for _, ring in rings(name) for edge in around(ring)]


def test_every_canton_of_table_20_has_its_place():
    assert len(CANTONS) == 21
    assert {geo.place_of("switzerland", f"central alemannic (a:{c})") for c in CANTONS} == {c.upper() for c in CANTONS}


def test_every_italian_region_of_table_20_has_its_place():
    assert len(REGIONS) == 19
    assert {geo.place_of("italy", f"italian (a:{region})") for region in REGIONS} == set(REGIONS)


def test_all_26_cantons_and_20_regions_are_there():
    assert len(geo.outlines("switzerland")) == 26
    assert set(geo.outlines("italy")) == {*REGIONS, "valle d'aosta"}


@pytest.mark.parametrize(
    "variety, place",
    [
        ("italian (a:unknown)", None),
        ("italian", None),
        ("italian (a:apulia)", "puglia"),
        ("italian (r:casual, m:written, i:tweet)", None),
        ("italian romance (a:apulia, m:spoken, i:tarantino)", "puglia"),
    ],
)
def test_a_variety_name_gives_its_place_or_none(variety, place):
    assert geo.place_of("italy", variety) == place


def test_by_place_keeps_what_has_no_place():
    placed, rest = geo.by_place("italy", {"italian (a:umbria)": 41.62, "italian (a:unknown)": 24.54})
    assert placed == {"umbria": 41.62}
    assert rest == {"italian (a:unknown)": 24.54}


def test_two_varieties_of_one_place_are_refused():
    with pytest.raises(
        InputError, match="'x .a:apulia.' and 'italian .a:puglia.' are both named after puglia: pass one"
    ):
        geo.by_place("italy", {"italian (a:puglia)": 1.0, "x (a:apulia)": 2.0})


@pytest.mark.parametrize(
    "key, lon, lat",
    [
        ("ZH", 8.54, 47.37),
        ("BE", 7.45, 46.95),
        ("GE", 6.10, 46.19),
        ("BS", 7.59, 47.56),
        ("TI", 8.95, 46.00),
        ("GR", 9.53, 46.85),
        ("JU", 7.34, 47.36),
        ("AI", 9.42, 47.32),
        ("OW", 8.25, 46.88),
        ("NW", 8.38, 46.95),
    ],
)
def test_the_capital_lies_in_its_canton(key, lon, lat):
    from matplotlib.path import Path

    inside = [
        k
        for k, polygons in geo.outlines("switzerland").items()
        for polygon in polygons
        if Path(polygon[0]).contains_point((lon, lat))
        and not any(Path(hole).contains_point((lon, lat)) for hole in polygon[1:])
    ]
    assert inside == [key]


def test_italian_regions_lie_as_on_the_ground():
    middle = {key: polygons[0][0].mean(axis=0) for key, polygons in geo.outlines("italy").items()}
    assert middle["sicilia"][1] < middle["calabria"][1] < middle["campania"][1] < middle["veneto"][1]
    assert middle["sardegna"][0] < middle["lazio"][0] < middle["puglia"][0]


def loops(lines):
    """How many loops a set of edges forms: edges - points + connected parts."""
    at, left, parts = {}, set(lines), 0
    for edge in lines:
        for point in edge:
            at.setdefault(point, []).append(edge)
    while left:
        parts, queue = parts + 1, [left.pop()]
        while queue:
            beside = {edge for point in queue.pop() for edge in at[point]} & left
            left -= beside
            queue.extend(beside)
    return len(lines) - len(at) + parts


@pytest.mark.parametrize("name, enclaves", [("switzerland", 2), ("italy", 1)])
def test_neighbours_share_their_border_so_that_no_gap_opens(name, enclaves):
    """What only one place has is the outer line, islands and foreign enclaves; a gap is a loop more."""
    count = Counter(edges(name))
    assert set(count.values()) == {1, 2}
    single = {edge for edge, times in count.items() if times == 1}
    outer = [polygon[0] for polygons in geo.outlines(name).values() for polygon in polygons]
    islands = sum(all(edge in single for edge in around(ring)) for ring in outer)
    assert loops(single) == 1 + islands + enclaves


@pytest.mark.parametrize("name", geo.NAMES)
def test_outlines_are_rings_of_distinct_points_with_area(name):
    for key, ring in rings(name):
        assert area(ring) > 0, key
        assert (ring != np.roll(ring, 1, axis=0)).any(axis=1).all(), key
        assert len(np.unique(ring, axis=0)) >= 3


def test_no_land_runs_over_the_edge_of_the_world():
    for _, ring in rings("world"):
        assert np.abs(np.diff(ring[:, 0], append=ring[:1, 0])).max() < 180
        assert ring[:, 0].min() >= -180 and ring[:, 0].max() <= 180
        assert -60 < ring[:, 1].max() <= 90


@pytest.mark.parametrize("name", geo.NAMES)
def test_files_are_small_and_say_where_they_come_from(name):
    path = data("geo", f"{name}.json")
    assert path.stat().st_size < 150_000
    content = json.loads(path.read_text(encoding="utf-8"))
    for key in ("title", "package", "version", "sha256", "member", "licence", "attribution", "projection"):
        assert content[key]
    readme = data("geo", "README.md").read_text(encoding="utf-8")
    assert f"{content['package']} {content['version']}" in readme


def test_an_unknown_map_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match="unknown map 'switzerlnd': did you mean 'switzerland'"):
        geo.load("switzerlnd")


GOOD = {
    "title": "t",
    "projection": "p",
    "licence": "l",
    "attribution": "a",
    "aspect": 1,
    "places": {"A": {"name": "Aa", "polygons": [[[[0, 0], [1, 0], [0, 1]]]]}},
}


def test_a_good_file_is_read():
    assert geo.parse(GOOD, "f.json").places["A"][0][0].tolist() == [[0, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda c: c.pop("licence"), "f.json: 'licence' is missing or broken"),
        (lambda c: c.update(places={}), "f.json: 'places' is missing or broken"),
        (lambda c: c["places"]["A"].pop("name"), "f.json: 'name' is missing or broken"),
        (lambda c: c["places"]["A"].update(polygons=[[[[0, 0], [1, 0]]]]), "f.json: a ring of 'A' is not a list"),
        (lambda c: c["places"]["A"].update(polygons=[[[[0, 0], [1, 0], [0, "x"]]]]), "f.json: a ring of 'A'"),
        (lambda c: c["places"]["A"].update(polygons=[[[[0, 0], [1, 0], [0, float("nan")]]]]), "f.json: a ring of 'A'"),
    ],
)
def test_a_broken_file_is_refused_with_what_is_wrong(change, message):
    content = copy.deepcopy(GOOD)
    change(content)
    with pytest.raises(InputError, match=message):
        geo.parse(content, "f.json")
