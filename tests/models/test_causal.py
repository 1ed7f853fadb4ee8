"""A tiny Mistral with random weights goes through exactly the code that the real one would."""

import made_models as made
import numpy as np
import pytest

from dbutils.errors import InputError
from dbutils.models import causal, resolve, tiny_lm
from dbutils.models.causal import open_causal

PROMPTS = [
    "the cat sat",
    "a dog saw the cat . she saw 12 birds , he saw 3 . no",
    "all birds sing",
    "x",
    "the sun and the moon are far",
]
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<|answer|>{% endif %}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made.mistral(tmp_path_factory.mktemp("mistral"))


@pytest.fixture
def model(folder):
    return open_causal(resolve(str(folder)))


def answers(model, prompts, room=12):
    out = {}
    for places, texts in model.generate(prompts, room):
        out.update(zip(places, texts, strict=True))
    return [out[place] for place in range(len(prompts))]


def test_a_folder_of_a_causal_model_is_known_as_one(folder, tmp_path):
    assert resolve(str(folder)).kind == "causal"
    assert resolve(str(made.bert(tmp_path / "bert"))).kind == "encoder"


def test_left_padding_changes_no_answer(model):
    together, alone = answers(model, PROMPTS), [answers(model, [prompt])[0] for prompt in PROMPTS]
    assert together == alone and len(set(alone)) == len(alone)
    model.budget = 40
    assert answers(model, PROMPTS) == alone


def test_generation_takes_the_likeliest_piece_at_every_step(model):
    import torch

    ids = torch.tensor([model.ids(PROMPTS[0])])
    for _ in range(6):
        with torch.inference_mode():
            ids = torch.cat([ids, model.model(ids).logits[:, -1].argmax(-1, keepdim=True)], 1)
    made_ = model.tokenizer.decode(ids[0, -6:], skip_special_tokens=True).strip()
    assert answers(model, PROMPTS[:1], 6) == [made_.splitlines()[0].strip() if made_ else ""]


def scripted(model, text):
    """Make the model write a text whatever it is given, and count its steps."""
    import torch

    script, steps = model.tokenizer(text).input_ids, []

    def forward(input_ids=None, **_):
        from transformers.modeling_outputs import CausalLMOutputWithPast

        place = len(steps)
        steps.append(input_ids.shape)
        logits = torch.full((len(input_ids), input_ids.shape[1], len(model.tokenizer)), -1e3)
        logits[:, -1, script[min(place, len(script) - 1)]] = 0
        return CausalLMOutputWithPast(logits=logits)

    model.model.forward = forward
    return steps


def test_an_answer_stops_behind_its_first_line(model):
    steps = scripted(model, "\n the cat\n\nSentence: more and more and more")
    assert answers(model, ["a", "b c"], 40)[0].splitlines() == ["the cat"]
    assert len(steps) == len(model.tokenizer("\n the cat\n").input_ids)


def test_an_answer_stops_at_the_end_mark(model):
    steps = scripted(model, " the cat<end> dog")
    assert answers(model, ["a"], 40) == ["the cat"]
    assert len(steps) == len(model.tokenizer(" the cat<end>").input_ids)


def test_likelihoods_are_those_of_the_answers_pieces(model):
    import torch

    asked = [(prompt, ("the cat", "12 birds far away", "x")) for prompt in PROMPTS]
    found = {}
    for places, values in model.likelihoods(asked):
        found.update(zip(places, values, strict=True))
    for place, (prompt, possible) in enumerate(asked):
        for number, answer in enumerate(possible):
            whole, start = model.ids(prompt, answer), len(model.ids(prompt))
            assert whole[:start] == model.ids(prompt)
            with torch.inference_mode():
                scores = model.model(torch.tensor([whole])).logits[0].log_softmax(-1)
            by_hand = sum(float(scores[i - 1, whole[i]]) for i in range(start, len(whole)))
            assert found[place][number] == pytest.approx(by_hand, abs=1e-4)


def test_a_chat_template_is_used_where_there_is_one_and_it_is_wanted(tmp_path):
    folder = made.mistral(tmp_path, template=TEMPLATE)
    chat, plain = open_causal(resolve(str(folder))), open_causal(resolve(str(folder)), chat=False)
    assert chat.tokenizer.decode(chat.ids("the cat", "dog")) == "<|user|>the cat\n<|answer|>dog"
    assert plain.tokenizer.decode(plain.ids("the cat", "dog")) == "the cat dog"
    together = answers(chat, PROMPTS)
    assert together == [answers(chat, [prompt])[0] for prompt in PROMPTS]


