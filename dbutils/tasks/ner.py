"""Named entity recognition: a tag per word, entities as stretches of tags."""

from dataclasses import replace

from dbutils.metrics import chunks
from dbutils.tasks import tags
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.task import ALL, Task


def metrics(tagset):
    """Entity F1 as in the paper (seqeval's default), and over strict IOB2."""
    return chunks.CHUNK_F1, chunks.STRICT_F1


TASK = Task(
    "ner",
    metrics,
    tags.gold,
    list,
    tags.from_json,
    ALL,
    tags.held,
    tags.frequent,
    tags.outcomes,
    tags.repeat,
    head="dbutils.tasks.heads.token:TokenHead",
    paper=Hyper(5, 2e-5, 32, 128, 128, cut_training=True),
    tiny=replace(TINY, epochs=6),
)
