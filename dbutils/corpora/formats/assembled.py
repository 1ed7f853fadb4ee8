"""Belebele's training mixture as assembled by others: DialectBench's train.jsonl."""

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, lines
from dbutils.errors import InputError
from dbutils.shape import Shape, checked


class Row(Shape):
    dataset: str
    split: str
    passage_id: str | int
    question_id: str | int
    passage: str
    question: str
    answer1: str | int | float
    answer2: str | int | float
    answer3: str | int | float
    answer4: str | int | float
    correct_answer_num: str | int


ROW = TypeAdapter(Row)


def read(path):
    """The rows of train.jsonl as (dataset, split, Question); `correct_answer_num` counts from 1."""
    for line, text in lines(path):
        if not text.strip():
            continue
        row = checked(ROW, from_json(text, path, line), f"{path}:{line}")
        choices, right = tuple(str(getattr(row, f"answer{n}")) for n in (1, 2, 3, 4)), str(row.correct_answer_num)
        if right not in ("1", "2", "3", "4"):
            raise InputError(f"{path}:{line}: correct_answer_num {right!r} is not 1, 2, 3 or 4")
        id, passage = f"{line}:{row.question_id}", str(row.passage_id)
        question = Question(id, passage, row.passage, row.question, choices, (int(right) - 1,))
        yield row.dataset, row.split, question
