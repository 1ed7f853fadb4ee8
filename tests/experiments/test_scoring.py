"""Score rows from per-example statistics."""

import pytest

from dbutils import tasks
from dbutils.corpora.examples import TextExample
from dbutils.experiments import predictions, scoring
from dbutils.experiments.parts import Part
from dbutils.experiments.plan import Target
from dbutils.experiments.request import make
from dbutils.metrics import intervals
from dbutils.scores import read_scores


def quiet(text):
    pass


def test_dialect_identification_has_a_row_for_the_set_and_rows_for_each_variety(small):
    (folder,) = make(small(task="did", setting="in_cluster", varieties=("tal-coast",), limit=60), quiet)
    rows = read_scores(folder / "scores.csv")
    whole = rows[rows.code == "talvo"]
    assert set(whole.metric) == {"f1", "accuracy"} and set(whole.variety) == {""} and set(whole.n) == {60}
    coast = rows[rows.code == "talvo:tal-coast"]
    assert set(coast.metric) == {"f1", "precision", "recall"}
    assert set(zip(coast.cluster, coast.variety)) == {("talvo", "lowland talvo (a:coast)")}
    single = rows[rows.code.str.contains(":") & (rows.metric == "f1")]
    assert single.value.mean() == pytest.approx(float(whole[whole.metric == "f1"].value.iloc[0]))
    assert single.n.sum() == 60


def test_labels_of_the_benchmark_are_keyed_as_in_the_registry():
    part = Part("dsl_tl", "english", "test")
    assert scoring.label_key(part, "EN-GB") == ("anglic", "english (a:uk)")
    assert scoring.label_key(Part("greek_did", "greek", "test"), "nothing") == ("", "")


def test_questions_are_drawn_by_passage(small, scripted, tmp_path):
    scripted(lambda example, seed: example.answers[0] if int(example.id[-1]) % 2 else "")
    (folder,) = make(small(task="eqa"), quiet)
    table = predictions.read(folder / "predictions" / "tal.parquet")
    assert len(set(predictions.groups(table))) > 1
    metric = tasks.TASKS["eqa"].metrics(())[0]
    expected = intervals.interval(metric, predictions.statistics(table, "f1"), predictions.groups(table), scoring.SEED)
    rows = read_scores(folder / "scores.csv")
    row = rows[(rows.code == "tal") & (rows.metric == "f1")].iloc[0]
    assert (row.value, row.low, row.high) == pytest.approx(expected)
    assert row.value == 50.0


def test_a_file_name_holds_any_code():
    assert predictions.file_name("UD_English-EWT", "test") == "predictions/UD_English-EWT.parquet"
    assert predictions.file_name("english--usa", "dev") == "predictions/english--usa@dev.parquet"
    assert predictions.file_name("Trentino-Alto Adige/Südtirol", "test") == (
        "predictions/Trentino-Alto Adige%2FS%C3%BCdtirol.parquet"
    )


def test_a_single_test():
    labels = ("a", "b")
    task = tasks.TASKS["tc"]
    examples = [TextExample("1", "", "a"), TextExample("2", "", "b")]
    table = predictions.table(task, examples, ["a", "a"], task.metrics(labels))
    (f, accuracy) = scoring.rows(
        task, labels, Target(Part("c", "x", "paper-test"), "test", "k", "v"), table, {"run": "r"}
    )
    assert (accuracy["metric"], accuracy["value"], accuracy["n"], accuracy["split"]) == ("accuracy", 50.0, 2, "test")
    assert f["value"] == pytest.approx((200 / 3 + 0) / 2) and f["run"] == "r"
