"""ReClor: a JSON list of logical questions with four answers; `label` counts from 0."""

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, whole
from dbutils.errors import InputError
from dbutils.shape import Shape, checked


class Row(Shape):
    id_string: str
    context: str
    question: str
    answers: list[str]
    label: int


ROWS = TypeAdapter(list[Row])


def read(path):
    """The questions of a file (the test file has no labels and cannot be read)."""
    for row in checked(ROWS, from_json(whole(path), path), f"{path}: not in the form of ReClor"):
        id, choices, right = row.id_string, tuple(row.answers), row.label
        if not 0 <= right < len(choices):
            raise InputError(f"{path}: label {right} of {id} is none of its answers")
        yield Question(id, id, row.context, row.question, choices, (right,))
