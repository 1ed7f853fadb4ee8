"""What did, sa, tc and nli share: one label per example as prediction, None where there is none."""

from types import SimpleNamespace

from dbutils.errors import InputError
from dbutils.metrics.labels import accuracy, macro_f1
from dbutils.tasks.tags import most_frequent


def metrics(labels):
    """Macro F1 over the fixed label set, and accuracy."""
    return macro_f1(labels), accuracy(labels)


def gold(example):
    return example.label


def held(gold):
    return SimpleNamespace(label=gold)


def to_json(label):
    return None if label is None else str(label)


def from_json(value, example):
    if value is not None and (not isinstance(value, str) or not value):
        raise InputError(f"the prediction must be a label (text), or null for none, not {value!r}")
    return value


def frequent(examples):
    """The most frequent label."""
    return most_frequent(example.label for example in examples)


def fields(example):
    """The texts of an example: one, or premise and hypothesis."""
    return (example.text,) if hasattr(example, "text") else (example.premise, example.hypothesis)


def outcomes(gold, prediction):
    """(gold label, predicted label)."""
    return [(gold, prediction or "none")]
