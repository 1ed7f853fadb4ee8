"""How a sentence comes about, step by step: meaning, root sentence, what each rule changes."""

import re
from dataclasses import dataclass

from dbutils.errors import InputError
from dbutils.sandbox import english, grammar, rules
from dbutils.sandbox.family import SOURCE, Variety, steps, variety
from dbutils.sandbox.meaning import Event
from dbutils.sandbox.stories import LIMIT, SPLITS, stories
from dbutils.sandbox.tasks import sentence_name
from dbutils.sandbox.tree import capital, read, text


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence after one rule, as interlinear text: per word its morphemes and their glosses.

    rule: name of the rule ("" for the root sentence). strength: 0..1. says: what the rule does.
    changed: whether it changed this sentence.
    """

    rule: str
    strength: float
    says: str
    text: str
    morphemes: tuple[str, ...]
    glosses: tuple[str, ...]
    changed: bool

    def interlinear(self, indent="  "):
        """Two aligned lines: morphemes over glosses."""
        widths = [max(map(len, pair)) for pair in zip(self.morphemes, self.glosses, strict=True)]
        lines = (
            " ".join(w.ljust(n) for w, n in zip(row, widths, strict=True)).rstrip()
            for row in (self.morphemes, self.glosses)
        )
        return "\n".join(indent + line for line in lines)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The way from a meaning to a sentence of a variety; `str()` gives it as text for a reader."""

    code: str
    id: str
    event: Event
    english: str
    steps: tuple[Step, ...]

    def __str__(self):
        first, *others = self.steps
        parts = [f"{self.id}  {self.english}", f"{SOURCE} (root)\n{first.interlinear()}"]
        for step in others:
            if step.changed:
                parts.append(f"{step.rule}, strength {step.strength:.2g}: {step.says}\n{step.interlinear()}")
        idle = [step.rule for step in others if not step.changed]
        if idle:
            parts.append(f"no change here: {', '.join(idle)}")
        parts.append(f"{self.code}: {self.steps[-1].text}")
        return "\n\n".join(parts)


def explain(code, id, seed=0):
    """The Explanation of the main sentence of an item, such as explain("mir-port", "test-0003").

    code: a `Variety` or its code. Raises InputError for an id that is none.
    """
    record = code if isinstance(code, Variety) else variety(code)
    match = re.fullmatch(r"(\w+)-(\d{4})(:.*)?", id)
    if not match or match[1] not in SPLITS or int(match[2]) >= LIMIT:
        raise InputError(f"item {id!r}: not an id of the sandbox; write it like 'test-0003' (below {LIMIT})")
    split, number = match[1], int(match[2])
    story = stories(split, number + 1, seed)[number]
    name, tree = sentence_name(story, story.main), grammar.clause(story.event)
    told = [_step("", 1.0, "", tree, None)]
    for rule, strength in steps(record):
        after = rules.apply(rule, strength, tree, name)
        told.append(_step(rule.name, strength, rule.says, after, tree))
        tree = after
    return Explanation(record.code, story.id, story.event, english.sentence(story.event), tuple(told))


def _step(rule, strength, says, tree, before):
    sentence = read(tree)
    words = sentence.words
    morphemes = ["-".join((word.stem, *(a.form for a in word.affixes))) for word in words]
    morphemes = [capital(m) if f[:1].isupper() else m for m, f in zip(morphemes, sentence.forms, strict=True)]
    glosses = ["-".join((word.key.removeprefix("to "), *(a.gloss for a in word.affixes))) for word in words]
    changed = before is not None and tree != before
    return Step(rule, strength, says, text(sentence.forms), tuple(morphemes), tuple(glosses), changed)
