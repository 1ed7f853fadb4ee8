"""Natural language inference: how a hypothesis follows from a premise."""

from dataclasses import replace

from dbutils.tasks import texts
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.task import TEXT, Task

TASK = Task(
    "nli",
    texts.metrics,
    texts.gold,
    texts.to_json,
    texts.from_json,
    TEXT,
    texts.held,
    texts.frequent,
    texts.outcomes,
    head="dbutils.tasks.heads.sequence:SequenceHead",
    paper=Hyper(5, 3e-5, 64, 128, 128, selection="loss", evaluate_every=500),
    tiny=replace(TINY, lr=2e-3),
    tiny_lm_epochs=27,
)
