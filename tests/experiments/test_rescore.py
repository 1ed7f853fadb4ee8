"""Scores are made anew from predictions: the same where nothing changed, others where a metric did, without a training."""

import json
import os

import pytest

from dbutils import csvio
from dbutils.cli import main
from dbutils.errors import InputError
from dbutils.experiments import bundle, identity, predictions, rescore, run, store
from dbutils.experiments.request import make
from dbutils.metrics import chunks, labels
from dbutils.scores import load, read_scores


def quiet(text):
    pass


TASKS = ["dep", "pos", "ner", "did", "sa", "nli", "mrc", "eqa", "mt"]


def changed_metric(monkeypatch):
    """Accuracy becomes 100 less what it was, by another signature."""
    value, share = labels._ACCURACY
    monkeypatch.setattr(labels, "_ACCURACY", (lambda s: 100 - value(s), share))
    signed = identity.signatures

    def other(task, names=()):
        return {name: f"{text}-new" if name == "accuracy" else text for name, text in signed(task, names).items()}

    monkeypatch.setattr(rescore, "signatures", other)


@pytest.mark.parametrize("task", TASKS)
def test_scores_computed_again_are_the_same_for_every_task(small, task):
    changes = {"did": {"setting": "in_cluster", "varieties": (), "train": "mirun"}, "mt": {"model": "copy"}}
    (folder,) = make(small(task=task, limit=30, **changes.get(task, {})), quiet)
    before = {path: path.read_bytes() for path in [folder / "scores.csv", *folder.rglob("*.parquet")]}
    said = []
    assert rescore.folder(folder, said.append) == 0
    assert {path: path.read_bytes() for path in before} == before
    assert said[0].endswith("computed anew, 0 changed") and bundle.verify(folder) == []


def test_words_that_do_not_count_are_kept_with_the_predictions(small, monkeypatch):
    from dataclasses import replace

    from dbutils.experiments import parts

    read = parts.read

    def some(task, part, limit=0):
        found = read(task, part, limit)
        return [replace(e, scored=(False, *e.scored[1:])) for e in found] if part.split == "test" else found

    monkeypatch.setattr(parts, "read", some)
    for task in ("pos", "dep"):
        (folder,) = make(small(task=task, limit=30), quiet)
        assert rescore.folder(folder, quiet) == 0
        path = folder / "predictions" / "tal.parquet"
        table = predictions.read(path).drop_columns([predictions.SCORED])
        with pytest.raises(InputError, match="its predictions do not say which"):
            predictions.held(run.tasks.TASKS[task], table)


def test_a_changed_metric_gives_new_scores_and_trains_and_predicts_nothing(small, monkeypatch):
    (folder,) = make(small(), quiet)
    before, said = read_scores(folder / "scores.csv"), []
    changed_metric(monkeypatch)
    monkeypatch.setattr(run, "fitted", lambda *a: pytest.fail("trained again"))
    monkeypatch.setattr(run, "saved", lambda *a: pytest.fail("taken up again"))
    assert make(small(), said.append) == [folder]
    name = folder.name
    assert said == [f"{name}: 2 varieties rescored from the predictions, as the code of accuracy has changed"]
    after = read_scores(folder / "scores.csv")
    kept, other = after.metric == "f1", after.metric == "accuracy"
    assert after[kept].equals(before[kept])
    assert [*after[other].value] == [100 - value for value in before[other].value]
    entry = store.read_manifest(folder)["tests"]["tal@test"]
    assert entry["signatures"]["accuracy"].endswith("-new") and entry["signatures"]["f1"].startswith(
        "f1|labels:6|code:"
    )
    assert make(small(), said.append) == [folder] and len(said) == 1


def die_at_write(number):
    """The process ends without a word before its n-th write of a file."""
    count, write = 0, csvio.write_bytes

    def dying(path, content):
        nonlocal count
        count += 1
        if count == number:
            os._exit(9)
        write(path, content)

    csvio.write_bytes = dying


