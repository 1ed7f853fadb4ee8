"""The page of the constructed varieties."""

from dbutils import sandbox
from dbutils.report.pages.constructed import WAYS, constructed


def test_every_variety_stands_in_both_tables_and_each_cluster_has_a_way_told():
    text = constructed()["constructed.md"]
    for v in sandbox.varieties():
        assert text.count(f"\n| `{v.code}` | ") == 2
    assert {sandbox.variety(code).cluster for code in WAYS} == set(sandbox.CLUSTERS)
    assert all(f"\n### {sandbox.variety(code).name}\n" in text for code in WAYS)


def test_the_sentence_is_the_one_that_the_examples_hold():
    text = constructed()["constructed.md"]
    example = next(e for e in sandbox.examples("mt", "mir-high", "test") if e.id == "test-0010")
    assert example.source in text and f"*{example.reference}*" in text
