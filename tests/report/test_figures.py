"""Figures: what they draw is what the tables say, they can be read, and their texts say the same."""

import functools
import math
import os
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from dbutils import TASKS, paths, registry, scores
from dbutils.analysis import gap
from dbutils.analysis.maximum import maxima
from dbutils.analysis.tables.summaries import best_scores
from dbutils.errors import InputError
from dbutils.report import figures, style
from dbutils.report.figures import bars, clusters, gaps, labels, places
from dbutils.scores import flags

BARS = {n: level for task in registry.TASK_FACTS.values() for level, n in task.bars.items()}
GAPS = {task.gap_figure: task.code for task in registry.TASK_FACTS.values() if task.gap_figure}
FROM_SCORES = [*BARS, *GAPS, "5", "6"]
NO_ENGLISH = {("4b", "paper")}  # the paper prints no topic score of English
DRAWN = [(n, source) for source in ("upstream", "paper") for n in FROM_SCORES if (n, source) not in NO_ENGLISH]


@functools.cache
def drawn(number, source="upstream"):
    return figures.figure(number, scores.load(source))


def rectangles(figure):
    """{(cluster, variety): (axes, rectangle)} of a bar figure, read back from its artists."""
    out = {}
    for axes in figure.axes:
        for container in axes.containers:
            out[tuple(container.get_label().split("/", 1))] = axes, container[0]
    return out


def row(
    variety,
    value,
    cluster="anglic",
    task="dep",
    metric="uas",
    model="mbert",
    setting="zero_shot",
    origin="upstream",
    run="r",
    n=100,
    train="UD_English-EWT",
    code=None,
):
    return dict(
        task=task,
        corpus="ud",
        model=model,
        setting=setting,
        train=train,
        cluster=cluster,
        variety=variety,
        code=code or variety,
        split="test",
        metric=metric,
        value=value,
        n=n,
        low=None,
        high=None,
        seed=0,
        origin=origin,
        run=run,
    )


def table(*rows):
    frame = pd.DataFrame(list(rows), columns=list(scores.COLUMNS))
    return frame.astype({"value": "float64", "n": "Int64", "low": "float64", "high": "float64", "seed": "Int64"})


SMALL = table(
    row("english", 90.0),
    row("singlish", 60.0),
    row("african american vernacular english", 45.0),
    row("komi-zyrian (m:spoken)", 20.0, "komi"),
    row("komi-permyak", 25.0, "komi"),
)


# ---- bars ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number, source", [d for d in DRAWN if d[0] in BARS])
def test_bars_are_the_maxima_of_the_tables(number, source):
    found = {key: bar.get_height() for key, (_, bar) in rectangles(drawn(number, source)).items()}
    best = best_scores(scores.load(source), BARS[number])
    assert found == {(r.cluster, r.variety): r.value for r in best.itertuples()}


@pytest.mark.parametrize("number", BARS)
def test_the_worst_variety_is_leftmost_in_its_cluster(number):
    placed = {}
    for (cluster, _), (axes, bar) in rectangles(drawn(number)).items():
        placed.setdefault(cluster, []).append((axes, bar.get_x(), bar.get_height()))
    for members in placed.values():
        assert len({axes for axes, _, _ in members}) == 1  # a cluster is never broken over two rows
        heights = [height for _, _, height in sorted(members, key=lambda m: m[1])]
        assert heights == sorted(heights)


@pytest.mark.parametrize("number", BARS)
def test_striped_bars_are_exactly_the_representatives(number):
    striped = {key for key, (_, bar) in rectangles(drawn(number)).items() if bar.get_hatch()}
    of_table9 = {v.key for v in registry.load().representatives(BARS[number]).values()}
    assert striped == of_table9 & set(rectangles(drawn(number)))
    assert striped


@pytest.mark.parametrize("number", BARS)
def test_shaded_bars_are_exactly_those_of_clusters_that_mbert_has_not_seen(number):
    known = registry.load()
    for (cluster, _), (axes, bar) in rectangles(drawn(number)).items():
        middle = bar.get_x() + bar.get_width() / 2
        spans = [p for p in axes.patches if p.get_gid() == "unseen"]
        shaded = any(p.get_x() <= middle <= p.get_x() + p.get_width() for p in spans)
        assert shaded == (not any(v.mbert_seen for v in known.of(cluster)))


