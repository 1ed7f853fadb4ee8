"""The terminal's contract: what is printed where, and the exit status."""

import csv
import io
import json
import subprocess
import sys

import pytest

from dbutils.cli import main
from dbutils.scores.flags import FLAGS


def run(capsys, *argv):
    status = main(list(argv))
    out, err = capsys.readouterr()
    return status, out, err


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_name_parses_into_parts(capsys):
    status, out, err = run(capsys, "name", "anglic/english (a:uk)")
    parts = json.loads(out)
    assert (status, err) == (0, "")
    assert (parts["base"], parts["area"], parts["mode"], parts["cluster"], parts["glottocode"]) == (
        "english",
        "uk",
        "",
        "anglic",
        "stan1293",
    )
    assert parts["template"] == "english-(a:uk,r:,m:,o:,i:)"


USAGE = [
    (["name", "english (a:uk"], "closing ')' is missing"),
    (["name", "english (q:uk)"], "unknown attribute 'q'"),
    (["name", "englich"], "did you mean 'english'"),
    (["table", "6"], "table of contents"),
    (["table", "x"], "'x' is no table number"),
    (["table", "-1"], "-1"),
    (["table", "99"], "no table 99"),
    (["table", "10", "--scores", "nowhere.csv"], "unknown score source 'nowhere.csv'"),
    (["table", "10", "--format", "xml"], "invalid choice: 'xml'"),
    (["table", "10", "--raw", "--format", "md"], "--raw goes with"),
    (["gap", "--task", "tcc"], "unknown task 'tcc'"),
    (["gap", "--task", "tc", "--setting", "zeroshot"], "did you mean 'zero_shot'"),
    (["gap", "--task", "tc", "--reference", "englisch"], "did you mean 'english'"),
    (["gap", "--task", "tc", "--model", "mistral"], "there are: mbert"),
    (["gap"], "--task"),
    (["utility", "--task", "ud"], "unknown task 'ud'"),
    (["audit", "--table", "6"], "table 6 is not audited"),
    (["varieties", "--cluster", "norwegia"], "did you mean 'norwegian'"),
    (["varieties", "--task", "parsing"], "unknown task 'parsing'"),
    (["tabel", "3"], "invalid choice: 'tabel'"),
    ([], "COMMAND"),
]


@pytest.mark.parametrize("argv, says", USAGE, ids=lambda x: " ".join(x) if isinstance(x, list) else "")
def test_bad_input_is_one_clear_line_and_status_2(capsys, argv, says):
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert says in err and err.count("\n") == 1 and err.startswith("dbutils: ")


def test_tables_of_every_number(capsys):
    for number in [*range(1, 6), *range(7, 32)]:
        status, out, err = run(capsys, "table", str(number), "--format", "csv")
        assert status == 0 and len(rows(out)) >= 1
        # beside the table only what its known faults mean, and those that it has
        told = [line.removeprefix("dbutils: ").partition(": ")[0] for line in err.splitlines()]
        assert all(name in out for name in told) and set(told) <= {f.name for f in FLAGS.values()}


def test_varieties_by_cluster_and_task(capsys):
    status, out, _ = run(capsys, "varieties")
    assert status == 0 and len(rows(out)) == 281
    _, out, _ = run(capsys, "varieties", "--cluster", "sw. shifted romance", "--task", "did")
    assert [r["variety"] for r in rows(out)][:2] == ["brazilian portuguese", "latin american spanish"]
    _, out, _ = run(capsys, "varieties", "--task", "eqa", "--format", "json")
    assert len(json.loads(out)) == 24
    _, out, _ = run(capsys, "varieties", "--cluster", "komi", "--format", "md")
    assert out.startswith("| cluster |") and out.count("\n") == 6


def test_gap_levels(capsys):
    _, out, _ = run(capsys, "gap", "--task", "dep", "--reference", "english", "--level", "cluster")
    arabic = next(r for r in rows(out) if r["cluster"] == "arabic")
    assert round(float(arabic["gap"]), 1) == 50.8
    _, out, err = run(capsys, "gap", "--task", "dep", "--setting", "in_variety")
    assert err == "dbutils: never learnt: The fine-tuned model never learnt its task.\n"
    north = next(r for r in rows(out) if r["variety"] == "north african arabic")
    assert (north["reference"], round(float(north["gap"]), 1), north["flags"]) == (
        "standard arabic",
        93.8,
        "never learnt",
    )


def test_a_gap_from_a_baseline_that_is_no_result_is_withheld(capsys):
    failed = ["gap", "--task", "dep", "--model", "xlmr", "--setting", "in_variety"]
    _, out, err = run(capsys, *failed)
    held = [r for r in rows(out) if r["gap"] == ""]
    assert {r["reference"] for r in held} == {"standard arabic", "north saami"} and all(
        "never learnt" in r["flags"] for r in held
    )
    assert "withheld, since the baseline standard arabic is no result (never learnt): " in err and "--as-printed" in err
    _, out, err = run(capsys, *failed, "--as-printed")
    assert min(float(r["gap"]) for r in rows(out)) < -1000 and "withheld" not in err


def test_utility_with_and_without_the_separated_populations(capsys):
    _, out, _ = run(capsys, "utility", "--task", "eqa")
    bengali = next(r for r in rows(out) if r["cluster"] == "bengali")
    assert bengali["demographic_utility"] == ""
    _, out, _ = run(capsys, "utility", "--task", "eqa", "--all-populations")
    bengali = next(r for r in rows(out) if r["cluster"] == "bengali")
    assert round(float(bengali["demographic_utility"]), 1) == 73.6


def test_audit_columns_and_statuses(capsys):
    status, out, _ = run(capsys, "audit", "--table", "16", "--format", "csv")
    assert status == 0 and out.splitlines()[0] == "table,row,column,printed,recomputed,status,reason,flags"
    assert {r["status"] for r in rows(out)} == {"reproduced", "mislabelled"}
    _, out, _ = run(capsys, "audit", "--format", "counts")
    assert out.splitlines()[-1].split()[0] == "all"


def test_scores_of_ones_own_from_a_file(capsys, tmp_path):
    from dbutils.scores import COLUMNS

    path = tmp_path / "mine.csv"
    path.write_text(
        ",".join(COLUMNS)
        + "\ntc,sib-200,tiny,zero_shot,eng_Latn,arabic,standard arabic,arb_Arab,test,f1,12.345,204,,,1,run,r\n"
    )
    _, out, _ = run(capsys, "table", "17", "--scores", "upstream", str(path))
    assert rows(out)[0]["zero_shot_f1_tiny"] == "12.35" or rows(out)[0]["zero_shot_f1_tiny"] == "12.34"
    _, out, _ = run(capsys, "table", "17", "--scores", str(path), "--raw")
    assert rows(out)[0]["zero_shot_f1_tiny"] == "12.345"


def test_help_everywhere(capsys):
    for command in ("varieties", "name", "table", "gap", "utility", "audit"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
        assert command in capsys.readouterr().out


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m dbutils table 8 | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert done.stdout.startswith("cluster,variety") and done.stderr == "" and done.returncode == 0
