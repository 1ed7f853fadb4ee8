"""Belebele: upstream's own JSON lines, and the reshaped copy of item-evaluation (one line per passage)."""

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, lines
from dbutils.errors import InputError
from dbutils.shape import Shape, checked


class Row(Shape):
    question_number: int | str
    link: str
    flores_passage: str
    question: str
    mc_answer1: str
    mc_answer2: str
    mc_answer3: str
    mc_answer4: str
    correct_answer_num: int | str


class Answer(Shape):
    text: str
    correct: bool


class Item(Shape):
    question: str
    answers: list[Answer]


class Extra(Shape):
    url: str


class Metadata(Shape):
    extra: Extra


class Passage(Shape):
    metadata: Metadata
    text: str
    items: list[Item]


ROW, PASSAGE = TypeAdapter(Row), TypeAdapter(Passage)


def upstream(path):
    """Questions of upstream's files: `correct_answer_num` is text and counts from 1."""
    for line, row in _rows(path, ROW):
        number, passage, right = str(row.question_number), row.link, str(row.correct_answer_num)
        if right not in ("1", "2", "3", "4"):
            raise InputError(f"{path}:{line}: correct_answer_num {right!r} is not 1, 2, 3 or 4")
        choices = tuple(getattr(row, f"mc_answer{n}") for n in (1, 2, 3, 4))
        text, question = row.flores_passage, row.question
        yield Question(f"{passage}#{number}", passage, text, question, choices, (int(right) - 1,))


def reshaped(path):
    """Questions of the copy in which a line is a passage with its questions."""
    for _, row in _rows(path, PASSAGE):
        passage = row.metadata.extra.url
        for number, item in enumerate(row.items, 1):
            choices = tuple(answer.text for answer in item.answers)
            right = tuple(i for i, answer in enumerate(item.answers) if answer.correct)
            yield Question(f"{passage}#{number}", passage, row.text, item.question, choices, right)


def _rows(path, kind):
    for line, text in lines(path):
        if text.strip():
            yield line, checked(kind, from_json(text, path, line), f"{path}:{line}")
