"""SQuAD 1.1 JSON (SD-QA, TyDiQA-GoldP): questions, passages and accepted answers."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from dbutils.corpora.text import from_json, whole
from dbutils.shape import Shape, checked


class Answer(Shape):
    text: str
    answer_start: int


class Asked(Shape):
    id: str | int
    question: str
    answers: Annotated[list[Answer], Field(min_length=1)]  # what has none is SQuAD 2, and cannot be scored here


class Paragraph(Shape):
    context: str
    qas: list[Asked]


class Article(Shape):
    paragraphs: list[Paragraph]


class File(Shape):
    data: list[Article]


FILE = TypeAdapter(File)


@dataclass(frozen=True, slots=True)
class Question:
    """One question: id as in the file, passage, question, answers as (text, stated offset)."""

    id: str
    passage: str
    question: str
    answers: tuple[tuple[str, int], ...]


def read(path):
    """The questions of a file in order. InputError naming the file, and the place where known."""
    content = checked(FILE, from_json(whole(path), path), f"{path}: not in SQuAD form")
    for article in content.data:
        for paragraph in article.paragraphs:
            for qa in paragraph.qas:
                answers = tuple((answer.text, answer.answer_start) for answer in qa.answers)
                yield Question(str(qa.id), paragraph.context, qa.question, answers)


def place(passage, answer, stated):
    """Where the answer stands in the passage: at the stated offset or nearest to it; -1 if nowhere.

    Offsets of SD-QA are off by one to four characters for single questions; some second references
    are not in the passage at all.
    """
    if not answer:
        return -1
    if passage.startswith(answer, max(stated, 0)):
        return max(stated, 0)
    found, best = passage.find(answer), -1
    while found >= 0:
        if best < 0 or abs(found - stated) < abs(best - stated):
            best = found
        found = passage.find(answer, found + 1)
    return best


def characters(text, offset):
    """The character offset that a UTF-8 byte offset points to (raw SD-QA and TyDi QA count bytes).

    An offset inside a character means that character; one past the end means the end.
    """
    return len(text.encode("utf-8")[:offset].decode("utf-8", errors="ignore"))