def test_changed_statistics_are_written_and_a_kill_in_between_loses_no_prediction(small, monkeypatch):
    (folder,) = make(small(task="pos", limit=30), quiet)
    path = folder / "predictions" / "tal.parquet"
    before, content = read_scores(folder / "scores.csv"), path.read_bytes()

    def twice(gold, predicted):
        return 2 * statistics(gold, predicted)

    statistics = chunks.CHUNK_F1.statistics
    object.__setattr__(chunks.CHUNK_F1, "statistics", twice)
    try:
        for moment in (1, 2, 3):  # the manifest that announces it, the predictions, the manifest
            child = os.fork()
            if child == 0:
                die_at_write(moment)
                rescore.folder(folder, quiet)
                os._exit(0)
            assert os.waitpid(child, 0)[1] != 0
            manifest = store.read_manifest(folder)
            assert store.Run(folder, manifest, quiet).intact(manifest["tests"]["tal@test"]), moment
        assert rescore.folder(folder, quiet) == 0  # F1 of counts twice as large is the same
        assert path.read_bytes() != content and read_scores(folder / "scores.csv").equals(before)
        assert "file_sha256_next" not in store.read_manifest(folder)["tests"]["tal@test"]
    finally:
        object.__setattr__(chunks.CHUNK_F1, "statistics", statistics)


def test_changed_prediction_code_predicts_again_from_the_saved_model(small, monkeypatch):
    request = small(model="ngram-nb", limit=40, keep_model=True)
    (folder,) = make(request, quiet)
    scores, said = (folder / "scores.csv").read_bytes(), []
    monkeypatch.setattr(identity, "predicting_code", lambda *a: "other")
    monkeypatch.setattr(run, "fitted", lambda *a: pytest.fail("trained again"))
    assert make(request, said.append) == [folder]
    assert said[0] == f"{folder.name}: the code that predicts has changed; tal is predicted again"
    assert (folder / "scores.csv").read_bytes() == scores
    assert make(request, said.append) == [folder] and len(said) == 5


def first_form(folder):
    """Make a run folder what it would have been before there were keys and signatures."""
    path = folder / "manifest.json"
    found = json.loads(path.read_text())
    found["form"] = 1
    for entry in found["tests"].values():
        for name in ("key", "signatures", "threads"):
            entry.pop(name)
    path.write_text(json.dumps(found))
    return found


def test_runs_of_the_first_form_are_listed_shown_exported_and_rescored(small, tmp_path, capsys):
    (folder,) = make(small(), quiet)
    rows = read_scores(folder / "scores.csv")
    first_form(folder)
    where = ["--runs", str(tmp_path / "runs")]
    assert main(["runs", "list", *where]) == 0 and folder.name in capsys.readouterr().out
    assert main(["runs", "show", folder.name, *where]) == 0 and "no signatures" in capsys.readouterr().out
    assert main(["runs", "export", *where]) == 0 and capsys.readouterr().out == (folder / "scores.csv").read_text()
    assert any("computed otherwise than now" in finding for finding in bundle.verify(folder))
    assert main(["rescore", *where]) == 0 and "4 rows computed anew, 0 changed" in capsys.readouterr().err
    assert bundle.verify(folder) == [] and read_scores(folder / "scores.csv").equals(rows)
    assert main(["runs", "show", folder.name, *where]) == 0 and "accuracy|labels:6|code:" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["b", "b.zip"])
