"""Drawing meanings: splits share nothing, prefixes are stable, sizes are bounded."""

from itertools import combinations

import pytest

from dbutils.errors import InputError
from dbutils.sandbox import SIZES, SPLITS, examples, varieties
from dbutils.sandbox.lexicon import LEXICON
from dbutils.sandbox.stories import LIMIT, content, split_of, stories

LARGEST = {"train": max(v.train for v in varieties()), **SIZES}


@pytest.mark.parametrize("seed", [0, 7])
def test_no_event_is_in_two_splits_or_twice_in_one(seed):
    told = {s: [content(e) for story in stories(s, 300, seed) for e in story.events] for s in SPLITS}
    for events in told.values():
        assert len(set(events)) == len(events) == 1200
    for one, other in combinations(SPLITS, 2):
        assert not set(told[one]) & set(told[other])


def test_an_event_belongs_to_the_split_it_is_told_in():
    assert all(split_of(e) == s for s in SPLITS for story in stories(s, 50) for e in story.events)


@pytest.mark.parametrize("variety", varieties(), ids=lambda v: v.code)
def test_no_test_sentence_is_a_training_sentence_of_any_variety(variety):
    texts = {s: {e.source for e in examples("mt", variety, s, size=LARGEST[s])} for s in SPLITS}
    assert not texts["test"] & texts["train"] and not texts["dev"] & texts["train"] and not texts["test"] & texts["dev"]


def test_smaller_sizes_give_the_first_stories():
    assert stories("test", 40)[:7] == stories("test", 7)
    assert stories("test", 7, seed=1) != stories("test", 7, seed=2)


def test_stories_stay_on_their_topic():
    for story in stories("dev", 100):
        topics = {LEXICON[e.agents[0].noun if e.verb == "be" else e.patient.noun].topic for e in story.events}
        assert topics == {story.topic}


def test_the_times_told_fit_the_tense():
    times = [e for story in stories("dev", 100) for e in story.events if e.time]
    assert len(times) > 100
    assert all(LEXICON[e.time].kind == e.tense for e in times)


@pytest.mark.parametrize("split, size", [("test", LIMIT + 1), ("test", -1), ("tset", 5)])
def test_bad_split_or_size_is_one_line(split, size):
    with pytest.raises(InputError) as error:
        stories(split, size)
    assert "\n" not in str(error.value) and (split if split == "tset" else str(size)) in str(error.value)
