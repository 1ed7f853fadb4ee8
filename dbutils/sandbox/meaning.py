"""Meanings, before any words: who did what to whom, where, when and how; and what follows from it.

An `Event` is a pattern: a role that is left open (None or "") says nothing about that role. So
"the trader sold the loaf" is a more general pattern than "the trader sold the loaf at the stall
yesterday", and entailment is generality. Words of a meaning are keys of `lexicon.LEXICON`.
"""

from dataclasses import dataclass, replace

from dbutils.sandbox.lexicon import LEXICON

RELATIONS = ("entailment", "neutral", "contradiction")
SENTIMENTS = ("negative", "neutral", "positive")
ROLES = {"agent": "who", "patient": "what", "place": "where", "time": "when"}


@dataclass(frozen=True, slots=True)
class Name:
    """A person (PER), a place (LOC) or an organisation (ORG) by name; parts are lexicon keys."""

    kind: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A common noun with its number (1, 2 or 3), article, adjective and "of" phrase."""

    noun: str
    number: int = 1
    definite: bool = True
    quality: str = ""
    of: Name | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The gap of a question: the question word that stands for a role."""

    word: str


@dataclass(frozen=True, slots=True)
class Event:
    """An act (verb "to ...", patient) or a state (verb "be", quality); `agents` is the subject.

    Two agents act each for itself: "Sal and Nir read the map" says that Sal read it and Nir did.
    time is an adverb that fits the tense, or "when" in a question.
    """

    verb: str
    tense: str
    agents: tuple[Name | Phrase | Asked, ...]
    patient: Phrase | Asked | None = None
    place: Name | Phrase | Asked | None = None
    time: str = ""
    manner: str = ""
    quality: str = ""
    negated: bool = False


def sentiment(event):
    """The label of SENTIMENTS: the sum of the words' values, turned round by a negated quality."""
    phrases = [p for p in (*event.agents, event.patient, event.place) if isinstance(p, Phrase)]
    keys = [event.manner, *(p.quality for p in phrases)]
    if event.verb != "be":
        keys.append(event.verb)
    value = sum(LEXICON[key].value for key in keys if key)
    if event.quality:
        value += LEXICON[event.quality].value * (-1 if event.negated else 1)
    return SENTIMENTS[(value > 0) - (value < 0) + 1]


def covers(special, general):
    """Whether whatever the phrase `special` denotes is also denoted by the phrase `general`.

    special may be None, a role left open: it denotes anything, which no phrase covers.
    """
    if special == general:
        return True
    if special is None or not isinstance(general, Phrase):
        return False
    if general == Phrase("person", definite=False):
        return special.kind == "PER" if isinstance(special, Name) else LEXICON[special.noun].kind == "person"
    if not isinstance(special, Phrase):
        return False
    if general == Phrase("thing", definite=False):
        return LEXICON[special.noun].kind == "thing"
    return (
        (special.noun, special.number) == (general.noun, general.number)
        and (special.definite or not general.definite)
        and general.quality in ("", special.quality)
        and general.of in (None, special.of)
    )


def implies(special, general):
    """Whether each case of the pattern `special` is a case of `general` (negation left aside)."""
    return (
        (special.verb, special.tense, special.quality) == (general.verb, general.tense, general.quality)
        and all(any(covers(s, g) for s in special.agents) for g in general.agents)
        and (general.patient is None or covers(special.patient, general.patient))
        and (general.place is None or covers(special.place, general.place))
        and general.time in ("", special.time)
        and general.manner in ("", special.manner)
    )


def opposed(one, other):
    """Whether two states exclude each other: opposite qualities of the same thing in the same tense."""
    if not one.quality or LEXICON[one.quality].opposite != other.quality or one.tense != other.tense:
        return False
    (this,), (that,) = one.agents, other.agents
    return this.definite and that.definite and (covers(this, that) or covers(that, this))


def relation(premise, hypothesis):
    """The label of RELATIONS that holds by logic between two events.

    A positive event says that some case of its pattern occurred, a negated one that none did. Within
    one tense a thing never has a quality and its opposite.
    """
    if not premise.negated:
        if implies(premise, hypothesis):
            return "contradiction" if hypothesis.negated else "entailment"
        if opposed(premise, hypothesis):
            return "entailment" if hypothesis.negated else "contradiction"
    elif implies(hypothesis, premise):
        return "entailment" if hypothesis.negated else "contradiction"
    return "neutral"


def question(event, role):
    """What asks for a role of a positive act: the other roles of who did what, and a question word."""
    asked = {"agent": {"agents": (Asked("who"),)}, "time": {"time": "when"}}
    change = asked.get(role) or {role: Asked(ROLES[role])}
    return replace(event, **({"place": None, "time": "", "manner": ""} | change))


def answer(event, role):
    """What fills a role: a tuple of phrases, or a time adverb."""
    return event.agents if role == "agent" else getattr(event, role)


def matches(event, asked):
    """Whether the event could answer the question (all that the question says holds of it)."""
    if event.negated or event.verb == "be":
        return False
    filled = {}
    if asked.agents == (Asked("who"),):
        filled["agents"] = event.agents
    for role in ("patient", "place"):
        if isinstance(getattr(asked, role), Asked):
            filled[role] = getattr(event, role)
    if asked.time == "when":
        filled["time"] = event.time
    return all(v not in (None, "") for v in filled.values()) and implies(event, replace(asked, **filled))
