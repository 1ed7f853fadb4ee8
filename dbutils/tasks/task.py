"""The task records."""

from collections.abc import Callable
from dataclasses import dataclass

from dbutils.metrics import translation
from dbutils.tasks import choices, spans, tags, texts, translating, trees

ALL = ("encoder", "majority")
IN_CONTEXT = ("causal", "endpoint")  # kinds of models that are shown examples and not trained
TEXT = ("encoder", "ngram", "majority", *IN_CONTEXT)
PASSAGE = (*ALL, *IN_CONTEXT)


@dataclass(frozen=True)
class Task:
    """A task.

    code: as everywhere. metrics(labels): tuple of Metrics over the corpus's label set, the benchmark's
    first. group(example): name of the cluster that the bootstrap draws as one (a passage), or None.
    gold(example), to_json(prediction): as JSON values. from_json(value, example): the prediction again;
    a malformed one raises InputError that says what is wrong with it. Of the tasks that can be asked in context, None
    (null) is the prediction that is none: an answer that could not be understood, which counts as wrong.
    learners: kinds of models that can learn it. frequent(examples): what is most frequent in them, as JSON;
    repeat(that, example): the prediction that says just that (None: no such baseline).
    outcomes(gold, prediction): pairs (what was right, what came) from their JSON, for a table of errors.
    held(gold): something with the gold attributes of an example that `metrics` read, from the JSON of `gold`.
    signatures(): {metric: how exactly it is computed} where its name does not say so.
    """

    code: str
    metrics: Callable
    gold: Callable
    to_json: Callable
    from_json: Callable
    learners: tuple[str, ...]
    held: Callable
    frequent: Callable | None = None
    outcomes: Callable | None = None
    repeat: Callable = lambda seen, example: seen
    group: Callable = lambda example: None
    signatures: Callable = dict


def _passage(example):
    return example.passage_id


_LIST = (
    Task(
        "dep",
        trees.metrics,
        trees.gold,
        trees.to_json,
        trees.from_json,
        ALL,
        trees.held,
        trees.frequent,
        trees.outcomes,
        trees.repeat,
    ),
    Task(
        "pos",
        tags.pos_metrics,
        tags.gold,
        list,
        tags.from_json,
        ALL,
        tags.held,
        tags.frequent,
        tags.outcomes,
        tags.repeat,
    ),
    Task(
        "ner",
        tags.ner_metrics,
        tags.gold,
        list,
        tags.from_json,
        ALL,
        tags.held,
        tags.frequent,
        tags.outcomes,
        tags.repeat,
    ),
    *(
        Task(
            code,
            texts.metrics,
            texts.gold,
            texts.to_json,
            texts.from_json,
            TEXT,
            texts.held,
            texts.frequent,
            texts.outcomes,
        )
        for code in ("did", "sa", "tc", "nli")
    ),
    Task(
        "mrc",
        choices.metrics,
        choices.gold,
        choices.to_json,
        choices.from_json,
        PASSAGE,
        choices.held,
        choices.frequent,
        choices.outcomes,
        group=_passage,
    ),
    Task(
        "eqa",
        spans.metrics,
        spans.gold,
        spans.to_json,
        spans.from_json,
        PASSAGE,
        spans.held,
        spans.frequent,
        spans.outcomes,
        group=_passage,
    ),
    Task(
        "mt",
        translating.metrics,
        translating.gold,
        str,
        translating.from_json,
        ("translator", "copy", *IN_CONTEXT),
        translating.held,
        group=translating.group,
        signatures=translation.signatures,
    ),
)
TASKS = {task.code: task for task in _LIST}
