"""NLLB's architecture and tokenizer, tiny and random, through the code that the real ones go through."""

import made_models as made
import pytest

from dbutils.corpora import languages
from dbutils.errors import InputError
from dbutils.models import resolve
from dbutils.models.translator import Output, language, open_translator
from dbutils.tasks.hyper import Translation

TEXTS = ("the cat sat on the mat .", "a dog", "all birds sing in the morning sun !", "no dog sits on that mat ?")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made.nllb(tmp_path_factory.mktemp("models") / "little")


def opened(folder, **changes):
    return open_translator(resolve(str(folder)), Translation(**{"max_length": 12} | changes))


def first_tokens(translator, texts, source, target="eng_Latn"):
    """The ids that the decoder puts out, as the model returns them."""
    found = []
    generate = translator.model.generate

    def kept(**inputs):
        found.append(generate(**inputs))
        return found[-1]

    translator.model.generate = kept
    try:
        translator.generate(translator.rows(texts, source), target)
    finally:
        del translator.model.generate
    return found[0].tolist()


def test_every_code_of_the_table_is_a_token_of_nllb(folder):
    tokenizer = opened(folder).tokenizer
    wanted = {code for row in languages.load() for code in (row.paper, row.best, row.standard)} | {languages.TARGET}
    ids = {code: language(tokenizer, code)[1] for code in wanted}
    assert len(set(ids.values())) == len(wanted) >= 35 and tokenizer.unk_token_id not in ids.values()


def test_a_code_that_the_tokenizer_lacks_is_refused_and_not_taken_for_unknown(folder):
    translator = opened(folder)
    for code in ("sah_Cyrl", "kaa_Cyrl", "", "eng"):
        with pytest.raises(InputError, match="has no code for the language") as error:
            translator.rows(["a dog"], code)
        assert "\n" not in str(error.value)


def test_the_source_s_code_comes_first_and_the_target_s_is_the_first_word_of_the_translation(folder):
    translator = opened(folder)
    tokenizer = translator.tokenizer
    for code in ("oci_Latn", "arb_Arab"):
        for row in translator.rows(TEXTS, code):
            assert row[0] == tokenizer.convert_tokens_to_ids(code) and row[-1] == tokenizer.eos_token_id
    for target in ("eng_Latn", "deu_Latn"):
        out = first_tokens(translator, TEXTS, "oci_Latn", target)
        assert {tuple(row[:2]) for row in out} == {(2, tokenizer.convert_tokens_to_ids(target))}


def test_the_source_s_code_matters(folder):
    translator = opened(folder)
    made_of = [translator.generate(translator.rows(TEXTS, code), "eng_Latn") for code in ("oci_Latn", "fra_Latn")]
    assert made_of[0] != made_of[1]


@pytest.mark.parametrize("beams", [1, 3])
def test_a_batch_translates_as_its_sentences_do_one_by_one(folder, beams):
    translator = opened(folder, beams=beams)
    rows = translator.rows(TEXTS, "oci_Latn")
    assert len({len(row) for row in rows}) > 1
    alone = [translator.generate([row], "eng_Latn")[0] for row in rows]
    assert translator.generate(rows, "eng_Latn") == alone


def test_generation_stops_at_the_end_or_at_the_greatest_length_and_says_which(folder):
    import torch

    translator = opened(folder, max_length=9)
    assert {len(row) for row in first_tokens(translator, TEXTS, "oci_Latn")} == {9}
    assert not any(out.ended for out in translator.generate(translator.rows(TEXTS, "oci_Latn"), "eng_Latn"))
    with torch.no_grad():  # now the end is always the most likely
        translator.model.lm_head.weight = torch.nn.Parameter(torch.zeros_like(translator.model.lm_head.weight))
        translator.model.lm_head.bias = torch.nn.Parameter(torch.zeros(translator.model.config.vocab_size))
        translator.model.lm_head.bias[translator.tokenizer.eos_token_id] = 1
    assert translator.generate(translator.rows(TEXTS, "oci_Latn"), "eng_Latn") == [Output("", True)] * 4


def test_a_long_source_is_cut_and_counted(folder):
    translator = opened(folder, max_source=6)
    rows = translator.rows([*TEXTS, "a"], "oci_Latn")
    assert max(map(len, rows)) == 6 and all(row[-1] == translator.tokenizer.eos_token_id for row in rows)
    assert translator.cut == 3
    assert opened(folder, max_source=10**6).longest == 64  # what the model has positions for


def test_batches_hold_every_row_once_longest_first_within_the_budget(folder, monkeypatch):
    translator = opened(folder, beams=2)
    monkeypatch.setitem(__import__("dbutils.models.translator", fromlist=["BUDGET"]).BUDGET, "cpu", 80)
    rows = [[0] * n for n in (3, 50, 9, 10, 8, 1, 7)]
    batches = translator.batches(rows)
    assert batches == [[1], [3, 2, 4, 6], [0, 5]]
    assert sorted(place for batch in batches for place in batch) == list(range(7))
    assert translator.batches([]) == [] and translator.rows([], "oci_Latn") == []


def test_m2m100_calls_languages_by_two_letters():
    class M2M100:
        src_lang, unk_token_id = "en", 3

        def convert_tokens_to_ids(self, token):
            return {"__ar__": 10, "__en__": 11}.get(token, 3)

    assert language(M2M100(), "arb_Arab") == ("ar", 10) and language(M2M100(), "eng_Latn") == ("en", 11)
    with pytest.raises(InputError, match="'ckb_Arab'"):
        language(M2M100(), "ckb_Arab")


def test_a_model_without_languages_is_asked_for_none():
    assert language(object(), "oci_Latn") is None