def test_what_fits(model):
    size = len(model.ids("the cat"))
    assert model.longest() == 256 and model.fits("the cat", 256 - size) and not model.fits("the cat", 257 - size)


def test_quantised_weights_need_a_gpu(folder):
    with pytest.raises(InputError, match="bits=4: quantised weights need a GPU"):
        open_causal(resolve(str(folder)), bits=4)


def test_quantised_weights_need_the_library(folder, monkeypatch):
    import torch

    monkeypatch.setattr(causal, "device", lambda: torch.device("cuda", 0))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="the library bitsandbytes is missing"):
        open_causal(resolve(str(folder)), bits=8)


def test_pickled_weights_are_refused(folder, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    record = resolve(str(copy))
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match="pickled weights"):
        open_causal(record)


def test_batches_hold_their_budget_and_every_place_once():
    found = causal._batches([5, 9, 2, 7, 2], [1, 2, 1, 1, 3], 20)
    assert found == [[1], [3, 0], [2, 4]] and causal._batches([], [], 20) == []


def test_the_tiny_tokenizer_gives_every_text_back():
    tokenizer = tiny_lm.tokenizer(made.SENTENCES)
    for text in ("the cat sat\n\nLabel: x", "ağé 漢字 \t 👍🏽", "<end>", "  two  blanks ", "a\r\nb"):
        assert tokenizer.decode(tokenizer(text).input_ids) == text


def document(rng):
    """What stands behind `is` is learnt: the word before it."""
    words = ["cat", "dog", "bird", "moon"]
    parts = []
    for number in rng.integers(0, 4, 5):
        parts += [(f"{words[number]} is", False), (f" {words[number]}\n", True)]
    return parts


@pytest.fixture(scope="module")
def few():
    """Small batches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tiny_lm.RECIPE, "batch_tokens", 256)
        yield


@pytest.fixture(scope="module")
def trained(few):
    return tiny_lm.train(document, 420, 0, lambda *_: None)[:2]


def test_the_tiny_language_model_learns_answers_and_a_saved_one_is_the_same(trained, tmp_path):
    model, losses = trained
    assert losses[-1] < 0.1 < losses[0] and len(losses) == 10
    assert answers(model, ["bird is", "moon is moon\ncat is"]) == ["bird", "cat"]
    tiny_lm.save(model, tmp_path)
    again = tiny_lm.load(tmp_path)
    assert answers(again, ["bird is", "moon is moon\ncat is"]) == ["bird", "cat"]
    one, two = (dict(m.model.named_parameters()) for m in (model, again))
    assert all(np.array_equal(one[name].detach(), two[name].detach()) for name in one)


def test_training_it_again_gives_the_same_weights(trained):
    again, *_ = tiny_lm.train(document, 420, 0, lambda *_: None)
    one, two = (dict(m.model.named_parameters()) for m in (trained[0], again))
    assert all(np.array_equal(one[name].detach(), two[name].detach()) for name in one)
    other, *_ = tiny_lm.train(document, 14, 1, lambda *_: None)
    assert not np.array_equal(one["model.embed_tokens.weight"].detach(), other.model.model.embed_tokens.weight.detach())


def test_batches_of_documents_hold_their_budget_and_every_document_once(few):
    rows = [([0] * size, [True] * size) for size in (100, 100, 60, 200, 300, 10)]
    assert [[len(ids) for ids, _ in batch] for batch in tiny_lm._batches(rows)] == [
        [100, 100],
        [60],
        [200],
        [300],
        [10],
    ]
    ids, gold = tiny_lm._collated([([5, 6, 7], [False, True, False]), ([8], [True])])
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]] and gold.tolist() == [[-100, 6, -100], [8, -100, -100]]
    assert [round(tiny_lm._share(done), 6) for done in (0.05, 0.1, 0.55, 1)] == [0.5, 1, 0.5, 0]


def test_only_answers_are_learnt():
    tokenizer = tiny_lm.tokenizer(made.SENTENCES)
    ids, marked = tiny_lm._row(tokenizer, [("the cat", False), (" sat\n", True), ("the", False)])
    assert tokenizer.decode([i for i, m in zip(ids, marked, strict=True) if m]) == " sat\n"


def test_a_folder_without_a_saved_tiny_model_is_one_line(tmp_path):
    with pytest.raises(InputError, match="no saved model"):
        tiny_lm.load(tmp_path)
