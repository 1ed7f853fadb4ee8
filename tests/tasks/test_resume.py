"""A training that is killed and started again ends as one that was left alone, wherever it was killed."""

from dataclasses import replace

import pytest

from dbutils import sandbox
from dbutils.models import MODELS, training
from dbutils.tasks import hyper, learner


class Killed(Exception):
    pass


def fit(folder, last=None):
    """A small training with dropout off and a dev set; `last`: the step after which it is killed. (learner, its losses)"""

    def progress(done, total, what):
        if what == "training" and done == last:
            raise Killed

    record = MODELS["tiny"]
    mine = replace(
        hyper("tc", "sandbox", record), epochs=3, min_steps=0, batch_size=8, selection="f1", evaluate_every=2
    )
    train, dev = (list(sandbox.examples("tc", "tal", split, size=40)) for split in ("train", "dev"))
    made = learner("tc", record, sandbox.labels("tc"), mine, 0)
    return made.fit(train, dev=dev, checkpoint=folder, progress=progress)


@pytest.fixture(autouse=True)
def every_segment(monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 0.0)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 14, 15])
def test_a_killed_training_goes_on_exactly(step, tmp_path):
    whole = fit(tmp_path / "whole")
    with pytest.raises(Killed):
        fit(tmp_path / "killed", last=step)
    again = fit(tmp_path / "killed")
    assert again.notes["steps"] == 15 and ("resumed_after" in again.notes) == (step > 2)
    for key in ("loss", "dev", "selected"):
        assert again.notes[key] == whole.notes[key]
    ours, theirs = again.model.state_dict(), whole.model.state_dict()
    assert all(ours[name].equal(theirs[name]) for name in theirs)


def test_a_checkpoint_is_written_only_when_the_last_one_is_old(monkeypatch, tmp_path):
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 3600.0)
    with pytest.raises(Killed):
        fit(tmp_path, last=14)
    assert list(tmp_path.iterdir()) == []
