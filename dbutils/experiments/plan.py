"""A plan: what is trained on what and tested on what, and what that costs, has done and lacks, before anything is trained."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from dbutils.errors import InputError
from dbutils.experiments import identity, parts, store
from dbutils.experiments.data import Data
from dbutils.experiments.parts import Part, labels
from dbutils.models.training import steps


@dataclass(frozen=True)
class Target:
    """What is tested. role: `test` or `dev`, as in score rows; cluster and variety may be ""."""

    part: Part
    role: str
    cluster: str
    variety: str

    @property
    def code(self):
        return self.part.code

    @property
    def key(self):
        return self.part.code, self.role


@dataclass(frozen=True)
class Training:
    """One fine-tuning and all that it is tested on.

    kind: `paper` or `sound` splits. name: what score rows call the training data (`train`). spec: what
    `--train` must say to choose it. parts, dev: what is read, in this order; dev may be empty, and so may parts: a model
    that is already trained learns nothing.
    """

    task: str
    profile: str
    setting: str
    kind: str
    name: str
    spec: str
    parts: tuple[Part, ...]
    dev: tuple[Part, ...]
    tests: tuple[Target, ...]

    @property
    def labels(self):
        return labels(self.task, self.parts[0]) if self.parts else ()


@dataclass
class Plan:
    """The trainings of a task in a setting. left_out: {what: why} of what does not take part."""

    trainings: tuple[Training, ...]
    left_out: dict = field(default_factory=dict)


COLUMNS = (
    "task",
    "model",
    "setting",
    "train",
    "corpus",
    "split",
    "train_examples",
    "train_words",
    "epochs",
    "words_to_train",
    "tests",
    "test_examples",
    "test_words",
    "done",
    "lacking",
    "run",
    "codes",
)


def table(plan, model, hyper, seed=0, limit=0, folder="runs"):
    """One dict per training of a Plan, with the keys COLUMNS; None where something is not known.

    words_to_train: words of the training data times the passes over them, what training costs; models without epochs
    pass once, those that are only shown examples not at all. epochs: the passes that are really made, with the least
    and greatest number of steps (2 decimals). done: how many of the tests are done in
    `folder`. lacking: how to get what is not on disk. codes: of the tests.
    """
    return [_row(training, model, hyper, seed, limit, folder) for training in plan.trainings]


def _row(training, model, hyper, seed, limit, folder):
    sizes = [_size(training.task, part, limit) for part in training.parts]
    tested = [_size(training.task, test.part, limit) for test in training.tests]
    examples, words = _sum(sizes, 0), _sum(sizes, 1)
    passes = _passes(hyper, examples)
    lacking = lacks(training)
    name, done = ("", 0) if lacking else _done(training, model, hyper, seed, limit, folder)
    return dict(
        task=training.task,
        model=model.name,
        setting=training.setting,
        train=training.name,
        corpus=" ".join(dict.fromkeys(part.corpus for part in training.parts)),
        split=" ".join(dict.fromkeys(part.split for part in training.parts)),
        train_examples=examples,
        train_words=words,
        epochs=round(passes, 2),
        words_to_train=None if words is None else round(words * passes),
        tests=len(training.tests),
        test_examples=_sum(tested, 0),
        test_words=_sum(tested, 1),
        done=done,
        lacking="; ".join(lacking),
        run=name,
        codes=" ".join(dict.fromkeys(test.code for test in training.tests)),
    )


def _passes(hyper, examples):
    """How often a training passes over so many examples: epochs, or what the bounds on the steps make of them."""
    epochs = getattr(hyper, "epochs", 1)
    if not examples or not hasattr(hyper, "min_steps"):
        return epochs
    made, per_epoch = steps(hyper, examples), math.ceil(examples / hyper.batch_size)
    return made // per_epoch if made % per_epoch == 0 else made / per_epoch


def _size(task, part, limit):
    examples, words = parts.size(task, part)
    if limit and examples and examples > limit:
        return limit, None if words is None else round(words * limit / examples)
    return examples, words


def _sum(pairs, place):
    values = [pair[place] for pair in pairs]
    return None if None in values else sum(values)


def lacks(training):
    """[how to get what] of all that a training reads and that is not on disk."""
    wanted = [*training.parts, *training.dev, *(test.part for test in training.tests)]
    found = {}
    for part in wanted:
        if part.corpus not in found:
            why = parts.lacking(training.task, part)
            if why:
                found[part.corpus] = why
    return list(found.values())


def _done(training, model, hyper, seed, limit, folder):
    """(name, number of finished tests) of a training's run in a folder; ("", 0) if it has not begun."""
    like = {"task": training.task, "setting": training.setting, "seed": seed, "limit": limit}
    if not any(_fits(path, like, training.name) for path in store.all_runs(folder)):
        return "", 0  # nothing to read the data for
    try:
        _, name = identity.identified(training, model, hyper, seed, Data(training.task, limit, folder))
        found = store.tests_of(store.read_manifest(Path(folder) / name))
    except InputError:
        return "", 0
    return name, sum(test.key in found for test in training.tests)


def _fits(path, like, train):
    try:
        found = store.read_manifest(path)["identity"]
    except InputError:
        return False
    return found["train"]["name"] == train and all(found[key] == value for key, value in like.items())


BASE = 86e6  # parameters of a base-size encoder without its embeddings
PIECES = 1.5  # sub-words per word, about
SUSTAINED = {"a graphics card that sustains 50 Tflop/s": 50e12, "two CPU cores that sustain 0.1 Tflop/s": 0.1e12}


def estimate(words):
    """{machine: minutes} of fine-tuning a base-size encoder on so many words, epochs counted.

    An estimate from six floating-point operations per parameter and sub-word (Kaplan et al. 2020), nothing measured.
    """
    return {machine: words * PIECES * 6 * BASE / speed / 60 for machine, speed in SUSTAINED.items()}
