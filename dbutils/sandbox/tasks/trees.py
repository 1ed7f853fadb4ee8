"""Gold per token: dependency trees, word classes and named entities of the main sentence."""

from dbutils.corpora.examples import TaggedExample, TreeExample
from dbutils.sandbox.tasks import main_sentence

UPOS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "VERB")
RELATIONS = (
    "advmod",
    "amod",
    "aux",
    "case",
    "cc",
    "conj",
    "cop",
    "det",
    "flat",
    "nmod",
    "nsubj",
    "nummod",
    "obj",
    "obl",
    "punct",
    "root",
)
ENTITIES = ("O", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-PER", "I-PER")


def dep(story, variety):
    """A TreeExample (relations as in Universal Dependencies, without subtypes)."""
    s = main_sentence(story, variety)
    return TreeExample(story.id, s.forms, s.upos, s.heads, s.relations)


def pos(story, variety):
    """A TaggedExample with universal word classes."""
    s = main_sentence(story, variety)
    return TaggedExample(story.id, s.forms, s.upos)


def ner(story, variety):
    """A TaggedExample with IOB2 tags of persons, places and organisations."""
    s = main_sentence(story, variety)
    return TaggedExample(story.id, s.forms, s.entities)
