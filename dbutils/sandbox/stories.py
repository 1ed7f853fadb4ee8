"""Drawing meanings: short stories of four events on one topic, in three splits that share no event.

Every event belongs to exactly one split, by a number drawn from its content. So train and test
have no event in common whatever the sizes asked for, and the first n stories of a split are the
same for every n.
"""

from dataclasses import dataclass
from functools import cache
from itertools import islice

from dbutils.errors import InputError, unknown
from dbutils.sandbox import draws
from dbutils.sandbox.lexicon import BODIES, GIVEN, LEXICON, TENSES, TOPICS, TOWNS, words
from dbutils.sandbox.meaning import Event, Name, Phrase

SPLITS = ("train", "dev", "test")
LIMIT = 2000  # stories per split; there are more, but they get scarce
_SHARE = {"train": (0.0, 0.6), "dev": (0.6, 0.75), "test": (0.75, 1.0)}


@dataclass(frozen=True, slots=True)
class Story:
    """Four events in the order of telling; `main` is the number of the one that single-sentence
    tasks use, `asked` of the one that questions ask about (a positive act), `role` what they ask."""

    id: str
    seed: int
    topic: str
    events: tuple[Event, ...]
    main: int
    asked: int
    role: str

    @property
    def event(self):
        """The main event."""
        return self.events[self.main]


def content(event):
    """What an event is about, as text: articles, numbers, adjectives of its phrases left aside."""

    def name(phrase):
        return "" if phrase is None else phrase.noun if isinstance(phrase, Phrase) else " ".join(phrase.parts)

    agents = "+".join(map(name, event.agents))
    return "|".join((event.verb, agents, name(event.patient), name(event.place), event.quality))


def split_of(event):
    """The one split to which an event belongs."""
    value = draws.uniform("split", content(event))
    return next(split for split in SPLITS if value < _SHARE[split][1])


def stories(split, size, seed=0):
    """The first `size` stories of a split (a tuple); ids such as "test-0003".

    Raises InputError for a split that is none, and for more than LIMIT stories.
    """
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    if not 0 <= size <= LIMIT:
        raise InputError(f"size {size} is not in 0..{LIMIT}; the sandbox tells no more stories per split")
    told, more = _stream(split, seed)
    told.extend(islice(more, max(0, size - len(told))))
    return tuple(told[:size])


@cache
def _stream(split, seed):
    """The stories told so far, and those to come."""
    return [], _endless(split, seed)


def _endless(split, seed):
    rng, seen = draws.source("stories", seed, split), set()
    number = 0
    while True:
        story = _story(rng, split, f"{split}-{number:04d}", seed, seen)
        if story:
            seen.update(map(content, story.events))
            number += 1
            yield story


def _story(rng, split, name, seed, seen):
    """A story none of whose events is in `seen`, or None if luck leaves no such event."""
    topic = draws.pick(rng, TOPICS)
    cast = _Cast(rng, topic)
    first, last = ("act" if rng.random() < share else "state" for share in (0.65, 0.7))
    events = []
    for kind in (first, "plain", "plain", last):
        for _ in range(100):
            event, used = _event(rng, kind, cast)
            if split_of(event) == split and content(event) not in seen:
                break
        else:
            return None
        cast.leave(used)
        events.append(event)
    order = draws.shuffled(rng, range(4))
    asked = draws.pick(rng, (1, 2))
    act = events[asked]
    role = draws.pick(rng, ["agent", "patient", *(r for r in ("place", "time") if getattr(act, r))])
    told = tuple(events[n] for n in order)
    return Story(name, seed, topic, told, order.index(0), order.index(asked), role)


class _Cast:
    """Who, what, where and when of one story; nothing is used twice, so questions have one answer."""

    def __init__(self, rng, topic):
        given = draws.shuffled(rng, GIVEN)[:3]
        towns = draws.shuffled(rng, TOWNS)
        people = [_person(rng, name, towns[3 + n]) for n, name in enumerate(given)]
        people.append(Name("ORG", (draws.pick(rng, BODIES), towns[2])))
        people += [
            Phrase(noun, of=_maybe(rng, 0.3, Name("LOC", (towns[6 + n],))))
            for n, noun in enumerate(words("person", topic))
        ]
        self.topic = topic
        self.people = draws.shuffled(rng, people)
        self.things = draws.shuffled(rng, words("thing", topic))
        self.places = draws.shuffled(
            rng, [*(Name("LOC", (town,)) for town in towns[:2]), *map(Phrase, words("place", topic))]
        )
        self.times = draws.shuffled(rng, [w for tense in TENSES for w in words(tense)])

    def leave(self, used):
        for pool in (self.people, self.things, self.places, self.times):
            pool[:] = [item for item in pool if item not in used]


def _person(rng, given, town):
    """A person by given name, surname or both; surnames are names of towns too, so context decides."""
    return Name("PER", draws.pick(rng, ((given,), (given, town), (given, town), (town,))))


def _maybe(rng, share, value, otherwise=None):
    return value if rng.random() < share else otherwise


def _event(rng, kind, cast):
    """One event and what it uses of the cast. "plain" acts are positive and may be asked about."""
    stance = draws.pick(rng, (-1, 0, 1))
    time = _maybe(rng, 0.5, draws.pick(rng, cast.times), "")
    tense = LEXICON[time].kind if time else draws.pick(rng, tuple(TENSES))
    place = _maybe(rng, 0.5, draws.pick(rng, cast.places))
    noun = draws.pick(rng, cast.things)
    setting = {"tense": tense, "place": place, "time": time}
    if kind == "state":
        event = _state(rng, stance, noun, setting)
    else:
        event = _act(rng, stance, noun, setting, cast, may_be_negated=kind == "act")
    return event, {*event.agents, noun, place, time}


def _state(rng, stance, noun, setting):
    negated = rng.random() < 0.2
    own = "" if rng.random() < 0.8 else _neutral(rng)
    excluded = {own, LEXICON[own].opposite} if own else set()
    values = words("quality", value=stance * (-1 if negated else 1))
    quality = draws.pick(rng, [word for word in values if word not in excluded])
    return Event("be", agents=(Phrase(noun, quality=own),), quality=quality, negated=negated, **setting)


def _act(rng, stance, noun, setting, cast, may_be_negated):
    negated = may_be_negated and stance == 0 and rng.random() < 0.3
    agents = (draws.pick(rng, cast.people),)
    if not negated and len(cast.people) > 3 and rng.random() < 0.2:
        agents = (*agents, draws.pick(rng, [p for p in cast.people if p not in agents]))
    number = 1 if rng.random() < 0.7 else draws.pick(rng, (2, 3))
    definite = negated or rng.random() < (0.7 if number == 1 else 0.3)
    patient = Phrase(noun, number, definite, "" if rng.random() < 0.7 else _neutral(rng))
    verb, manner = _verb_and_manner(rng, stance, cast.topic)
    return Event(verb, agents=agents, patient=patient, manner=manner, negated=negated, **setting)


def _neutral(rng):
    return draws.pick(rng, words("quality", value=0))


def _verb_and_manner(rng, stance, topic):
    """A verb and an adverb (or "") that together carry the sentiment; half of it lies in each."""
    plain = (*words("act", topic), *words("act", topic), *words("act", "", 0))
    if not stance:
        return draws.pick(rng, plain), "" if rng.random() < 0.7 else draws.pick(rng, words("manner", value=0))
    if rng.random() < 0.5:
        return draws.pick(rng, words("act", "", stance)), ""
    return draws.pick(rng, plain), draws.pick(rng, words("manner", value=stance))
