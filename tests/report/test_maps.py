"""The maps show what they are given, legibly; the texts beside them say the same."""

import itertools
import json

import numpy as np
import pytest

from dbutils.errors import InputError
from dbutils.report import geo, maps
from dbutils.report.maps.board import Board, edge_point, roomiest
from dbutils.report.maps.interactive import spread
from dbutils.report.maps.points import Place, gathered, styles
from dbutils.report.maps.projection import azimuthal, equal_earth
from dbutils.report.maps.region import broken, readable

# Table 20, NLLB 1.3B.
SWISS = {
    "ZH": 44.06,
    "GL": 43.96,
    "TG": 43.62,
    "BS": 43.48,
    "GR": 43.31,
    "AG": 43.26,
    "SH": 43.01,
    "ZG": 42.95,
    "AI": 42.72,
    "AR": 42.67,
    "SZ": 42.57,
    "VS": 42.52,
    "UR": 42.41,
    "BE": 42.36,
    "LU": 42.22,
    "NW": 41.89,
    "BL": 41.68,
    "FR": 41.05,
    "OW": 40.89,
    "SG": 40.55,
    "SO": 39.39,
}
ITALIAN = {
    "umbria": 41.62,
    "lazio": 32.23,
    "veneto": 31.27,
    "toscana": 31.24,
    "marche": 30.22,
    "trentino-alto adige/südtirol": 25.56,
    "friuli-venezia giulia": 23.51,
    "sicilia": 23.0,
    "calabria": 20.48,
    "liguria": 20.22,
    "lombardia": 17.32,
    "campania": 17.03,
    "molise": 15.98,
    "puglia": 15.64,
    "piemonte": 15.54,
    "basilicata": 14.36,
    "emilia-romagna": 14.35,
    "sardegna": 12.98,
    "abruzzo": 11.02,
}


def point(variety, lon, lat, cluster="c", **more):
    return {
        "lon": lon,
        "lat": lat,
        "cluster": cluster,
        "variety": variety,
        "n_tasks": 2,
        "glottocode": "abcd1234",
        "tasks": ["dep", "pos"],
        "mbert_seen": True,
        **more,
    }


POINTS = [
    point("a", 10.0, 50.0, "x"),
    point("b", 10.0, 50.0, "x"),
    point("c", 10.0, 50.0, "x"),
    point("d", 20.0, 45.0, "y"),
    point("e", 100.0, 30.0, "z"),
    point("f", None, None, "x"),
]


def registry_points():
    from dbutils.registry.registry import load

    return [
        point(
            v.variety,
            v.longitude,
            v.latitude,
            v.cluster,
            n_tasks=len(v.tasks),
            tasks=list(v.tasks),
            glottocode=v.glottocode,
            mbert_seen=v.mbert_seen,
        )
        for v in load()
    ]


def texts(figure):
    return [text for axes in figure.axes for text in axes.texts]


def boxes(figure):
    """{text: its box in inches} of what is written on the map."""
    renderer = figure.canvas.get_renderer()
    return {text.get_text(): text.get_window_extent(renderer).extents / figure.dpi for text in figure.axes[0].texts}


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.005 and min(a[3], b[3]) - max(a[1], b[1]) > 0.005


# ---- maps of regions


@pytest.fixture(scope="module", params=["switzerland", "italy"])
def region_figure(request):
    values = {"switzerland": SWISS, "italy": ITALIAN}[request.param]
    return (request.param, values, maps.region_map(request.param, values, "BLEU", title="A title", note="A note"))


def test_each_value_is_written_once_and_each_place_is_named(region_figure):
    which, values, figure = region_figure
    written = sorted(text.get_text().split("\n")[-1] for text in figure.axes[0].texts)
    shape = geo.load(which)
    nameless = [
        key if which == "switzerland" else broken(shape.names[key]).split("\n")[-1]
        for key in shape.places
        if key not in values
    ]
    assert written == sorted([f"{value:.1f}" for value in values.values()] + nameless)


def test_the_values_do_not_cover_one_another_nor_leave_the_picture(region_figure):
    _, _, figure = region_figure
    placed = boxes(figure)
    width, height = figure.get_size_inches()
    for box in placed.values():
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height
    assert [pair for pair in itertools.combinations(placed, 2) if overlap(placed[pair[0]], placed[pair[1]])] == []


