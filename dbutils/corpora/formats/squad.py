"""SQuAD 1.1 JSON (SD-QA, TyDiQA-GoldP): questions, passages and accepted answers."""

import json
from dataclasses import dataclass

from dbutils.corpora.text import whole
from dbutils.errors import InputError


@dataclass(frozen=True, slots=True)
class Question:
    """One question: id as in the file, passage, question, answers as (text, stated offset)."""

    id: str
    passage: str
    question: str
    answers: tuple[tuple[str, int], ...]


def read(path):
    """The questions of a file in order. InputError naming the file, and the place where known."""
    try:
        content = json.loads(whole(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON ({error.msg}); get the file again") from None
    try:
        for article in content["data"]:
            for paragraph in article["paragraphs"]:
                for qa in paragraph["qas"]:
                    answers = tuple((a["text"], int(a["answer_start"])) for a in qa["answers"])
                    yield Question(str(qa["id"]), paragraph["context"], qa["question"], answers)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not in SQuAD form ({type(error).__name__}: {error})") from None


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
