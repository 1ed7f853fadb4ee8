"""A run's name says what determines its result, all of it and nothing else."""

import dataclasses

import pytest

from dbutils import models, tasks
from dbutils.experiments import identity, parts
from dbutils.experiments.data import Data
from dbutils.experiments.execute import identified
from dbutils.experiments.sources import sources


def name(task="tc", setting="zero_shot", model="majority", seed=0, limit=20, train="", varieties=(), hyper=None):
    (training,) = sources(task, setting, train=train, varieties=varieties).trainings
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
    monkeypatch.setattr(identity, "code_revision", lambda: "other")
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
    assert identity.meaning(plain) == identity.meaning(commented)
    assert identity.meaning(plain) != identity.meaning(plain.replace("1", "2"))


def test_the_code_that_counts_is_there():
    root = identity.Path(identity.__file__).resolve().parents[1]
    assert all((root / path).exists() for path in identity.CODE)


def test_a_name_fits_a_file_system_whatever_the_model_is_called():
    found = identified(*_tc("majority"), 0, Data("tc", 20))[0]
    assert identity.run_name(found, "owner/model: x*?").startswith("tc-owner_model__x__-zero_shot-")


def _tc(model):
    (training,) = sources("tc", "zero_shot").trainings
    record = models.resolve(model)
    return training, record, tasks.hyper("tc", "sandbox", record)
