"""The chooser of rows: what makes a cell, what never mixes, what is partial, and that nothing read is lost without a word."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbutils import cli, registry, scores
from dbutils.analysis import gap
from dbutils.analysis.maximum import maxima
from dbutils.analysis.tables import table
from dbutils.scores import cells
from dbutils.scores.cells import Choice, Mixed

NORWEGIAN = ("norwegian bokmål (m:written)", "norwegian nynorsk (m:written)")


def row(name="norwegian bokmål (m:written)", task="tc", **changes):
    """A score row of one's own for a variety by name; `name` "" is a code that is no variety."""
    v = registry.load().find(name) if name else None
    code = next(c for c in v.codes if c.task == task) if v else None
    out = dict(
        task=task,
        corpus=code.corpus if code else "sib-200",
        model="m",
        setting="zero_shot",
        train="eng_Latn",
        cluster=v.cluster if v else "",
        variety=v.variety if v else "",
        code=code.code if code else "xyz_Latn",
        split="test",
        metric="f1",
        value=80.0,
        n=204,
        low=None,
        high=None,
        seed=1,
        origin="run",
        run="r1",
    )
    return out | changes


def frame(*rows):
    return pd.DataFrame(rows, columns=list(scores.COLUMNS)).astype(scores.schema.NUMBERS)


def dbutils(capsys, *argv):
    status = cli.main([str(a) for a in argv])
    return (status, *capsys.readouterr())


# ---- seeds ---------------------------------------------------------------------------------------


def test_rows_that_differ_only_in_the_seed_make_one_cell():
    found = cells.cells(frame(row(value=80, run="r1"), row(value=90, seed=2, run="r2")))
    (r,) = found.itertuples()
    assert (r.value, r.seeds, r.rows, r.run, r.own) == (85, 2, (0, 1), "r1, r2", True)
    assert r.spread == pytest.approx(math.sqrt(50))
    assert math.isnan(r.low) and math.isnan(r.high)  # rows without intervals of their own give none


def test_the_interval_of_several_seeds_covers_the_test_set_and_the_seeds():
    rows = [row(value=v, low=v - 3, high=v + 4, seed=s, run=f"r{s}") for s, v in ((1, 70), (2, 72), (3, 74))]
    (r,) = cells.cells(frame(*rows)).itertuples()
    # t(0.975, 2) = 4.302653; 4.302653 * 2 / sqrt 3 = 4.968275: squared and added to 9 below and 16 above: 5.803771 and 6.378382
    assert (r.low, r.high) == (pytest.approx(72 - 5.803771, abs=1e-5), pytest.approx(72 + 6.378382, abs=1e-5))
    (one,) = cells.cells(frame(rows[0])).itertuples()
    assert (one.low, one.high, one.seeds) == (67, 74, 1) and math.isnan(one.spread)


def test_gaps_pair_by_seed():
    """Two seeds: today every row was measured from the last seed's reference, the representative from itself too."""
    values = {1: (80, 70), 2: (40, 35)}  # gaps of 12.5 % in both seeds
    rows = [
        row(name, value=values[seed][i], seed=seed, run=f"r{seed}")
        for seed in (1, 2)
        for i, name in enumerate(NORWEGIAN)
    ]
    found = gap.by_variety(frame(*rows), "tc", "m", "zero_shot").set_index("variety")
    assert found.gap.to_dict() == {NORWEGIAN[0]: 0, NORWEGIAN[1]: 12.5}
    assert (found.reference_score[NORWEGIAN[1]], found.score[NORWEGIAN[1]]) == (60, 52.5)
    assert gap.by_cluster(found.reset_index()).gap.to_list() == [12.5]


