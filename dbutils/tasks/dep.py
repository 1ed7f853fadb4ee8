"""Dependency parsing: trees as predictions, (heads, relations), one entry per word, None where there is none."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

from dbutils.errors import InputError
from dbutils.metrics import attachment
from dbutils.tasks.hyper import TINY, Hyper
from dbutils.tasks.task import ALL, Task


def metrics(labels):
    return attachment.UAS, attachment.LAS


def gold(example):
    heads = [head if head >= 0 else None for head in example.heads]
    return {"heads": heads, "relations": list(example.relations)}


def held(gold):
    heads = tuple(-1 if head is None else head for head in gold["heads"])
    scored = tuple(head >= 0 for head in heads)
    return SimpleNamespace(tokens=heads, heads=heads, relations=tuple(gold["relations"]), scored=scored)


def to_json(prediction):
    heads, relations = prediction
    return {"heads": list(heads), "relations": list(relations)}


def from_json(value, example):
    """(heads, relations) of {"heads": [...], "relations": [...]}; heads are 0..n or null."""
    if not isinstance(value, dict) or set(value) != {"heads", "relations"}:
        raise InputError('the prediction must be {"heads": [...], "relations": [...]}')
    size = len(example.tokens)
    for name in ("heads", "relations"):
        if not isinstance(value[name], list) or len(value[name]) != size:
            found = f"{len(value[name])} entries" if isinstance(value[name], list) else "no list"
            raise InputError(f"{name}: {found} for the {size} words of the sentence")
    for position, head in enumerate(value["heads"], 1):
        if head is not None and (type(head) is not int or not 0 <= head <= size):
            raise InputError(f"head {head!r} of word {position} is none of 0..{size} or null")
    for position, relation in enumerate(value["relations"], 1):
        if relation is not None and not isinstance(relation, str):
            raise InputError(f"relation {relation!r} of word {position} is neither text nor null")
    return tuple(value["heads"]), tuple(value["relations"])


def frequent(examples):
    """Whether words rather hang on their left neighbour than on their right one, and the most frequent relation."""
    steps, relations = Counter(), Counter()
    for example in examples:
        for position, (head, relation) in enumerate(zip(example.heads, example.relations), 1):
            if head > 0:
                steps[head - position] += 1
                relations[relation] += 1
    relation = min(relations, key=lambda r: (-relations[r], r), default="dep")
    return {"left": steps[-1] >= steps[1], "relation": relation}


def repeat(seen, example):
    """A chain of the sentence's words in the direction and with the relation that `frequent` saw."""
    size = len(example.tokens)
    heads = tuple(range(size)) if seen["left"] else (*range(2, size + 1), *([0] if size else []))
    return heads, tuple("root" if head == 0 else seen["relation"] for head in heads)


def outcomes(gold, prediction):
    """(gold relation, what became of the word) of each word that has a head."""
    found = zip(gold["heads"], gold["relations"], prediction["heads"], prediction["relations"], strict=True)
    return [
        (relation, _outcome(head == other, relation == named))
        for head, relation, other, named in found
        if head is not None
    ]


def _outcome(head, relation):
    if head:
        return "right" if relation else "head right, relation wrong"
    return "relation right, head wrong" if relation else "both wrong"


TASK = Task(
    "dep",
    metrics,
    gold,
    to_json,
    from_json,
    ALL,
    held,
    frequent,
    outcomes,
    repeat,
    head="dbutils.tasks.heads.parser:ParserHead",
    # the paper's protocol everywhere: AdamW, linear decay, no warm-up, no weight decay
    paper=Hyper(5, 2e-4, 32, 256, 256, cut_training=True, selection="las", word_vector="mean"),
    tiny=replace(TINY, epochs=6, word_vector="mean", arc_size=64, relation_size=32),
)
