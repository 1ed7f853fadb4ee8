"""RACE: one JSON file per passage, in folders by split and level."""

import json

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import whole
from dbutils.errors import InputError


def read(path):
    """The questions of one file; answers are letters from A."""
    try:
        row = json.loads(whole(path))
        items = list(zip(row["questions"], row["options"], row["answers"], strict=True))
        for number, (question, options, letter) in enumerate(items, 1):
            right = ord(letter) - ord("A")
            if not 0 <= right < len(options):
                raise InputError(f"{path}: answer {letter!r} of question {number} is none of its options")
            yield Question(f"{row['id']}#{number}", row["id"], row["article"], question, tuple(options), (right,))
    except InputError:
        raise
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not in the form of RACE ({error})") from None
