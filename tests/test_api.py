"""The public interface: every name works from `dbutils` itself, returns pandas objects, and is documented."""

import json
import re

import pandas as pd
import pytest

import dbutils
from dbutils import api
from dbutils.book.interface import interface
from dbutils.errors import InputError


@pytest.fixture(scope="module")
def scores():
    return dbutils.load_scores()


def test_the_names_are_attributes_of_the_package_and_stand_on_their_page():
    page = interface()["interface.md"]
    assert 18 <= len(api.__all__) <= 24
    for name in api.__all__:
        assert getattr(dbutils, name) is getattr(api, name)
        assert f"\ndbutils.{name}(" in page
        assert api.__dict__[name].__doc__.split("\n")[0].endswith((".", ":"))
    assert set(api.__all__) <= set(dir(dbutils))


def test_an_unknown_name_says_what_there_is():
    with pytest.raises(AttributeError, match="dbutils has no 'scoer'; it has: audit, cells"):
        dbutils.scoer  # noqa: B018


def test_tables_gaps_and_utilities_are_those_of_the_commands(scores):
    assert dbutils.table(10, printed=True).zeroshot_mbert.iloc[1] == "38.14"
    assert dbutils.table(10, scores).zeroshot_mbert.iloc[1] == pytest.approx(38.14, abs=0.005)
    assert dbutils.printed(10).zeroshot_mbert.iloc[1] == "38.14"
    gaps = dbutils.gap(scores, "dep")
    assert gaps[gaps.variety == gaps.reference].gap.abs().max() == 0
    assert set(dbutils.gap(scores, "dep", level="cluster").columns) >= {"cluster", "reference", "gap"}
    assert dbutils.utility(scores, "ner").set_index("cluster").linguistic_utility.between(0, 100).all()
    assert len(dbutils.maxima(scores, "tc")) == len(
        dbutils.cells(task="tc", metric="f1", model="mbert", setting="zero_shot")
    )
    assert set(dbutils.audit(tables=["10"]).status) == {"reproduced"}
    assert dbutils.figure("4a").axes


def test_a_wrong_argument_is_one_line(scores):
    wrong = [
        (lambda: dbutils.gap(scores, "xx"), "unknown task 'xx'"),
        (lambda: dbutils.utility(scores, "xx"), "unknown task 'xx'"),
        (lambda: dbutils.cells(scores, tsk="tc"), "unknown column 'tsk': did you mean 'task'"),
        (lambda: dbutils.cells(scores, task="tc", metric="zz"), "make no number with task='tc', metric='zz'"),
        (
            lambda: dbutils.gap("upstream", "tc"),
            "str without the column 'task': score rows come from dbutils.load_scores",
        ),
        (lambda: dbutils.utility(scores.drop(columns="n"), "tc"), "DataFrame without the column 'n'"),
        (lambda: dbutils.gap(scores.assign(value=float("nan")), "tc"), "score row 0: no value"),
        (lambda: dbutils.run("tc", "majority", limit="x"), "limit 'x': must be a whole number"),
    ]
    for call, says in wrong:
        with pytest.raises(InputError, match=re.escape(says)):
            call()


def test_what_is_not_shown_is_told(scores):
    own = (
        scores[scores.task == "tc"].head(1).assign(origin="run", model="mine", run="r", setting="zero_shot", train="x")
    )
    assert dbutils.told(own, task="tc") == [
        "1 row of mine not shown: zero-shot here is transfer from English, and their `train` is not eng_Latn; "
        "`dbutils score --train` writes it"
    ]


def test_varieties_corpora_examples():
    assert "min nan chinese" in " ".join(dbutils.varieties().variety)
    assert set(dbutils.varieties(cluster="arabic", task="dep").cluster) == {"arabic"}
    assert dbutils.corpora_list().set_index("id").tasks["sib-200"] == "tc"
    found = dbutils.examples("tc", "sandbox", "tal-isle")
    assert {"id", "text", "label"} <= set(found.columns) and len(found)
    for wrong in ({"task": "x"}, {"cluster": "arabc"}):
        with pytest.raises(InputError, match="unknown"):
            dbutils.varieties(**wrong)
    with pytest.raises(InputError, match="unknown level 'town'"):
        dbutils.gap(dbutils.load_scores(), "dep", level="town")


def test_run_predict_score_compare(tmp_path):
    said = []
    options = dict(varieties="tal-isle", limit=20, runs=str(tmp_path))
    a = dbutils.run("tc", "majority", say=said.append, **options)
    b = dbutils.run("tc", "ngram-nb", say=said.append, **options)
    assert said and isinstance(a, pd.DataFrame) and set(a.model) == {"majority"}
    made = dbutils.predictions(a.run.iloc[0], tmp_path)
    assert made.columns.tolist() == ["code", "split", "id", "gold", "prediction"] and len(made) == 20
    difference = dbutils.compare(a.run.iloc[0], b.run.iloc[0], tmp_path)
    accuracy = {name: rows[rows.metric == "accuracy"].value.iloc[0] for name, rows in (("a", a), ("b", b))}
    row = difference[difference.metric == "accuracy"].iloc[0]
    assert row.difference == pytest.approx(accuracy["a"] - accuracy["b"])

    path = tmp_path / "made.jsonl"
    lines = [{"code": r.code, "id": r.id, "prediction": r.prediction} for r in made.itertuples()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = dbutils.score("tc", path, corpus="sandbox", say=said.append)
    assert any("missing" in line or "no prediction" in line for line in said[-5:]) and len(rows)
    dbutils.write_scores(dbutils.load_scores(str(tmp_path)), tmp_path / "all.parquet")
    assert len(dbutils.load_scores(str(tmp_path / "all.parquet"))) == len(a) + len(b)