@pytest.mark.parametrize("number", BARS)
def test_names_under_the_bars_tell_the_varieties_of_a_cluster_apart_and_stand_under_theirs(number):
    named = set()
    for axes in drawn(number).axes:
        texts = {round(t.get_position()[0], 6): t.get_text() for t in axes.get_xticklabels()}
        for (cluster, variety), (where, bar) in rectangles(drawn(number)).items():
            if where is axes:
                text = texts[round(bar.get_x() + bar.get_width() / 2, 6)]
                sign = "|".join(re.escape(f.mark) for f in flags.FLAGS.values())
                plain = re.sub(f"( ({sign}))+$", "", text.replace("\n", " "))
                assert "…" in plain or plain == variety
                assert (cluster, text) not in named
                named.add((cluster, text))
    assert len(named) == len(rectangles(drawn(number)))


@pytest.mark.parametrize("number", BARS)
def test_texts_of_bars_do_not_overlap_and_stay_on_the_page(number):
    figure = drawn(number)
    renderer = figure.canvas.get_renderer()
    with style.context():
        figure.draw(renderer)
        page = figure.bbox.padded(1)
        for axes in figure.axes:
            names = [t for t in axes.get_xticklabels() if t.get_text()]
            boxes = sorted((ink(t.get_window_extent(renderer)) for t in names), key=lambda b: b[0])
            assert all(a[1] <= b[0] + 0.5 for a, b in pairwise(boxes))
            headings = [t for t in axes.texts if t.get_gid() == "cluster"]
            assert len(headings) == len({key[0] for key, (where, _) in rectangles(figure).items() if where is axes})
            for t in (*names, *headings):
                box = t.get_window_extent(renderer)
                assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
            level = [t.get_window_extent(renderer) for t in headings if t.get_rotation() == 0]
            assert not any(a.overlaps(b) for i, a in enumerate(level) for b in level[:i])
            slanted = [t.get_window_extent(renderer) for t in headings if t.get_rotation() != 0]
            line = style.SMALL / 72 * figure.dpi
            for a, b in pairwise(sorted(slanted, key=lambda box: box.x0)):
                assert (b.x0 - a.x0) * math.sin(bars.SLANT) >= line  # parallel texts, an em apart
            for below, above in pairwise(reversed(figure.axes)):
                lowest = min(t.get_window_extent(renderer).y0 for t in above.get_xticklabels() if t.get_text())
                highest = max(t.get_window_extent(renderer).y1 for t in below.texts if t.get_gid() == "cluster")
                assert highest <= lowest


def ink(box):
    """The left and right edge of an upright text: its line box is 1.36 em wide for an em of ink."""
    trim = (1 - 1 / 1.36) / 2 * style.SMALL * 1.36 / 72 * style.DPI
    return box.x0 + trim, box.x1 - trim


def test_a_bar_of_a_run_is_orange_and_its_score_counts():
    mine = table(row("singlish", 95.0, model="mine", origin="run", run="mine-1", setting="combined"))
    figure = figures.figure("3", pd.concat([SMALL, mine]))
    found = rectangles(figure)
    from matplotlib.colors import to_hex

    assert found["anglic", "singlish"][1].get_height() == 95.0
    assert to_hex(found["anglic", "singlish"][1].get_facecolor()) == style.ORANGE
    assert to_hex(found["anglic", "english"][1].get_edgecolor()) == style.BLUE
    assert "variety, best in a run of yours" in [t.get_text() for t in figure.legends[0].get_texts()]
    assert "run of the reader's own" in figures.FIGURES["3"].caption(pd.concat([SMALL, mine]))


def test_a_bar_of_nothing_has_its_value_written():
    axes = drawn("7b").axes[0]
    assert "0.0" in [t.get_text() for t in axes.texts]


