"""Small runs: constructed data read once per session, learners whose predictions are laid down."""

import functools
import sys
from pathlib import Path

import pytest

from dbutils.experiments import parts, run
from dbutils.experiments.request import Request
from dbutils.tasks.learners import Learner

sys.path.insert(0, str(Path(__file__).parent.parent))


@functools.cache
def read_once(task, part, limit):
    return _READ(task, part, limit)


_READ = parts.read


@pytest.fixture(autouse=True)
def quick_sandbox(monkeypatch):
    """Constructed examples are made once for all tests."""

    def read(task, part, limit=0):
        return list(read_once(task, part, limit)) if part.corpus == "sandbox" else _READ(task, part, limit)

    monkeypatch.setattr(parts, "read", read)


@pytest.fixture
def small(tmp_path):
    """small(**changes): a Request of two varieties with the majority baseline, in a folder of its own."""

    def request(**changes):
        base = dict(
            task="tc", model="majority", setting="zero_shot", varieties=("tal", "mir"), runs=str(tmp_path / "runs")
        )
        return Request(**{**base, **changes})

    return request


class Scripted(Learner):
    """A learner that predicts what `script(example)` says."""

    script = staticmethod(lambda example: example.label)
    remembers = False

    def __init__(self, task, record, labels, hyper, seed):
        self.seed, self.notes, self.told = seed, {}, set()

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        return self

    def predict(self, examples, progress=None):
        return [self.script(example, self.seed) for example in examples]

    def save(self, folder):
        (folder / "nothing").write_text("")


@pytest.fixture
def scripted(monkeypatch):
    """scripted(function of example and seed): every learner predicts that."""

    def use(script):
        monkeypatch.setattr(Scripted, "script", staticmethod(script))
        monkeypatch.setattr(run.tasks, "learner", Scripted)

    return use


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """write("sib-200/data/...", text): a file of a corpora folder of our own, which is the one in use."""
    root = tmp_path / "corpora"
    root.mkdir()
    monkeypatch.setenv("DBUTILS_CORPORA", str(root))

    def write(path, text):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    write.root = root
    return write
