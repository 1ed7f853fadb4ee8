"""Intervals of headline quantities: by hand, against scipy, and how often they hold what they should."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dbutils import scores
from dbutils.analysis import gap, uncertainty, utility
from dbutils.analysis.tables.summaries import best_scores


@pytest.fixture(scope="module")
def published():
    return scores.load()


def cells(values, n=math.nan, low=math.nan, high=math.nan, cluster="arabic"):
    table = pd.DataFrame({"value": values}, dtype=float).assign(n=n, low=low, high=high, cluster=cluster)
    return table.assign(variety=[f"v{i}" for i in range(len(table))])


def test_a_published_score_has_jeffreys_interval_for_its_examples():
    found = uncertainty.quantiles(cells([80.0, 100.0, 50.0], n=[50, 20, math.nan]), 0.025)
    assert found[:2] == pytest.approx([100 * stats.beta.ppf(0.025, 40.5, 10.5), 100 * stats.beta.ppf(0.025, 20.5, 0.5)])
    assert math.isnan(found[2])


def test_a_measured_score_has_its_own_interval():
    table = cells([80.0], n=50, low=70.0, high=85.0)
    assert uncertainty.quantiles(table, 0.025) == pytest.approx([70]) and uncertainty.quantiles(
        table, 0.975
    ) == pytest.approx([85])


def test_draws_spread_as_the_quantiles_say():
    table = cells([80.0, 60.0, 97.0], n=[50, math.nan, 40], low=[math.nan, 50, math.nan], high=[math.nan, 65, math.nan])
    drawn = uncertainty._draw(table, np.random.default_rng(0), 20_000)
    for q in (0.025, 0.5, 0.975):
        assert np.quantile(drawn, q, axis=0) == pytest.approx(uncertainty.quantiles(table, q), abs=0.7)


def test_ranks_are_as_sure_as_the_scores_are_apart():
    found = uncertainty.ranks(cells([20.0, 90.0, 60.0], n=1000))
    assert found[["variety", "rank", "rank_low", "rank_high"]].to_numpy().tolist() == [
        ["v1", 1, 1, 1],
        ["v2", 2, 2, 2],
        ["v0", 3, 3, 3],
    ]
    close = uncertainty.ranks(cells([60.0, 61.0, 10.0], n=100))
    assert close[["rank_low", "rank_high"]].to_numpy().tolist() == [[1, 2], [1, 2], [3, 3]]
    unknown = uncertainty.ranks(cells([60.0, 61.0, 10.0], n=[100, math.nan, 100]))
    assert math.isnan(unknown.rank_low[0]) and unknown[["rank_low", "rank_high"]].to_numpy()[1:].tolist() == [
        [1, 2],
        [2, 3],
    ]


def test_true_ranks_lie_in_their_intervals_all_at_once():
    random, true = np.random.default_rng(1), np.array([0.5, 0.55, 0.7, 0.72, 0.9])
    place = 1 + (true[None, :] > true[:, None]).sum(axis=1)
    held = 0
    for _ in range(200):
        found = uncertainty.ranks(cells(100 * random.binomial(100, true) / 100, n=100))
        at = place[[int(v[1:]) for v in found.variety]]
        held += bool(np.all((found.rank_low <= at) & (at <= found.rank_high)))
    assert held >= 190


def test_utilities_hold_those_of_the_population_of_varieties(published):
    members = best_scores(published, "tc")
    members = members[members.cluster == "arabic"].reset_index(drop=True)
    random, held = np.random.default_rng(2), 0
    for i in range(100):
        members["value"] = 100 * random.binomial(200, random.beta(30, 10, len(members))) / 200
        (found,) = uncertainty.utilities(members.assign(n=200), seed=i).itertuples()
        held += found.linguistic_low <= 75 <= found.linguistic_high
    assert held >= 93


def test_utilities_are_those_of_the_table_and_intervals_stand_before_the_flags(published):
    best = best_scores(published, "tc")
    plain, found = utility.by_cluster(best), uncertainty.utilities(best)
    assert found[plain.columns].equals(plain)
    assert [c for c in found.columns if c not in plain] == [
        f"{name}_{side}" for name in ("linguistic", "demographic", "gini") for side in ("low", "high")
    ]
    assert found.columns.get_loc("gini_high") + 1 == found.columns.get_loc("flags")
    enough = found.varieties >= 5
    assert found.linguistic_low.notna().equals(enough) and enough.any() and not enough.all()
    of = found[enough]
    for name in ("linguistic_utility", "demographic_utility", "gini"):
        low, high = (of[f"{name.partition('_')[0]}_{side}"].astype(float) for side in ("low", "high"))
        assert ((low < of[name]) & (of[name] < high)).all()
    again = uncertainty.utilities(best)
    assert again.linguistic_low.equals(found.linguistic_low)


def test_gaps_of_clusters_have_intervals_where_varieties_are_enough(published):
    table = gap.by_variety(published, "tc", "mbert", "zero_shot")
    plain, found = gap.by_cluster(table), uncertainty.gaps(published, table, "tc", "mbert", "zero_shot")
    assert found[plain.columns].equals(plain) and list(found.columns[5:7]) == ["low", "high"]
    of = found[found.low.notna()]
    assert set(of.cluster) == {"arabic"} and (of.low < of.gap).all() and (of.gap < of.high).all()


def test_scores_without_examples_give_no_interval(published):
    bare = published.assign(n=pd.array([pd.NA] * len(published), "Int64"), corpus="unrecorded")
    table = gap.by_variety(bare, "mt-dialect", "nllb-600m", "zero_shot")
    assert uncertainty.gaps(bare, table, "mt-dialect", "nllb-600m", "zero_shot").low.isna().all()


def test_the_averages_of_table_4_stay_and_have_intervals(published):
    found = uncertainty.averages_of_gaps(published, "dep")
    tables = gap.table4(published, "dep")
    assert set(found) == set(tables)
    for variation, (average, low, high, n) in found.items():
        assert average == pytest.approx(tables[variation].gap.mean()) and n == len(tables[variation])
        assert low < average < high


def test_who_wins_is_not_surer_than_the_differences(published):
    rows, wins = uncertainty.models(published)
    assert {row["stage"] for row in rows} == {0, 1}
    for row in rows:
        sides = row["models"]
        assert row["difference"] == pytest.approx(sides["mbert"]["mean"] - sides["xlmr"]["mean"])
        if row["difference_low"] is not None and row["difference_low"] > 0:
            assert (sides["mbert"]["rank"], sides["mbert"]["rank_high"]) == (1, 1)
    for stage in (0, 1):
        of = [row["models"] for row in rows if row["stage"] == stage]
        won, low, high, contests = wins["mbert", stage]
        assert won == sum(sides["mbert"]["rank"] == 1 for sides in of) and contests == len(of)
        assert low <= won <= high
