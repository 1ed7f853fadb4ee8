"""Prediction without padding gives the numbers of padded batches."""

import numpy as np
import pytest
import torch

from dbutils.models.batches import Unit, collate
from dbutils.models.unpadded import FORMS, SHORT, unpadded

LENGTHS = (5, 5, 9, SHORT + 6, SHORT + 6, 2, 5)


def batch(*lengths):
    random = np.random.default_rng(0)
    rows = [random.integers(5, 40, size=n) for n in lengths]
    return collate([Unit(0, [row], [np.zeros_like(row)]) for row in rows], torch.device("cpu"), pad=1)


def hidden(model, batch):
    with torch.inference_mode():
        return model(inputs_embeds=model.get_input_embeddings()(batch.ids), attention_mask=batch.mask).last_hidden_state


def made(form, auto="AutoModel"):
    import transformers

    sizes = dict(vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(form, pad_token_id=1, initializer_range=0.1, **sizes)
    return getattr(transformers, auto).from_config(config).eval()


@pytest.fixture(params=FORMS)
def model(request):
    return made(request.param)


@pytest.mark.parametrize("lengths", [LENGTHS, (7, 7, 7), (3,)])
def test_the_same_vectors_as_with_padding(model, lengths):
    some = batch(*lengths)
    expected = hidden(model, some)
    calls = []
    first = model.encoder.layer[0].register_forward_pre_hook(lambda layer, args: calls.append(tuple(args[0].shape[:2])))
    with unpadded(model) as does:
        found = hidden(model, some)
    first.remove()
    assert does and calls == [(1, sum(lengths))]
    for row, length in enumerate(lengths):
        assert torch.allclose(found[row, :length], expected[row, :length], atol=1e-5)
    assert torch.equal(hidden(model, some), expected)  # afterwards everything is as before


@pytest.mark.parametrize("lengths", [LENGTHS, (7, 7, 7)])
@pytest.mark.parametrize("auto", ["AutoModelForSequenceClassification", "AutoModelForMultipleChoice"])
@pytest.mark.parametrize("form", FORMS)
def test_labels_and_choices_need_first_positions_alone(form, auto, lengths):
    from dbutils.tasks.heads.base import run

    model, some = made(form, auto), batch(*lengths)
    if auto == "AutoModelForMultipleChoice":  # rows of one choice each
        some.ids, some.mask, some.types = (None if x is None else x[:, None] for x in (some.ids, some.mask, some.types))

    def logits():
        if auto == "AutoModelForMultipleChoice":
            embeds = model.get_input_embeddings()(some.ids[:, 0])[:, None]
            return model(inputs_embeds=embeds, attention_mask=some.mask).logits
        return run(model, some).logits

    with torch.inference_mode():
        expected, calls = logits(), []
        last = model.base_model.encoder.layer[-1].output
        watch = last.register_forward_pre_hook(lambda module, args: calls.append(tuple(args[0].shape[:2])))
        with unpadded(model, first_only=True):
            found = logits()
        watch.remove()
    assert calls == [(1, len(lengths))]
    assert torch.allclose(found, expected, atol=1e-5)
    assert expected.std() > 0


def test_an_error_within_leaves_the_model_as_it_was(model):
    expected = hidden(model, batch(3, 4))
    with pytest.raises(ZeroDivisionError), unpadded(model):
        raise ZeroDivisionError
    assert torch.equal(hidden(model, batch(3, 4)), expected)


def test_the_encoder_is_found_within_a_model_with_a_head(model):
    from dbutils.models.parser import parser

    with unpadded(parser(model, 3, 8, 4)) as does:
        assert does


def test_encoders_of_other_forms_go_on_with_padding():
    from transformers import EsmConfig, EsmModel

    sizes = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    model = EsmModel(
        EsmConfig(vocab_size=50, pad_token_id=1, mask_token_id=2, position_embedding_type="rotary", **sizes)
    ).eval()
    some = batch(6, 3)
    expected = hidden(model, some)
    with unpadded(model) as does:
        assert not does and torch.equal(hidden(model, some), expected)
