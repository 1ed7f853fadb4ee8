"""Extractive question answering: SD-QA (spoken questions of dialects) and TyDiQA-GoldP."""

import hashlib
import re

from dbutils.corpora import records, store
from dbutils.corpora.examples import SpanExample
from dbutils.corpora.formats import squad
from dbutils.errors import InputError

# `english--3215621880858840488-2`: a negative number and a paragraph; `english-17-ind_n`: a dialect.
ID = re.compile(r"(?P<language>[a-z]+)-(?P<number>-?\d+)(?:-(?P<rest>.+))?")


def parts(id, name="id"):
    """The parts of a question id: language, number (may be negative), and what follows ("" if nothing)."""
    match = ID.fullmatch(id)
    if not match:
        raise InputError(f"{name}: question id {id!r} is not of the form language-number-rest")
    return match["language"], int(match["number"]), match["rest"] or ""


def sd_qa(task, code, split):
    """Questions of one dialect (`english--kenya`); train has one set per language (`korean`).

    All dialects of a language are parallel: the same ids, passages and answers in the same order.
    An empty transcript is the question "?"; it stays.
    """
    return _examples("sd-qa", code, split)


def tydiqa_goldp(task, code, split):
    """Questions of one language.

    `sound-train` leaves out every question of SD-QA dev, whose questions all stand in this train.
    """
    if split != "sound-train":
        return _examples("tydiqa-goldp", code, split)
    dev = {
        parts(question.id)[:2]
        for file in records.of("sd-qa")
        if file.split == "dev" and file.code.partition("--")[0] == code
        for question in squad.read(store.find("sd-qa", file.path))
    }
    return (e for e in _examples("tydiqa-goldp", code, "train") if parts(e.id)[:2] not in dev)


def _examples(corpus, code, split):
    path = store.find(corpus, records.find(corpus, code, split).path)
    for q in squad.read(path):
        parts(q.id, path)
        answers = tuple(text for text, _ in q.answers)
        starts = tuple(squad.place(q.passage, text, stated) for text, stated in q.answers)
        yield SpanExample(q.id, q.passage, q.question, answers, starts, passage_id(q.passage))


def passage_id(passage):
    """A short name for a passage: questions on the same text share it."""
    return hashlib.sha256(passage.encode("utf-8")).hexdigest()[:12]
