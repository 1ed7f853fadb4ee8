"""Entailment: the main event as premise, and a hypothesis made from it by changing its meaning.

The label is what logic says of the two meanings (`meaning.relation`). Hypotheses of one label tend
to look alike (entailed ones are shorter, contradicting ones often negated): real corpora of this
kind have the same weakness, and a model that looks at the hypothesis alone scores above chance.
"""

from dataclasses import replace

from dbutils.corpora.examples import PairExample
from dbutils.sandbox import draws
from dbutils.sandbox.language import say
from dbutils.sandbox.lexicon import LEXICON, TOWNS, words
from dbutils.sandbox.meaning import RELATIONS, Name, Phrase, relation
from dbutils.sandbox.tasks import main_sentence, sentence_name
from dbutils.sandbox.tree import text


def nli(story, variety):
    """A PairExample labelled entailment, neutral or contradiction."""
    event, label = hypothesis(story)
    said = say(event, variety, sentence_name(story, "hypothesis"))
    return PairExample(story.id, text(main_sentence(story, variety).forms), text(said.forms), label)


def hypothesis(story):
    """An event for the main event as premise, and the relation between them; each label is as likely."""
    rng = draws.source("hypothesis", story.seed, story.id)
    wanted = draws.pick(rng, RELATIONS)
    while True:
        event = _MAKE[wanted](rng, story.event, story.topic)
        # a hypothesis that repeats its premise is allowed only where the premise leaves nothing to add
        if relation(story.event, event) == wanted and (event != story.event or event.negated):
            return event, wanted


def _entailed(rng, event, topic):
    if event.negated:
        return _some(rng, _stronger(rng, event, topic))
    if event.quality and rng.random() < 0.15:
        return replace(event, quality=LEXICON[event.quality].opposite, negated=True)
    weaker = _some(rng, (*_generalised(event),) if rng.random() < 0.6 else (event, *_dropped(event)))
    return _some(rng, (weaker, *_dropped(weaker)))


def _contradicted(rng, event, topic):
    if event.negated:
        return replace(_some(rng, (event, *_stronger(rng, event, topic))), negated=False)
    if event.quality and rng.random() < 0.3:
        return replace(event, quality=LEXICON[event.quality].opposite)
    # general words would be ambiguous under negation: "a person did not ..."
    one = replace(event, agents=event.agents[:1])
    return replace(_some(rng, (one, *_dropped(one))), negated=True)


def _neutral(rng, event, topic):
    event = replace(event, agents=event.agents[:1], negated=rng.random() < 0.1)
    if rng.random() < 0.65:
        return _some(rng, _stronger(rng, event, topic))
    return _some(rng, _swapped(rng, event, topic))


_MAKE = dict(zip(RELATIONS, (_entailed, _neutral, _contradicted), strict=True))


def _some(rng, events):
    """One of some events, all as likely."""
    return draws.pick(rng, tuple(events))


def _dropped(event):
    """More general events: one thing left unsaid."""
    for role, empty in (("place", None), ("time", ""), ("manner", "")):
        if getattr(event, role):
            yield replace(event, **{role: empty})
    if len(event.agents) > 1:
        yield from (replace(event, agents=(agent,)) for agent in event.agents)
    if event.patient and event.patient.quality:
        yield replace(event, patient=replace(event.patient, quality=""))


def _generalised(event):
    """More general events: "a person" or "a thing" for what it was."""
    general = Phrase("thing" if event.verb == "be" else "person", definite=False)
    if getattr(event.agents[0], "kind", "PER") == "PER":
        yield replace(event, agents=(general,))
    if event.patient:
        yield replace(event, patient=Phrase("thing", definite=False))


def _stronger(rng, event, topic):
    """More special events: one more thing said; the event itself if all is said."""
    options = []
    if not event.place:
        options.append({"place": _place(rng, topic)})
    if not event.time:
        options.append({"time": draws.pick(rng, words(event.tense))})
    if not event.manner and event.verb != "be":
        options.append({"manner": draws.pick(rng, words("manner"))})
    return [replace(event, **option) for option in options] or [event]


def _swapped(rng, event, topic):
    """Events with somebody, something or somewhere else."""
    kind = "thing" if event.verb == "be" else "person"
    yield replace(event, agents=(_other(rng, event.agents[0], words(kind, topic)),))
    if event.patient:
        yield replace(event, patient=_other(rng, event.patient, words("thing", topic)))
    if event.place:
        yield replace(event, place=_place(rng, topic))


def _other(rng, phrase, nouns):
    noun = draws.pick(rng, [n for n in nouns if n != getattr(phrase, "noun", "")])
    return replace(phrase, noun=noun) if isinstance(phrase, Phrase) else Phrase(noun)


def _place(rng, topic):
    return draws.pick(rng, (*(Name("LOC", (town,)) for town in TOWNS), *map(Phrase, words("place", topic))))
