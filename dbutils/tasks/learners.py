"""Learners: one interface for every kind of model.

fit(train, dev=(), tested=(), checkpoint=None, progress=None)
    train, dev, tested: sequences of examples; `tested` are those that will be tested later (their sub-words keep
    trainable rows). checkpoint: folder from which a killed training goes on exactly (None: none).
    progress(done, total, what): called now and then.
predict(examples, progress=None) -> predictions in the order of the examples
save(folder), and load_learner(task, record, labels, hyper, seed, folder)
notes: dict of counts worth recording; told: those of them that are worth saying, as texts that lost their end
part: what is predicted next (`corpus`, `code`, `split`), for learners to whom it matters
referred(examples, progress=None) -> the examples as they are scored: with references that the learner itself makes
remembers, cache: whether single outputs are slow enough to be kept at once, and the `dbutils.models.output_cache.OutputCache`
    that keeps them (None: nothing is kept)
"""

import importlib
import json
import time
from pathlib import Path

from dbutils import csvio
from dbutils.errors import InputError, unknown
from dbutils.tasks import texts

# {kind of model: module and class of its learner}, imported when one is made
LEARNERS = {
    "encoder": "dbutils.tasks.encoder:EncoderLearner",
    "causal": "dbutils.tasks.prompting:PromptLearner",
    "endpoint": "dbutils.tasks.prompting:PromptLearner",
    "translator": "dbutils.tasks.translators:TranslatorLearner",
    "copy": "dbutils.tasks.translators:Copy",
    "ngram": "dbutils.tasks.learners:Ngram",
    "majority": "dbutils.tasks.learners:Majority",
}
IN_TRANSLATION = dict.fromkeys(("causal", "endpoint"), "dbutils.tasks.translators:PromptTranslator")


def learner(task, record, labels, hyper, seed):
    """A learner, not yet fitted.

    task: a Task or its code. record: a ModelRecord. labels: the label set in fixed order. hyper: of
    `dbutils.tasks.hyper`. seed: of everything random. Raises InputError for a model that cannot do the task.
    """
    return _class(task, record)(_task(task), record, tuple(labels), hyper, seed)


def load_learner(task, record, labels, hyper, seed, folder):
    """The learner that was saved into a folder by `save`, ready to predict."""
    return _class(task, record).load(_task(task), record, tuple(labels), hyper, seed, Path(folder))


def _task(task):
    from dbutils.tasks import TASKS

    if isinstance(task, str):
        if task not in TASKS:
            raise unknown("task", task, TASKS)
        return TASKS[task]
    return task


def learner_class(task, kind):
    """The class of learners of a kind of model for a task (code)."""
    module, _, name = (LEARNERS | IN_TRANSLATION if task == "mt" else LEARNERS)[kind].partition(":")
    return getattr(importlib.import_module(module), name)


def _class(task, record):
    task = _task(task)
    if record.kind not in task.learners:
        raise InputError(
            f"model {record.name!r} ({record.kind}) cannot do task {task.code}; kinds: {', '.join(task.learners)}"
        )
    return learner_class(task.code, record.kind)


class Learner:
    """What all learners have; see the module's description."""

    remembers = False
    cache = None
    part = None

    def __init__(self, task, record, labels, hyper, seed):
        self.task, self.record, self.labels, self.hyper, self.seed = task, record, labels, hyper, seed
        self.notes, self.told = {}, set()

    def referred(self, examples, progress=None):
        return examples

    def _fitted(self, train):
        train = list(train)
        if not train:
            raise InputError(f"task {self.task.code}: there are no training examples")
        return train


class Majority(Learner):
    """What is most frequent in training, whatever the example."""

    seen = None

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        train = self._fitted(train)
        self.seen, self.notes = self.task.frequent(train), {"train": len(train)}
        return self

    def predict(self, examples, progress=None):
        return [self.task.repeat(self.seen, example) for example in examples]

    def save(self, folder):
        csvio.write_text(Path(folder) / "majority.json", json.dumps(self.seen, ensure_ascii=False))

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        self = cls(task, record, labels, hyper, seed)
        try:
            self.seen = json.loads((folder / "majority.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{folder}: no saved majority baseline ({error})") from None
        return self


class Ngram(Learner):
    """A character n-gram classifier of texts or pairs."""

    model = None

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        from dbutils.models.ngram import NgramClassifier

        train, start = self._fitted(train), time.perf_counter()
        self.model = NgramClassifier(self.record.source, self.seed)
        self.model.fit([texts.fields(e) for e in train], [e.label for e in train])
        self.notes = {"train": len(train), "train_seconds": round(time.perf_counter() - start, 3)}
        return self

    def predict(self, examples, progress=None):
        return self.model.predict([texts.fields(e) for e in examples])

    def save(self, folder):
        self.model.save(folder)

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        from dbutils.models.ngram import NgramClassifier

        self = cls(task, record, labels, hyper, seed)
        self.model = NgramClassifier.load(folder)
        return self
