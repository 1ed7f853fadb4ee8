"""A run's name says what determines its result, all of it and nothing else."""

import contextlib
import dataclasses
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dbutils import models, tasks
from dbutils.experiments import code, identity, parts
from dbutils.experiments.data import Data
from dbutils.experiments.identity import identified
from dbutils.experiments.sources import plan_of

ROOT = Path(__file__).resolve().parents[2]


def name(task="tc", setting="zero_shot", model="majority", seed=0, limit=20, train="", varieties=(), hyper=None):
    (training,) = plan_of(task, setting, train=train, varieties=varieties).trainings
    record = models.resolve(model)
    hyper = hyper or tasks.hyper(task, "sandbox", record)
    return identified(training, record, hyper, seed, Data(task, limit))[1]


def test_the_name_is_readable_and_the_same_each_time():
    assert name().startswith("tc-majority-zero_shot-tal-sandbox-s0-n20-")
    assert name() == name()


@pytest.mark.parametrize(
    "change",
    [{"task": "sa"}, {"model": "ngram-nb"}, {"setting": "combined"}, {"seed": 1}, {"limit": 21}, {"train": "mir"}],
    ids=str,
)
def test_each_determinant_makes_another_run(change):
    assert name(**change)[-10:] != name()[-10:]


def test_each_hyperparameter_makes_another_run():
    hyper = tasks.hyper("tc", "sandbox", models.resolve("tiny"))
    names = {name(model="tiny", hyper=hyper)}
    for field, value in dataclasses.asdict(hyper).items():
        other = {bool: lambda v: not v, str: lambda v: v + "x"}.get(type(value), lambda v: v + 1)(value)
        changed = dataclasses.replace(hyper, **{field: other})
        if field == "selection":
            changed = dataclasses.replace(hyper, selection="loss")
        names.add(name(model="tiny", hyper=changed))
    assert len(names) == 1 + len(dataclasses.fields(hyper))


def test_a_changed_training_example_makes_another_run_and_so_does_their_order(monkeypatch):
    before, read = name(), parts.read
    monkeypatch.setattr(parts, "read", lambda *a: [dataclasses.replace(read(*a)[0], label="sea"), *read(*a)[1:]])
    changed = name()
    monkeypatch.setattr(parts, "read", lambda *a: read(*a)[::-1])
    assert len({before, changed, name()}) == 3


def test_the_dev_data_count_only_where_training_looks_at_them(monkeypatch):
    hyper = tasks.hyper("tc", "sandbox", models.resolve("tiny"))
    selecting, read = dataclasses.replace(hyper, selection="loss"), parts.read
    before = name(model="tiny", hyper=hyper), name(model="tiny", hyper=selecting)

    def other_dev(task, part, limit=0):
        return read(task, part, limit)[:-1] if part.split == "dev" else read(task, part, limit)

    monkeypatch.setattr(parts, "read", other_dev)
    after = name(model="tiny", hyper=hyper), name(model="tiny", hyper=selecting)
    assert before[0] == after[0] and before[1] != after[1]


def test_code_and_versions_make_another_run(monkeypatch):
    before, version = name(model="ngram-nb"), identity.metadata.version
    monkeypatch.setattr(identity.metadata, "version", lambda n: "0.1" if n == "scikit-learn" else version(n))
    newer = name(model="ngram-nb")
    assert name() == name(model="majority")  # which does not use it
    monkeypatch.setattr(identity, "fitting_code", lambda *a: "other")
    assert len({before, newer, name(model="ngram-nb")}) == 3


def test_a_number_of_processes_draws_other_noise(monkeypatch):
    before = name()
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert name() != before


def test_which_varieties_are_tested_makes_no_other_run():
    assert name(varieties=("tal", "mir")) == name(varieties=("orv-chat",)) == name()


def test_comments_and_docstrings_are_no_code():
    plain = "def f(x):\n    return x + 1\n"
    commented = '"""A module."""\n\n\ndef f(x):\n    """Adds one."""\n    # so\n    return (x + 1)\n'
    assert code.meaning(plain) == code.meaning(commented)
    assert code.meaning(plain) != code.meaning(plain.replace("1", "2"))


