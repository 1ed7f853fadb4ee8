"""Lists of experiments become jobs; the workflow runs them, and a failing one leaves the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbutils.errors import InputError
from dbutils.experiments import matrix

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def jobs(tmp_path):
    def read(text):
        path = tmp_path / "m.yaml"
        path.write_text(text)
        return matrix.jobs(path)

    return read


def test_an_entry_is_a_grid_and_a_training_is_a_job(jobs):
    found = jobs(
        "profile: sandbox\nresources: {mem_mb: 900}\nexperiments:\n"
        "- {task: [tc, sa], model: [majority, ngram-nb], setting: zero_shot, seed: [0, 1]}\n"
        "- {task: did, model: majority, setting: all, resources: {gpu: 1}}\n"
        "- {task: tc, model: tiny, setting: in_variety, train: [tal, mir], set: {epochs: 2}, limit: 30}\n"
    )
    assert len(found) == 8 + 3 + 2
    job = found["tc-majority-zero_shot-tal-s1"]
    assert job.words == (
        "run",
        "tc",
        "--model",
        "majority",
        "--setting",
        "zero_shot",
        "--train",
        "tal",
        "--profile",
        "sandbox",
        "--seed",
        "1",
    )
    assert job.resources == {"mem_mb": 900, "runtime": 60, "gpu": 0, "threads": 1} and job.corpora == ("sandbox",)
    assert found["did-majority-in_cluster-mirun-s0"].resources["gpu"] == 1
    assert found["tc-tiny-in_variety-mir-s0-n30-epochs=2"].words[-4:] == ("--limit", "30", "--set", "epochs=2")


@pytest.mark.parametrize("name", ["sandbox", "paper"])
def test_the_lists_of_the_project_can_be_read(name):
    found = matrix.jobs(ROOT / "notebooks" / "matrix" / f"{name}.yaml")
    tasks = {job.words[1] for job in found.values()}
    assert tasks == {"dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa", "mt"}


def test_the_papers_list_has_every_fine_tuning_of_its_tables():
    found = matrix.jobs(ROOT / "notebooks" / "matrix" / "paper.yaml")
    assert (
        sum(job.words[1] == "ner" and "in_cluster" in job.words and "mbert" in job.words for job in found.values())
        == 22
    )
    assert (
        sum(job.words[1] == "tc" and "in_cluster" in job.words and "xlmr" in job.words for job in found.values()) == 11
    )
    assert all(job.resources["gpu"] == 1 for job in found.values() if {"mbert", "xlmr"} & set(job.words))


WRONG = [
    ("", "must hold 'profile' and a list 'experiments'"),
    ("a: [", "m.yaml: while parsing"),
    ("profile: sandbx\nexperiments: []", "did you mean 'sandbox'"),
    ("profile: sandbox\nexperimets: []\nexperiments: []", "did you mean 'experiments'"),
    ("profile: sandbox\nexperiments: [{task: tc, model: majority}]", "entry 1: field 'setting' is missing"),
    ("profile: sandbox\nexperiments: [{task: tc, modle: x, setting: zero_shot}]", "did you mean 'model'"),
    ("profile: sandbox\nexperiments: [{task: tcc, model: majority, setting: zero_shot}]", "did you mean 'tc'"),
    ("profile: sandbox\nexperiments: [{task: did, model: majority, setting: zero_shot}]", "has no setting 'zero_shot'"),
    (
        "profile: sandbox\nexperiments: [{task: tc, model: majority, setting: zero_shot, train: no}]",
        "train False is not text: put it in quotes",
    ),
    (
        "profile: sandbox\nexperiments: [{task: tc, model: majority, setting: zero_shot, seed: a}]",
        "seed 'a' is not a whole number",
    ),
    (
        "profile: sandbox\nexperiments:\n- {task: tc, model: x, setting: zero_shot, resources: {gpus: 1}}",
        "did you mean 'gpu'",
    ),
    ("profile: sandbox\nexperiments: [{task: [tc, tc], model: majority, setting: zero_shot}]", "stands twice"),
    ("profile: sandbox\nexperiments: [tc]", "entry 1: 'tc' is no experiment"),
]


@pytest.mark.parametrize("text, says", WRONG, ids=[says for _, says in WRONG])
def test_a_broken_list_names_entry_and_value(jobs, text, says):
    with pytest.raises(InputError, match=says):
        jobs(text)


def snakemake(folder, *words):
    command = [sys.executable, "-m", "snakemake", "-s", str(ROOT / "workflow" / "experiments.smk"), "-d", str(folder)]
    command += ["--cores", "2", "--config", "experiments=m.yaml", "--quiet", "host", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DBUTILS_CORPORA": str(folder / "none")}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_workflow_runs_the_jobs_and_a_failing_one_leaves_the_others(tmp_path):
    (tmp_path / "m.yaml").write_text(
        "profile: sandbox\nexperiments:\n- {task: tc, model: majority, setting: zero_shot, limit: 20}\n"
        "- {task: sa, model: ./no-such-model, setting: zero_shot, limit: 20}\n"
    )
    done = snakemake(tmp_path, "--keep-going")
    assert done.returncode == 1
    made = [path.name for path in (tmp_path / "runs" / "jobs" / "m").iterdir()]
    assert made == ["tc-majority-zero_shot-tal-s0-n20.csv"]
    assert "dbutils: model './no-such-model': no such folder" in done.stderr

    (tmp_path / "m.yaml").write_text(
        "profile: sandbox\nexperiments:\n- {task: tc, model: majority, setting: zero_shot, limit: 20}\n"
    )
    assert "Nothing to be done" in snakemake(tmp_path).stderr
