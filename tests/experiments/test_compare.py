"""Differences and gaps against values worked out by hand."""

import numpy as np
import pytest
from scipy import stats

from dbutils import registry, sandbox
from dbutils.errors import InputError
from dbutils.experiments import compare, predictions
from dbutils.experiments.parts import Part
from dbutils.experiments.request import make


def quiet(text):
    pass


def number(example):
    return int(example.id[5:9])


def right_below(limit):
    """A script: the first `limit` items are right, the rest get another label."""

    def script(example, seed):
        return example.label if number(example) < limit(seed) else _other(example.label)

    return script


def _other(label):
    return next(topic for topic in sandbox.labels("tc") if topic != label)


@pytest.fixture
def two(small, scripted):
    """Two runs with 60 and 50 of 100 right; the 50 are among the 60."""
    scripted(right_below(lambda seed: 60 if seed == 0 else 50))
    (a,), (b,) = make(small(), quiet), make(small(seed=1), quiet)
    return a, b


def test_two_runs_paired(two):
    rows = compare.two_runs(*two)
    assert [(r["code"], r["metric"]) for r in rows] == [
        ("mir", "f1"),
        ("mir", "accuracy"),
        ("tal", "f1"),
        ("tal", "accuracy"),
    ]
    accuracy = rows[3]
    assert (accuracy["a"], accuracy["b"], accuracy["difference"], accuracy["n"], accuracy["paired"]) == (
        60,
        50,
        10,
        100,
        True,
    )
    # ten of a hundred items differ, all in favour of a: of the 1,024 ways to swap them two are as far apart
    assert accuracy["p"] == 2 / 1024
    # and two more that differ widen the interval, one either way
    error = stats.t.ppf(0.975, 99) * ((10 * 0.9**2 + 90 * 0.1**2 + 2 * 0.9**2) / 99 / 100) ** 0.5
    assert (accuracy["low"], accuracy["high"]) == pytest.approx((10 - 100 * error, 10 + 100 * error))
    # of four comparisons
    ps = [row["p"] for row in rows]
    assert accuracy["p_holm"] == min(p * 4 for p in ps[2:]) or accuracy["p_holm"] >= 3 * accuracy["p"]
    assert [row["p_bh"] for row in rows] == pytest.approx(list(stats.false_discovery_control(ps)))


def test_two_configurations_of_several_seeds(small, scripted, monkeypatch, capsys):
    from dbutils.cli import main

    # 58, 60 and 62 of 100 right against 52, 50 and 48 (a script that looks at the seed)
    scripted(right_below(lambda seed: (58, 60, 62, 52, 50, 48)[seed]))
    folders = [make(small(seed=seed), quiet)[0] for seed in range(6)]
    said = []
    row = compare.two_runs(folders[:3], folders[3:], said.append)[3]
    assert (row["a"], row["b"], row["difference"]) == pytest.approx((60, 50, 10))
    (single,) = (
        r for r in compare.two_runs(folders[1], folders[4], quiet) if r["metric"] == "accuracy" and r["code"] == "tal"
    )
    assert single["difference"] == 10 and said == ["4 tests were made: p_holm and p_bh are adjusted for that"]
    # of units and of seeds: variances add up, (4 + 4) / 3 points of the seeds among them
    alone = compare.two_runs([folders[1]] * 1, folders[4], said.append)
    assert alone and "one seed each" in said[1]
    assert row["high"] - row["low"] > 2 * 1.96 * (8 / 3) ** 0.5
    with pytest.raises(InputError, match="a seed stands twice"):
        compare.two_runs([folders[0], folders[0]], folders[1])
    with pytest.raises(InputError, match="differ in .*limit: one side of a comparison"):
        compare.two_runs([folders[0], *make(small(seed=1, limit=40), quiet)], folders[1])
    words = ["compare", ",".join(map(str, folders[:3])), ",".join(map(str, folders[3:])), "--metric", "accuracy"]
    assert main(words) == 0
    out = capsys.readouterr()
    assert len(out.out.splitlines()) == 3 and "one seed each" not in out.err


