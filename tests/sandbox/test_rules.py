"""Each rule on a literal sentence, and what all rules have in common."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbutils.sandbox import rules, varieties, variety
from dbutils.sandbox.family import steps
from dbutils.sandbox.grammar import clause
from dbutils.sandbox.language import derive
from dbutils.sandbox.meaning import Event, Name, Phrase
from dbutils.sandbox.stories import stories
from dbutils.sandbox.tasks import sentence_name
from dbutils.sandbox.tree import read, text

SALE = Event(
    "to sell",
    "past",
    (Phrase("trader", of=Name("LOC", ("Podar",))),),
    Phrase("loaf", 2, True, "old"),
    Phrase("stall"),
    "yesterday",
    negated=True,
)
ROOT = "Do sovo pi Podar ma pasesa do duk vede laskan so do siga giti."


def said(*path, event=SALE):
    return text(read(derive(clause(event), path, "s")).forms)


def test_root_sentence():
    assert said() == ROOT


@pytest.mark.parametrize(
    "rule, expected",
    [
        (rules.verb_last, "Do sovo pi Podar do duk vede laskan so do siga giti ma pasesa."),
        (rules.verb_first, "Ma pasesa do sovo pi Podar do duk vede laskan so do siga giti."),
        (rules.adjective_after_noun, "Do sovo pi Podar ma pasesa do duk laskan vede so do siga giti."),
        (rules.postpositions, "Do sovo Podar pi ma pasesa do duk vede laskan do siga so giti."),
        (rules.time_first, "Giti do sovo pi Podar ma pasesa do duk vede laskan so do siga."),
        (rules.article_as_suffix, "Sovodo pi Podar ma pasesa duk vede laskando so sigado giti."),
        (rules.no_articles, "Sovo pi Podar ma pasesa duk vede laskan so siga giti."),
        (rules.second_negation, "Do sovo pi Podar ma pasesa gel do duk vede laskan so do siga giti."),
        (rules.past_auxiliary, "Do sovo pi Podar ma gan pases do duk vede laskan so do siga giti."),
        (rules.object_case, "Do sovo pi Podar ma pasesa do duk vede laskanmi so do siga giti."),
        (rules.new_endings("x", PST="et", PL="s"), "Do sovo pi Podar ma paseset do duk vede laskas so do siga giti."),
        (rules.sounds("voicing"), "Do sovo pi Podar ma pasesa do duk vede laskan so do siga gidi."),
        (rules.sounds("softening"), "Do sovo pi Pozar ma pasesa do duk veze laskan so do siha giti."),
        (rules.sounds("palatals"), "Do sovo pi Podar ma pašesa do duk vede laskan so do šiga gici."),
        (rules.sounds("raising"), "Du sovu pi Podar ma pasisa du duk vedi laskan su du siga giti."),
        (rules.sounds("breaking"), "Duo suovo pi Puodar ma pasesa duo duk viede laskan suo duo siga giti."),
        (rules.sounds("loss of final vowels"), "Do sov pi Podar ma pasesa do duk ved laskan so do sig git."),
        (rules.sounds("nasal vowels"), ROOT),
        (rules.sounds("s to r"), "Do sovo pi Podar ma paresa do duk vede laskan so do siga giti."),
        (rules.sounds("r to l"), "Do sovo pi Podal ma pasesa do duk vede laskan so do siga giti."),
        (rules.sounds("a to o"), "Do sovo pi Podor mo poseso do duk vede loskon so do sigo giti."),
        (rules.sounds("v to f"), "Do sofo pi Podar ma pasesa do duk fede laskan so do siga giti."),
        (rules.sounds("spelling with c and w"), "Do sowo pi Podar ma pasesa do douc wede lascan so do siga giti."),
        (rules.armenian_letters, "Դո սովո պի Պոդար մա պասեսա դո դւկ վեդե լասկան սո դո սիգա գիտի."),
        (rules.small_letters, ROOT.lower()),
    ],
    ids=lambda value: value.name if isinstance(value, rules.Rule) else "",
)
def test_what_a_rule_does_at_full_strength(rule, expected):
    assert said((rule, 1.0)) == expected


def test_nasal_vowels_at_the_end_and_before_consonants():
    event = Event("to tune", "past", (Name("PER", ("Nan",)),), Phrase("harp", definite=False))
    assert said((rules.sounds("nasal vowels"), 1.0), event=event) == "Nã birkika ũ muma."


def test_chat_letters_undo_the_script():
    latin = said((rules.sounds("palatals"), 1.0))
    assert "š" in latin and "č" not in latin
    back = said((rules.sounds("palatals"), 1.0), (rules.armenian_letters, 1.0), (rules.chat_letters, 1.0))
    assert back == latin.replace("š", "6")


def test_armenian_letters_are_a_cipher_one_for_one():
    assert len(set(rules.ARMENIAN.values())) == len(rules.ARMENIAN) == 25
    assert all("ARMENIAN" in __import__("unicodedata").name(letter) for letter in rules.ARMENIAN.values())


@pytest.mark.parametrize("make", [rules.new_words, rules.new_function_words])
def test_new_words_depend_on_their_origin_alone(make):
    once = said((make("hills"), 1.0))
    assert once == said((make("hills"), 1.0)) != said((make("sea"), 1.0))
    assert len(once.split()) == len(ROOT.split()) and "Podar" in once


def test_new_words_keep_the_shape_of_their_class():
    words = read(derive(clause(SALE), ((rules.new_words("hills"), 1.0),), "s")).words
    noun = next(w for w in words if w.key == "loaf")
    assert noun.stem != "laska" and noun.stem.endswith("a") and noun.affixes[0].gloss == "PL"


def test_typos_change_letters_but_neither_words_nor_stops():
    typed = said((rules.typos, 0.5))
    assert typed != ROOT and len(typed.split()) == len(ROOT.split()) and typed.endswith(".")


def all_rules():
    return {rule.name: rule for v in varieties() for rule, _ in v.rules}.values()


def test_every_rule_says_what_it_does():
    for rule in all_rules():
        assert rule.stage in rules.STAGES
        assert rule.says.endswith(".") and "\n" not in rule.says
    assert {rule.stage for rule in all_rules()} == set(rules.STAGES)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_strength_zero_changes_nothing(rule):
    for story in stories("dev", 20):
        tree = clause(story.event)
        assert rules.apply(rule, 0.0, tree, story.id) == tree


@pytest.mark.parametrize("strength", [-0.1, 1.5])
def test_a_strength_outside_0_to_1_is_refused(strength):
    with pytest.raises(ValueError, match="verb last"):
        rules.apply(rules.verb_last, strength, clause(SALE), "s")


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text(), st.floats(0, 1), st.floats(0, 1))
def test_what_happens_at_a_strength_happens_at_every_higher_one(name, key, one, other):
    low, high = sorted((one, other))
    assert not rules.Chance(name, low)(key) or rules.Chance(name, high)(key)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(varieties()), st.floats(0, 1), st.integers(0, 49))
def test_deriving_at_once_equals_rule_by_rule(record, dial, number):
    record = replace(record, dial=dial)
    story = stories("dev", 50)[number]
    name = sentence_name(story, story.main)
    tree = clause(story.event)
    for rule, strength in steps(record):
        tree = rules.apply(rule, strength, tree, name)
    assert tree == derive(clause(story.event), steps(record), name)


def test_rules_apply_by_stage_however_they_are_listed():
    stages = [rules.STAGES.index(rule.stage) for rule, _ in steps(variety("orv-west"))]
    assert stages == sorted(stages)
    names = [rule.name for rule, _ in steps(variety("orv-west"))]
    assert names.index("palatals") < names.index("loss of final vowels") < names.index("Armenian letters")
