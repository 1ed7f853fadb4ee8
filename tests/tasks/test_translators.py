"""Learners of translation: the tiny translator learns, the copy copies, pseudo-references are the system's own."""

import functools

import made_models as made
import pytest

from dbutils import sandbox
from dbutils.corpora.examples import TranslationExample
from dbutils.errors import InputError
from dbutils.experiments.parts import Part
from dbutils.models import MODELS, resolve
from dbutils.models.output_cache import OutputCache
from dbutils.tasks import TASKS, hyper, learner, load_learner
from dbutils.tasks.hyper import TrainedTranslation, Translation

BLEU = TASKS["mt"].metrics(())[0]
DARI = Part("codet", "Dari", "test")


@functools.cache
def data(code, split):
    return tuple(sandbox.examples("mt", code, split))


@functools.cache
def tiny():
    record = MODELS["tiny-mt"]
    return learner("mt", record, (), hyper("mt", "sandbox", record), 0).fit(data("tal", "train"))


def score(code):
    found = data(code, "test")
    return BLEU.score(found, tiny().predict(found))


def test_the_tiny_translator_translates_its_own_variety_and_less_of_others_the_farther_they_are():
    copy = BLEU.score(data("tal", "test"), [e.source for e in data("tal", "test")])
    scores = {code: score(code) for code in ("tal", "tal-hill", "tal-coast", "mir")}
    assert scores["tal"] > 50 and scores["tal"] > 5 * copy
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert scores["tal-coast"] < scores["tal"] - 15


def test_it_is_saved_and_loaded(tmp_path):
    tiny().save(tmp_path)
    again = load_learner("mt", MODELS["tiny-mt"], (), tiny().hyper, 0, tmp_path)
    assert again.predict(data("tal", "test")) == tiny().predict(data("tal", "test"))
    with pytest.raises(InputError, match="no saved model"):
        load_learner("mt", MODELS["tiny-mt"], (), tiny().hyper, 0, tmp_path / "elsewhere")


def test_the_same_seed_makes_the_same_translator_and_another_seed_another():
    short = TrainedTranslation(epochs=1, copies=1)
    seeds = (0, 0, 1)
    fitted = [learner("mt", MODELS["tiny-mt"], (), short, seed).fit(data("tal", "train")[:64]) for seed in seeds]
    made_of = [one.predict(data("tal", "test")[:8]) for one in fitted]
    assert [one.notes["loss"] for one in fitted][0] == fitted[1].notes["loss"] != fitted[2].notes["loss"]
    assert made_of[0] == made_of[1]


def test_nothing_to_train_on_is_one_clear_line():
    with pytest.raises(InputError, match="there are no training examples"):
        learner("mt", MODELS["tiny-mt"], (), TrainedTranslation(), 0).fit([])


LINES = (
    TranslationExample("Dari:1", "the cat sat on the mat .", "a dog", 1, "standard"),
    TranslationExample("Dari:2", "a dog saw the cat .", "someone wrote this", 2, "english"),
    TranslationExample("Dari:3", "  ", "all birds sing", 3, "standard"),
    TranslationExample("Dari:4", "the cat sat on the mat .", "a dog", 4, "standard"),
)


def test_the_copy_is_the_source_and_its_pseudo_reference_the_standard():
    copy = learner("mt", MODELS["copy"], (), hyper("mt", "paper", MODELS["copy"]), 0).fit([])
    assert copy.predict(LINES) == [e.source for e in LINES]
    assert [(e.reference, e.kind) for e in copy.referred(LINES)] == [
        ("a dog", "pseudo"),
        ("someone wrote this", "english"),
        ("all birds sing", "pseudo"),
        ("a dog", "pseudo"),
    ]


@pytest.fixture(scope="module")
def nllb(tmp_path_factory):
    return made.nllb(tmp_path_factory.mktemp("models") / "little")


def ready(folder, part=DARI, **changes):
    made_of = learner("mt", resolve(str(folder)), (), Translation(**{"max_length": 12} | changes), 0).fit([])
    made_of.part = part
    return made_of


def asked(one, monkeypatch):
    """[(texts, language code)] of what the model is asked to translate, as it is asked."""
    found = []
    rows = one.translator.rows
    monkeypatch.setattr(
        one.translator, "rows", lambda texts, source: found.append((texts, source)) or rows(texts, source)
    )
    return found


@pytest.mark.parametrize(("codes", "code"), [("paper", "pes_Arab"), ("best", "prs_Arab")])
def test_a_variety_is_presented_as_the_table_says_and_the_standard_as_itself(nllb, monkeypatch, codes, code):
    one = ready(nllb, codes=codes)
    found = asked(one, monkeypatch)
    one.predict(LINES)
    referred = one.referred(LINES)
    assert found == [
        (["the cat sat on the mat .", "a dog saw the cat ."], code),
        (["a dog", "all birds sing"], "pes_Arab"),
    ]
    assert [e.kind for e in referred] == ["pseudo", "english", "pseudo", "pseudo"]
    assert referred[0].reference == referred[3].reference != "a dog"
    assert one.notes["presented as"] == ({"pes_Arab": 7} if codes == "paper" else {"prs_Arab": 4, "pes_Arab": 3})


