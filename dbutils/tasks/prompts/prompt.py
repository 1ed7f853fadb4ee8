"""A prompt file, and a prompt rendered from it."""

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dbutils.errors import InputError, unknown

FOLDER = Path(__file__).parent
PROMPTED = ("did", "sa", "tc", "nli", "mrc", "eqa")  # tasks that are asked with exemplars, in context
FILES = (*PROMPTED, "mt")  # tasks that have a prompt


@dataclass(frozen=True)
class Prompt:
    """A task's prompt.

    instruction: what is asked for. labels: what introduces the list of labels ("" where none is listed). fields: (marker,
    attribute of the example); an attribute with several texts makes a numbered line for each. answer: the marker of the
    answer. shots, max_new_tokens: how many exemplars and how long an answer, unless told otherwise.
    """

    instruction: str
    labels: str
    fields: tuple[tuple[str, str], ...]
    answer: str
    shots: int
    max_new_tokens: int

    def head(self, labels):
        """The instruction, with the label set."""
        if not self.labels:
            return self.instruction
        words = [one_line(label) for label in labels]
        listed = " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
        return f"{self.instruction} {self.labels}: {listed}."

    def block(self, example):
        """The lines of an example up to the answer's marker."""
        lines = []
        for marker, attribute in self.fields:
            value = getattr(example, attribute)
            if isinstance(value, str):
                lines.append(_line(marker, value))
            else:
                lines += [_line(f"{marker} {number}", text) for number, text in enumerate(value, 1)]
        return "\n".join([*lines, f"{self.answer}:"])

    def render(self, labels, solved, example):
        """The whole prompt. solved: (example, answer as text) of the exemplars, in order."""
        shown = [f"{self.block(exemplar)} {one_line(answer)}" for exemplar, answer in solved]
        return "\n\n".join([self.head(labels), *shown, self.block(example)])

    def subject(self, example):
        """What an example is about, folded: two examples with the same text, premise or passage have the same."""
        return one_line(getattr(example, self.fields[0][1])).casefold()


def _line(marker, value):
    return f"{marker}: {one_line(value)}".rstrip()


def one_line(text):
    """A text on one line: stretches of white space, line breaks of every kind included, as one blank."""
    return " ".join(text.split())


@functools.cache
def prompt(task):
    """The Prompt of a task (code); InputError for a task that has none."""
    if task not in FILES:
        raise unknown("task with a prompt", task, FILES)
    path = FOLDER / f"{task}.toml"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return Prompt(**{**found, "fields": tuple((marker, attribute) for marker, attribute in found["fields"])})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError, KeyError, ValueError) as error:
        raise InputError(f"{path}: no prompt file: {' '.join(str(error).split())}") from None
