"""Belebele: upstream's own JSON lines, and the reshaped copy of item-evaluation (one line per passage)."""

import json

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import lines
from dbutils.errors import InputError


def upstream(path):
    """Questions of upstream's files: `correct_answer_num` is text and counts from 1."""
    for line, row in _json(path):
        try:
            number, passage = str(row["question_number"]), row["link"]
            choices = tuple(row[f"mc_answer{n}"] for n in (1, 2, 3, 4))
            right = str(row["correct_answer_num"])
            text, question = row["flores_passage"], row["question"]
        except KeyError as error:
            raise InputError(f"{path}:{line}: field {error} is missing") from None
        if right not in ("1", "2", "3", "4"):
            raise InputError(f"{path}:{line}: correct_answer_num {right!r} is not 1, 2, 3 or 4")
        yield Question(f"{passage}#{number}", passage, text, question, choices, (int(right) - 1,))


def reshaped(path):
    """Questions of the copy in which a line is a passage with its questions."""
    for line, row in _json(path):
        try:
            passage = row["metadata"]["extra"]["url"]
            for number, item in enumerate(row["items"], 1):
                choices = tuple(answer["text"] for answer in item["answers"])
                right = tuple(i for i, answer in enumerate(item["answers"]) if answer["correct"])
                yield Question(f"{passage}#{number}", passage, row["text"], item["question"], choices, right)
        except (KeyError, TypeError) as error:
            raise InputError(f"{path}:{line}: not in the expected form ({error})") from None


def _json(path):
    for line, text in lines(path):
        if text.strip():
            try:
                yield line, json.loads(text)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}:{line}: not JSON ({error.msg})") from None
