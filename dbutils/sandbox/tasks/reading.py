"""A story, a question on one of its events, and the answer: by choice (mrc) and as a span (eqa)."""

from dbutils.corpora.examples import ChoiceExample, SpanExample
from dbutils.sandbox import draws
from dbutils.sandbox.language import say, say_filler
from dbutils.sandbox.lexicon import TENSES, TOWNS, words
from dbutils.sandbox.meaning import ROLES, Name, Phrase, answer, question
from dbutils.sandbox.tasks import passage, passage_text, sentence_name
from dbutils.sandbox.tree import offsets, text


def mrc(story, variety):
    """A ChoiceExample with four choices: the answer, another filler of the role asked for, and two
    phrases of the story that fill other roles."""
    sentences, _ = passage(story, variety)
    fillers, right = choices(story)
    name = sentence_name(story, "choice")
    said = tuple(say_filler(filler, variety, f"{name}{n}") for n, filler in enumerate(fillers))
    return ChoiceExample(story.id, passage_text(sentences), _asked(story, variety), said, right, story.id)


def eqa(story, variety):
    """A SpanExample with one answer, at its character offset in the passage."""
    sentences, starts = passage(story, variety)
    sentence = sentences[story.asked]
    first, last = sentence.spans[story.role]
    at = offsets(sentence.forms)
    begin = starts[story.asked] + at[first]
    end = starts[story.asked] + at[last - 1] + len(sentence.forms[last - 1])
    told = passage_text(sentences)
    return SpanExample(story.id, told, _asked(story, variety), (told[begin:end],), (begin,), story.id)


def choices(story):
    """The four meanings to choose from, shuffled, and the 0-based place of the right one.

    One of the wrong ones could fill the role asked for, in another event; two fill other roles.
    None but the right one and, at most, a place or time of its event is told of that event.
    """
    rng = draws.source("choices", story.seed, story.id)
    told = [(event is story.events[story.asked], _fillers(event)) for event in story.events]
    right = next(fillers[story.role] for own, fillers in told if own)
    same = [fillers[story.role] for own, fillers in told if not own and fillers[story.role]]
    others = [
        fillers[role]
        for own, fillers in told
        for role in ROLES
        if role != story.role and fillers[role] and not (own and role in ("agent", "patient"))
    ]
    spare = [place for place in _outside(story, "place") if place not in others]
    wrong = [draws.pick(rng, same or _outside(story, story.role))]
    wrong += (draws.shuffled(rng, others) + draws.shuffled(rng, spare))[:2]
    order = draws.shuffled(rng, range(4))
    return tuple((right, *wrong)[n] for n in order), order.index(0)


def _fillers(event):
    """Role -> what fills it (None or "" if nothing); what is in a state counts as a patient."""
    fillers = {role: answer(event, role) for role in ROLES}
    return fillers if event.patient else fillers | {"agent": None, "patient": event.agents[0]}


def _outside(story, role):
    """Places or times that the story does not tell of (each story tells of two agents and patients)."""
    told = {getattr(event, role) for event in story.events}
    if role == "time":
        return [word for tense in TENSES for word in words(tense) if word not in told]
    phrases = [phrase for event in story.events for phrase in (*event.agents, event.place)]
    names = {part for phrase in phrases if isinstance(phrase, Name) for part in phrase.parts}
    places = [Name("LOC", (town,)) for town in TOWNS if town not in names]
    return places + [p for p in map(Phrase, words("place", story.topic)) if p not in told]


def _asked(story, variety):
    event = question(story.events[story.asked], story.role)
    return text(say(event, variety, sentence_name(story, "question")).forms)
