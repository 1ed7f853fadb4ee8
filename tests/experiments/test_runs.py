"""A run folder survives: kills at every moment, damage, full disks, two processes at once."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dbutils import csvio
from dbutils.errors import InputError
from dbutils.experiments import run, store
from dbutils.experiments.request import make
from dbutils.scores import load, read_scores


def files(folder):
    """{name: bytes} of what matters of a run folder: scores and predictions."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in [folder / "scores.csv", *folder.rglob("*.parquet")]
    }


def quiet(text):
    pass


def fits(monkeypatch):
    """A list that grows by one with every training."""
    seen, fitted = [], run.fitted

    def counted(*words):
        seen.append(words[0].name)
        return fitted(*words)

    monkeypatch.setattr(run, "fitted", counted)
    return seen


def test_a_run_has_manifest_scores_and_predictions(small):
    (folder,) = make(small(), quiet)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (
        manifest["command"]
        == "dbutils run tc --model majority --setting zero_shot --train tal --profile sandbox --seed 0"
    )
    identity = manifest["identity"]
    assert (identity["task"], identity["setting"], identity["seed"], identity["limit"]) == ("tc", "zero_shot", 0, 0)
    assert identity["train"]["parts"][0]["examples"] == 400 and len(identity["train"]["parts"][0]["sha256"]) == 64
    assert len(manifest["tests"]["mir@test"]["sha256"]) == 64
    assert {"started", "processor", "cores", "libraries"} <= set(manifest["sessions"][0])
    rows = read_scores(folder / "scores.csv")
    assert [*zip(rows.code, rows.metric)] == [("mir", "f1"), ("mir", "accuracy"), ("tal", "f1"), ("tal", "accuracy")]
    assert set(rows.n) == {100} and set(rows.origin) == {"run"} and set(rows.run) == {folder.name}
    assert set(zip(rows.cluster, rows.variety)) == {("mirun", "mirun"), ("talvo", "talvo")}
    assert (rows.low <= rows.value).all() and (rows.value <= rows.high).all()
    assert load(folder).equals(rows) and load(folder.parent).equals(rows)
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "predictions" / "tal.parquet")
    assert table.column_names == ["id", "gold", "prediction", "group", "statistics_f1", "statistics_accuracy"]
    assert table.num_rows == 100 and json.loads(table["gold"][0].as_py())


def test_a_finished_run_returns_at_once_and_reads_nothing(small, monkeypatch):
    (folder,) = make(small(), quiet)
    before, said = files(folder), []
    monkeypatch.setattr("dbutils.experiments.parts.read", lambda *a: pytest.fail("read again"))
    monkeypatch.setattr(run, "fitted", lambda *a: pytest.fail("trained again"))
    assert make(small(), said.append) == [folder]
    assert files(folder) == before and said == []


def test_more_varieties_go_on_in_the_same_folder_with_the_same_model(small, monkeypatch):
    trained = fits(monkeypatch)
    (first,) = make(small(varieties=("tal",)), quiet)
    (second,) = make(small(varieties=("orv", "tal")), quiet)
    assert first == second and trained == ["tal"]
    assert set(read_scores(first / "scores.csv").code) == {"tal", "orv"}


def test_the_model_goes_when_all_varieties_are_done_unless_it_is_to_be_kept(small):
    (folder,) = make(small(setting="in_variety", train="tal", varieties=()), quiet)
    assert not (folder / "model").exists()
    (folder,) = make(small(setting="in_variety", train="mir", varieties=(), keep_model=True), quiet)
    assert (folder / "model").exists()


def damage_scores(folder):
    (folder / "scores.csv").write_bytes((folder / "scores.csv").read_bytes()[:-30])


def falsify_scores(folder):
    text = (folder / "scores.csv").read_text()
    (folder / "scores.csv").write_text(text.replace(",100,", ",99,"))


def remove_scores(folder):
    (folder / "scores.csv").unlink()


def truncate_predictions(folder):
    path = folder / "predictions" / "tal.parquet"
    path.write_bytes(path.read_bytes()[:-100])


def flip_a_byte(folder):
    path = folder / "predictions" / "tal.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)


def remove_predictions(folder):
    (folder / "predictions" / "tal.parquet").unlink()


def truncate_manifest(folder):
    (folder / "manifest.json").write_bytes((folder / "manifest.json").read_bytes()[:200])


def empty_manifest(folder):
    (folder / "manifest.json").write_text("{}")


def falsify_model(folder):
    path = next((folder / "model").iterdir())
    path.write_bytes(path.read_bytes()[:-1])
    remove_predictions(folder)


DAMAGES = [
    (damage_scores, ""),
    (falsify_scores, ""),
    (remove_scores, ""),
    (truncate_predictions, "tal is done again"),
    (flip_a_byte, "tal is done again"),
    (remove_predictions, "missing or damaged"),
    (truncate_manifest, "begun anew"),
    (empty_manifest, "not a manifest"),
    (falsify_model, "training majority"),
]