def test_a_gap_is_over_the_seeds_that_both_have():
    rows = [row(NORWEGIAN[0], value=80), row(NORWEGIAN[1], value=40), row(NORWEGIAN[1], value=10, seed=2, run="r2")]
    found = gap.by_variety(frame(*rows), "tc", "m", "zero_shot").set_index("variety")
    assert found.gap[NORWEGIAN[1]] == 50 and found.score[NORWEGIAN[1]] == 40
    lonely = gap.by_variety(frame(rows[0], rows[2]), "tc", "m", "zero_shot").set_index("variety")
    assert math.isnan(lonely.gap[NORWEGIAN[1]]) and lonely["rows"][NORWEGIAN[1]] == ()


# ---- what never mixes ----------------------------------------------------------------------------

TWO = [row(run="a-111", n=64), row(run="b-222", n=100)]


@pytest.mark.parametrize(
    "second, says",
    [
        (dict(run="r2"), "--run"),  # the same seed: another limit or hyperparameter
        (dict(run="r2", seed=2, n=300), "--run"),
        (dict(run="r2", seed=None), "--run"),
        (dict(run="r2", seed=2, train="nob_Latn", setting="in_cluster"), "--train"),
    ],
)
def test_rows_that_differ_in_more_than_the_seed_are_refused(second, says):
    first = row(setting=second.get("setting", "zero_shot"))
    both = frame(first, row(**second))
    for refused in (
        lambda: cells.cells(both),
        lambda: table(17, both),
        lambda: maxima(both, "tc"),
        lambda: gap.by_variety(both, "tc", "m", first["setting"]),
    ):
        with pytest.raises(Mixed, match=f"differ in more than the seed and are not averaged: .*choose with.* {says}"):
            refused()


def test_table_and_gap_refuse_the_same_two_runs_and_take_the_one_that_is_chosen(capsys, tmp_path):
    rows = [*TWO, row(NORWEGIAN[1], run="a-111", n=64, value=60.0)]
    scores.write_scores(frame(*rows), tmp_path / "s.csv")
    for words in (["table", "17"], ["gap", "--task", "tc", "--model", "m"]):
        status, out, err = dbutils(capsys, *words, "--scores", tmp_path / "s.csv")
        assert (status, out) == (2, "") and "a-111 (seed 1, n 64); b-222 (seed 1, n 100); choose with --run" in err
    for run in ("a-111", "a-", "111"):
        status, out, err = dbutils(capsys, "gap", "--task", "tc", "--run", run, "--scores", tmp_path / "s.csv")
        assert status == 0 and ",80.0,60.0,25.0," in out
        assert "1 row of m not shown: another run, model or training than asked for" in err
    status, _, err = dbutils(capsys, "table", "17", "--run", "c-333", "--scores", tmp_path / "s.csv")
    assert status == 2 and "unknown run in these scores 'c-333'" in err


def test_published_numbers_and_a_rerun_of_their_model_are_two_cells_and_no_gap():
    both = pd.concat([scores.load(), frame(row(model="mbert"))], ignore_index=True)
    found = cells.cells(both, task="tc", model="mbert", metric="f1", setting="zero_shot")
    assert found[found.variety == NORWEGIAN[0]].own.to_list() == [False, True]
    with pytest.raises(Mixed, match="published scores and runs of mbert zero_shot in task 'tc'"):
        gap.by_variety(both, "tc", "mbert", "zero_shot")
    assert table(4, both).text().equals(table(4, scores.load()).text())  # the paper's table keeps to the published ones


def test_upstream_goes_before_the_same_number_in_print():
    both = scores.load("upstream", "paper")
    found = cells.cells(both, task="dep")
    assert set(found.origin) == {"upstream"}
    assert table(10, both).raw().equals(table(10, scores.load()).raw())


# ---- partial rows --------------------------------------------------------------------------------


