"""SciQ: a JSON list of questions with a right answer, three distractors and a support text."""

import json

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import whole
from dbutils.errors import InputError


def read(path):
    """The questions of a file, the right answer first (the file has no order of choices)."""
    try:
        for number, row in enumerate(json.loads(whole(path)), 1):
            wrong = (row["distractor1"], row["distractor2"], row["distractor3"])
            choices = (row["correct_answer"], *wrong)
            yield Question(str(number), str(number), row["support"], row["question"], choices, (0,))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not in the form of SciQ ({error})") from None
