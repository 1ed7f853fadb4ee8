"""Extractive question answering: an answer's text as prediction."""

from dataclasses import replace
from types import SimpleNamespace

from dbutils.errors import InputError
from dbutils.metrics import spans
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.tags import most_frequent
from dbutils.tasks.task import PASSAGE, Task


def metrics(labels):
    """SQuAD 1.1 F1 and exact match as in the paper, and both Unicode-aware."""
    return spans.SPAN_F1, spans.EXACT, spans.UNICODE_F1, spans.UNICODE_EXACT


def gold(example):
    return list(example.answers)


def held(gold):
    return SimpleNamespace(answers=tuple(gold))


def to_json(answer):
    return None if answer is None else str(answer)


def from_json(value, example):
    if value is not None and not isinstance(value, str):
        raise InputError(f'the prediction must be text ("" or null for no answer), not {value!r}')
    return value


def frequent(examples):
    """The most frequent answer."""
    return most_frequent(answer for example in examples for answer in example.answers[:1])


def outcomes(gold, prediction):
    """("answer", how much of it was found)."""
    found = spans.squad(prediction or "")
    if not found:
        return [("answer", "nothing")]
    best = max(spans.overlap(spans.squad(answer), found) for answer in gold)
    return [("answer", "exact" if best == 1 else "in part" if best > 0 else "elsewhere")]


def group(example):
    """The passage: its questions are drawn together."""
    return example.passage_id


TASK = Task(
    "eqa",
    metrics,
    gold,
    to_json,
    from_json,
    PASSAGE,
    held,
    frequent,
    outcomes,
    group=group,
    head="dbutils.tasks.heads.span:SpanHead",
    paper=Hyper(5, 3e-5, 16, 384, 384, lower_case=True),
    tiny=replace(TINY, epochs=6, lr=2e-3, max_length=256, predict_length=256),
    tiny_lm_epochs=11,
)
