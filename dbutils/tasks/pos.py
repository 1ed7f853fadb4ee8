"""Part-of-speech tagging: a tag per word."""

from dataclasses import replace

from dbutils.metrics import chunks, labels
from dbutils.tasks import tags
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.task import ALL, Task


def metrics(tagset):
    """Chunk F1 over bare tags as in the paper, word accuracy, macro F1 over the tags."""
    return chunks.CHUNK_F1, labels.word_accuracy(tagset), labels.word_macro_f1(tagset)


TASK = Task(
    "pos",
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
    # five epochs of batches five times as large: min(500, round(N * 5 / (32 * 5))) steps
    paper=Hyper(1, 2e-5, 32, 128, 128, max_steps=500, cut_training=True, selection="loss"),
    tiny=replace(TINY, epochs=6),
)
