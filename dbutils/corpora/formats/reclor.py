"""ReClor: a JSON list of logical questions with four answers; `label` counts from 0."""

import json

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import whole
from dbutils.errors import InputError


def read(path):
    """The questions of a file (the test file has no labels and cannot be read)."""
    try:
        for row in json.loads(whole(path)):
            id, choices, right = row["id_string"], tuple(row["answers"]), int(row["label"])
            if not 0 <= right < len(choices):
                raise InputError(f"{path}: label {right} of {id} is none of its answers")
            yield Question(id, id, row["context"], row["question"], choices, (right,))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not in the form of ReClor ({error})") from None
