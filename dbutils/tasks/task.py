"""The task records."""

from dataclasses import dataclass
from typing import Callable

from dbutils.tasks import choices, spans, tags, texts, trees

ALL = ("encoder", "majority")
TEXT = ("encoder", "ngram", "majority")


@dataclass(frozen=True)
class Task:
    """A task.

    code: as everywhere. metrics(labels): tuple of Metrics over the corpus's label set, the benchmark's
    first. group(example): name of the cluster that the bootstrap draws as one (a passage), or None.
    gold(example), to_json(prediction): as JSON values. from_json(value, example): the prediction again;
    a malformed one raises InputError that says what is wrong with it.
    learners: kinds of models that can learn it. frequent(examples): what is most frequent in them, as JSON;
    repeat(that, example): the prediction that says just that.
    """

    code: str
    metrics: Callable
    gold: Callable
    to_json: Callable
    from_json: Callable
    learners: tuple[str, ...]
    frequent: Callable
    repeat: Callable = lambda seen, example: seen
    group: Callable = lambda example: None


def _passage(example):
    return example.passage_id


_LIST = (
    Task("dep", trees.metrics, trees.gold, trees.to_json, trees.from_json, ALL, trees.frequent, trees.repeat),
    Task("pos", tags.pos_metrics, tags.gold, list, tags.from_json, ALL, tags.frequent, tags.repeat),
    Task("ner", tags.ner_metrics, tags.gold, list, tags.from_json, ALL, tags.frequent, tags.repeat),
    *(
        Task(code, texts.metrics, texts.gold, str, texts.from_json, TEXT, texts.frequent)
        for code in ("did", "sa", "tc", "nli")
    ),
    Task("mrc", choices.metrics, choices.gold, int, choices.from_json, ALL, choices.frequent, group=_passage),
    Task("eqa", spans.metrics, spans.gold, str, spans.from_json, ALL, spans.frequent, group=_passage),
)
TASKS = {task.code: task for task in _LIST}
