"""What follows from a meaning: sentiment, entailment, questions; checked against little worlds."""

from dataclasses import replace
from itertools import combinations

import pytest

from dbutils.sandbox import draws
from dbutils.sandbox.lexicon import LEXICON
from dbutils.sandbox.meaning import Event, Name, Phrase, matches, question, relation, sentiment
from dbutils.sandbox.stories import stories
from dbutils.sandbox.tasks.pairs import hypothesis

SAL, NIR = Name("PER", ("Sal",)), Name("PER", ("Nir",))
GUILD = Name("ORG", ("Guild", "Podar"))
LOAF, OLD_LOAF = Phrase("loaf"), Phrase("loaf", quality="old")
SOLD = Event("to sell", "past", (SAL,), OLD_LOAF, Name("LOC", ("Midor",)), "yesterday", "slowly")
OLD = Event("be", "past", (LOAF,), quality="old")


@pytest.mark.parametrize(
    "premise, change, label",
    [
        (SOLD, {}, "entailment"),
        (SOLD, {"place": None}, "entailment"),
        (SOLD, {"time": "", "manner": "", "place": None, "patient": LOAF}, "entailment"),
        (SOLD, {"patient": Phrase("thing", definite=False)}, "entailment"),
        (SOLD, {"patient": Phrase("loaf", definite=False)}, "entailment"),
        (SOLD, {"agents": (Phrase("person", definite=False),)}, "entailment"),
        (replace(SOLD, agents=(GUILD,)), {"agents": (Phrase("person", definite=False),)}, "neutral"),
        (SOLD, {"agents": (NIR,)}, "neutral"),
        (replace(SOLD, agents=(SAL, NIR)), {"agents": (NIR,)}, "entailment"),
        (SOLD, {"agents": (SAL, NIR)}, "neutral"),
        (SOLD, {"patient": Phrase("loaf", quality="new")}, "neutral"),
        (SOLD, {"patient": Phrase("loaf", number=2)}, "neutral"),
        (replace(SOLD, patient=Phrase("loaf", definite=False)), {"patient": LOAF}, "neutral"),
        (replace(SOLD, time=""), {"time": "yesterday"}, "neutral"),
        (replace(SOLD, manner=""), {"manner": "slowly"}, "neutral"),
        (replace(SOLD, patient=LOAF), {"patient": OLD_LOAF}, "neutral"),
        (replace(SOLD, place=None), {"place": Phrase("stall")}, "neutral"),
        (SOLD, {"tense": "future", "time": ""}, "neutral"),
        (SOLD, {"negated": True}, "contradiction"),
        (SOLD, {"negated": True, "place": None, "time": ""}, "contradiction"),
        (SOLD, {"negated": True, "place": Phrase("stall")}, "neutral"),
        (replace(SOLD, negated=True, place=None), {"place": Phrase("stall")}, "entailment"),
        (replace(SOLD, negated=True), {"place": None}, "neutral"),
        (replace(SOLD, negated=True), {"negated": False}, "contradiction"),
        (replace(SOLD, negated=True, time=""), {"negated": False, "time": "recently"}, "contradiction"),
        (OLD, {"quality": "new"}, "contradiction"),
        (OLD, {"quality": "new", "negated": True}, "entailment"),
        (OLD, {"quality": "big"}, "neutral"),
        (replace(OLD, time="yesterday"), {"quality": "new", "time": ""}, "contradiction"),
        (replace(OLD, time="yesterday"), {"quality": "new", "tense": "present", "time": "now"}, "neutral"),
        (OLD, {"quality": "new", "agents": (Phrase("lamp"),)}, "neutral"),
        (OLD, {"quality": "new", "agents": (Phrase("thing", definite=False),)}, "neutral"),
        (replace(OLD, negated=True), {"quality": "new", "negated": False}, "neutral"),
    ],
)
def test_relation_of_literal_pairs(premise, change, label):
    assert relation(premise, replace(premise, **change)) == label


@pytest.mark.parametrize(
    "change, label",
    [
        ({}, "neutral"),
        ({"manner": "gladly"}, "positive"),
        ({"manner": "rudely"}, "negative"),
        ({"verb": "to curse"}, "negative"),
        ({"verb": "to adore", "manner": ""}, "positive"),
        ({"verb": "be", "quality": "good", "patient": None, "manner": ""}, "positive"),
        ({"verb": "be", "quality": "good", "patient": None, "manner": "", "negated": True}, "negative"),
        ({"verb": "be", "quality": "awful", "patient": None, "manner": "", "negated": True}, "positive"),
        ({"verb": "be", "quality": "old", "patient": None, "manner": "", "negated": True}, "neutral"),
    ],
)
def test_sentiment_of_literal_events(change, label):
    assert sentiment(replace(SOLD, **change)) == label


