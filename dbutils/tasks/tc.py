"""Topic classification: the topic of a text."""

from dbutils.tasks import texts
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.task import TEXT, Task

TASK = Task(
    "tc",
    texts.metrics,
    texts.gold,
    texts.to_json,
    texts.from_json,
    TEXT,
    texts.held,
    texts.frequent,
    texts.outcomes,
    head="dbutils.tasks.heads.sequence:SequenceHead",
    paper=Hyper(5, 2e-5, 32, 512, 512),
    tiny=TINY,
    tiny_lm_epochs=24,
)
