"""Machine translation: a text in English as prediction."""

from dataclasses import replace
from types import SimpleNamespace

from dbutils.errors import InputError
from dbutils.metrics import translation
from dbutils.tasks.task import IN_CONTEXT, Task


def metrics(labels):
    """BLEU of each sentence, averaged, as in the paper; BLEU of the whole set; chrF++."""
    return translation.SENTENCE_BLEU, translation.BLEU, translation.CHRF


def gold(example):
    return example.reference


def held(gold):
    return SimpleNamespace(reference=gold)


def from_json(value, example):
    if not isinstance(value, str):
        raise InputError(f'the prediction must be text ("" for no translation), not {value!r}')
    return value


def group(example):
    """The line: a region's places translate the same sentences, which are drawn together."""
    return str(example.line)


def with_reference(example, text):
    """An example whose reference is a pseudo-reference: a machine translation of the standard's sentence."""
    return replace(example, reference=text, kind="pseudo")


TASK = Task(
    "mt",
    metrics,
    gold,
    str,
    from_json,
    ("translator", "copy", *IN_CONTEXT),
    held,
    group=group,
    signatures=translation.signatures,
)
