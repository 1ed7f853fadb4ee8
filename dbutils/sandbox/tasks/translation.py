"""Translation into English: the English rendering of the meaning is the reference."""

from dbutils.corpora.examples import TranslationExample
from dbutils.sandbox import english
from dbutils.sandbox.tasks import main_sentence
from dbutils.sandbox.tree import text


def mt(story, variety):
    """A TranslationExample; `line` is the story's number in its split, from 1."""
    line = int(story.id.rsplit("-", 1)[1]) + 1
    source = text(main_sentence(story, variety).forms)
    return TranslationExample(story.id, source, english.sentence(story.event), line, "english")