def test_the_alt_text_of_bars_is_computed_from_their_scores():
    assert figures.FIGURES["3"].alt(SMALL) == (
        "Bar chart of the best UAS of 5 varieties in 2 clusters, in dependency parsing: highest "
        "english (anglic) with 90.0, lowest "
        "komi-zyrian (m:spoken) (komi) with 20.0. Varieties of the 1 cluster that mBERT has not seen "
        "average 22.5, the others 65.0. "
        "In 1 of 2 clusters with several varieties the representative is the best."
    )


@pytest.mark.parametrize("number", BARS)
def test_alt_texts_of_bars_name_the_highest_and_the_lowest(number):
    best = best_scores(scores.load("upstream"), BARS[number])
    text, count = figures.FIGURES[number].alt(scores.load("upstream")), len(best)
    best = best[[not flags.excluded(f) for f in best["flags"]]]  # what is no result is no extreme
    high, low = best.loc[best.value.idxmax()], best.loc[best.value.idxmin()]
    assert f"highest {high.variety} ({high.cluster}) with {np.round(high.value, 1)}" in text
    assert f"lowest {low.variety} ({low.cluster}) with {np.round(low.value, 1)}" in text
    assert f"{count} varieties" in text


def test_rows_of_bars_are_few_and_about_equally_long():
    one = [bars.Group(str(i), (None,) * 4, True) for i in range(10)]
    assert [len(r) for r in bars.rows_of(one, 1)] == [10]
    assert [len(r) for r in bars.rows_of(one, 2)] == [5, 5]
    assert [len(r) for r in bars.rows_of(one, 3)] == [4, 4, 2]


def test_long_names_lose_their_middle_and_keep_their_attributes():
    assert bars.short("komi-permyak") == "komi-permyak"
    long = "mandarin chinese (a:mainland, o:traditional, i:synthetic)"
    assert (
        bars.short(long).endswith("… (a:mainland, o:traditional, i:synthetic)")
        and len(bars.short(long)) <= bars.LONGEST
    )
    assert bars.short("x" * 60) == "x" * 47 + "…"


# ---- gaps ---------------------------------------------------------------------------------------


def offsets(figure):
    """All points of a gap figure as rounded pairs."""
    found = [tuple(np.round(at, 6)) for part in figure.axes[0].collections for at in part.get_offsets()]
    return sorted(found)


@pytest.mark.parametrize("number", ["4a", "4b", "11a", "11b"])
def test_gap_points_have_the_values_that_table_4_averages(number):
    task = GAPS[number]
    x, y, _ = gap.table4(scores.load("upstream"), task).values()
    both = x.set_index("cluster").gap.to_frame("x").join(y.set_index("cluster").gap.rename("y"))
    shown = offsets(drawn(number))
    assert len(both) > 5
    assert {(round(r.x, 6), round(r.y, 6)) for r in both.itertuples()} <= set(shown)


def test_gaps_are_means_over_the_members_other_than_the_reference():
    # anglic: (1/3 + 1/2) / 2 against English, its representative too; komi: (7/9 + 13/18) / 2; 25 against 20
    (series,), reasons = gaps.series(SMALL, "4a", "dep")
    assert [(p.cluster, round(p.x, 4), round(p.y, 4)) for p in series.points] == [
        ("anglic", 41.6667, 41.6667),
        ("komi", 75.0, -25.0),
    ]
    assert not reasons


def test_question_answering_takes_the_representative_of_anglic_for_english():
    assert gaps.english("eqa") == ("anglic", "southeast american english")
    assert gaps.english("dep") == ("anglic", "english")
    rows = gap.rows_of(scores.load("upstream"), "eqa", "mbert", "zero_shot").set_index("variety").value
    (series,), _ = gaps.series(scores.load("upstream"), "4c", "eqa")
    usa = rows["southeast american english"]
    korean = [100 * (usa - rows[v]) / usa for v in ("seoul (m:spoken)", "korean (a:south-eastern, m:spoken)")]
    assert {p.cluster: p.x for p in series.points}["korean"] == pytest.approx(sum(korean) / 2)
    assert "southeast american english" in figures.FIGURES["4c"].caption(scores.load("upstream"))


def test_only_the_corpora_of_table_4_count():
    left, _ = gaps.series(scores.load("upstream"), "11b", "ner")
    assert "norwegian" not in {p.cluster for p in left[0].points}  # its rows are of another corpus
    assert "wikiann and wikiann_og" in figures.FIGURES["11b"].caption(scores.load("upstream"))


