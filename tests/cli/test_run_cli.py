"""The commands run, runs, compare and score: what is printed where, and the exit status."""

import csv
import io
import json

import pytest

from dbutils.cli import main
from dbutils.scores import COLUMNS, read_scores


@pytest.fixture
def dbutils(capsys, tmp_path, monkeypatch):
    """dbutils(words...) -> (status, stdout, stderr), in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status = main(list(words))
        out, err = capsys.readouterr()
        return status, out, err

    return run


RUN = ("run", "tc", "--model", "majority", "--setting", "zero_shot", "--limit", "20", "--variety", "tal", "mir")


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_run_prints_score_rows_and_says_what_it_does_on_stderr(dbutils):
    status, out, err = dbutils(*RUN)
    assert status == 0
    found = rows(out)
    assert list(found[0]) == list(COLUMNS) and [row["code"] for row in found] == ["tal", "tal", "mir", "mir"]
    assert "training majority on tal (20 examples)" in err
    status, again, err = dbutils(*RUN)
    assert (status, again, err) == (0, out, "")


def test_run_prints_only_what_was_asked_for(dbutils):
    dbutils(*RUN)
    _, out, _ = dbutils(*RUN[:-1])
    assert {row["code"] for row in rows(out)} == {"tal"}


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_run_writes_a_file_that_others_read(dbutils, tmp_path, name):
    status, out, _ = dbutils(*RUN, "-o", name)
    assert (status, out) == (0, "") and len(read_scores(tmp_path / name)) == 4


def test_plan_trains_nothing(dbutils, tmp_path):
    status, out, err = dbutils("run", "tc", "--model", "majority", "--setting", "in_cluster", "--plan")
    assert status == 0 and [row["train"] for row in rows(out)] == ["tal", "mir", "orv"]
    assert err.startswith("3 trainings, 17 tests, 0 of them done; ") and not (tmp_path / "runs").exists()


def test_runs_list_show_export(dbutils, tmp_path):
    dbutils(*RUN)
    dbutils(*RUN, "--seed", "1")
    _, out, _ = dbutils("runs", "list")
    assert [(row["seed"], row["tests"], row["limit"]) for row in rows(out)] == [("0", "2", "20"), ("1", "2", "20")]
    name = rows(out)[0]["run"]
    status, out, _ = dbutils("runs", "show", name[-10:])
    assert status == 0
    assert (
        "  dbutils run tc --model majority --setting zero_shot --train tal --profile sandbox --seed 0"
        " --limit 20\n" in out
    )
    assert "sandbox/tal@train: 20 examples" in out
    _, out, _ = dbutils("runs", "show", name, "--format", "json")
    assert json.loads(out)["run"] == name
    _, out, _ = dbutils("runs", "export", name)
    assert {row["run"] for row in rows(out)} == {name}
    status, out, err = dbutils("runs", "export", "--task", "tc", "-o", "all.csv")
    assert (status, out, err) == (0, "", "all.csv: 8 rows of 2 runs\n") and len(read_scores(tmp_path / "all.csv")) == 8
    _, out, _ = dbutils("runs", "list", "--task", "sa")
    assert rows(out) == []


def test_a_damaged_run_is_told_by_list_and_does_not_stop_it(dbutils, tmp_path):
    dbutils(*RUN)
    folder = tmp_path / "runs" / "broken"
    folder.mkdir()
    (folder / "manifest.json").write_text("{")
    status, out, err = dbutils("runs", "list")
    assert status == 0 and len(rows(out)) == 1 and "broken/manifest.json: damaged" in err


def test_compare(dbutils):
    dbutils(*RUN)
    dbutils(*RUN, "--seed", "1")
    _, listed, _ = dbutils("runs", "list")
    a, b = (row["run"] for row in rows(listed))
    status, out, _ = dbutils("compare", a, b, "--metric", "accuracy")
    assert status == 0 and [(r["code"], r["difference"], r["p"]) for r in rows(out)] == [
        ("mir", "0.0", "1.0"),
        ("tal", "0.0", "1.0"),
    ]
    _, out, _ = dbutils("compare", a, "--varieties", "tal", "mir")
    assert [(r["code_a"], r["code_b"], r["metric"], r["paired"]) for r in rows(out)] == [
        ("tal", "mir", "f1", "True"),
        ("tal", "mir", "accuracy", "True"),
    ]
    _, out, _ = dbutils("compare", a, "--gaps", "english")
    assert [(r["code"], r["reference"], r["gap"]) for r in rows(out)] == [("tal", "tal", "0.0"), ("mir", "tal", "0.0")]


def test_score_tells_what_is_wrong_by_status_1(dbutils, tmp_path):
    (tmp_path / "p.jsonl").write_text('{"code": "tal", "id": "test-0000", "prediction": "sea"}\n')
    status, out, err = dbutils("score", "tc", "--predictions", "p.jsonl", "--corpus", "sandbox", "--model", "mine")
    assert status == 1 and rows(out)[0]["model"] == "mine" and rows(out)[0]["n"] == "100"
    assert err.splitlines()[-1] == "p.jsonl: missing: 94 more of tal"
    (tmp_path / "s.csv").write_text(out)
    assert len(read_scores(tmp_path / "s.csv")) == 2


WRONG = [
    (["run", "tcc"], "did you mean 'tc'"),
    (["run", "tc", "--model", "x" * 300], "unknown model"),
    (["run", "tc", "--model", "y/" + "x" * 300], "model 'y/"),
    (["runs", "show", "x" * 300], "unknown run"),
    (["run", "tc", "--model", "majorty", "--setting", "zero_shot"], "did you mean 'majority'"),
    (["run", "tcc", "--model", "majority", "--setting", "zero_shot"], "did you mean 'tc'"),
    (["run", "tc", "--model", "majority", "--setting", "zeroshot"], "did you mean 'zero_shot'"),
    (["run", "tc", "--model", "majority", "--setting", "zero_shot", "--variety", "tall"], "did you mean 'tal'"),
    (["run", "tc", "--model", "majority", "--setting", "zero_shot", "--train", "talo"], "did you mean 'tal"),
    (["run", "tc", "--model", "majority", "--setting", "zero_shot", "--profile", "papr"], "invalid choice: 'papr'"),
    (["run", "tc", "--model", "tiny", "--setting", "zero_shot", "--set", "epoch=1"], "did you mean 'epochs'"),
    (["run", "tc", "--model", "tiny", "--setting", "zero_shot", "--set", "epochs"], "write it as NAME=VALUE"),
    (["run", "tc", "--model", "majority", "--setting", "zero_shot", "--seed", "x"], "--seed"),
    (["runs", "show", "x"], "there are no runs in runs"),
    (["compare", "x", "y"], "unknown run 'x'"),
    (["score", "tc"], "--predictions"),
    (["score", "tc", "--predictions", "none.jsonl"], "no such file"),
    (["score", "tc", "--predictions", "/dev/null", "--setting", "zero"], "unknown setting 'zero'"),
]


@pytest.mark.parametrize("words, says", WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_bad_input_is_one_clear_line_and_status_2(dbutils, tmp_path, words, says):
    status, out, err = dbutils(*words)
    assert (status, out) == (2, "")
    assert err.startswith("dbutils: ") and err.count("\n") == 1 and says in err
    assert not (tmp_path / "runs").exists()


def test_compare_needs_the_right_number_of_runs(dbutils):
    dbutils(*RUN)
    _, listed, _ = dbutils("runs", "list")
    (row,) = rows(listed)
    assert dbutils("compare", row["run"])[2].startswith("dbutils: 1 run given, 2 needed")
    assert dbutils("compare", row["run"], row["run"], "--varieties", "tal", "mir")[2].startswith(
        "dbutils: 2 runs given, 1 needed"
    )


def test_a_task_alone_runs_with_the_defaults_and_says_which(dbutils):
    status, out, err = dbutils("run", "tc", "--plan")
    assert status == 0 and [(row["model"], row["setting"]) for row in rows(out)] == [("tiny", "zero_shot")]
    assert err.splitlines()[0] == "model tiny, setting zero_shot, profile sandbox"
    assert err.splitlines()[-1].startswith("1 training, ")
    _, out, _ = dbutils("run", "did", "--plan")
    assert {(row["model"], row["setting"]) for row in rows(out)} == {("tiny", "in_cluster")}
    _, out, _ = dbutils("run", "tc", "--setting", "in_context", "--plan")
    assert {row["model"] for row in rows(out)} == {"tiny-lm"}


def test_an_interrupted_run_says_that_the_same_command_goes_on(dbutils, monkeypatch):
    def interrupted(*a, **k):
        raise KeyboardInterrupt

    monkeypatch.setattr("dbutils.experiments.request.make", interrupted)
    status, out, err = dbutils(*RUN)
    assert (status, out) == (130, "") and err == (
        "dbutils: interrupted: what is finished is kept, and the same command goes on from there\n"
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.update(identity=[]),
        lambda m: m["identity"].update(train=None),
        lambda m: m["identity"].update(seed="0"),
        lambda m: m.update(tests=[]),
        lambda m: m["tests"]["tal@test"].pop("rows"),
        lambda m: m["tests"]["tal@test"]["rows"][0].update(value="high"),
        lambda m: m.update(sessions={}),
        lambda m: m.update(form=99),
        lambda m: m.update(model=None),
    ],
)
def test_a_manifest_of_another_shape_is_told_and_stops_no_list(dbutils, tmp_path, change):
    dbutils(*RUN)
    (path,) = (tmp_path / "runs").glob("*/manifest.json")
    found = json.loads(path.read_text())
    change(found)
    (tmp_path / "runs" / "other").mkdir()
    (tmp_path / "runs" / "other" / "manifest.json").write_text(json.dumps(found))
    status, out, err = dbutils("runs", "list")
    assert status == 0 and len(rows(out)) == 1
    assert "other/manifest.json: not a manifest of this version" in err and err.count("\n") == 1
    assert dbutils("runs", "show", str(tmp_path / "runs" / "other"))[0] == 2