def test_one_code_can_stand_for_all(nllb, monkeypatch):
    one = ready(nllb, source="tgk_Cyrl")
    found = asked(one, monkeypatch)
    one.predict(LINES)
    one.referred(LINES)
    assert {code for _, code in found} == {"tgk_Cyrl"}
    with pytest.raises(InputError, match="no code for the language 'dari'"):
        ready(nllb, source="dari").predict(LINES)


def test_a_variety_without_a_language_code_is_one_clear_line(nllb):
    with pytest.raises(
        InputError, match="no language code for 'tal' of corpus 'sandbox': name one with --set source=CODE"
    ):
        ready(nllb, part=Part("sandbox", "tal", "test")).predict(LINES)


def test_an_empty_line_stays_empty_and_everything_is_counted(nllb):
    one = ready(nllb, max_source=6)
    assert one.predict(LINES)[2] == ""
    notes = one.notes["translated"]
    assert (notes["texts"], notes["sources cut"]) == (4, 2)
    assert notes["ran into max_length"] == 3 and notes["empty"] >= 1


def test_what_memory_has_is_not_translated_again(nllb, tmp_path, monkeypatch):
    one = ready(nllb)
    one.cache = OutputCache(tmp_path / "memory.jsonl")
    first = one.predict(LINES)
    again = ready(nllb)
    again.cache = OutputCache(tmp_path / "memory.jsonl")
    monkeypatch.setattr(again.translator, "generate", None)
    assert again.predict(LINES) == first
    assert again.notes["translated"]["ran into max_length"] == one.notes["translated"]["ran into max_length"] > 0


def test_another_language_code_is_another_translation(nllb, tmp_path):
    paper, best = ready(nllb), ready(nllb, codes="best")
    paper.cache = best.cache = OutputCache(tmp_path / "memory.jsonl")
    assert paper.predict(LINES) != best.predict(LINES)
    assert len(OutputCache(tmp_path / "memory.jsonl")) == 4


def test_a_prefix_tells_models_without_codes_the_target(nllb, monkeypatch):
    one = ready(nllb, prefix="all birds ")
    plain = ready(nllb)
    assert one.translator.rows(["sing"], "eng_Latn") == plain.translator.rows(["all birds sing"], "eng_Latn")


def test_the_paper_cuts_translations_and_the_sound_protocol_does_not():
    nllb = MODELS["nllb-600m"]
    paper, sound = hyper("mt", "paper", nllb), hyper("mt", "paper", nllb, "sound")
    assert (paper.beams, paper.max_length, paper.codes) == (1, 30, "paper")
    assert (sound.beams, sound.max_length, sound.codes) == (4, 256, "best")


@pytest.fixture(scope="module")
def mistral(tmp_path_factory):
    return made.mistral(tmp_path_factory.mktemp("models") / "lm")


def test_a_language_model_is_asked_for_the_translation_and_its_first_line_counts(mistral, monkeypatch):
    one = learner("mt", resolve(str(mistral)), (), hyper("mt", "paper", resolve(str(mistral))), 0).fit([])
    prompts = []

    class Model:
        tokens = 0

        def fits(self, text, most):
            return most == 256

        def generate(self, texts, most):
            prompts.extend(texts)
            yield list(range(len(texts))), [f"\nEnglish: said {n}\nSentence: more" for n, _ in enumerate(texts)]

    one.model = Model()
    assert one.predict(LINES) == ["said 0", "said 1", "", "said 0"]
    assert prompts[0] == (
        "Below is a sentence. Translate it into English, and write nothing but the translation.\n\n"
        "Sentence: the cat sat on the mat .\nEnglish:"
    )
    assert [e.reference for e in one.referred(LINES)] == ["said 0", "someone wrote this", "said 1", "said 0"]
    assert one.notes["empty"] == 1


def test_a_real_language_model_goes_through_the_same_code(mistral):
    from dataclasses import replace

    record = resolve(str(mistral))
    one = learner("mt", record, (), replace(hyper("mt", "paper", record), max_new_tokens=6, precision="fp32"), 0).fit(
        []
    )
    made_of = one.predict(LINES)
    assert len(made_of) == 4 and made_of[0] == made_of[3] and made_of[2] == ""


def test_the_tiny_language_model_does_not_translate():
    record = MODELS["tiny-lm"]
    with pytest.raises(InputError, match="'tiny-lm' is not trained to translate"):
        hyper("mt", "sandbox", record)
