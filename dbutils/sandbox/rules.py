"""The rules by which one variety derives from another: small, named, each with a strength in 0..1.

A rule asks `chance(key ...)` wherever it could act, and acts if the answer is yes. The answer is a
number drawn from the names (rule, key), compared with the strength. So whatever changes at a lower
strength changes at a higher one too: a sound change spreads from word to word, a new word order
from sentence to sentence, and the strength is a dial.

Stages, in the order in which they apply however a variety lists them: structure (trees), words,
endings, sounds, letters, noise. `structure` rules and `noise` act afresh in each sentence; the
others treat a word alike wherever it occurs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from dbutils.sandbox import draws
from dbutils.sandbox.lexicon import CONTENT, FORMS
from dbutils.sandbox.tree import Affix, Node, Word

STAGES = ("structure", "words", "endings", "sounds", "letters", "noise")


@dataclass(frozen=True, slots=True)
class Rule:
    """name: unique. says: what it does, in a sentence. change(node or word, chance) -> the same type:
    a node (with its dependents already changed) at stage "structure", a word at all others."""

    name: str
    stage: str
    says: str
    change: Callable


@dataclass(frozen=True, slots=True)
class Chance:
    """Says yes to a share `strength` of all keys; `where` is the sentence, or "" for every sentence."""

    rule: str
    strength: float
    where: str = ""

    def __call__(self, *key):
        return draws.uniform(self.rule, self.where, *key) < self.strength

    def pick(self, choices, *key):
        """One of the choices, fixed by the key and independent of the strength."""
        return choices[draws.integer("pick", self.rule, self.where, *key) % len(choices)]


def apply(rule, strength, tree, sentence):
    """The tree after one rule. sentence: a name for the sentence, the same in every variety."""
    if not 0 <= strength <= 1:
        raise ValueError(f"rule {rule.name!r}: strength {strength} is not in 0..1")
    if rule.stage == "structure":
        return _everywhere(tree, rule.change, Chance(rule.name, strength, sentence))
    chance = Chance(rule.name, strength, sentence if rule.stage == "noise" else "")
    return rewrite(tree, lambda word: word if word.upos == "PUNCT" else rule.change(word, chance))


def rewrite(node, change):
    """The tree with every word changed."""
    return Node(
        change(node.word),
        node.relation,
        tuple(rewrite(child, change) for child in node.before),
        tuple(rewrite(child, change) for child in node.after),
        node.entity,
        node.role,
    )


def _everywhere(node, change, chance):
    before = tuple(_everywhere(child, change, chance) for child in node.before)
    after = tuple(_everywhere(child, change, chance) for child in node.after)
    return change(replace(node, before=before, after=after), chance)


def _structure(function):
    return Rule(function.__name__.replace("_", " "), "structure", function.__doc__, function)


def _split(nodes, test):
    """Those that pass the test, and the others."""
    return tuple(n for n in nodes if test(n)), tuple(n for n in nodes if not test(n))


# structure: word order


@_structure
def verb_last(node, chance):
    """Objects and adverbials stand before the verb."""
    if node.word.upos != "VERB" or not chance(node.word.key):
        return node
    moved, kept = _split(node.after, lambda n: n.relation in ("obj", "obl", "advmod"))
    subject, others = _split(node.before, lambda n: n.relation == "nsubj")
    return replace(node, before=(*subject, *moved, *others), after=kept)


@_structure
def verb_first(node, chance):
    """The subject stands after the verb."""
    if node.word.upos != "VERB" or not chance(node.word.key):
        return node
    moved, kept = _split(node.before, lambda n: n.relation == "nsubj")
    return replace(node, before=kept, after=(*moved, *node.after))


@_structure
def adjective_after_noun(node, chance):
    """Adjectives follow their noun."""
    moved, kept = _split(node.before, lambda n: n.relation == "amod")
    if not moved or not chance(node.word.key):
        return node
    return replace(node, before=kept, after=(*moved, *node.after))


@_structure
def postpositions(node, chance):
    """What stood before a noun phrase to mark its place stands after it."""
    moved, kept = _split(node.before, lambda n: n.relation == "case")
    if not moved or not chance(node.word.key):
        return node
    return replace(node, before=kept, after=(*node.after, *moved))


@_structure
def time_first(node, chance):
    """Words of time open the sentence."""
    moved, kept = _split(node.after, lambda n: n.role == "time")
    if not moved or not chance(node.word.key):
        return node
    return replace(node, before=(*moved, *node.before), after=kept)


# structure: function words


@_structure
def article_as_suffix(node, chance):
    """The article "the" becomes a suffix of its noun."""
    article, kept = _split(node.before, lambda n: n.word.key == "the")
    if not article or not chance(node.word.key):
        return node
    suffix = Affix(article[0].word.stem, "DEF")
    return replace(node, before=kept, word=replace(node.word, affixes=(*node.word.affixes, suffix)))


@_structure
def no_articles(node, chance):
    """Articles are left out."""
    articles, kept = _split(node.before, lambda n: n.relation == "det")
    return replace(node, before=kept) if articles and chance(node.word.key) else node


@_structure
def second_negation(node, chance):
    """Negation takes a second particle after the verb."""
    if not any(n.word.key == "not" for n in node.before) or not chance(node.word.key):
        return node
    particle = Node(Word("not", "gel", "PART"), "advmod")
    return replace(node, after=(particle, *node.after))


@_structure
def past_auxiliary(node, chance):
    """The past is told by an auxiliary before the verb, not by a suffix."""
    past, kept = _split(node.word.affixes, lambda a: a.gloss == "PST")
    if node.word.upos != "VERB" or not past or not chance(node.word.key):
        return node
    auxiliary = Node(Word("PST", "gan", "AUX"), "aux")
    return replace(node, word=replace(node.word, affixes=kept), before=(*node.before, auxiliary))


@_structure
def object_case(node, chance):
    """Objects take a case suffix."""
    if node.relation != "obj" or not chance(node.word.key):
        return node
    return replace(node, word=replace(node.word, affixes=(*node.word.affixes, Affix("mi", "ACC"))))


# words


def new_words(origin):
    """The rule that replaces content words; the same origin gives the same new words everywhere."""
    says = "Content words give way to words of another origin."

    def change(word, chance):
        if word.upos not in CONTENT or not chance(word.key):
            return word
        return replace(word, stem=invented(origin, word.key, word.stem))

    return Rule(f"new words ({origin})", "words", says, change)


def new_function_words(origin):
    """The rule that replaces articles, particles, adpositions and the like, as `new_words` does."""
    says = "Function words give way to words of another origin."

    def change(word, chance):
        if word.upos in CONTENT or word.upos == "PROPN" or not chance(word.key):
            return word
        return replace(word, stem=invented(origin, word.key, word.stem, syllables=1))

    return Rule(f"new function words ({origin})", "words", says, change)


@cache
def invented(origin, key, model, syllables=2):
    """A made-up word that ends like its model and is no word of the root variety."""
    ending = model[-1] if model[-1] in "aeiou" else ""
    rng = draws.source("new word", origin, key)
    while True:
        word = "".join(draws.pick(rng, "ptkbdgmnslrv") + draws.pick(rng, "aeiou") for _ in range(syllables))
        word = word[:-1] + ending if ending else word + draws.pick(rng, "nrlskt")
        if word not in FORMS:
            return word


# endings


def new_endings(name, **forms):
    """Suffixes take another form, word by word: new_endings("hill", PST="do")."""

    def change(word, chance):
        affixes = tuple(
            Affix(forms[a.gloss], a.gloss) if a.gloss in forms and chance(a.gloss, word.key) else a
            for a in word.affixes
        )
        return word if affixes == word.affixes else replace(word, affixes=affixes)

    told = ", ".join(f"{gloss} -{form}" for gloss, form in forms.items())
    return Rule(f"new endings ({name})", "endings", f"Suffixes take another form: {told}.", change)


# sounds and spelling: name -> what it does, and regular expressions in order

_V = "[aeiouãẽĩõũ]"
SOUNDS = {
    "voicing": (
        "p, t, k between vowels become b, d, g.",
        ((f"(?<={_V})p(?={_V})", "b"), (f"(?<={_V})t(?={_V})", "d"), (f"(?<={_V})k(?={_V})", "g")),
    ),
    "softening": (
        "b, d, g after a vowel become v, z, h.",
        ((f"(?<={_V})b", "v"), (f"(?<={_V})d", "z"), (f"(?<={_V})g", "h")),
    ),
    "palatals": (
        "k, t, s before e and i become č, c, š.",
        (("k(?=[ei])", "č"), ("t(?=[ei])", "c"), ("s(?=[ei])", "š")),
    ),
    "raising": ("e and o in the last syllable become i and u.", (("e(?=[^aeiou]*$)", "i"), ("o(?=[^aeiou]*$)", "u"))),
    "breaking": (
        "The first vowel of a word, if e or o, becomes ie or uo.",
        (("^([^aeiou]*)e", r"\1ie"), ("^([^aeiou]*)o", r"\1uo")),
    ),
    "loss of final vowels": ("Long words lose their last vowel.", ((f"(?<={_V}[^aeiou])[aeiou]$", ""),)),
    "nasal vowels": (
        "A vowel before n at the end or before a consonant takes its n up: ã ẽ ĩ õ ũ.",
        tuple((f"{plain}n(?![aeiou])", nasal) for plain, nasal in zip("aeiou", "ãẽĩõũ", strict=True)),
    ),
    "s to r": ("s between vowels becomes r.", ((f"(?<={_V})s(?={_V})", "r"),)),
    "r to l": ("r becomes l.", (("r", "l"),)),
    "a to o": ("a becomes o.", (("a", "o"),)),
    "v to f": ("v becomes f, b at the start becomes p.", (("v", "f"), ("^b", "p"))),
    "spelling with c and w": (
        "k is written c, v is written w, u is written ou.",
        (("k", "c"), ("v", "w"), ("u", "ou")),
    ),
}


def sounds(name):
    """The rule for an entry of SOUNDS; it changes stems and suffixes, word by word.

    What happens at the start of words does not happen at the start of suffixes.
    """
    says, changes = SOUNDS[name]

    def shift(form, starts_word=False):
        for pattern, new in changes:
            if starts_word or pattern[0] != "^":
                form = re.sub(pattern, new, form)
        return form

    def change(word, chance):
        if not chance(word.key):
            return word
        affixes = tuple(Affix(shift(a.form), a.gloss) for a in word.affixes)
        return replace(word, stem=shift(word.stem, starts_word=True), affixes=affixes)

    return Rule(name, "sounds", says, change)


# letters

# One Armenian letter for each Latin one: a cipher, chosen by sound where there is one. The words
# stay invented, nothing in them is Armenian.
ARMENIAN = dict(zip("abgdeztilkhmjnšočpsvrcfux", "աբգդեզտիլկհմջնշոչպսվրցֆւխ", strict=True))
_CHAT = {armenian: {"š": "6", "č": "4"}.get(latin, latin) for latin, armenian in ARMENIAN.items()}


def _letters(name, says, table):
    table = str.maketrans(table)

    def change(word, chance):
        if not chance(word.key):
            return word
        affixes = tuple(Affix(a.form.translate(table), a.gloss) for a in word.affixes)
        return replace(word, stem=word.stem.translate(table), affixes=affixes)

    return Rule(name, "letters", says, change)


armenian_letters = _letters(
    "Armenian letters", "Words are written with Armenian letters, one for each Latin letter.", ARMENIAN
)
chat_letters = _letters(
    "chat letters", "Words are written with Latin letters and digits (š is 6, č is 4) again.", _CHAT
)


# noise


def _typos(word, chance):
    stem, out, n = word.stem, "", 0
    while n < len(stem):
        slip = ""
        if n + 1 < len(stem) and chance(word.key, n):  # never the last letter: no stem gets empty
            slip = chance.pick(("doubled", "left out", "swapped"), word.key, n)
        if slip == "swapped":
            out, n = out + stem[n + 1] + stem[n], n + 2
        else:
            out, n = out + {"doubled": stem[n] * 2, "left out": ""}.get(slip, stem[n]), n + 1
    return word if out == stem else replace(word, stem=out)


def _small(word, chance):
    return replace(word, letters="small") if chance(word.key) else word


typos = Rule("typos", "noise", "Letters are doubled, left out or swapped with the next.", _typos)
small_letters = Rule("small letters", "noise", "Words are written without capitals.", _small)
