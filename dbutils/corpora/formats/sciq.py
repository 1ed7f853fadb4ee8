"""SciQ: a JSON list of questions with a right answer, three distractors and a support text."""

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, whole
from dbutils.shape import Shape, checked


class Row(Shape):
    question: str
    support: str
    correct_answer: str
    distractor1: str
    distractor2: str
    distractor3: str


ROWS = TypeAdapter(list[Row])


def read(path):
    """The questions of a file, the right answer first (the file has no order of choices)."""
    for number, row in enumerate(checked(ROWS, from_json(whole(path), path), f"{path}: not in the form of SciQ"), 1):
        choices = (row.correct_answer, row.distractor1, row.distractor2, row.distractor3)
        yield Question(str(number), str(number), row.support, row.question, choices, (0,))
