"""Fit a learner, or take up the one that was saved: exactly the same either way."""

import hashlib
import os
import shutil
from pathlib import Path

from dbutils import tasks

CHECKPOINT, MODEL = "checkpoint", "model"


def selects(hyper):
    """Whether training looks at dev data."""
    return getattr(hyper, "selection", "last") != "last"


def fitted(training, model, hyper, seed, train, dev, also, folder, progress):
    """A learner fitted to the training, going on from a checkpoint in `folder` if there is one.

    train, dev: examples of all parts, in order. also: what will be tested.
    """
    learner = tasks.learner(training.task, model, training.labels, hyper, seed)
    learner.fit(train, dev=dev, also=also, checkpoint=Path(folder) / CHECKPOINT, progress=progress)
    return learner


def save(learner, folder):
    """Save a fitted learner below a run folder; returns {file: sha256}. The checkpoint can then go."""
    target, part = Path(folder) / MODEL, Path(folder) / f".{MODEL}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    learner.save(part)
    digests = _digests(part, sync=True)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(part, target)
    return digests


def saved(training, model, hyper, seed, folder, digests):
    """The learner that `save` wrote with these digests, or None if it is not there as it was."""
    target = Path(folder) / MODEL
    if not digests or not target.is_dir() or _digests(target) != digests:
        return None
    return tasks.load_learner(training.task, model, training.labels, hyper, seed, target)


def drop(folder, name):
    """Delete the checkpoint or the saved model."""
    shutil.rmtree(Path(folder) / name, ignore_errors=True)


def _digests(folder, sync=False):
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with open(path, "rb") as file:
            found[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
            if sync:
                os.fsync(file.fileno())
    return found