@pytest.mark.parametrize("number, source", [d for d in DRAWN if d[0] in GAPS])
def test_names_of_points_do_not_overlap_nor_leave_the_plot_nor_cover_a_point(number, source):
    figure = drawn(number, source)
    renderer = figure.canvas.get_renderer()
    with style.context():
        figure.draw(renderer)
        axes, paper = figure.axes
        boxes = [t.get_window_extent(renderer) for t in paper.texts]
        assert len(boxes) == len({t.get_text() for t in paper.texts}) == len(offsets(figure))
        plot = axes.get_window_extent(renderer).padded(1)
        assert all(plot.contains(b.x0, b.y0) and plot.contains(b.x1, b.y1) for b in boxes)
        assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        points = axes.transData.transform(offsets(figure))
        assert not any(b.contains(*p) for b in boxes for p in points)


def test_the_gap_figure_has_both_zero_lines_and_says_which_way_is_better():
    axes = drawn("11b").axes[0]
    lines = [tuple(map(tuple, line.get_xydata())) for line in axes.lines]
    assert ((0.0, 0.0), (1.0, 0.0)) in lines and ((0.0, 0.0), (0.0, 1.0)) in lines
    assert axes.get_xlabel().startswith("← better") and axes.get_ylabel().startswith("← better")


def test_the_alt_text_of_gaps_is_computed_from_their_scores():
    assert figures.FIGURES["4a"].alt(SMALL) == (
        "Scatter plot of the zero-shot gaps of 2 clusters in dependency parsing, mBERT: against "
        "English highest for komi (75.0 %), lowest "
        "for anglic (41.7 %); against the representative highest for anglic (41.7 %), lowest for komi "
        "(-25.0 %). The gap against English "
        "is the larger one in 1 of 2; in 1 cluster the members do better than their representative "
        "on average."
    )


def run_of(name, rows=SMALL, **changes):
    return rows.assign(origin="run", model=name, run=f"{name}-1", **changes)


def test_runs_stand_beside_the_published_points():
    both = pd.concat([SMALL, run_of("mine", value=SMALL.value / 2)], ignore_index=True)
    found, _ = gaps.series(both, "4a", "dep")
    assert [s.name for s in found] == ["mBERT", "mine"]
    assert [(round(p.x, 9), round(p.y, 9)) for p in found[1].points] == [
        (round(p.x, 9), round(p.y, 9)) for p in found[0].points
    ]
    figure = figures.figure("4a", both)
    assert [len(part.get_offsets()) for part in figure.axes[0].collections] == [1, 1, 2]
    assert "mine (run mine-1)" in [t.get_text() for t in figure.legends[0].get_texts()]
    assert "mine (run mine-1, 2 clusters)" in figures.FIGURES["4a"].alt(both)


def test_a_run_of_mbert_itself_is_no_second_published_point():
    both = pd.concat([SMALL, run_of("mbert", value=SMALL.value / 2)], ignore_index=True)
    found, _ = gaps.series(both, "4a", "dep")
    assert [(s.name, s.source) for s in found] == [("mBERT", "upstream"), ("mbert", "run mbert-1")]


def test_a_run_without_english_is_left_out_and_named():
    both = pd.concat([SMALL, run_of("mine", SMALL[SMALL.variety != "english"])], ignore_index=True)
    found, reasons = gaps.series(both, "4a", "dep")
    assert [s.name for s in found] == ["mBERT"]
    assert "mine (run mine-1) has no zero-shot score of 'english'" in reasons[0]
    assert reasons[0] in figures.FIGURES["4a"].caption(both)


def test_a_run_is_drawn_even_if_the_published_scores_have_no_english():
    both = pd.concat([SMALL[SMALL.variety != "english"], run_of("mine")], ignore_index=True)
    found, reasons = gaps.series(both, "4a", "dep")
    assert [s.name for s in found] == ["mine"]
    assert reasons[0].startswith("mBERT (upstream) has no")
    assert figures.figure("4a", both).texts[0].get_text().endswith(", mine")