def test_values_are_at_least_eight_points_high_and_the_map_is_a_column_wide(region_figure):
    _, _, figure = region_figure
    assert figure.get_figwidth() == 7.5
    assert min(text.get_fontsize() for text in figure.axes[0].texts) >= 8


def test_title_label_and_note_are_on_the_map(region_figure):
    _, _, figure = region_figure
    assert {"A title", "BLEU", "A note"} <= {text.get_text() for text in figure.texts}


def test_the_highest_value_has_the_top_colour_and_a_place_without_value_is_hatched(region_figure):
    from matplotlib import colormaps

    which, values, figure = region_figure
    order = list(geo.outlines(which))
    first = {}
    patches = iter(figure.axes[0].patches)
    for key in order:
        for _ in geo.outlines(which)[key]:
            first.setdefault(key, next(patches))
    top, low = max(values, key=values.get), min(values, key=values.get)
    assert first[top].get_facecolor() == pytest.approx(colormaps["cividis"](1.0))
    assert first[low].get_facecolor() == pytest.approx(colormaps["cividis"](0.0))
    assert {key for key in order if first[key].get_hatch()} == set(order) - set(values)
    assert "without a value" in figure.legends[0].get_texts()[0].get_text()


def test_without_gaps_in_the_values_there_is_no_legend():
    full = dict.fromkeys(geo.outlines("switzerland"), 40.0)
    assert maps.region_map("switzerland", full, "BLEU").legends == []


def test_none_is_the_same_as_left_out():
    assert maps.region_alt("italy", {**ITALIAN, "valle d'aosta": None}, "BLEU") == maps.region_alt(
        "italy", ITALIAN, "BLEU"
    )


@pytest.mark.parametrize(
    "which, values, message",
    [
        ("swizerland", {"ZH": 1.0}, "unknown map of regions 'swizerland': did you mean 'switzerland'"),
        ("switzerland", {"ZX": 1.0}, "unknown canton of Switzerland 'ZX'"),
        ("italy", {"lombardy": 1.0}, "unknown region of Italy 'lombardy': did you mean 'lombardia'"),
        ("italy", {"lazio": float("nan")}, "lazio: nan is no number to draw; use None"),
        ("italy", {"lazio": None}, "no value for any region of Italy"),
        ("italy", {}, "no value for any region of Italy"),
    ],
)
def test_bad_values_are_refused_with_the_place(which, values, message):
    for function in (maps.region_map, maps.region_alt):
        with pytest.raises(InputError, match=message):
            function(which, values, "BLEU")


def test_region_alt_says_range_extremes_where_and_what_is_missing():
    assert maps.region_alt("switzerland", SWISS, "BLEU") == (
        "Map of the cantons of Switzerland coloured by BLEU: 21 of 26 have a value, from 39.4 to 44.1. "
        "Highest: Zürich (ZH) 44.1, Glarus (GL) 44.0, Thurgau (TG) 43.6. "
        "Lowest: Solothurn (SO) 39.4, St. Gallen (SG) 40.5, Obwalden (OW) 40.9. "
        "On average the highest third lies to the north-east of the lowest third. "
        "Without a value: Genève (GE), Jura (JU), Neuchâtel (NE), Ticino (TI), Vaud (VD)."
    )


def test_region_alt_of_one_value():
    text = maps.region_alt("italy", {"lazio": 39.03}, "BLEU", digits=2)
    assert text.startswith(
        "Map of the regions of Italy coloured by BLEU: 1 of 20 have a value. It is Lazio with 39.03."
    )


def test_region_alt_follows_the_values():
    south = {key: 50.0 - geo.outlines("italy")[key][0][0][:, 1].mean() / 100 for key in ITALIAN}
    assert "the highest third lies to the south-east of the lowest third" in maps.region_alt("italy", south, "x")


@pytest.mark.parametrize(
    "background, text", [("white", "black"), ("black", "white"), ("#fee838", "black"), ("#00224e", "white")]
)
def test_text_has_the_better_contrast(background, text):
    assert readable(background) == text


