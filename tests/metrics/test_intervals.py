"""Intervals and tests: against scipy and by hand, and by a small form of the simulation in tools/coverage.py."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from dbutils.metrics import bootstrap, intervals, labels, seeds, spans, translation

TWO = labels.accuracy(["a", "b"])


def right(*flags):
    """Statistics of accuracy, an example per flag."""
    return TWO.table([SimpleNamespace(label="a")] * len(flags), ["a" if flag else "b" for flag in flags])


def means(*values):
    return np.array([[1, value, 0] for value in values], dtype=float)


# ---- a score --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [5, 20, 50, 200])
def test_accuracy_has_the_exact_binomial_interval(n):
    for hits in (0, 1, n // 2, n - 1, n):
        found = intervals.interval(TWO, right(*[i < hits for i in range(n)]))
        official = stats.binomtest(hits, n).proportion_ci(method="exact")
        assert found == pytest.approx((100 * hits / n, 100 * official.low, 100 * official.high))


def test_all_right_is_no_proof_of_perfection():
    for n in (5, 50):
        value, low, high = intervals.interval(spans.SPAN_F1, means(*[1.0] * n))
        assert value == high == 100 and low == pytest.approx(100 * 0.025 ** (1 / n))
    assert intervals.interval(spans.SPAN_F1, means(1, 1)) == (100, None, None)


def test_fewer_than_five_units_are_too_few():
    assert intervals.interval(TWO, right(1, 0, 1, 1))[1:] == (None, None)
    assert intervals.interval(TWO, right(1, 0, 1, 1, 1))[1] > 0
    with pytest.raises(ValueError, match="no examples, so there is no score"):
        intervals.interval(TWO, np.zeros((0, 6)))
    assert intervals.interval(TWO, right(*[1, 0] * 20), list("aabbccdd") * 5)[1:] == (None, None)


def test_a_rare_label_is_too_rare_to_tell():
    macro = labels.macro_f1(["a", "b"])
    golds = [SimpleNamespace(label=g) for g in "a" * 3 + "b" * 97]
    table = macro.table(golds, ["a"] * 3 + ["b"] * 97)
    f1, precision, recall = labels.of_label(macro, 0, 2)
    assert [intervals.interval(m, table) for m in (f1, precision, recall)] == [(100, None, None)] * 3
    assert intervals.interval(labels.of_label(macro, 1, 2)[0], table)[1] > 90
    # and in a macro F1 it leaves open what it leaves open: a half of all
    value, low, high = intervals.interval(macro, table)
    assert value == high == 100 and low < 75


def test_an_f1_has_the_interval_of_its_share_of_hits():
    macro = labels.macro_f1(["a", "b"])
    golds = [SimpleNamespace(label=g) for g in "a" * 20 + "b" * 20]
    table = macro.table(golds, ["a"] * 15 + ["b"] * 5 + ["a"] * 2 + ["b"] * 18)
    ends = stats.binomtest(15, 22).proportion_ci(method="exact")
    found = intervals.interval(labels.of_label(macro, 0, 2)[0], table)
    assert found == pytest.approx([100 * 2 * x / (1 + x) for x in (15 / 22, ends.low, ends.high)])


def test_a_mean_of_many_scores_has_the_width_that_theory_gives():
    values = np.random.default_rng(0).normal(0.5, 0.1, 2000)
    found, low, high = intervals.interval(spans.SPAN_F1, means(*values))
    assert found == pytest.approx(100 * values.mean())
    assert high - low == pytest.approx(2 * 1.96 * 100 * values.std() / 2000**0.5, rel=0.06)


def test_groups_widen_the_interval():
    table = right(*sum(([g] * 10 for g in [1, 0, 1, 1] * 10), []))
    passages = [f"p{i // 10}" for i in range(400)]
    _, low, high = intervals.interval(TWO, table)
    _, wide_low, wide_high = intervals.interval(TWO, table, passages)
    assert (wide_low, wide_high) == pytest.approx(intervals.interval(TWO, right(*[1, 0, 1, 1] * 10))[1:])
    assert wide_high - wide_low > 2 * (high - low)
    assert bootstrap.grouped(table, passages).sum() == table.sum()
    with pytest.raises(ValueError, match="2 group names for 400 examples"):
        bootstrap.grouped(table, ["a", "b"])


def test_bleu_and_chrf_have_the_bootstraps_interval_made_wider():
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "run", "home"]
    random = np.random.default_rng(1)
    golds = [SimpleNamespace(reference=" ".join(random.choice(words, 9))) for _ in range(12)]
    guesses = [" ".join(w if random.random() < 0.8 else "x" for w in g.reference.split()) for g in golds]
    for metric in (translation.BLEU, translation.CHRF):
        table = metric.table(golds, guesses)
        value, low, high = intervals.interval(metric, table)
        plain = np.quantile(bootstrap.replicates(metric.value, table, bootstrap.draws(12, 0)), [0.025, 0.975])
        assert low < plain[0] < value < plain[1] < high
        assert intervals.interval(metric, table[:4])[1:] == (None, None)


def test_precision_recall_and_f1_of_a_label():
    macro = labels.macro_f1(["a", "b"])
    table = macro.table([SimpleNamespace(label=g) for g in "aaabbbbb"], list("aabbbbbx"))
    sums = table.sum(axis=0)
    measured = {("ab"[i], m.name): float(m.value(sums)) for i in (0, 1) for m in labels.of_label(macro, i, 2)}
    assert measured["a", "precision"] == 100 and measured["a", "recall"] == pytest.approx(200 / 3)
    assert measured["b", "precision"] == measured["b", "recall"] == 80
    assert measured["a", "f1"] == pytest.approx(80)
    assert float(macro.value(sums)) == pytest.approx((measured["a", "f1"] + measured["b", "f1"]) / 2)


# ---- two scores -----------------------------------------------------------------------------


def test_swaps_of_few_units_are_tried_out_one_and_all():
    for n, p in ((1, 1), (2, 0.5), (3, 0.25), (5, 0.0625)):
        assert intervals.p_value(TWO, right(*[1] * n), right(*[0] * n)) == p
    a, b = np.array([0.3, 0.9, 0.4, 0.8, 0.7, 0.6]), np.array([0.1, 0.5, 0.5, 0.2, 0.6, 0.1])
    official = stats.permutation_test(
        (a, b), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert intervals.p_value(spans.SPAN_F1, means(*a), means(*b)) == pytest.approx(official.pvalue)


def test_units_of_few_are_dealt_out_in_all_ways():
    a, b = right(1, 1, 1, 0, 1), right(0, 0, 1, 0, 0, 0)
    official = stats.fisher_exact([[4, 1], [1, 5]])
    assert intervals.p_value(TWO, a, b, paired=False) == pytest.approx(official.pvalue)


def test_many_units_are_permuted_at_random():
    a, b = right(*[1] * 60 + [0] * 40), right(*[1] * 45 + [0] * 55)
    assert intervals.p_value(TWO, a, b) == pytest.approx(2 * 0.5**15, abs=2e-4)  # 15 differ, all for a
    assert intervals.p_value(TWO, a, b, paired=False) == pytest.approx(
        stats.fisher_exact([[60, 40], [45, 55]]).pvalue, abs=0.02
    )


def test_pairing_makes_a_small_difference_visible():
    a, b = right(*[1] * 160 + [0] * 140), right(*[1] * 150 + [0] * 150)
    paired, loose = intervals.difference(TWO, a, b), intervals.difference(TWO, a, b, paired=False)
    assert paired.value == loose.value == pytest.approx(10 / 3)
    assert paired.significant and not loose.significant
    assert paired.low > 0 > loose.low and paired.p < 0.01 < loose.p
    with pytest.raises(ValueError, match="paired items, but 300 and 5"):
        intervals.difference(TWO, a, b[:5])


def test_two_systems_that_agree_on_all_units_may_yet_differ():
    same = intervals.difference(TWO, right(*[1] * 50), right(*[1] * 50))
    assert same.value == 0 and same.p == 1 and same.low < -2 and same.high > 2
    few = intervals.difference(TWO, right(1, 0), right(1, 1))
    assert (few.value, few.low, few.high, few.p) == (-50, None, None, 1)


def test_a_gap_has_an_interval_and_the_p_of_the_difference():
    u, v = right(*[1] * 160 + [0] * 40), right(*[1] * 120 + [0] * 80)
    found = intervals.gap(TWO, u, v)
    assert found.value == pytest.approx(25) and 15 < found.low < 25 < found.high < 35
    assert found.p == intervals.difference(TWO, u, v).p and found.significant
    unpaired = intervals.gap(TWO, u, v, paired=False)
    assert unpaired.low < found.low and unpaired.high > found.high


def test_a_gap_from_a_reference_near_0_tells_nothing_and_has_an_honest_p():
    # 1 of 10 against 2 of 100: resamples of the reference hit 0
    u, v = right(*[1] + [0] * 9), right(*[1] * 2 + [0] * 98)
    found = intervals.gap(TWO, u, v, paired=False)
    assert found.value == pytest.approx(80) and found.low < -500 and found.high > 95
    assert found.p > 0.1 and not found.significant
    plain = intervals.difference(TWO, u, v, paired=False)
    assert plain.p == found.p and plain.low < 0 < plain.high
    none = intervals.gap(TWO, right(*[0] * 10), v, paired=False)
    assert np.isnan(none.value) and (none.low, none.high) == (None, None) and none.p > 0.1


def test_configurations_that_differ_in_nothing_but_chance_are_rarely_called_different():
    random, found = np.random.default_rng(4), []
    for _ in range(150):
        easy = random.random(60)  # of each unit
        sides = [
            [right(*(random.random(60) < np.clip(easy + random.normal(0, 0.08), 0, 1))) for _ in range(4)] for _ in "ab"
        ]
        found.append(seeds.difference(TWO, *sides).p)
    assert np.mean(np.array(found) <= 0.05) <= 0.05 + 2 * (0.05 * 0.95 / 150) ** 0.5
    few = seeds.difference(TWO, [right(1, 0), right(1, 1)], [right(0, 0), right(0, 1)])
    assert (few.value, few.low, few.p) == (50, None, None)


# ---- the simulation, small ------------------------------------------------------------------


@pytest.fixture(scope="module")
def coverage():
    spec = importlib.util.spec_from_file_location("coverage_tool", Path(__file__).parents[2] / "tools/coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# what the percentile bootstrap did here: .40, .87, .27, .68, .60, .85
@pytest.mark.parametrize(
    "case, n, p",
    [
        ("accuracy", 50, 0.99),
        ("accuracy", 200, 0.99),
        ("F1 of a 1 % class", 50, 0.9),
        ("F1 of a 1 % class", 200, 0.9),
        ("macro F1", 50, 0.9),
        ("mean of sentence scores", 5, 0.8),
        ("F1 of answers", 6, 0.9),
        ("UAS", 5, 0.9),
        ("chunk F1", 10, 0.8),
        ("accuracy by passage", 20, 0.9),
    ],
)
def test_intervals_cover(coverage, case, n, p):
    (row,) = coverage.measure("scores", [case], [n], [p], tries=100)
    assert not coverage.missed(row, 100), row


@pytest.mark.parametrize("case", ["accuracy", "macro F1", "F1 of a 3 % class", "UAS"])
def test_intervals_of_differences_and_gaps_cover(coverage, case):
    rows = coverage.measure("differences", [case], [20], [0.9], tries=60)
    assert {row["kind"] for row in rows} == {"difference", "gap"}
    assert not [row for row in rows if coverage.missed(row, 60)]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_nothing_is_found_where_nothing_is(coverage, n):
    rows = coverage.measure("nulls", ["accuracy", "UAS"], [n], [0.8], tries=100)
    assert {row["kind"] for row in rows} == {"null, paired", "null, unpaired", "null, gap"}
    assert not [row for row in rows if coverage.missed(row, 100)]
    if n < 5:
        assert not [row for row in rows if row["kind"] == "null, paired" and row["rejected"]]


def test_the_recorded_simulation_keeps_what_is_promised(coverage):
    from dbutils.report.pages.certainty import KINDS, load

    table = load()
    assert set(table.kind) == set(KINDS) and set(table.case) == set(coverage.CASES)
    rows = [{k: "" if v != v else v for k, v in row.items()} for row in table.to_dict("records")]
    assert not [row for row in rows if row["coverage"] != "" and coverage.doubtful(row, row["tries"])]
    for _, of in table[table.rejected.notna()].groupby(["kind", "n"]):
        assert (of.rejected * of.tries).sum() / of.tries.sum() <= 0.06
    assert not [row for row in rows if coverage.missed(row, row["tries"])]
