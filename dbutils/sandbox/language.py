"""Saying a meaning in a variety."""

from functools import cache

from dbutils.sandbox import grammar, rules, tree
from dbutils.sandbox.family import steps

_PER_WORD = ("words", "endings", "sounds", "letters")


def say(event, variety, name, skip=()):
    """The Sentence of an event (or question) in a variety.

    variety: a Variety. name: of the sentence, the same in every variety; rules that act afresh in
    each sentence draw from it. skip: stages whose rules are left out.
    """
    path = tuple(step for step in steps(variety) if step[0].stage not in skip)
    return tree.read(derive(grammar.clause(event), path, name))


def say_filler(meaning, variety, name):
    """The text of what fills a role, by itself (see `grammar.filler`), as it stands inside a sentence."""
    sentence = tree.read(derive(grammar.filler(meaning), steps(variety), name))
    return tree.text([word.form for word in sentence.words])


def derive(node, path, name):
    """The tree after all steps; equal to `rules.apply` step by step, but each word is changed once."""
    words = tuple(step for step in path if step[0].stage in _PER_WORD)
    for rule, strength in path:
        if rule.stage == "structure":
            node = rules.apply(rule, strength, node, name)
    node = rules.rewrite(node, _translator(words))
    for rule, strength in path:
        if rule.stage == "noise":
            node = rules.apply(rule, strength, node, name)
    return node


@cache
def _translator(path):
    @cache
    def translate(word):
        node = tree.Node(word, "root")
        for rule, strength in path:
            node = rules.apply(rule, strength, node, "")
        return node.word

    return translate