def test_a_run_does_not_differ_from_itself(two):
    rows = compare.two_runs(two[0], two[0])
    assert {(r["difference"], r["low"], r["high"], r["p"]) for r in rows} == {(0, 0, 0, 1)}


def test_runs_on_different_test_data_are_told_and_left_out(two, small, scripted):
    scripted(right_below(lambda seed: 60))
    (less,) = make(small(limit=40), quiet)
    said = []
    assert compare.two_runs(two[0], less, said.append) == []
    assert said == ["left out: mir test: the two runs were tested on different data", said[1]]


def test_runs_of_different_tasks_cannot_be_compared(two, small):
    (other,) = make(small(task="sa"), quiet)
    with pytest.raises(InputError, match="is of task tc, .* of task sa"):
        compare.two_runs(two[0], other)


def test_other_label_sets_do_not_compare(small):
    talvo, mirran = make(small(task="did", setting="in_cluster", varieties=()), say=quiet)[:2]
    with pytest.raises(InputError, match="tells the labels .* apart, .*: scores over other label sets do not compare"):
        compare.two_runs(talvo, mirran)


def test_the_number_of_tests_is_said(small, scripted):
    said = []
    (folder,) = make(small(varieties=("tal", "mir", "orv")), say=quiet)
    compare.two_varieties(folder, "tal", "mir", say=said.append)
    compare.gaps_with_intervals(folder, "english", say=said.append)
    assert said == [
        "2 tests were made, one for each metric; each p is of its own comparison alone",
        "2 tests were made: p_holm and p_bh are adjusted for that",
    ]


def test_two_varieties_of_a_parallel_corpus_are_paired(small, scripted):
    scripted(
        lambda e, seed: e.label if number(e) < (80 if _of(e, ("tal", "mir")) == "tal" else 60) else _other(e.label)
    )
    (folder,) = make(small(), quiet)
    accuracy = compare.two_varieties(folder, "tal", "mir")[1]
    assert (accuracy["a"], accuracy["b"], accuracy["difference"], accuracy["paired"]) == (80, 60, 20, True)
    assert 10 < accuracy["low"] < 20 < accuracy["high"] < 30 and accuracy["p"] < 0.001


def test_two_varieties_without_common_items_are_drawn_apart(small, scripted, monkeypatch):
    scripted(right_below(lambda seed: 60))
    (folder,) = make(small(), quiet)
    monkeypatch.setattr(compare, "parallel", lambda corpus: False)
    f, accuracy = compare.two_varieties(folder, "tal", "mir")
    assert not accuracy["paired"] and accuracy["difference"] == 0 and accuracy["low"] < 0 < accuracy["high"]
    ends = stats.binomtest(60, 100).proportion_ci(method="exact")
    error = 100 * np.hypot(0.6 - ends.low, ends.high - 0.6)
    assert (accuracy["low"], accuracy["high"]) == pytest.approx((-error, error)) and accuracy["p"] > 0.9


def test_gaps_of_the_sandbox(small, scripted):
    right = {"tal": 80, "mir": 60, "mir-lake": 30}
    scripted(lambda e, seed: e.label if number(e) < right[_of(e, right)] else _other(e.label))
    (folder,) = make(small(varieties=tuple(right)), quiet)
    english = compare.gaps_with_intervals(folder, "english", "accuracy").set_index("code")
    assert english.gap.to_dict() == {"tal": 0, "mir": 25, "mir-lake": 62.5}
    assert set(english.reference) == {"tal"} and english.paired.all()
    assert english.low["mir"] < 25 < english.high["mir"] and english.p["mir"] < 0.01
    assert english.low["tal"] == english.high["tal"] == 0 and np.isnan(english.p["tal"])
    assert english.difference.to_dict() == {"tal": 0, "mir": 20, "mir-lake": 50}
    assert english.difference_low["mir"] > 0 and english.p_holm["mir"] == 2 * english.p["mir"]
    own = compare.gaps_with_intervals([folder], "representative", "accuracy").set_index("code")
    assert own.gap.to_dict() == {"tal": 0, "mir": 0, "mir-lake": 50}
    chosen = compare.gaps_with_intervals(str(folder), "mir-lake", "accuracy").set_index("code")
    assert chosen.gap["mir"] == -100