def test_a_limited_run_is_partial_and_no_maximum():
    """Three examples, 100 %: no best score, unless asked for."""
    both = pd.concat([scores.load(), frame(row(value=100, n=3))], ignore_index=True)
    best = maxima(both, "tc").set_index("variety")
    assert best.model[NORWEGIAN[0]] in ("mbert", "xlmr")
    assert table(3, both).text().equals(table(3, scores.load()).text())
    assert table(27, both).text().equals(table(27, scores.load()).text())
    asked = maxima(both, "tc", choice=Choice(partial=True)).set_index("variety")
    assert (asked.value[NORWEGIAN[0]], asked.partial[NORWEGIAN[0]]) == (100, True)
    (left,) = [left for left in table(27, both).told.left if left.own]
    assert (left.count, left.why) == (1, cells.PARTIAL)


def test_a_partial_row_is_marked_and_gives_way_to_a_complete_one():
    part, whole = row(value=100, n=3, run="r0"), row(value=50)
    now = table(17, frame(part))
    assert now.partial["zero_shot_f1_m"].sum() == 1
    assert [f for f in now.flags["zero_shot_f1_m"] if f] == [("partial",)]
    found = cells.cells(frame(part, whole))
    assert found.value.to_list() == [50] and found.partial.to_list() == [False]
    told = cells.told(frame(part, whole), found["rows"].iloc[0])
    assert [left.why for left in told.left] == [cells.PARTIAL_BESIDE]


def test_sizes_are_the_smallest_that_is_recorded_and_unknown_ones_are_said_to_be():
    known = cells.sizes()
    assert known["tc", "sib-200", "nob_Latn", "test"] == 204
    assert known["did", "madar", "arabic:CAI", "test"] == 200
    found = cells.cells(frame(row(n=204), row(NORWEGIAN[1], corpus="elsewhere", n=5)))
    assert found["size"].isna().to_list() == [False, True] and not found.partial.any()


# ---- nothing is lost without a word --------------------------------------------------------------


@pytest.mark.parametrize(
    "changes, why",
    [
        (dict(train=""), "transfer from English"),
        (dict(train="fra_Latn"), "transfer from English"),
        (dict(split="dev"), "split 'dev' is not shown here"),
        (dict(metric="recall"), "metric 'recall' is not shown here"),
        (dict(name=""), "no variety of the benchmark"),
        (dict(corpus="sandbox"), "constructed varieties"),
    ],
)
def test_a_row_that_a_table_cannot_place_is_told(capsys, tmp_path, changes, why):
    scores.write_scores(frame(row(**changes)), tmp_path / "s.csv")
    status, _, err = dbutils(capsys, "table", "17", "--scores", "upstream", tmp_path / "s.csv")
    assert status == 0 and "1 row of m not shown: " in err and why in err
    status, _, err = dbutils(capsys, "gap", "--task", "tc", "--model", "m", "--scores", "upstream", tmp_path / "s.csv")
    assert status == 2 and why in err


def test_predictions_scored_elsewhere_say_what_they_were_trained_on():
    assert cells.training("tc", "zero_shot", "nob_Latn") == "eng_Latn"
    assert cells.training("dep", "in_variety", "singlish") == "singlish"
    assert cells.training("mt", "pseudo_reference", "x") == ""
    assert cells.training("tc", "in_cluster", "nob_Latn") is None


def test_odd_values_and_failed_trainings_are_hinted_at():
    fractions = frame(row(value=0.8), row(NORWEGIAN[1], value=0.7))
    assert "all 2 values of m lie between 0 and 1" in cells.hints(fractions)[0]
    home = dict(train="nob_Latn", setting="in_variety", metric="accuracy")
    failed = frame(row(value=26, low=20, high=32, **home))
    assert "the training has probably failed" in cells.hints(failed)[0]
    assert not cells.hints(frame(row(value=80, low=75, high=85, **home)))
    part = frame(row(value=26, low=20, high=32, n=20, **home))
    assert "there, on a part of the test set, is not above" in cells.hints(part)[0]