def test_two_scores_of_one_variety_in_one_source_are_not_silently_chosen_from():
    twice = pd.concat([SMALL, SMALL.iloc[:1].assign(code="again", value=1.0)], ignore_index=True)
    with pytest.raises(InputError, match="several scores"):
        gaps.series(twice, "4a", "dep")


def test_upstream_and_paper_together_draw_each_point_once():
    both = pd.concat([SMALL, SMALL.assign(origin="paper", run="table10", value=1.0)], ignore_index=True)
    assert gaps.series(both, "4a", "dep")[0][0].points == gaps.series(SMALL, "4a", "dep")[0][0].points


@pytest.mark.parametrize("seed", range(2))
def test_names_find_room_among_crowded_points(seed):
    draw = np.random.default_rng(seed)
    points = draw.normal((3.4, 2.1), (0.9, 0.6), (30, 2)).clip(0.1, (6.7, 4.2))
    sizes = np.column_stack([draw.uniform(0.3, 1.5, 30), np.full(30, 0.15)])
    centres = labels.place(points, sizes, (6.8, 4.3))
    assert (centres - sizes / 2 >= 0).all() and (centres + sizes / 2 <= (6.8, 4.3)).all()
    apart = np.abs(centres[:, None] - centres[None]) >= (sizes[:, None] + sizes[None]) / 2
    assert (apart.any(axis=2) | np.eye(30, dtype=bool)).all()
    assert (np.abs(centres[:, None] - points[None]) > sizes[:, None] / 2).any(axis=2).all()
    assert (labels.place(points, sizes, (6.8, 4.3)) == centres).all()


def test_a_name_beside_its_point_needs_no_leader_and_one_among_strangers_does():
    (centre,) = labels.place([(2.0, 2.0)], [(0.5, 0.15)], (4, 4))
    assert labels.leader(centre, (0.5, 0.15), (2.0, 2.0), [(2.0, 2.0)]) is None
    assert labels.leader(centre, (0.5, 0.15), (2.0, 2.0), [(2.0, 2.0), tuple(centre + (0.3, 0.05))]) is not None


# ---- the other figures --------------------------------------------------------------------------


def test_the_matrix_shows_every_count_of_all_clusters():
    figure = drawn("2")
    axes = figure.axes[0]
    rows = [t.get_text() for t in axes.get_yticklabels()]
    cells = {tuple(map(math.floor, t.get_position())): int(t.get_text()) for t in axes.texts}
    known = registry.load()
    assert set(rows) == {*known.clusters, "all clusters"}
    for y, cluster in enumerate(rows[:-1]):
        members = [v for v in known if v.cluster == cluster]
        for x, task in enumerate(TASKS):
            assert cells.get((x, y), 0) == sum(any(c.task == task for c in v.codes) for v in members)
        assert cells[len(TASKS), y] == len(members)
    assert cells[len(TASKS), len(rows) - 1] == len(known)


def test_the_matrix_names_the_varieties_without_any_task():
    without = [v.variety for v in registry.load() if not v.codes]
    assert without and all(name in clusters.caption(None) for name in without)


@pytest.mark.parametrize(
    "number, which, cluster", [("5", "switzerland", "high german"), ("6", "italy", "italian romance")]
)
def test_maps_show_the_best_bleu_of_each_region(number, which, cluster):
    rows = scores.load("upstream")
    best = maxima(rows, "mt-region")
    best = best[best.cluster == cluster].set_index("variety").value
    placed, rest, _ = places.regions(rows, number, which)
    assert sorted([*placed.values(), *rest.values()]) == sorted(best)
    written = " ".join(t.get_text() for axes in drawn(number).axes for t in axes.texts)
    assert all(f"{value:.1f}" in written for value in placed.values())
    text = figures.FIGURES[number].alt(rows)
    assert f"from {min(placed.values()):.1f} to {max(placed.values()):.1f}" in text


def test_the_variety_without_a_region_is_told():
    assert "italian (a:unknown)" in figures.FIGURES["6"].alt(scores.load("upstream"))