@pytest.mark.parametrize("damage, says", DAMAGES, ids=[damage.__name__ for damage, _ in DAMAGES])
def test_damage_is_seen_and_mended(small, damage, says):
    (folder,) = make(small(), quiet)
    before, said = files(folder), []
    damage(folder)
    assert make(small(), said.append) == [folder]
    assert files(folder) == before
    assert says in "\n".join(said)


def test_changed_test_data_are_seen_and_that_variety_is_done_again(small, monkeypatch):
    from dbutils.experiments import data, parts

    (folder,) = make(small(), quiet)
    read, said = parts.read, []
    monkeypatch.setattr(data, "stamp", lambda corpus: "other")
    monkeypatch.setattr(
        parts, "read", lambda t, p, n=0: read(t, p, n)[:50] if (p.code, p.split) == ("mir", "test") else read(t, p, n)
    )
    assert make(small(), said.append) == [folder]
    assert any("the data of mir have changed" in line for line in said) and any(
        "1 of 2 varieties" in line for line in said
    )
    rows = read_scores(folder / "scores.csv")
    assert dict(zip(rows.code, rows.n)) == {"mir": 50, "tal": 100}


def test_what_a_user_keeps_in_a_run_folder_survives(small, tmp_path):
    (folder,) = make(small(), quiet)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".notes").write_text("mine")
    (folder / "predictions" / ".tal.parquet.swp~").write_text("mine")
    (folder / ".cache").symlink_to(tmp_path)
    (folder / ".nowhere").symlink_to(tmp_path / "nowhere")
    (folder / ".manifest.json.abc").symlink_to(tmp_path)
    for name in (".scores.csv.k2_x9abc", "predictions/.tal (x).parquet.aaaabbbb"):
        (folder / name).write_text("half writ")
    (folder / ".model.part").mkdir()
    remove_predictions(folder)
    assert make(small(), quiet) == [folder]
    hidden = {path.relative_to(folder).as_posix() for path in folder.rglob(".*")}
    assert hidden == {
        *(".lock", ".git", ".notes", ".cache", ".nowhere", ".manifest.json.abc"),
        "predictions/.tal.parquet.swp~",
    }
    assert (folder / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"


def test_the_recorded_commit_is_the_projects_own(tmp_path, monkeypatch):
    from dbutils.experiments import run

    def git(folder, *words):
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    outer, project = tmp_path / "outer", tmp_path / "outer" / "project"
    project.mkdir(parents=True)
    git(outer, "init", "-q")
    git(outer, "commit", "-q", "--allow-empty", "-m", "outer")
    assert run.commit(project) == ""  # unpacked inside another repository
    git(project, "init", "-q")
    assert run.commit(project) == ""  # without a commit yet
    git(project, "commit", "-q", "--allow-empty", "-m", "inner")
    own = git(project, "rev-parse", "HEAD")
    assert run.commit(project) == own != git(outer, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(outer / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(outer))
    assert run.commit(project) == own
    assert run.commit(tmp_path / "nowhere") == ""


def writes(monkeypatch, then):
    """Every write of a file calls then(number, path) first; returns the list of paths."""
    seen, write = [], csvio.write_bytes

    def counted(path, content):
        seen.append(Path(path).name)
        then(len(seen), path)
        write(path, content)

    monkeypatch.setattr(csvio, "write_bytes", counted)
    return seen


def test_killed_at_any_write_it_goes_on_to_the_same_result(small, tmp_path):
    """The process ends without a word at its n-th write, for every n, before and after the file is there."""
    (whole,) = make(small(runs=str(tmp_path / "whole")), quiet)
    for moment in ("before", "after"):
        for number in range(1, 20):
            request = small(runs=str(tmp_path / f"{moment}{number}"))
            child = os.fork()
            if child == 0:
                _die_at(number, moment)
                make(request, quiet)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            (folder,) = make(request, quiet)
            assert files(folder) == files(whole), (moment, number)
            assert [p.name for p in folder.rglob(".*")] == [".lock"], (moment, number)
            if status == 0:  # there were not so many writes
                break
        assert number > 8


def _die_at(number, moment):
    replace, count = os.replace, 0

    def dying(source, target):
        nonlocal count
        count += 1
        if count == number:
            if moment == "after":
                replace(source, target)
            os._exit(9)
        replace(source, target)

    os.replace = dying


@pytest.mark.parametrize("number", [1, 4, 6, 7, 8, 9])
def test_a_full_disk_is_one_clear_line_and_loses_nothing(small, tmp_path, monkeypatch, number):
    (whole,) = make(small(runs=str(tmp_path / "whole")), quiet)
    with monkeypatch.context() as patch:

        def full(count, path):
            if count >= number:
                raise OSError(28, "No space left on device", str(path))

        writes(patch, full)
        with pytest.raises(InputError) as caught:
            make(small(), quiet)
    assert "the disk is full" in str(caught.value) and "\n" not in str(caught.value)
    done = sum((folder / "scores.csv").is_file() for folder in store.all_runs(tmp_path / "runs"))
    (folder,) = make(small(), quiet)
    assert files(folder) == files(whole) and done <= 1


def test_a_full_disk_while_a_model_is_saved_is_the_same_clear_line(small, monkeypatch):
    def save(learner, folder):
        raise RuntimeError("SafetensorError: I/O error: No space left on device (os error 28)")

    monkeypatch.setattr(run, "save", save)
    with pytest.raises(InputError, match="the disk is full"):
        make(small(), quiet)


@pytest.mark.parametrize("folder", ["a-file", "a-file/runs", "/proc/runs"])
def test_a_folder_that_cannot_be_is_named(folder, small, tmp_path):
    (tmp_path / "a-file").write_text("")
    with pytest.raises(InputError, match="cannot be written; choose another folder with --runs"):
        make(small(runs=str(tmp_path / folder)), quiet)


def test_a_folder_that_cannot_be_written_is_named(small, monkeypatch):
    def denied(count, path):
        raise PermissionError(13, "Permission denied", str(path))

    writes(monkeypatch, denied)
    with pytest.raises(InputError, match="cannot be written; choose another folder with --runs"):
        make(small(), quiet)


def test_an_error_that_is_no_full_disk_stays_what_it_is(small, monkeypatch):
    def save(learner, folder):
        raise RuntimeError("out of luck")

    monkeypatch.setattr(run, "save", save)
    with pytest.raises(RuntimeError, match="out of luck"):
        make(small(), quiet)


def test_data_not_on_disk_stop_a_run_before_anything_is_made(tmp_path, corpora):
    from dbutils.experiments.request import Request

    with pytest.raises(InputError, match="run 'dbutils corpora get sib-200'"):
        make(Request("tc", "majority", "zero_shot", profile="paper", runs=str(tmp_path / "runs")), quiet)
    assert not (tmp_path / "runs").exists()


def test_an_empty_test_set_is_told_and_has_no_score(small, monkeypatch):
    from dbutils.experiments import parts

    read = parts.read
    monkeypatch.setattr(parts, "read", lambda t, p, n=0: [] if (p.code, p.split) == ("mir", "test") else read(t, p, n))
    said = []
    (folder,) = make(small(), said.append)
    codes = set(read_scores(folder / "scores.csv").code)
    assert "mir" not in codes and codes
    assert [line.partition(": ")[2] for line in said if "mir" in line] == [
        "mir test: it has no examples, so there is no score"
    ]
    said.clear()
    assert make(small(), said.append) == [folder] and said == []  # and the run is finished


COMMAND = [
    sys.executable,
    "-m",
    "dbutils",
    "run",
    "tc",
    "--model",
    "ngram-nb",
    "--setting",
    "zero_shot",
    "--limit",
    "60",
]
COMMAND += ["--variety", "tal", "tal-hill", "mir"]


def test_two_processes_that_ask_for_the_same_run_make_it_once(tmp_path):
    words = [*COMMAND, "--runs", str(tmp_path / "runs")]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert said[0][0] == said[1][0] and said[0][0].count("\n") == 7
    trained = [err.count("training ngram-nb") for _, err in said]
    assert sorted(trained) == [0, 1]
    assert len(store.all_runs(tmp_path / "runs")) == 1


MATRIX = """
import sys
from dbutils.experiments.request import Request, make
for task in ("tc", "sa"):
    for model in ("majority", "ngram-nb"):
        request = Request(task, model, "zero_shot", varieties=("tal", "mir"), limit=40, runs=sys.argv[1])
        make(request, lambda text: None)
"""


def test_kill_9_at_random_moments_of_a_matrix_changes_no_score(tmp_path):
    def start(folder):
        return subprocess.Popen([sys.executable, "-c", MATRIX, str(folder)])

    begun = time.monotonic()
    assert start(tmp_path / "whole").wait(timeout=300) == 0
    length = time.monotonic() - begun
    draw, killed = random.Random(0), 0
    for _ in range(3):
        process = start(tmp_path / "killed")
        try:
            process.wait(timeout=length * draw.uniform(0.3, 0.9))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    assert killed
    assert start(tmp_path / "killed").wait(timeout=300) == 0
    whole, after = ({f.name: files(f) for f in store.all_runs(tmp_path / name)} for name in ("whole", "killed"))
    assert len(whole) == 4 and whole == after


def test_find_takes_a_path_a_name_a_beginning_and_a_hash(small, tmp_path):
    (a,), _ = make(small(), quiet), make(small(seed=1), quiet)
    folder = tmp_path / "runs"
    for text in (str(a), a.name, a.name[:-3], a.name[-10:]):
        assert store.find(text, folder) == a
    with pytest.raises(InputError, match="write more of it"):
        store.find("tc-majority", folder)
    with pytest.raises(InputError, match="did you mean 'tc-majority-zero_shot-tal-sandbox-s"):
        store.find("tc-majority-zero_shot-tal-sandbox-s9", folder)
    with pytest.raises(InputError, match="there are no runs in"):
        store.find("x", tmp_path / "nowhere")
