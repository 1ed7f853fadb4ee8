"""Every form of encoder does every kind of task: it trains, is saved, predicts every word, and predicts alone as among others."""

import functools
from dataclasses import replace

import made_models as made
import numpy as np
import pytest

from dbutils import sandbox, tasks
from dbutils.models import batches, resolve
from dbutils.tasks.heads.base import run

TASKS = ("pos", "dep", "tc", "eqa")


@functools.cache
def data(task):
    """(training examples, test examples, labels), few and of different lengths."""
    some = {split: list(sandbox.examples(task, "tal", split)) for split in ("train", "test")}
    some["test"].sort(key=lambda e: len(getattr(e, "tokens", None) or getattr(e, "passage", None) or e.text))
    return some["train"][:8], some["test"][:: len(some["test"]) // 3][:4], sandbox.labels(task)


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """folders(form): a folder with a model of that form, made once."""
    texts = [e.text for e in sandbox.examples("tc", "tal", "train")][:40]

    @functools.cache
    def folder(form):
        return str(made.encoder(tmp_path_factory.mktemp("forms") / form, form, texts))

    return folder


@functools.cache
def fitted(task, folder):
    train, _, labels = data(task)
    record = resolve(folder, task)
    length = 256 if task == "eqa" else 64
    chosen = replace(
        tasks.hyper(task, "paper", record), epochs=1, batch_size=8, max_length=length, predict_length=length,
        lr=1e-2, selection="last", answer_length=100,
    )  # fmt: skip
    return tasks.learner(task, record, labels, chosen, 0).fit(train)


def scores(learner, units):
    """What the head reads off the model for each unit: a float array."""
    import torch

    with torch.inference_mode():
        batch = batches.collate(units, torch.device("cpu"), learner.tokens.pad)
        model = learner.model.eval()
        if learner.task.code == "pos":
            logits, unit = learner.head._logits(model, batch)
            return [logits[torch.from_numpy(unit == i)].numpy() for i in range(len(units))]
        if learner.task.code == "dep":
            arcs, *_, sizes = learner.head._forward(model, batch)
            return [arcs[i, :size, : size + 1].numpy() for i, size in enumerate(sizes)]
        if learner.task.code == "eqa":
            both = torch.stack(learner.head._logits(model, batch), -1).numpy()
            return [both[i][u.data["inside"]] for i, u in enumerate(units)]
        return list(run(model, batch).logits.numpy())


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("form", made.FORMS)
def test_every_form_does_every_task_alone_as_among_others(form, task, folders, tmp_path):
    learner = fitted(task, folders(form))
    test = data(task)[1]
    found = learner.predict(test)
    for example, prediction in zip(test, found, strict=True):
        assert tasks.TASKS[task].from_json(tasks.TASKS[task].to_json(prediction), example) == prediction
        if task == "pos":
            assert len(prediction) == len(example.tokens) and set(prediction) <= set(learner.labels)
        if task == "dep":
            assert prediction[0].count(0) == 1 and None not in (*prediction[0], *prediction[1])
        if task == "eqa":
            assert prediction in example.passage
    units = learner.head.units(learner.tokens, test, training=False)
    assert len({unit.length for unit in units}) > 1  # so that there is padding
    among = scores(learner, units)
    assert all(np.isfinite(x).all() for x in among) and max(np.ptp(x) for x in among) > 0
    for x, y in zip(among, scores(learner, units[::-1])[::-1], strict=True):
        np.testing.assert_allclose(x, y, atol=1e-4, rtol=1e-4)
    for unit, x in zip(units, among, strict=True):
        np.testing.assert_allclose(x, scores(learner, [unit])[0], atol=1e-4, rtol=1e-4)
    if task == "pos":
        learner.save(tmp_path)
        again = tasks.load_learner(task, learner.record, learner.labels, learner.hyper, 0, tmp_path)
        assert again.predict(test) == found
