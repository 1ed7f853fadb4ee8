"""Utilities by hand, and their invariants."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils import registry
from dbutils.analysis import utility
from dbutils.analysis.rounding import half_even

VALUES = st.lists(st.floats(0, 100), min_size=1, max_size=30)


def test_by_hand():
    assert utility.linguistic([90, 60, 30]) == 60
    assert utility.demographic([90, 60], [3, 1]) == 82.5
    assert utility.demographic([90, 60], [None, 1]) == 60
    assert math.isnan(utility.demographic([90], [None]))
    assert math.isnan(utility.demographic([90], [0]))
    assert utility.deviation([2, 4]) == pytest.approx(math.sqrt(2))
    assert math.isnan(utility.deviation([5]))
    assert utility.gini([1, 1, 1]) == 0
    assert utility.gini([0, 0, 1]) == pytest.approx(2 / 3)
    assert utility.gini([1, 3]) == 0.25
    assert utility.gini([0, 0]) == 0
    assert math.isnan(utility.gini([])) and math.isnan(utility.linguistic([]))


@given(VALUES)
def test_gini_is_between_zero_and_one_and_equals_its_definition(values):
    g = utility.gini(values)
    n, total = len(values), sum(values)
    assert -1e-12 <= g <= 1
    if total > 1e-6:
        pairs = sum(abs(a - b) for a in values for b in values)
        assert g == pytest.approx(pairs / (2 * n * total), abs=1e-9)


@given(VALUES, st.floats(0.1, 10))
def test_gini_does_not_change_with_the_scale(values, scale):
    if sum(values) > 1e-6:
        assert utility.gini([v * scale for v in values]) == pytest.approx(utility.gini(values), abs=1e-9)


@given(VALUES)
def test_demographic_utility_of_equal_populations_is_the_linguistic_one(values):
    assert utility.demographic(values, [7] * len(values)) == pytest.approx(utility.linguistic(values))


@given(st.lists(st.tuples(st.floats(0, 100), st.integers(1, 10**9)), min_size=1, max_size=20))
def test_utilities_lie_between_the_extremes(pairs):
    values, people = [v for v, _ in pairs], [p for _, p in pairs]
    for value in (utility.linguistic(values), utility.demographic(values, people)):
        assert min(values) - 1e-9 <= value <= max(values) + 1e-9


def test_populations_with_separators_count_only_when_asked():
    seoul = registry.load().find("seoul (m:spoken)")
    assert utility.population(seoul, as_printed=True) is None
    assert utility.population(seoul, as_printed=False) == 51757637


def test_the_minimum_names_its_variety():
    maxima = pd.DataFrame(
        [("albanian", "albanian", 80.0), ("albanian", "gheg albanian", 40.0), ("basque", "souletin (a:maule)", 5.0)],
        columns=["cluster", "variety", "value"],
    )
    table = utility.by_cluster(maxima).set_index("cluster")
    assert (table.loc["albanian"].min_variety, table.loc["albanian"].min_value) == ("gheg albanian", 40.0)
    # 7.5 and 4.1 million speakers
    assert table.loc["albanian"].demographic_utility == pytest.approx((80 * 7.5 + 40 * 4.1) / 11.6)
    assert math.isnan(table.loc["basque"].standard_deviation)


@pytest.mark.parametrize(
    "value, decimals, rounded", [(73.25, 1, 73.2), (73.35, 1, 73.4), (0.45, 1, 0.4), (2.5, 0, 2.0), (-0.04, 1, -0.0)]
)
def test_rounding_is_half_to_even_as_numpy_does_it(value, decimals, rounded):
    assert half_even(value, decimals) == rounded
    assert math.isnan(half_even(math.nan, 1))
