"""MultiRC: paragraphs of numbered sentences in HTML, questions with any number of right answers."""

import re

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, whole
from dbutils.shape import Shape, checked

SENTENCE = re.compile(r"</b>(.*?)<br>")


class Answer(Shape):
    text: str
    isAnswer: bool


class Item(Shape):
    idx: str | int
    question: str
    answers: list[Answer]


class Paragraph(Shape):
    text: str
    questions: list[Item]


class Row(Shape):
    id: str
    paragraph: Paragraph


class File(Shape):
    data: list[Row]


FILE = TypeAdapter(File)


def read(path):
    """The questions of a file; a passage is its sentences joined by blanks."""
    for row in checked(FILE, from_json(whole(path), path), f"{path}: not in the form of MultiRC").data:
        passage = " ".join(SENTENCE.findall(row.paragraph.text))
        for item in row.paragraph.questions:
            choices = tuple(answer.text for answer in item.answers)
            right = tuple(i for i, answer in enumerate(item.answers) if answer.isAnswer)
            yield Question(f"{row.id}#{item.idx}", row.id, passage, item.question, choices, right)