ROWS = st.lists(
    st.builds(
        row,
        name=st.sampled_from((*NORWEGIAN, "english", "")),
        model=st.sampled_from(("m", "k")),
        setting=st.sampled_from(("zero_shot", "in_cluster")),
        train=st.sampled_from(("eng_Latn", "", "fra_Latn", "nob_Latn")),
        split=st.sampled_from(("test", "test", "dev")),
        metric=st.sampled_from(("f1", "accuracy", "recall")),
        value=st.floats(0, 100),
        n=st.sampled_from((204, 204, 64, None)),
        seed=st.sampled_from((1, 2, None)),
        run=st.sampled_from(("r1", "r2")),
        corpus=st.sampled_from(("sib-200", "sib-200", "sandbox")),
        task=st.just("tc"),
    ),
    max_size=8,
    unique_by=lambda r: tuple(r[c] for c in scores.KEY),
)


@settings(max_examples=150, deadline=None)
@given(ROWS)
def test_every_row_is_behind_a_shown_cell_or_told(rows):
    own = frame(*rows)
    both = pd.concat([PUBLISHED, own], ignore_index=True) if len(own) else PUBLISHED

    def accounted(shown, told):
        assert told.read == len(both) and told.shown == len(shown)
        assert told.shown + sum(left.count for left in told.left) == len(both)
        assert all(left.why for left in told.left)
        mine = set(both.index[both.origin == "run"])
        assert sum(left.count for left in told.left if left.own) == len(mine - set(shown))

    try:
        found = cells.cells(both)
    except Mixed:
        with pytest.raises(Mixed):
            cells.cells(both, task="tc")
    else:
        shown = [label for labels in found["rows"] for label in labels]
        assert len(shown) == len(set(shown))  # no row is behind two cells
        accounted(set(shown), cells.told(both, shown))
    for number in (17, 27):
        try:
            now = table(number, both)
        except Mixed:
            continue
        accounted(set(now.behind), now.told)
    try:
        gaps = gap.by_variety(both, "tc", "mbert", "zero_shot")
    except Mixed:
        return
    behind = {label for labels in gaps["rows"] for label in labels}
    accounted(behind, cells.told(both, behind, [gap.asked("tc", "mbert", "zero_shot")]))


PUBLISHED = scores.load()
PUBLISHED = PUBLISHED[(PUBLISHED.task == "tc") & PUBLISHED.cluster.isin(["norwegian", "anglic", ""])]


# ---- the only chooser ------------------------------------------------------------------------------

ROOMS = ("analysis", "report", "cli", "book")
RAW = {  # what the authors' files hold besides the benchmark's numbers: codes that are no variety, counts of predictions
    "analysis/audit.py",
    "analysis/findings.py",
    "report/pages/datacards.py",
    "report/views/checks.py",
    "report/views/identification.py",
    "report/views/printed.py",
    "report/views/reading.py",
    "report/views/reproduction.py",
}


def test_no_other_module_picks_score_rows():
    """Numbers come from `cells`: nobody calls `benchmark`, or compares columns of a table named `scores`."""
    import ast

    from dbutils.paths import ROOT

    columns = {*cells.CELL, *cells.SOURCE, "origin", "run", "seed"}
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / "dbutils" / room).rglob("*.py")):
            name = path.relative_to(ROOT / "dbutils").as_posix()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and getattr(node.func, "id", getattr(node.func, "attr", "")) == "benchmark"
                ):
                    found.append(f"{name}:{node.lineno}: calls benchmark")
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "raw_upstream" and name not in RAW:
                    found.append(f"{name}:{node.lineno}: reads the raw files")
                for side in [node.left, *node.comparators] if isinstance(node, ast.Compare) else ():
                    if (
                        name not in RAW
                        and getattr(side, "attr", "") in columns
                        and getattr(side.value, "id", "") == "scores"
                    ):
                        found.append(f"{name}:{node.lineno}: picks rows by {side.attr}")
    assert not found, "\n".join(found)
