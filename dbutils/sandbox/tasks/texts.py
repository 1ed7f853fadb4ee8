"""One label for the main sentence: variety, sentiment, topic."""

from dbutils.corpora.examples import TextExample
from dbutils.sandbox.meaning import sentiment
from dbutils.sandbox.tasks import main_sentence
from dbutils.sandbox.tree import text


def did(story, variety):
    """The label is the variety's code."""
    return _labelled(story, variety, variety.code)


def sa(story, variety):
    """The label is negative, neutral or positive."""
    return _labelled(story, variety, sentiment(story.event))


def tc(story, variety):
    """The label is the topic of the story."""
    return _labelled(story, variety, story.topic)


def _labelled(story, variety, label):
    return TextExample(story.id, text(main_sentence(story, variety).forms), label)
