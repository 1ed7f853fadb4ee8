"""A tiny translation model made on the spot: M2M100's architecture from a configuration, trained on a few hundred pairs.

Its sources are trained on with misspellings and lost words, so that it makes something of words it has never seen.
"""

import random

import numpy as np

from dbutils.models import checkpoint, tiny
from dbutils.models.batches import Unit
from dbutils.models.device import device, seed_from
from dbutils.models.translator import Translator

RECIPE = {
    "layers": 2,
    "hidden": 96,
    "heads": 4,
    "feed_forward": 192,
    "vocabulary": 400,
    "positions": 256,
    "dropout": 0.1,
    "noise": 0.1,
}
SAVED = "translator.safetensors"


def tokenizer(texts):
    """A WordPiece tokenizer learnt from sources and translations, that also puts pieces together again."""
    from tokenizers import decoders

    made = tiny.tokenizer(texts, RECIPE["vocabulary"])
    made.backend_tokenizer.decoder = decoders.WordPiece(cleanup=True)
    made.eos_token = made.sep_token
    return made


def network(tokens):
    """The model of a tokenizer with fresh weights."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    sides = {}
    for side in ("encoder", "decoder"):
        sides |= {f"{side}_layers": RECIPE["layers"], f"{side}_attention_heads": RECIPE["heads"]}
        sides |= {f"{side}_ffn_dim": RECIPE["feed_forward"], f"{side}_layerdrop": 0.0}
    return M2M100ForConditionalGeneration(
        M2M100Config(
            vocab_size=len(tokens),
            d_model=RECIPE["hidden"],
            max_position_embeddings=RECIPE["positions"],
            dropout=RECIPE["dropout"],
            attention_dropout=0.0,
            activation_dropout=0.0,
            init_std=RECIPE["hidden"] ** -0.5,
            pad_token_id=tokens.pad_token_id,
            bos_token_id=tokens.cls_token_id,
            eos_token_id=tokens.eos_token_id,
            decoder_start_token_id=tokens.eos_token_id,
            forced_bos_token_id=None,
            **sides,
        )
    )


def fit(pairs, hyper, seed, folder=None, progress=None):
    """(Translator, notes) trained on (source, translation) pairs; call it where randomness is repeatable.

    hyper: as `Training` wants it, and `copies`: how often each pair is seen in an epoch, each time with other noise.
    """
    from dbutils.models.training import Training

    tokens = tokenizer([text for pair in pairs for text in pair])
    model = network(tokens).to(device())
    units = _units(pairs, tokens, hyper.copies, seed)
    key = {"model": "tiny-mt", "recipe": RECIPE, "pairs": seed_from("pairs", *(t for pair in pairs for t in pair))}
    training = Training(
        model,
        units,
        lambda batch: _loss(model, batch, tokens.pad_token_id),
        hyper,
        seed,
        tokens.pad_token_id,
        folder=folder,
        key=key,
    )
    notes = training.run(progress)
    return Translator(model, tokens, hyper), notes


def _units(pairs, tokens, copies, seed):
    draw = random.Random(seed_from("noise", seed))
    letters = sorted({letter for source, _ in pairs for letter in source.lower() if letter.isalpha()})
    targets = tokens([translation for _, translation in pairs], add_special_tokens=False)["input_ids"]
    out = []
    for _ in range(copies):
        rows = tokens([noisy(source, draw, letters) for source, _ in pairs])["input_ids"]
        for index, (row, target) in enumerate(zip(rows, targets, strict=True)):
            target = np.array([*target, tokens.eos_token_id], dtype=np.int64)
            row = np.array(row, dtype=np.int64)
            out.append(Unit(index, [row], [np.zeros_like(row)], {"target": target}))
    return out


def noisy(text, draw, letters, noise=RECIPE["noise"]):
    """A text with words left out and letters changed, lost or doubled by others; how much differs from text to text."""
    much, words = draw.random() * 2 * noise, []
    for word in text.split(" "):
        if draw.random() >= noise / 2:
            words.append(
                "".join(_changed(c, draw, letters) if c.isalpha() and draw.random() < much else c for c in word)
            )
    return " ".join(words)


def _changed(letter, draw, letters):
    kind = draw.random()
    return draw.choice(letters) if kind < 0.6 else "" if kind < 0.8 else letter + draw.choice(letters)


def _loss(model, batch, pad):
    import torch
    from torch.nn.functional import cross_entropy

    rows = [unit.data["target"] for unit in batch.units]
    gold = torch.full((len(rows), max(map(len, rows))), pad, device=batch.ids.device)
    for index, row in enumerate(rows):
        gold[index, : len(row)] = torch.from_numpy(row)
    start = torch.full_like(gold[:, :1], model.config.decoder_start_token_id)
    mask = batch.mask if batch.mask is not None else torch.ones_like(batch.ids)
    found = model(
        input_ids=batch.ids, attention_mask=mask, decoder_input_ids=torch.cat([start, gold[:, :-1]], 1)
    ).logits
    return cross_entropy(found.flatten(0, 1), gold.flatten(), ignore_index=pad, reduction="sum"), sum(map(len, rows))


def save(translator, folder):
    """Write weights and tokenizer into a folder."""
    checkpoint.write(folder, {name: value.clone() for name, value in translator.model.state_dict().items()}, {}, SAVED)
    translator.tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))


def load(folder, hyper):
    """The Translator that `save` wrote, or None if there is none."""
    from tokenizers import Tokenizer

    found = checkpoint.read(folder, SAVED)
    if found is None:
        return None
    tokens = tiny.wrap(Tokenizer.from_file(str(folder / "tokenizer.json")))
    tokens.eos_token = tokens.sep_token
    model = network(tokens)
    model.load_state_dict(found[0])
    return Translator(model, tokens, hyper)
