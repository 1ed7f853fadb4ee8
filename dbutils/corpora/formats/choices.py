"""Multiple-choice questions as their files have them, before any choice among the choices."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its choices in file order and the 0-based positions of the right ones."""

    id: str
    passage_id: str
    passage: str
    question: str
    choices: tuple[str, ...]
    right: tuple[int, ...]
