"""What every reader yields: one frozen record per example, the same for every corpus of a task.

`id` is the same on every machine and for every reading of the same file; it is unique within
(corpus, code, split). Texts are as the file has them (no lower case, no Unicode normalisation).
"""

from dataclasses import asdict, dataclass


def _same_length(example, first, *others):
    size = len(getattr(example, first))
    if not example.scored:
        object.__setattr__(example, "scored", (True,) * size)
    for name in (*others, "scored"):
        if len(getattr(example, name)) != size:
            raise ValueError(f"{example.id}: {len(getattr(example, name))} {name} for {size} {first}")


@dataclass(frozen=True, slots=True)
class TreeExample:
    """A sentence with its dependency tree (task dep).

    tokens, upos, heads, relations, scored: one entry per syntactic word. heads are 1-based word
    numbers, 0 for the root and -1 where the corpus gives the word no head. A word with
    scored=False (a placeholder for withheld text, or a word without head) is no gold; the default
    is that every word is.
    """

    id: str
    tokens: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    scored: tuple[bool, ...] = ()

    def __post_init__(self):
        _same_length(self, "tokens", "upos", "heads", "relations")


@dataclass(frozen=True, slots=True)
class TaggedExample:
    """A sentence with one tag per token (tasks pos and ner; ner tags are IOB2).

    scored: one flag per token; False for placeholders that stand for withheld text; the default
    is that every token counts.
    """

    id: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    scored: tuple[bool, ...] = ()

    def __post_init__(self):
        _same_length(self, "tokens", "tags")


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text with one label (tasks did, sa, tc)."""

    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class PairExample:
    """A premise and a hypothesis with the relation between them (task nli)."""

    id: str
    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True, slots=True)
class ChoiceExample:
    """A question on a passage with its choices (task mrc); answer is the 0-based right one."""

    id: str
    passage: str
    question: str
    choices: tuple[str, ...]
    answer: int
    passage_id: str


@dataclass(frozen=True, slots=True)
class SpanExample:
    """A question on a passage with its accepted answers (task eqa).

    starts: for each answer the character offset at which it stands in the passage, -1 where the
    passage does not hold it literally (such an answer still counts as a reference).
    """

    id: str
    passage: str
    question: str
    answers: tuple[str, ...]
    starts: tuple[int, ...]
    passage_id: str


@dataclass(frozen=True, slots=True)
class TranslationExample:
    """A line to translate into English (task mt).

    line: 1-based number of the line in the corpus; equal lines of one group are translations of
    each other. kind says what `reference` is: `english` (a human translation) or `standard` (the
    sentence in the standard variety, whose machine translation serves as pseudo-reference).
    """

    id: str
    source: str
    reference: str
    line: int
    kind: str


RECORDS = {
    "dep": TreeExample,
    "pos": TaggedExample,
    "ner": TaggedExample,
    "did": TextExample,
    "sa": TextExample,
    "tc": TextExample,
    "nli": PairExample,
    "mrc": ChoiceExample,
    "eqa": SpanExample,
    "mt": TranslationExample,
}


def as_json(example):
    """The example as one line of JSON (no line break in it, non-ASCII letters kept)."""
    import json

    return json.dumps(asdict(example), ensure_ascii=False)