def test_long_names_are_broken_after_hyphens_slashes_and_spaces():
    assert broken("Trentino-Alto Adige/Südtirol") == "Trentino-\nAlto Adige/\nSüdtirol"
    assert broken("Umbria") == "Umbria"


# ---- placing labels


def test_a_label_goes_to_the_nearest_free_spot():
    board = Board(4, 4)
    board.take_polygons([[np.array([[1, 1], [3, 1], [3, 3], [1, 3]])]])
    centre = board.nearest(np.array([2.8, 2.0]), (0.4, 0.2), gap=0.05)
    assert centre == pytest.approx([3.2, 2.0], abs=0.15)


def test_two_labels_of_one_spot_stand_apart():
    board, size, point = Board(4, 4), (0.5, 0.2), np.array([2.0, 2.0])
    first = board.nearest(point, size, gap=0.1)
    board.take_label(first, size)
    second = board.nearest(point, size, gap=0.1)
    assert (np.abs(first - second) >= np.array(size) - 1e-6).any()


def test_a_full_board_has_no_place():
    board = Board(1, 1)
    board.take_label((0.5, 0.5), (1, 1))
    assert board.nearest(np.array([0.5, 0.5]), (0.2, 0.2), gap=0) is None
    assert board.nearest(np.array([0.5, 0.5]), (2, 2), gap=0) is None


def test_a_leader_starts_at_the_edge_of_its_label():
    assert edge_point(np.array([0.0, 0.0]), (2, 1), (5, 0)).tolist() == [1, 0]


def test_the_roomiest_spot_of_an_l_is_in_its_broad_arm():
    shape = [np.array([[0, 0], [2, 0], [2, 2], [1.8, 2], [1.8, 1], [0, 1]], dtype=float)]
    centre, scale = roomiest(shape, (1.0, 0.5))
    assert centre[1] == pytest.approx(0.5, abs=0.15)
    assert 1.4 < scale < 2.1


# ---- projections


def test_equal_earth_has_the_published_extent():
    assert equal_earth(180, 0) == pytest.approx((2.70663, 0), abs=1e-5)
    assert equal_earth(0, 90)[1] == pytest.approx(1.31736, abs=1e-5)


@pytest.mark.parametrize("project", [equal_earth, azimuthal])
@pytest.mark.parametrize("lon, lat", [(0, 0), (20, 50), (-60, 30), (40, 68)])
def test_projections_keep_areas(project, lon, lat):
    step = 1e-4
    a, b, c = (np.array(project(lon + dx, lat + dy)) for dx, dy in ((0, 0), (step, 0), (0, step)))
    (ux, uy), (vx, vy) = b - a, c - a
    true = np.radians(step) ** 2 * np.cos(np.radians(lat))
    assert abs(ux * vy - uy * vx) == pytest.approx(true, rel=1e-3)


# ---- the world


def test_points_are_gathered_by_place():
    places, rest = gathered(POINTS)
    assert [(p.lon, p.lat, p.cluster, len(p.points)) for p in places] == [
        (10.0, 50.0, "x", 3),
        (20.0, 45.0, "y", 1),
        (100.0, 30.0, "z", 1),
    ]
    assert [p["variety"] for p in rest] == ["f"]


@pytest.mark.parametrize(
    "bad, message",
    [
        ({"variety": "v"}, "point 'v': 'lon' is missing"),
        (point("v", 10.0, None), "point 'v': longitude 10.0, latitude None: give both or neither"),
        (point("v", 190.0, 0.0), "point 'v': longitude 190.0, latitude 0.0 is not on earth"),
        (point("v", 0.0, float("nan")), "point 'v': longitude 0.0, latitude nan is not on earth"),
        (point("v", None, None), "no point has coordinates"),
    ],
)
def test_bad_points_are_refused_with_the_variety(bad, message):
    for function in (maps.world_map, maps.world_alt, maps.world_map_interactive):
        with pytest.raises(InputError, match=message):
            function([bad])


def test_an_unknown_view_is_refused():
    for function in (maps.world_map, maps.world_alt):
        with pytest.raises(InputError, match="unknown view 'africa': known: europe, world"):
            function(POINTS, "africa")


def test_forty_clusters_have_forty_looks():
    places, _ = gathered([point(str(i), float(i), 0.0, f"c{i}") for i in range(40)])
    assert len(set(styles(places).values())) == 40


