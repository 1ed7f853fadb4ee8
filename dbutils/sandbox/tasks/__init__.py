"""Gold for the ten tasks: one file per family, each with functions story, variety -> example.

A story's sentences have the same names in every task and variety, so that a sentence is said the
same way wherever it occurs.
"""

from dbutils.sandbox.language import say
from dbutils.sandbox.tree import text


def sentence_name(story, number):
    """The name of a sentence of a story, from which rules that act afresh in each sentence draw."""
    return f"{story.seed}/{story.id}.{number}"


def main_sentence(story, variety, skip=()):
    """The Sentence of the story's main event; skip: stages whose rules are left out."""
    return say(story.event, variety, sentence_name(story, story.main), skip)


def passage(story, variety):
    """The Sentences of a story and the character offset of each in `passage_text`."""
    sentences = [say(event, variety, sentence_name(story, n)) for n, event in enumerate(story.events)]
    starts, end = [], 0
    for sentence in sentences:
        starts.append(end)
        end += len(text(sentence.forms)) + 1
    return sentences, starts


def passage_text(sentences):
    """Sentences as running text."""
    return " ".join(text(sentence.forms) for sentence in sentences)