def _of(example, codes):
    from dbutils.experiments import parts

    return next(c for c in codes if example in parts.read("tc", Part("sandbox", c, "test")))


def test_a_reference_with_score_0_has_no_gap(small, scripted):
    scripted(lambda example, seed: _other(example.label))
    (folder,) = make(small(), quiet)
    table = compare.gaps_with_intervals(folder, "english", "accuracy")
    assert set(table.code) == {"tal", "mir"} and table.gap.isna()[1]


def test_gaps_of_in_variety_training_take_one_run_per_variety(small):
    folders = make(small(setting="in_variety", varieties=("tal", "tal-hill")), quiet)
    assert len(folders) == 2
    table = compare.gaps_with_intervals(folders, "representative")
    assert list(table.code) == ["tal", "tal-hill"] and list(table.train) == ["tal", "tal-hill"]


def test_gaps_do_not_mix_systems(two):
    with pytest.raises(InputError, match="give one of them"):
        compare.gaps_with_intervals(two, "english")


def test_unknown_names_are_answered_with_the_nearest(two):
    with pytest.raises(InputError, match="did you mean 'mir'"):
        compare.two_varieties(two[0], "tal", "mirr")
    with pytest.raises(InputError, match="did you mean 'english'"):
        compare.gaps_with_intervals(two[0], "englisch")
    with pytest.raises(InputError, match="did you mean 'accuracy'"):
        compare.gaps_with_intervals(two[0], "english", "acuracy")


def test_references_of_the_benchmark_are_those_of_table_9():
    entry = {"corpus": "sib-200", "cluster": "italian romance"}
    identity = {"task": "tc"}
    codes = {"ita_Latn": 1, "scn_Latn": 1, "eng_Latn": 1}
    assert compare.reference_code(identity, entry, "representative", codes) == "ita_Latn"
    assert compare.reference_code(identity, entry, "english", codes) == "eng_Latn"
    assert compare.reference_code(identity, entry, "representative", {"scn_Latn": 1}) is None
    assert registry.load().representative("tc", "italian romance").variety == "italian"


def test_dialects_of_a_language_are_paired_by_question_whatever_their_ids_end_in(monkeypatch):
    def result(code, ids, groups):
        import pyarrow as pa

        table = pa.table({"id": ids, "group": groups, "statistics_m": [[1.0, float(i % 2)] for i in range(len(ids))]})
        made = compare.Result({}, {"corpus": "sd-qa", "code": code, "read": "test"}, None)
        tables[id(made)] = table
        return made

    tables = {}
    monkeypatch.setattr(compare.Result, "table", property(lambda self: tables[id(self)]))
    usa = result("english--usa", ["english-1-usa", "english-2-usa", "english--3-usa"], ["p", "p", "q"])
    kenya = result("english--kenya", ["english--3-kenya", "english-2-kenya", "english-1-kenya"], ["q", "p", "p"])
    cut = result("english--kenya", ["english-2-kenya", "english-1-kenya"], ["p", "p"])
    other = result("english--kenya", ["english-1-kenya", "english-2-kenya", "english--3-kenya"], ["p", "q", "q"])
    pairing = compare.Pairing(usa, kenya)
    assert pairing.paired and pairing.order == (2, 1, 0)
    assert not compare.Pairing(usa, cut).paired and not compare.Pairing(usa, other).paired
    assert predictions.groups(usa.table) == ["p", "p", "q"]