@pytest.mark.parametrize("number", ["world", "europe"])
def test_the_world_maps_draw_and_say_how_many_varieties(number):
    assert drawn(number).axes
    assert f"of {len(registry.load())} varieties" in figures.FIGURES[number].alt(None)


# ---- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", figures.FIGURES)
def test_every_figure_has_a_short_alt_text_and_a_caption_in_whole_sentences(number):
    record = figures.FIGURES[number]
    rows = scores.load("upstream")
    alt, caption = record.alt(rows), record.caption(rows)
    assert record.id == number and record.title
    assert 80 < len(alt) < 700 and alt.endswith(".")
    assert len(caption) > 60 and caption.endswith(".")
    assert "nan" not in re.findall(r"\w+", alt + caption)


@pytest.mark.parametrize("number", [*BARS, *GAPS, "5", "6"])
def test_scores_that_lack_the_task_are_an_input_error_that_names_it(number):
    record = figures.FIGURES[number]
    other = SMALL.assign(task="pos" if record.tasks == ("dep",) else "dep")
    for function in (record.draw, record.alt, record.caption):
        with pytest.raises(InputError, match=f"figure {number} needs .*'{record.tasks[0]}'"):
            function(other)


def test_a_task_without_english_is_an_input_error():
    with pytest.raises(
        InputError, match=r"figure 4b needs .*'tc' \(mBERT \(paper\) has no zero-shot score of 'english'"
    ):
        figures.figure("4b", scores.load("paper"))


@pytest.mark.parametrize(
    "number, message",
    [
        ("12", "unknown figure '12'; known figures: 2, 3, 4a, 4b"),
        ("4", "figure 4 has panels: 4a, 4b, 4c"),
        ("1", "drawing without data"),
        ("", "unknown figure"),
        ("4[", "unknown figure"),
    ],
)
def test_an_unknown_figure_is_an_input_error_that_says_which_there_are(number, message):
    with pytest.raises(InputError, match=re.escape(message)):
        figures.record(number)


def test_the_figures_are_those_of_the_paper_in_order_and_two_maps():
    assert list(figures.FIGURES) == (
        [
            "2",
            "3",
            "4a",
            "4b",
            "4c",
            "5",
            "6",
            "7a",
            "7b",
            "7c",
            "8a",
            "8b",
            "8c",
            "9a",
            "9b",
            "10a",
            "10b",
            "11a",
            "11b",
            "11c",
            "world",
            "europe",
        ]
    )


def test_figures_are_as_wide_as_the_book_and_have_a_light_ground():
    for number in ("2", "3", "4a", "9a"):
        figure = drawn(number)
        assert figure.get_figwidth() == 7.5
        assert figure.get_facecolor() == (1, 1, 1, 1)
        sizes = {
            t.get_fontsize()
            for axes in figure.axes
            for t in (*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels())
        }
        assert min(sizes) >= 7


def test_drawing_leaves_matplotlib_as_it_was():
    import matplotlib

    before = dict(matplotlib.rcParams)
    figures.figure("9a", scores.load("paper"))
    figures.content(drawn("5"), "svg")
    assert dict(matplotlib.rcParams) == before


# ---- interactive --------------------------------------------------------------------------------


def test_interactive_bars_tell_everything_of_each_variety_on_hover():
    rows = scores.load("upstream")
    figure = figures.FIGURES["7b"].interactive(rows)
    texts = [text for trace in figure.data if trace.type == "bar" for text in trace.hovertext]
    best = best_scores(rows, "ner").set_index("variety")
    assert len(texts) == len(best)
    text = next(t for t in texts if t.startswith("<b>romanian</b>"))
    r = best.loc["romanian"]
    for part in (
        "cluster eastern romance",
        "representative of the cluster",
        f"F1 {r.value:.1f} (n = {r.n})",
        r.model,
        r.setting.replace("_", " "),
        f"source: upstream {r.run}",
    ):
        assert part in text


def test_interactive_gaps_have_the_static_points():
    rows = scores.load("upstream")
    figure = figures.FIGURES["4a"].interactive(rows)
    shown = sorted((round(x, 6), round(y, 6)) for t in figure.data if t.mode == "markers" for x, y in zip(t.x, t.y))
    assert shown == [tuple(map(float, at)) for at in offsets(drawn("4a"))]


