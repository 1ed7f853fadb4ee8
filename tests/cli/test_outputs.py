"""Where results go, and words that say nothing: bad ones are one line before any work."""

import pytest

from dbutils import cli

MAJORITY = ["run", "tc", "--model", "majority", "--setting", "zero_shot", "--variety", "tal", "--limit", "3"]


def said(capsys, *words):
    assert cli.main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("dbutils: ") and err.count("\n") == 1
    return err


@pytest.mark.parametrize("command", [MAJORITY, ["runs", "export"], ["notebook", "gap_analysis"], ["figure", "2"]])
def test_an_output_that_cannot_be_is_told_before_the_work(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "is a folder, not a file" in said(capsys, *command, "-o", tmp_path)
    assert "there is no folder" in said(capsys, *command, "-o", tmp_path / "none" / "file.csv")
    assert "unknown ending '.xyz'" in said(capsys, *command, "-o", tmp_path / "file.xyz")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["table", "4", "--scores", ""],
        [*MAJORITY, "--runs", ""],
        ["run", "", "--model", "majority"],
        [*MAJORITY, "--train", ""],
    ],
)
def test_an_empty_word_is_refused(words, capsys):
    assert "an empty argument" in said(capsys, *words)


def test_a_full_output_is_one_line():
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "dbutils", "table", "4"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (
        result.returncode == 2
        and result.stderr.startswith("dbutils: no space is left")
        and result.stderr.count("\n") == 1
    )


def test_no_runs_are_told(capsys, tmp_path):
    assert cli.main(["runs", "list", "--runs", str(tmp_path / "none")]) == 0
    assert "no such runs in" in capsys.readouterr().err


def test_scores_of_constructed_varieties_are_named_as_such(capsys, tmp_path):
    assert cli.main([*MAJORITY, "--runs", str(tmp_path)]) == 0
    capsys.readouterr()
    error = said(capsys, "table", "17", "--scores", tmp_path)
    assert (
        "these have none of the benchmark; 2 rows of majority not shown: scores of constructed varieties enter" in error
    )
