"""From meaning to English: the reference of the translation task and the last line of explanations."""

from dbutils.sandbox.grammar import NUMBERS
from dbutils.sandbox.lexicon import LEXICON
from dbutils.sandbox.meaning import Asked, Name
from dbutils.sandbox.tree import capital

_BE = {"past": ("was", "were"), "present": ("is", "are"), "future": ("will be", "will be")}


def phrase(meaning):
    """A noun phrase in English."""
    if isinstance(meaning, Asked):
        return meaning.word
    if isinstance(meaning, Name):
        return "the {1} {0}".format(*meaning.parts) if meaning.kind == "ORG" else " ".join(meaning.parts)
    many = meaning.number > 1
    words = [NUMBERS[meaning.number]] if many else []
    words += [meaning.quality] if meaning.quality else []
    words.append(LEXICON[meaning.noun].english[0] if many else meaning.noun)
    if meaning.definite:
        words.insert(0, "the")
    elif not many:
        words.insert(0, "an" if words[0][0] in "aeiou" else "a")
    return " ".join(words) + (f" of {phrase(meaning.of)}" if meaning.of else "")


def sentence(event):
    """An event as an English sentence with capital and full stop (questions are not rendered)."""
    subject = " and ".join(map(phrase, event.agents))
    many = len(event.agents) > 1 or getattr(event.agents[0], "number", 1) > 1
    parts = [subject, _predicate(event, many)]
    parts += [phrase(event.patient)] if event.patient else []
    parts += [event.manner] if event.manner else []
    parts += [f"in {phrase(event.place)}"] if event.place else []
    parts += [event.time] if event.time else []
    return capital(" ".join(parts)) + "."


def _predicate(event, many):
    if event.verb == "be":
        be = _BE[event.tense][many]
        if event.negated:
            be = be.replace("will be", "will not be") if event.tense == "future" else f"{be} not"
        return f"{be} {event.quality}"
    base, third, past = LEXICON[event.verb].english
    if event.tense == "future":
        return f"will not {base}" if event.negated else f"will {base}"
    if event.negated:
        return f"{'did' if event.tense == 'past' else 'do' if many else 'does'} not {base}"
    return past if event.tense == "past" else base if many else third