# Little worlds: sets of facts that leave nothing open, and what it is for an event to hold in one.


def fact(event, agent, fill):
    """A fact that makes an event true for one of its agents; `fill` names what the event leaves open."""

    def phrase(p):
        if not isinstance(p, Phrase):
            return p or fill
        if p in (Phrase("person", definite=False), Phrase("thing", definite=False)):
            return Phrase("nurse" if p.noun == "person" else "lamp", 1, True, fill, Name("LOC", (fill,)))
        return replace(p, quality=p.quality or fill, of=p.of or Name("LOC", (fill,)))

    filled = (phrase(agent), phrase(event.patient), phrase(event.place), event.time or fill, event.manner or fill)
    return (event.verb, event.tense, event.quality, *filled)


def suits(p, wanted):
    """Whether a phrase of a fact is what a phrase of an event describes."""
    if wanted is None or p == wanted:
        return True
    if isinstance(p, Name):
        return p.kind == "PER" and wanted == Phrase("person", definite=False)
    if not isinstance(p, Phrase) or not isinstance(wanted, Phrase):
        return False
    if wanted.noun in ("person", "thing"):
        return LEXICON[p.noun].kind == wanted.noun
    told = p.noun == wanted.noun and p.number == wanted.number and (p.definite or not wanted.definite)
    return told and wanted.quality in ("", p.quality) and wanted.of in (None, p.of)


def holds(event, world):
    def case(f, agent):
        verb, tense, quality, who, what, where, when, how = f
        return (
            (verb, tense, quality) == (event.verb, event.tense, event.quality)
            and suits(who, agent)
            and suits(what, event.patient)
            and suits(where, event.place)
            and event.time in ("", when)
            and event.manner in ("", how)
        )

    said = all(any(case(f, agent) for f in world) for agent in event.agents)
    return said != event.negated


def possible(world):
    """Whether nothing has a quality and its opposite in one tense ("the net" is one and the same net)."""

    def exclude(a, b):
        one, other = a[3], b[3]
        same = one.quality == other.quality or not {one.quality, other.quality} <= LEXICON.keys()
        return same and one.noun == other.noun and a[:2] == b[:2] and LEXICON[a[2]].opposite == b[2]

    states = [f for f in world if f[2]]
    return not any(exclude(a, b) for a, b in combinations(states, 2))


def worlds(*events):
    """The possible worlds of up to three facts that bear on the events."""
    facts = {fact(e, agent, fill) for e in events for agent in e.agents for fill in ("x", "y")}
    facts |= {
        fact(replace(e, quality=LEXICON[e.quality].opposite), a, "x") for e in events if e.quality for a in e.agents
    }
    facts = sorted(facts, key=repr)
    return [w for size in range(4) for w in combinations(facts, size) if possible(w)]


@pytest.mark.parametrize("split, size", [("test", 100), ("train", 200)])
def test_nli_labels_hold_in_every_little_world(split, size):
    seen = set()
    for story in stories(split, size):
        premise = story.event
        event, label = hypothesis(story)
        assert relation(premise, event) == label
        among = [holds(event, world) for world in worlds(premise, event) if holds(premise, world)]
        assert among, "the premise is possible"
        truth = {True: "entailment", False: "contradiction"}
        assert label == (truth[among[0]] if len(set(among)) == 1 else "neutral"), story
        seen.add(label)
    assert len(seen) == 3


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_each_question_has_one_event_that_answers_it(split):
    for story in stories(split, 150):
        asked = question(story.events[story.asked], story.role)
        assert [matches(event, asked) for event in story.events].index(True) == story.asked
        assert sum(matches(event, asked) for event in story.events) == 1


def test_draws_are_the_same_on_every_machine():
    assert draws.integer("a", 1) == 0x839E11A421D370BE  # sha256sum of a, the unit separator, 1
    assert draws.pick(draws.source("a", 1), "abcdefgh") == "h"
    assert draws.uniform("a", "b") != draws.uniform("ab")
    assert sorted(draws.shuffled(draws.source("x"), range(9))) == list(range(9))
