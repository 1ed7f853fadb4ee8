"""The records of clusters and varieties keep the promises made about them."""

import re
import unicodedata
from dataclasses import replace

import pytest

from dbutils import registry, sandbox
from dbutils.csvio import read_csv
from dbutils.errors import InputError
from dbutils.paths import data
from dbutils.registry import names
from dbutils.sandbox import CLUSTERS, SOURCE, varieties, variety
from dbutils.sandbox.family import steps


def scripts(code):
    words = " ".join(e.source for e in sandbox.examples("mt", code, "test"))
    return {unicodedata.name(letter).split()[0] for letter in words if letter.isalpha()}


def test_three_clusters_of_five_or_more():
    assert len(CLUSTERS) >= 3
    assert all(len(varieties(cluster)) >= 5 for cluster in CLUSTERS)
    assert all(variety(c.representative).cluster == c.code for c in CLUSTERS.values())


def test_one_cluster_has_a_representative_that_is_not_the_best_resourced():
    best = {c: max(varieties(c), key=lambda v: v.train).code for c in CLUSTERS}
    assert [c for c in CLUSTERS if best[c] != CLUSTERS[c].representative] == ["mirun"]
    assert best["mirun"] == "mir-port"


def test_one_cluster_is_in_another_script():
    assert scripts("orv") == scripts("orv-far") == {"ARMENIAN"}
    assert scripts("orv-chat") == {"LATIN"}
    assert scripts("orv-forum") == {"ARMENIAN", "LATIN"}
    assert all(scripts(v.code) == {"LATIN"} for c in ("talvo", "mirun") for v in varieties(c))


def test_the_source_is_the_root_and_the_best_resourced_of_its_cluster():
    assert SOURCE == "tal" and variety(SOURCE).parent == "" and steps(variety(SOURCE)) == ()
    assert variety(SOURCE).train == max(v.train for v in varieties())


def test_records_are_consistent():
    codes = [v.code for v in varieties()]
    for v in varieties():
        assert re.fullmatch("[a-z]+(-[a-z]+)?", v.code) and 0 <= v.dial <= 1 and v.train > 0
        assert v.cluster in CLUSTERS and (v.code == SOURCE or codes.index(v.parent) < codes.index(v.code))
    assert len(set(codes)) == len(codes) and not set(codes) & set(CLUSTERS)


def test_a_dial_of_zero_gives_the_parent():
    for v in varieties():
        if v.parent:
            same = [e.source for e in sandbox.examples("mt", replace(v, dial=0.0), "dev")]
            assert same == [e.source for e in sandbox.examples("mt", v.parent, "dev")]


def test_names_follow_the_template_of_the_paper():
    for v in varieties():
        assert names.write(names.parse(v.name)) == v.name
    assert names.parse(variety("tal-coast").name).area == "coast"


def test_nothing_of_the_sandbox_is_in_the_registry_or_the_scores_of_the_benchmark():
    real = registry.load()
    assert not {v.name for v in varieties()} & {v.variety for v in real}
    assert not set(CLUSTERS) & {v.cluster for v in real}
    assert "sandbox" not in set(read_csv(data("registry", "codes.csv"))["corpus"])
    assert "sandbox" not in set(read_csv(data("scores", "upstream.csv"))["corpus"])
    assert "constructed" in sandbox.NOTICE


def test_unknown_names_are_told_with_the_nearest_one():
    with pytest.raises(InputError, match="'mir-prot'.*'mir-port'"):
        variety("mir-prot")
    with pytest.raises(InputError, match="'mirum'.*'mirun'"):
        varieties("mirum")
