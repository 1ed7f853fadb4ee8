"""What a record of a task holds."""

from collections.abc import Callable
from dataclasses import dataclass

from dbutils.tasks.hyper import Hyper

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
    head: the head of an encoder for it, as module:class ("": encoders cannot do it). paper: hyperparameters of an encoder by the
    paper's protocol. tiny: those of the tiny encoder. tiny_lm_epochs: passes of the tiny language model over the training data,
    less than a minute on one thread of a CPU (0: it cannot do it).
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
    head: str = ""
    paper: Hyper | None = None
    tiny: Hyper | None = None
    tiny_lm_epochs: int = 0
