"""MultiRC: paragraphs of numbered sentences in HTML, questions with any number of right answers."""

import json
import re

from dbutils.corpora.formats.choices import Question
from dbutils.corpora.text import whole
from dbutils.errors import InputError

SENTENCE = re.compile(r"</b>(.*?)<br>")


def read(path):
    """The questions of a file; a passage is its sentences joined by blanks."""
    try:
        for row in json.loads(whole(path))["data"]:
            passage = " ".join(SENTENCE.findall(row["paragraph"]["text"]))
            for item in row["paragraph"]["questions"]:
                choices = tuple(answer["text"] for answer in item["answers"])
                right = tuple(i for i, answer in enumerate(item["answers"]) if answer["isAnswer"])
                yield Question(f"{row['id']}#{item['idx']}", row["id"], passage, item["question"], choices, right)
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not in the form of MultiRC ({error})") from None
