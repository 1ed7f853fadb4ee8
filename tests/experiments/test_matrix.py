"""Lists of experiments become jobs; the workflow runs them, and a failing one leaves the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbutils.errors import InputError
from dbutils.experiments import matrix
from dbutils.yamlio import Yaml

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


def one(line, model="majority"):
    """A list with one entry, whose fifth line is given."""
    return f"profile: sandbox\nexperiments:\n- task: tc\n  model: {model}\n  setting: zero_shot\n  {line}\n"


WRONG = [
    ("", "must hold 'profile' and a list 'experiments'"),
    ("a: [", "m.yaml:1: while parsing a flow node"),
    ("profile: sandbx\nexperiments: []", "did you mean 'sandbox'"),
    ("profile: sandbox\nexperimets: []\nexperiments: []", "did you mean 'experiments'"),
    ("profile: sandbox\nexperiments: [{task: tc, model: majority}]", "entry 1: field 'setting' is missing"),
    ("profile: sandbox\nexperiments: [{task: tc, modle: x, setting: zero_shot}]", "did you mean 'model'"),
    ("profile: sandbox\nexperiments: [{task: tcc, model: majority, setting: zero_shot}]", "did you mean 'tc'"),
    ("profile: sandbox\nexperiments: [{task: did, model: majority, setting: zero_shot}]", "has no setting 'zero_shot'"),
    (
        "profile: sandbox\nexperiments: [{task: tc, model: majority, setting: zero_shot, train: no}]",
        "m.yaml:2: entry 1: unknown .* 'no'",
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
    ("profile: sandbox\nexperiments: [tc]", "entry 1: 'tc' is not an experiment; write task, model and setting"),
    ("profile: sandbox\nsplit: no\nexperiments: []", "m.yaml:2: unknown split 'no'"),
    ("profile: sandbox\nprofile: paper\nexperiments: []", "m.yaml:2: 'profile' stands twice, in line 1 too"),
    (one("model: ngram-svm"), "m.yaml:6: 'model' stands twice, in line 4 too"),
    (one("present: 'no'"), "m.yaml:6: entry 1: present 'no' is not true or false"),
    (one("present: no"), "m.yaml:6: entry 1: present 'no' is not true or false"),
    (one("limit: yes"), "m.yaml:6: entry 1: limit 'yes' is not a whole number from 0"),
    (one("limit: true"), "m.yaml:6: entry 1: limit True is not a whole number from 0"),
    (one("limit: 1.5"), "limit 1.5 is not a whole number from 0"),
    (one("seed: []"), r"seed \[\] is not a whole number from 0"),
    (one("train: 7"), "train 7 is not text: put it in quotes"),
    (one("train: true"), "train True is not text: put it in quotes"),
    (one("train: 007"), "unknown .*'007'"),
    (one("corpus: null"), "corpus None is not text"),
    (one("set:"), "m.yaml:6: entry 1: set None is not a table of hyperparameters"),
    (one("set: [epochs]"), r"set \['epochs'\] is not a table of hyperparameters"),
    (one("set: {epochs: }"), "set None is not a table of hyperparameters"),
    (one("set: {epochs: 3}"), "m.yaml:3: entry 1: --set epochs: model 'majority' has no hyperparameters to set"),
    (one("set: {epoch: 3}", "tiny"), "unknown hyperparameter 'epoch': did you mean 'epochs'"),
    (one("set: {lower_case: yes}", "tiny"), "--set lower_case=yes: must be true or false"),
    (one("set: {epochs: 1.5}", "tiny"), "--set epochs=1.5: must be a whole number above 0"),
    (one("set: {lr: fast}", "tiny"), "--set lr=fast: must be a number above 0"),
    (one("resources: {mem_mb: 2.5}"), "mem_mb 2.5 is not a whole number from 0"),
    (one("resources: 5"), "resources 5 is not a table such as"),
    (one("a: &a [*a]"), "m.yaml:"),
    (
        "profile: sandbox\nexperiments: !!python/object/apply:os.system [ls]",
        "m.yaml:2: could not determine a constructor",
    ),
]


@pytest.mark.parametrize("text, says", WRONG, ids=[says for _, says in WRONG])
def test_a_broken_list_names_entry_and_value(jobs, text, says):
    with pytest.raises(InputError, match=says) as caught:
        jobs(text)
    assert "\n" not in str(caught.value) and str(caught.value).count("m.yaml") == 1


def test_true_and_numbers_in_set_are_what_they_say(jobs):
    (job,) = jobs(one("set: {lower_case: true, lr: 1e-3, epochs: 2, selection: last}", "tiny")).values()
    assert job.words[-8:] == (
        *("--set", "epochs=2", "--set", "lower_case=true"),
        *("--set", "lr=0.001", "--set", "selection=last"),
    )


def test_a_long_name_of_a_job_is_cut_and_stays_its_own(jobs):
    found = jobs(one("set: {" + ", ".join(f"{n}: 1" for n in LONG) + "}\n  seed: [0, 1]", "tiny"))
    assert len(found) == 2 and all(len(name) <= 200 for name in found)


LONG = ("epochs", "lr", "batch_size", "max_length", "predict_length", "warmup", "weight_decay", "clip", "min_steps")
LONG += ("max_steps", "evaluate_every", "doc_stride", "query_length", "answer_length", "arc_size", "relation_size")


@pytest.mark.parametrize(
    "text, value",
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("NO", "NO"),
        ("True", "True"),
        ("true", True),
        ("nan", "nan"),
        (".nan", ".nan"),
        ("null", None),
        ("", None),
        ("Null", "Null"),
        ("007", "007"),
        ("0", 0),
        ("-3", -3),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("1.", 1.0),
        ("1.0.0", "1.0.0"),
    ],
)
def test_plain_words_of_yaml_are_text_unless_they_are_plainly_something_else(tmp_path, text, value):
    (tmp_path / "x.yaml").write_text(f"a: {text}\n")
    found = Yaml(tmp_path / "x.yaml").value["a"]
    assert found == value and type(found) is type(value)


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
