"""Belebele's training mixture, assembled from its six sets.

The rules are those that Belebele documents (github.com/facebookresearch/belebele): no gap-filling
questions, no passage of more than 25 sentences (ReClor excepted), exactly four choices of which one
is right. Where it draws at random we draw with seeds of our own, and it counts sentences with NLTK,
we by punctuation: the mixture is of the same kind and nearly the same size, not the same rows.
"""

import random
import re

from dbutils.corpora.formats.choices import Question

BY_NAME = {
    "MCTest_500": "mctest",
    "RACE": "race",
    "SciQ": "sciq",
    "sciQ": "sciq",
    "MultiRC": "multirc",
    "MCScript2.0": "mcscript2",
    "ReClor": "reclor",
}

LONGEST = 25  # sentences
SENTENCE_END = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)")


def sentences(text):
    """How many sentences a text has, by its sentence-final punctuation (at least 1)."""
    return max(1, len(SENTENCE_END.findall(text)))


def assemble(corpus, questions):
    """The questions of one set (its id) that enter the mixture, each with four choices, lazily."""
    if corpus == "mcscript2":
        questions = _with_borrowed(list(questions))
    for question in questions:
        if corpus != "reclor" and sentences(question.passage) > LONGEST:
            continue
        if corpus in ("race", "sciq") and "_" in question.question:
            continue
        if not question.passage.strip() or len(question.right) != 1 or len(question.choices) < 4:
            continue
        yield _four(question) if corpus in ("sciq", "multirc", "mcscript2") else question


def _four(question):
    """The right choice and three others, in an order that depends on the question's id only."""
    draw = random.Random(f"mixture 0 {question.id}")
    right = question.right[0]
    others = [i for i in range(len(question.choices)) if i != right]
    order = draw.sample([right, *draw.sample(others, 3)], 4)
    choices = tuple(question.choices[i] for i in order)
    right = (order.index(right),)
    return Question(question.id, question.passage_id, question.passage, question.question, choices, right)


def _with_borrowed(questions):
    """Questions of two choices with two more, borrowed from other questions on the same passage.

    A question whose passage has no other question borrows from right answers of other passages.
    """
    by_passage = {}
    for question in questions:
        by_passage.setdefault(question.passage_id, []).append(question)
    elsewhere = sorted({q.choices[i] for q in questions for i in q.right})
    for question in questions:
        siblings = [q for q in by_passage[question.passage_id] if q.id != question.id]
        pool = sorted({c for q in siblings for c in q.choices}) or elsewhere
        pool = [choice for choice in pool if choice not in question.choices]
        if len(pool) < 2:
            continue
        borrowed = random.Random(f"mixture 0 {question.id} borrowed").sample(pool, 2)
        choices = (*question.choices, *borrowed)
        yield Question(question.id, question.passage_id, question.passage, question.question, choices, question.right)
