"""Belebele's training mixture as assembled by others: DialectBench's train.jsonl."""

import json

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import lines
from dbutils.errors import InputError


def read(path):
    """The rows of train.jsonl as (dataset, split, Question); `correct_answer_num` counts from 1."""
    for line, text in lines(path):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
            choices = tuple(str(row[f"answer{n}"]) for n in (1, 2, 3, 4))
            right = int(row["correct_answer_num"]) - 1
            passage, id = str(row["passage_id"]), str(row["question_id"])
            question = Question(f"{line}:{id}", passage, row["passage"], row["question"], choices, (right,))
            yield row["dataset"], row["split"], question
        except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}:{line}: not a row of train.jsonl ({error})") from None
        if not 0 <= right < 4:
            raise InputError(f"{path}:{line}: correct_answer_num {right + 1} is not 1, 2, 3 or 4")
