"""From meaning to tree, in the root variety: subject, negation, verb, object, how, where, when.

Do  limelno pi Podar   toris-a   un  lenne puteka so do vinveta  giti .
the teacher of Podar   read-PST  a   new   book   in the library yesterday
"""

from dataclasses import replace
from functools import cache

from dbutils.sandbox.lexicon import LEXICON, PLURAL, TENSES
from dbutils.sandbox.meaning import Asked, Name
from dbutils.sandbox.tree import Affix, Node, Word

NUMBERS = {2: "two", 3: "three"}
STOP = Node(Word(".", ".", "PUNCT"), "punct")
MARK = Node(Word("?", "?", "PUNCT"), "punct")


def _word(key, *affixes):
    lexeme = LEXICON[key]
    letters = "capital" if lexeme.upos == "PROPN" else ""
    return Word(key, lexeme.form, lexeme.upos, tuple(Affix(form, gloss) for gloss, form in affixes), letters)


def _node(key, relation, *affixes, **rest):
    return Node(_word(key, *affixes), relation, **rest)


def phrase(meaning, relation, role="", adposition=""):
    """The tree of a name, a common noun with what belongs to it, or a question word."""
    before = (_node(adposition, "case"),) if adposition else ()
    if isinstance(meaning, Asked):
        relation = "advmod" if LEXICON[meaning.word].upos == "ADV" else relation
        return _node(meaning.word, relation, role=role)
    if isinstance(meaning, Name):
        head, *rest = meaning.parts
        flat = tuple(_node(part, "flat", entity=meaning.kind) for part in rest)
        return _node(head, relation, before=before, after=flat, entity=meaning.kind, role=role)
    after = (phrase(meaning.of, "nmod", adposition="of"),) if meaning.of else ()
    if meaning.definite:
        before += (_node("the", "det"),)
    elif meaning.number == 1:
        before += (_node("a", "det"),)
    if meaning.number > 1:
        before += (_node(NUMBERS[meaning.number], "nummod"),)
    if meaning.quality:
        before += (_node(meaning.quality, "amod"),)
    affixes = (PLURAL,) if meaning.number > 1 else ()
    return _node(meaning.noun, relation, *affixes, before=before, after=after, role=role)


def phrases(meanings, relation, role=""):
    """One phrase, or two joined by "and" (the first is the head, as in Universal Dependencies)."""
    first, *rest = (
        phrase(meaning, relation if n == 0 else "conj", role if n == 0 else "") for n, meaning in enumerate(meanings)
    )
    joined = tuple(replace(node, before=(_node("and", "cc"), *node.before)) for node in rest)
    return replace(first, after=(*first.after, *joined))


def filler(meaning):
    """The tree of what fills a role, by itself: a phrase, a tuple of phrases, or a word's key."""
    if isinstance(meaning, str):
        return _node(meaning, "root")
    return phrases(meaning if isinstance(meaning, tuple) else (meaning,), "root")


@cache
def clause(event):
    """The tree of an event, or of a question if a role is Asked."""
    parts = (*event.agents, event.patient, event.place)
    asks = event.time == "when" or any(isinstance(part, Asked) for part in parts)
    tense = TENSES[event.tense]
    before = (phrases(event.agents, "nsubj", "agent"),)
    after = ()
    if event.negated:
        before += (_node("not", "advmod"),)
    if event.patient:
        after += (phrase(event.patient, "obj", "patient"),)
    if event.manner:
        after += (_node(event.manner, "advmod"),)
    if event.place:
        after += (phrase(event.place, "obl", "place", "in"),)
    if event.time:
        after += (_node(event.time, "advmod", role="time"),)
    after += (MARK if asks else STOP,)
    if event.verb == "be":
        return _node(event.quality, "root", before=(*before, _node("be", "cop", tense)), after=after)
    return _node(event.verb, "root", tense, before=before, after=after)
