"""Sentences as dependency trees whose nodes keep their morphemes, and their reading as text."""

from dataclasses import dataclass

NO_SPACE_BEFORE = frozenset(".?,")


@dataclass(frozen=True, slots=True)
class Affix:
    """A suffix: its form and its gloss (PL, PST ...)."""

    form: str
    gloss: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: stem and suffixes, with the lexeme `key` it belongs to.

    letters: "capital" (a name), "small" (never a capital) or "" (a capital where a sentence starts).
    """

    key: str
    stem: str
    upos: str
    affixes: tuple[Affix, ...] = ()
    letters: str = ""

    @property
    def form(self):
        """The word as written inside a sentence."""
        form = self.stem + "".join(affix.form for affix in self.affixes)
        return capital(form) if self.letters == "capital" else form


@dataclass(frozen=True, slots=True)
class Node:
    """A word with its dependents before and after it, in order.

    relation: to the head. entity: PER, LOC or ORG for each word of a name. role: agent, patient,
    place or time for the head of what fills that role.
    """

    word: Word
    relation: str
    before: tuple["Node", ...] = ()
    after: tuple["Node", ...] = ()
    entity: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tree read from left to right; every field has one entry per token.

    forms: as written. words: with their morphemes. heads: 1-based, 0 for the root.
    relations, upos, entities (IOB2). spans: role -> (first token, last token + 1).
    """

    forms: tuple[str, ...]
    words: tuple[Word, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    upos: tuple[str, ...]
    entities: tuple[str, ...]
    spans: dict[str, tuple[int, int]]


def capital(text):
    """The text with its first letter as a capital (Python's own table, so the same everywhere)."""
    return text[:1].upper() + text[1:]


def read(root):
    """The Sentence of a tree."""
    order, heads = [], {}

    def visit(node, head):
        for child in node.before:
            visit(child, node)
        order.append(node)
        heads[id(node)] = head
        for child in node.after:
            visit(child, node)

    visit(root, None)
    place = {id(node): n for n, node in enumerate(order, 1)}
    forms = [node.word.form for node in order]
    if order[0].word.letters != "small":
        forms[0] = capital(forms[0])
    return Sentence(
        forms=tuple(forms),
        words=tuple(node.word for node in order),
        heads=tuple(0 if heads[id(n)] is None else place[id(heads[id(n)])] for n in order),
        relations=tuple(node.relation for node in order),
        upos=tuple(node.word.upos for node in order),
        entities=tuple(_iob(node) for node in order),
        spans={node.role: _span(node, place) for node in order if node.role},
    )


def _iob(node):
    if not node.entity:
        return "O"
    return ("I-" if node.relation == "flat" else "B-") + node.entity


def _span(node, place):
    """First token and last token + 1 of a phrase without its adposition (which stands at an edge)."""
    inside = []

    def visit(part):
        inside.append(place[id(part)])
        for child in (*part.before, *part.after):
            if child.relation != "case" or part is not node:
                visit(child)

    visit(node)
    return min(inside) - 1, max(inside)


def offsets(forms):
    """Where each token starts in `text(forms)`: character offsets."""
    starts, end = [], 0
    for n, form in enumerate(forms):
        start = end + (n > 0 and form not in NO_SPACE_BEFORE)
        starts.append(start)
        end = start + len(form)
    return starts


def text(forms):
    """Tokens as running text."""
    return "".join(("" if n == 0 or f in NO_SPACE_BEFORE else " ") + f for n, f in enumerate(forms))