def test_neighbours_from_west_to_east_differ_in_colour():
    places, _ = gathered([point(str(i), float(i), 0.0, f"c{i}") for i in range(20)])
    look = styles(places)
    assert all(look[f"c{i}"][0] != look[f"c{i + 1}"][0] for i in range(19))


def test_the_area_of_a_marker_is_the_number_of_varieties():
    figure = maps.world_map(POINTS, "europe")
    sizes = [artist.get_sizes()[0] for artist in figure.axes[0].collections]
    assert len(sizes) == 2
    assert sizes[0] == pytest.approx(3 * sizes[1])


def test_the_note_counts_what_is_shown_and_what_is_not():
    assert "4 of 6 varieties at 2 places (1 elsewhere, 1 without coordinates)" in {
        text.get_text() for text in texts(maps.world_map(POINTS, "europe"))
    }
    assert "5 of 6 varieties at 3 places (1 without coordinates)" in {
        text.get_text() for text in texts(maps.world_map(POINTS, "world"))
    }


def test_every_cluster_of_the_benchmark_is_named_and_no_name_covers_another():
    points, named = registry_points(), set()
    for view in maps.VIEWS:
        placed = boxes(maps.world_map(points, view))
        named |= set(placed)
        assert [pair for pair in itertools.combinations(placed, 2) if overlap(placed[pair[0]], placed[pair[1]])] == []
    assert named >= {p["cluster"] for p in points if p["lon"] is not None}


def test_world_alt_says_how_many_and_where():
    assert maps.world_alt(POINTS) == (
        "Map of the world with 5 of 6 varieties at 3 places, from 3 clusters; marker area is the number of "
        "varieties at a place. 4 of them lie in Europe and the Near East. Most varieties at one place: "
        "3 of x at 50° N 10° E, 1 of y at 45° N 20° E, 1 of z at 30° N 100° E. "
        "Northernmost: x at 50° N; southernmost: z at 30° N. 1 variety has no coordinates: not drawn."
    )


# ---- the world to move about in


def test_the_interactive_map_fetches_nothing():
    figure = maps.world_map_interactive(POINTS)
    assert {trace.type for trace in figure.data} == {"scatter"}
    assert "geo" not in figure.layout.to_plotly_json() and "map" not in figure.layout.to_plotly_json()
    assert "http" not in json.dumps(json.loads(figure.to_json())["data"])


def test_the_interactive_map_has_a_marker_for_each_placed_variety_with_what_is_known_of_it():
    figure = maps.world_map_interactive(POINTS)
    assert [(trace.name, len(trace.x)) for trace in figure.data[1:]] == [("x (3)", 3), ("y (1)", 1), ("z (1)", 1)]
    assert figure.data[2].text[0] == (
        "<b>d</b><br>cluster: y<br>Glottocode: abcd1234<br>tasks: dep, pos (2)<br>seen by mBERT: yes"
    )
    assert figure.data[1].text[0].endswith("one of 3 varieties that Glottolog puts at 50° N 10° E")


def test_names_with_markup_are_shown_as_they_are():
    figure = maps.world_map_interactive([point("<b>&", 1.0, 1.0)])
    assert figure.data[1].text[0].startswith("<b>&lt;b&gt;&amp;</b>")


def test_the_interactive_map_needs_the_tasks():
    bad = point("v", 1.0, 1.0)
    del bad["tasks"]
    with pytest.raises(InputError, match="point 'v': 'tasks' is missing"):
        maps.world_map_interactive([bad])


def test_varieties_of_one_place_are_drawn_apart_and_near_it():
    place = Place(10.0, 50.0, "x", tuple(range(23)))
    at = spread(place) * [np.cos(np.radians(50)), 1]
    away = [np.hypot(*(a - b)) for a, b in itertools.combinations(at, 2)]
    assert min(away) > 0.4
    assert np.hypot(*(at - at[0]).T).max() < 2.5


def test_the_background_is_transparent():
    layout = maps.world_map_interactive(POINTS).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"


def test_importing_the_maps_loads_no_drawing_library():
    import subprocess
    import sys

    code = "import sys, dbutils.report.maps; print([m for m in ('matplotlib', 'plotly') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