def test_a_bundle_holds_scores_and_no_text_and_is_read_beside_others(small, tmp_path, capsys, name):
    (folder,) = make(small(), quiet)
    (other,) = make(small(seed=1), quiet)
    path = str(tmp_path / name)
    words = ["runs", "export", "--runs", str(tmp_path / "runs"), "--bundle", path]
    assert main([*words, "--statistics"]) == 0
    assert capsys.readouterr().err == f"{path}: 8 rows of 2 runs\n"
    assert bundle.verify(path) == [] and len(load(path)) == 8
    texts = b"\n".join(bundle._files(tmp_path / name).values())
    for column in ("id", "gold", "prediction"):
        assert (
            column
            not in predictions.without_text(predictions.read(folder / "predictions" / "tal.parquet")).column_names
        )
    assert b"test-0000" not in texts
    assert main(words) == 2 and "is there already" in capsys.readouterr().err
    assert main(["runs", "verify", path]) == 0


def change(path, name, old, new):
    target = path / name
    target.write_bytes(target.read_bytes().replace(old, new))


def manifest_of(path):
    return f"manifests/{json.loads((path / 'bundle.json').read_text())['runs'][0]}.json"


FAULTS = {
    "not as it was written": lambda b: change(b, "scores.csv", b"zero_shot", b"in_cluster"),
    "its rows are not those of the manifests": lambda b: change(b, "scores.csv", b",100,", b",99,"),
    "is missing": lambda b: (b / "scores.csv").unlink(),
    "is not in bundle.json": lambda b: (b / "notes.txt").write_text("x"),
    "damaged": lambda b: change(b, manifest_of(b), b"{", b"["),
    "not the name that follows from its identity": lambda b: change(b, manifest_of(b), b'"limit": 0', b'"limit": 9'),
    "follows from the statistics": lambda b: change(b, manifest_of(b), b'"value": 1', b'"value": 2'),
    "computed otherwise than now": lambda b: change(b, manifest_of(b), b"labels:6", b"labels:8"),
    "n is 50, the test has 100 examples": lambda b: change(b, manifest_of(b), b'"n": 100', b'"n": 50'),
    "is not within 0..100": lambda b: change(b, manifest_of(b), b'"value": ', b'"value": 9'),
}


@pytest.mark.parametrize("says", FAULTS)
def test_verify_finds_what_does_not_fit(small, tmp_path, capsys, says):
    make(small(), quiet)
    path = tmp_path / "b"
    bundle.write(path, store.all_runs(tmp_path / "runs"), statistics=True)
    FAULTS[says](path)
    assert main(["runs", "verify", str(path)]) == 1
    found = capsys.readouterr().out.splitlines()
    assert any(says in line for line in found) and all(line.startswith(f"{path}: ") for line in found)


def test_verify_reads_the_predictions_of_a_run(small, tmp_path, capsys):
    (folder,) = make(small(), quiet)
    words = ["runs", "verify", folder.name, "--runs", str(tmp_path / "runs")]
    assert main(words) == 0
    path = folder / "manifest.json"
    found = json.loads(path.read_text())
    row = found["tests"]["tal@test"]["rows"][0]
    row["value"] += 1
    path.write_text(json.dumps(found))
    assert main(words) == 1
    out = capsys.readouterr().out
    assert f"tal f1: {row['value']} is recorded" in out and "scores.csv: its rows are not those" in out
    (folder / "predictions" / "tal.parquet").unlink()
    assert main(words) == 1 and "predictions/tal.parquet: missing or damaged" in capsys.readouterr().out


def test_one_run_that_cannot_be_rescored_leaves_the_others(small, tmp_path, capsys):
    (folder,) = make(small(), quiet)
    make(small(seed=1), quiet)
    (folder / "predictions" / "tal.parquet").unlink()
    assert main(["rescore", "--runs", str(tmp_path / "runs")]) == 1
    said = capsys.readouterr().err.splitlines()
    assert "is missing or damaged: run it again (dbutils run tc" in said[0] and said[1].endswith("0 changed")


def test_the_number_of_threads_stands_in_the_manifest(small):
    (folder,) = make(small(model="tiny", limit=20, varieties=("tal",), set={"epochs": "1", "min_steps": "0"}), quiet)
    assert store.read_manifest(folder)["fit"]["threads"] == 1  # a model made on the spot takes one