WATCHED = [("tc", "ngram-nb"), ("tc", "tiny"), ("pos", "tiny"), ("dep", "tiny"), ("dep", "majority"), ("sa", "tiny-lm")]


def state():
    """{task and model: (name of its run, key of its predictions, signatures of its metrics)} as the code is now."""
    code.module.cache_clear()
    code.digest.cache_clear()
    out = {}
    for task, model in WATCHED:
        training = plan_of(task, "in_context" if model == "tiny-lm" else "zero_shot").trainings[0]
        record = models.resolve(model)
        found, name = identified(training, record, tasks.hyper(task, "sandbox", record), 0, Data(task, 5))
        key = identity.predictions_key(found, {"sha256": "x"})
        out[f"{task} {model}"] = name, key, identity.signatures(task, training.labels)
    return out


# where a line is put in, and what it makes new: runs, predictions only, signatures
EDITS = {
    "nothing but words": ("tasks/heads/token.py", "    def outputs(self, model, batch):", "# so", "", "", ""),
    "a metric": ("metrics/chunks.py", "def _default(tags):", "tags = tags", "", "", "pos:f1"),
    "an interval": ("metrics/intervals.py", "def proportion(", None, "", "", "all"),
    "a plot": ("report/figures/base.py", "def ", None, "", "", ""),
    "a reader": ("corpora/load.py", "def examples(", None, "", "", ""),
    "the tagger's loss": (
        "tasks/heads/token.py",
        "    def loss(self, model, batch):",
        "batch = batch",
        "pos tiny",
        "",
        "",
    ),
    "the tagger's outputs": (
        "tasks/heads/token.py",
        "    def outputs(self, model, batch):",
        "batch = batch",
        "",
        "pos tiny",
        "",
    ),
    "the tree of a parse": ("models/spanning_tree.py", "def best_tree(", None, "", "dep tiny", ""),
    "the training loop": (
        "models/training.py",
        "    def share(self, step):",
        "step = step",
        "tc tiny,pos tiny,dep tiny",
        "",
        "",
    ),
    "the n-grams": ("models/ngram.py", "def _vectorizer(", None, "tc ngram-nb", "", ""),
    "a prompt": ("tasks/prompts/sa.toml", "shots = ", "", "sa tiny-lm", "", ""),
}


