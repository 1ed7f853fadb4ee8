"""Multiple-choice reading comprehension: the 0-based number of a choice as prediction, None where there is none."""

from dataclasses import replace
from types import SimpleNamespace

from dbutils.errors import InputError
from dbutils.metrics.labels import accuracy, macro_f1
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.tags import most_frequent
from dbutils.tasks.task import PASSAGE, Task

POSITIONS = ("0", "1", "2", "3")


def metrics(labels):
    """Macro F1 over the positions of the right choice (four of them, unless labels name others), and accuracy."""
    labels = tuple(labels) or POSITIONS
    return _by_position(macro_f1(labels)), _by_position(accuracy(labels))


def _by_position(metric):
    def statistics(example, prediction):
        return metric.statistics(SimpleNamespace(label=str(example.answer)), str(prediction))

    return replace(metric, statistics=statistics)


def gold(example):
    return example.answer


def held(gold):
    return SimpleNamespace(answer=gold, choices=range(100))  # how many there were is not kept


def to_json(choice):
    return None if choice is None else int(choice)


def from_json(value, example):
    size = len(example.choices)
    if value is not None and (type(value) is not int or not 0 <= value < size):
        raise InputError(
            f"the prediction must be the number of a choice, 0..{size - 1}, or null for none, not {value!r}"
        )
    return value


def frequent(examples):
    """The most frequent position of the right choice."""
    return most_frequent(example.answer for example in examples)


def outcomes(gold, prediction):
    """(position of the right choice, that of the chosen one), counted from 1."""
    return [(str(gold + 1), "none" if prediction is None else str(prediction + 1))]


def group(example):
    """The passage: its questions are drawn together."""
    return example.passage_id


TASK = Task(
    "mrc",
    metrics,
    gold,
    to_json,
    from_json,
    PASSAGE,
    held,
    frequent,
    outcomes,
    group=group,
    head="dbutils.tasks.heads.choice:ChoiceHead",
    paper=Hyper(3, 1e-5, 16, 256, 512, selection="loss", evaluate_every=500),
    tiny=replace(TINY, epochs=6, lr=2e-3, max_length=256, predict_length=256),
    tiny_lm_epochs=5,
)
