"""What a notebook runs itself."""

import pytest

from dbutils.book.parameters import PARAMETERS, check_values
from dbutils.experiments import notebook
from dbutils.report import views


def parameters(tmp_path, **changes):
    values = {parameter.name: parameter.default for parameter in PARAMETERS}
    return check_values(values | {"model": "majority", "runs": str(tmp_path / "runs"), "limit": 15} | changes)


def test_the_settings_of_the_parameters_are_run_and_no_others(tmp_path):
    run = parameters(
        tmp_path, settings=["zero_shot", "in_cluster", "in_context", "pseudo_reference"], varieties=["tal-low", "mir"]
    )
    mine = notebook.run_all("tc", run)
    assert list(mine.folders) == ["zero_shot", "in_cluster"] and mine.model == "majority" and mine.metric == "f1"
    assert [len(folders) for folders in mine.folders.values()] == [1, 2]
    assert set(mine.rows.code) == {"tal-low", "mir"}
    assert mine.left_out == {"pseudo_reference": "this task does not have it with this profile"}


def test_names_of_the_benchmark_do_not_restrict_the_constructed_varieties(tmp_path):
    asked, _ = notebook.requests("tc", parameters(tmp_path, varieties=["sicilian", "tal"]))
    assert asked["zero_shot"].varieties == ("tal",)
    asked, _ = notebook.requests("tc", parameters(tmp_path, varieties=["sicilian"]))
    assert asked["zero_shot"].varieties == ()


def test_a_gap_is_from_english_if_zero_shot_and_else_from_the_representative(tmp_path):
    run = parameters(tmp_path, settings=["zero_shot", "in_cluster"], varieties=["tal", "mir", "mir-lake"])
    mine = notebook.run_all("tc", run)
    assert set(mine.gaps("zero_shot").reference) == {"tal"}
    assert dict(zip(mine.gaps("in_cluster").code, mine.gaps("in_cluster").reference)) == {
        "tal": "tal",
        "mir": "mir",
        "mir-lake": "mir",
    }


def test_examples_hold_what_the_predictions_file_holds(tmp_path):
    mine = notebook.run_all("nli", parameters(tmp_path, varieties=["mir"]))
    ((key, result),) = mine.results("zero_shot").items()
    found = notebook.examples(result)
    assert key == ("mir", "test") and len(found) == 15
    assert (
        all(gold == example.label for example, gold, _ in found) and len({prediction for *_, prediction in found}) == 1
    )


@pytest.mark.parametrize("model", ["mistral-7b", "tiny-mt"])
def test_a_model_that_cannot_do_it_is_left_out_with_the_reason(model, tmp_path):
    mine = notebook.run_all("tc", parameters(tmp_path, model=model))
    assert (
        mine.folders == {}
        and "cannot do" in mine.left_out["zero_shot"]
        or "unknown model" in mine.left_out["zero_shot"]
    )
    for view in (views.own_scores, views.own_gaps, views.own_errors, views.own_examples):
        assert view(mine).text.startswith("Nothing is run here (zero-shot: ")


@pytest.mark.parametrize("task", ["dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa"])
def test_every_view_of_every_task_with_the_simplest_model(task, tmp_path):
    setting = "in_cluster" if task == "did" else "zero_shot"
    run = parameters(tmp_path, settings=[setting], varieties=["talvo"])
    rows = views.load(run)
    assert "talvo" in views.plan(task, run).text or "tal " in views.plan(task, run).text
    mine = views.conduct(task, run)
    scores = views.own_scores(mine).text
    assert "tal-isle" in scores and "–" in scores
    drawn = "No figure" not in views.own_gaps(mine).data["text/html"]
    assert drawn == (task not in ("did", "pos", "ner"))  # of which the last two have a reference whose score is 0
    assert "per cent right of" in views.own_errors(mine).text
    assert views.own_examples(mine).text.count("\n") >= 3
    assert "Levels cannot be compared" in views.own_beside(mine, rows).text
    assert views.conduct(task, run).rows.equals(mine.rows)  # nothing is done again


def test_texts_of_real_corpora_are_not_shown(tmp_path):
    from dataclasses import replace

    mine = notebook.run_all("tc", parameters(tmp_path, varieties=["tal"]))
    assert "text" in views.own_examples(mine).data["text/html"].split("</thead>")[0]
    assert ">text<" not in views.own_examples(replace(mine, profile="paper")).data["text/html"]