@pytest.fixture(scope="session")
def copied(tmp_path_factory):
    """A copy of the package that can be edited, and what it says of some runs."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "dbutils", folder / "dbutils", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "workflow", folder / "workflow")
    (folder / "data").symlink_to(ROOT / "data")
    return folder


def in_copy(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done


@contextlib.contextmanager
def edited(folder, file, at, line):
    """One line more below the first that begins with `at`; None: a statement that does nothing."""
    path = folder / "dbutils" / file
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    place = next(i for i, text in enumerate(lines) if text.startswith(at))
    if file.endswith(".toml"):
        lines[place] = "shots = 3\n" if lines[place] != "shots = 3\n" else "shots = 2\n"
    else:
        end = next(i for i in range(place, len(lines)) if lines[i].rstrip().endswith(":"))
        indent = len(at) - len(at.lstrip()) + 4
        lines.insert(end + 1, " " * indent + (line or "_ = 0") + "\n")
    path.write_text("".join(lines))
    try:
        yield
    finally:
        path.write_text(before)


@pytest.mark.parametrize("edit", EDITS)
def test_a_changed_line_makes_new_what_it_shapes_and_nothing_else(copied, monkeypatch, request, edit):
    request.addfinalizer(code.digest.cache_clear)
    request.addfinalizer(code.module.cache_clear)
    file, at, line, runs, predicted, signed = EDITS[edit]
    untouched = state()
    monkeypatch.setattr(code, "ROOT", copied)
    with edited(copied, file, at, line):
        after = state()
    named = [what for what in after if after[what][0] != untouched[what][0]]
    keyed = [what for what in after if after[what][1] != untouched[what][1]]
    resigned = {
        f"{what.split()[0]}:{m}" for what in after for m, s in after[what][2].items() if s != untouched[what][2][m]
    }
    everything = {f"{what.split()[0]}:{m}" for what in after for m in after[what][2]}
    assert ",".join(named) == runs
    assert set(keyed) == {*named, *filter(None, predicted.split(","))}
    assert resigned == (everything if signed == "all" else set(filter(None, signed.split(","))))


def test_a_changed_metric_or_plot_leaves_the_workflow_nothing_to_do(copied):
    (copied / "m.yaml").write_text(
        "profile: sandbox\nexperiments:\n- {task: [tc, pos], model: majority, setting: zero_shot, limit: 20}\n"
        "- {task: tc, model: ngram-nb, setting: zero_shot, limit: 20}\n"
    )

    def snakemake(*words):
        base = ["-m", "snakemake", "-s", "workflow/experiments.smk", "--cores", "1", "--config", "experiments=m.yaml"]
        done = in_copy(copied, *base, *words)
        return done.stdout + done.stderr

    snakemake("--quiet")
    with contextlib.ExitStack() as edits:
        for edit in ("a metric", "a plot", "an interval"):
            edits.enter_context(edited(copied, *EDITS[edit][:3]))
        assert "Nothing to be done" in snakemake("--dry-run")
    with edited(copied, *EDITS["the n-grams"][:3]):
        said = snakemake("--dry-run")
    assert "Experiment tc-ngram-nb-zero_shot" in said and "Experiment tc-majority" not in said


CALLED = [("pos", "tiny"), ("dep", "tiny"), ("tc", "tiny"), ("mrc", "tiny"), ("eqa", "tiny"), ("tc", "ngram-nb")]
CALLED += [("sa", "ngram-svm"), ("dep", "majority"), ("mt", "tiny-mt"), ("mt", "copy"), ("tc", "tiny-lm")]


@pytest.mark.parametrize("task, model", CALLED)
def test_what_is_called_in_learning_and_predicting_is_among_the_code_that_counts(task, model, tmp_path):
    """Every function of models and tasks that really runs is reached; so nothing that shapes a result is missed."""
    setting = "in_context" if model == "tiny-lm" else "zero_shot"
    training = plan_of(task, setting).trainings[0]
    record = models.resolve(model)
    hyper = tasks.hyper(task, "sandbox", record)
    changes = {"epochs": 1, "min_steps": 0, "selection": "loss", "shots": 1, "copies": 1}
    hyper = dataclasses.replace(hyper, **{n: v for n, v in changes.items() if hasattr(hyper, n)})
    train = [e for part in training.parts for e in parts.read(task, part, 24)]
    test = parts.read(task, training.tests[0].part, 4)
    learnt = []
    fitted = called(lambda: learnt.append(fit(task, record, training, hyper, train, test)))
    predicted = called(lambda: learnt[0].predict(test))
    kind = record.kind
    roots = identity._roots(task, kind, frequent=True, metrics=False)
    reached = set(code.reached(roots, task, kind, predicts=False))
    more = identity._roots(task, kind, frequent=False, metrics=False)
    assert fitted and fitted - reached == set()
    assert predicted - reached - set(code.reached(more, task, kind)) == set()


def fit(task, record, training, hyper, train, test):
    learner = tasks.learner(task, record, training.labels, hyper, 0)
    return learner.fit(train, dev=train[:4], tested=test, progress=lambda *a: None)


def called(work):
    """{(module, name at its top)} of the functions of models and tasks that run during some work."""
    found = set()

    def note(frame, event, argument):
        module = frame.f_globals.get("__name__", "")
        if (
            event == "call"
            and frame.f_code.co_flags & inspect.CO_OPTIMIZED
            and module.startswith(("dbutils.models", "dbutils.tasks"))
        ):
            name = frame.f_code.co_qualname.partition(".")[0]
            if name not in ("<module>", "<genexpr>", "<listcomp>", "<lambda>", "__create_fn__"):
                found.add((module, name))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    factory = {("dbutils.tasks.learners", name) for name in ("learner", "learner_class", "_class", "_task")}
    return {key for key in found - factory if not key[0].startswith(code.NEUTRAL)}


def test_a_name_fits_a_file_system_whatever_the_model_is_called():
    found = identified(*_tc("majority"), 0, Data("tc", 20))[0]
    assert identity.run_name(found, "owner/model: x*?").startswith("tc-owner_model__x__-zero_shot-")


def _tc(model):
    (training,) = plan_of("tc", "zero_shot").trainings
    record = models.resolve(model)
    return training, record, tasks.hyper("tc", "sandbox", record)