def test_interactive_matrix_lists_the_varieties_of_a_cell():
    figure = figures.FIGURES["2"].interactive(None)
    assert "eastern mari<br>western mari" in figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")


@pytest.mark.parametrize("number", [n for n in figures.FIGURES if n not in ("5", "6", "europe")])
def test_interactive_figures_have_no_ground_and_need_no_network(number):
    figure = figures.FIGURES[number].interactive(scores.load("upstream"))
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    text = figure.to_json()
    assert "http" not in text
    assert {trace.type for trace in figure.data} <= {"bar", "scatter", "heatmap"}  # none that fetches tiles or outlines


def test_names_of_models_and_runs_are_never_markup():
    mine = pd.concat([SMALL, run_of("<b>$x$</b>", value=SMALL.value + 1)], ignore_index=True)
    for number in ("3", "4a"):
        hovers = [
            t
            for trace in figures.FIGURES[number].interactive(mine).data
            for t in (*(trace.hovertext or ()), trace.name or "")
        ]
        assert any("&lt;b&gt;$x$" in t for t in hovers)
        assert not any("<b>$x$" in t for t in hovers)
    figure = figures.figure("4a", mine)
    key = next(t for t in figure.legends[0].get_texts() if "$x$" in t.get_text())
    assert not key.get_parse_math()


# ---- files --------------------------------------------------------------------------------------

DRAW = """
import hashlib
from dbutils import scores
from dbutils.report import figures
for number in ("4c", "9a"):
    figure = figures.figure(number, scores.load("upstream"))
    print(number, hashlib.sha256(figures.content(figure, "svg")).hexdigest())
"""


def test_svg_bytes_are_the_same_in_every_process():
    import hashlib

    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    out = subprocess.run(
        [sys.executable, "-c", DRAW], env=environment, capture_output=True, text=True, check=True
    ).stdout
    here = {n: hashlib.sha256(figures.content(drawn(n), "svg")).hexdigest() for n in ("4c", "9a")}
    again = hashlib.sha256(figures.content(figures.figure("9a", scores.load("upstream")), "svg")).hexdigest()
    assert dict(line.split() for line in out.splitlines()) == here
    assert again == here["9a"]


def test_svg_draws_its_texts_so_that_no_font_is_needed():
    text = figures.content(drawn("9a"), "svg").decode()
    assert "<text" not in text and "font-family" not in text
    assert not re.search(r"<dc:date|Matplotlib v", text)


def test_png_has_200_dots_per_inch():
    data = figures.content(drawn("9a"), "png")
    width, height = (int.from_bytes(data[i : i + 4]) for i in (16, 20))
    assert (width, height) == tuple(int(x) for x in drawn("9a").get_size_inches() * 200)
    assert b"Software" not in data


def test_pdf_has_no_date_and_the_same_bytes_twice():
    data = figures.content(drawn("9a"), "pdf")
    assert data.startswith(b"%PDF") and b"CreationDate" not in data
    assert figures.content(drawn("9a"), "pdf") == data


def test_a_figure_is_saved_by_its_ending(tmp_path):
    figures.save(drawn("9a"), tmp_path / "a.SVG")
    assert (tmp_path / "a.SVG").read_bytes() == figures.content(drawn("9a"), "svg")


@pytest.mark.parametrize(
    "name, message",
    [("a.gif", "unknown ending '.gif'"), ("a", "unknown ending '.'"), ("no/a.svg", "there is no folder")],
)
def test_a_bad_path_is_an_input_error_before_anything_is_written(tmp_path, name, message):
    with pytest.raises(InputError, match=re.escape(message)):
        figures.save(drawn("9a"), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_colours_stand_in_one_file():
    folder = paths.ROOT / "dbutils"
    typed = re.compile(r"""["'](#[0-9a-fA-F]{3,8}|rgba?\(.*?\))["']|[:=]["']#[0-9a-fA-F]{6}["']""")
    found = {str(p.relative_to(folder)) for p in folder.rglob("*.py") if typed.search(p.read_text(encoding="utf-8"))}
    assert found == {"report/style.py"}
