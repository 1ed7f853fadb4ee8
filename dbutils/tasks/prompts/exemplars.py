"""Which solved examples a prompt shows: drawn from training data by a seed, never the item that is asked about."""

import hashlib

from dbutils.errors import InputError
from dbutils.tasks.prompts.answers import parse, solution
from dbutils.tasks.prompts.prompt import prompt

SPARE = 8  # drawn besides those that are shown, to step in where one of them is the item itself


def choose(task, labels, train, shots, seed):
    """Up to shots + SPARE training examples in the order in which they are shown.

    The order is drawn by the seed from the contents, so it is that of no file and no machine; the first of each label come
    before all others, so that with enough shots every label has one. Of examples about the same text, and of those whose own
    answer could not be understood, none but the first counts.
    """
    if not shots:
        return []
    frame, seen, ranked = prompt(task), set(), []
    for example in sorted(train, key=lambda example: _rank(frame, example, seed)):
        subject = frame.subject(example)
        if not subject or subject in seen or parse(task, labels, example, solution(task, example)) is None:
            continue
        seen.add(subject)
        ranked.append(example)
    if len(ranked) < shots:
        raise InputError(
            f"task {task}: {shots} exemplars are wanted, and the training data have {len(ranked)}: set shots to fewer"
        )
    first = {}
    for example in ranked if labels else ():
        first.setdefault(solution(task, example), example)
    ahead = {id(example) for example in first.values()}
    return sorted(ranked, key=lambda example: id(example) not in ahead)[: shots + SPARE]


def _rank(frame, example, seed):
    return hashlib.sha256(f"{seed}\n{frame.block(example)}".encode()).digest()


def shown(frame, chosen, example, shots):
    """Those of the chosen that are shown with an item: the first `shots` that are about another text than the item."""
    own = frame.subject(example)
    found = [exemplar for exemplar in chosen if frame.subject(exemplar) != own][:shots]
    if len(found) < shots:
        raise InputError(f"example {example.id!r}: too few exemplars are about another text; set shots to fewer")
    return found
