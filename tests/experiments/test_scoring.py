"""Score rows from per-example statistics."""

import numpy as np
import pytest

from dbutils import tasks
from dbutils.corpora.examples import TextExample
from dbutils.experiments import predictions, scoring
from dbutils.experiments.parts import Part
from dbutils.experiments.request import make
from dbutils.experiments.training import Target
from dbutils.metrics import bootstrap
from dbutils.metrics.base import f1
from dbutils.scores import read_scores


def quiet(text):
    pass


@pytest.mark.parametrize("groups", [None, list("aabbcc") * 5])
def test_intervals_are_those_of_the_bootstrap_one_metric_at_a_time(groups):
    random = np.random.default_rng(3)
    metrics = tasks.TASKS["tc"].metrics(("x", "y", "z"))
    examples = [TextExample(str(i), "", "xyz"[random.integers(3)]) for i in range(30)]
    guesses = ["xyz"[random.integers(3)] for _ in examples]
    tables = [metric.table(examples, guesses) for metric in metrics]
    found = scoring.intervals([metric.value for metric in metrics], tables, groups)
    assert found == [bootstrap.interval(m, t, scoring.SEED, groups) for m, t in zip(metrics, tables)]


def test_one_example_or_one_passage_has_no_interval():
    table = np.array([[3.0, 1.0], [1.0, 1.0]])
    value = lambda s: 100 * s[..., 1] / s[..., 0]  # noqa: E731
    assert scoring.intervals([value], [table[:1]]) == [(100 / 3, None, None)]
    assert scoring.intervals([value], [table], ["p", "p"]) == [(50.0, None, None)]
    with pytest.raises(ValueError, match="no examples, so there is no score"):
        scoring.intervals([value], [np.zeros((0, 0))])


def test_precision_recall_and_f1_of_a_label():
    labels = ("a", "b")
    macro = next(m for m in tasks.TASKS["did"].metrics(labels) if m.name == "f1")
    gold, guess = "aaabbbbb", "aabbbbbx"
    sums = macro.table([TextExample("", "", g) for g in gold], list(guess)).sum(axis=0)
    measured = {
        (label, m.name): float(m.value(sums)) for i, label in enumerate(labels) for m in scoring.of_label(macro, i, 2)
    }
    assert measured[("a", "precision")] == 100 and measured[("a", "recall")] == pytest.approx(200 / 3)
    assert measured[("b", "precision")] == pytest.approx(100 * 4 / 5) and measured[("b", "recall")] == 80
    assert measured[("a", "f1")] == pytest.approx(float(f1(2, 2, 3)))
    assert float(macro.value(sums)) == pytest.approx((measured[("a", "f1")] + measured[("b", "f1")]) / 2)


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
    expected = bootstrap.interval(metric, predictions.statistics(table, "f1"), scoring.SEED, predictions.groups(table))
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
