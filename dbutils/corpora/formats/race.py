"""RACE: one JSON file per passage, in folders by split and level."""

from pydantic import TypeAdapter

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import from_json, whole
from dbutils.errors import InputError
from dbutils.shape import Shape, checked


class Passage(Shape):
    id: str
    article: str
    questions: list[str]
    options: list[list[str]]
    answers: list[str]


PASSAGE = TypeAdapter(Passage)


def read(path):
    """The questions of one file; answers are letters from A."""
    row = checked(PASSAGE, from_json(whole(path), path), f"{path}: not in the form of RACE")
    questions, options, answers = row.questions, row.options, row.answers
    if not len(questions) == len(options) == len(answers):
        raise InputError(f"{path}: {len(questions)} questions, {len(options)} options and {len(answers)} answers")
    for number, (question, choices, letter) in enumerate(zip(questions, options, answers, strict=True), 1):
        right = ord(letter) - ord("A") if len(letter) == 1 else -1
        if not 0 <= right < len(choices):
            raise InputError(f"{path}: answer {letter!r} of question {number} is none of its options")
        yield Question(f"{row.id}#{number}", row.id, row.article, question, tuple(choices), (right,))
