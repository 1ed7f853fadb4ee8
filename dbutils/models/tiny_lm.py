"""A tiny causal language model made on the spot: Mistral's architecture from a configuration, trained on prompts.

It knows no language but that of the prompts that it was trained on; it shows how in-context learning runs, not what large
models can do. Its tokenizer works on bytes, so that any text goes in and comes out unchanged; every line break is a piece of
its own.
"""

from pathlib import Path

import numpy as np

from dbutils.errors import InputError
from dbutils.models import checkpoint
from dbutils.models.causal import Causal
from dbutils.models.device import device, number, repeatable, threads

RECIPE = {
    "layers": 2, "hidden": 96, "heads": 4, "feed_forward": 256, "vocabulary": 500, "positions": 2048,
    "lr": 4e-3, "warmup": 0.1, "batch_tokens": 2048,
}  # fmt: skip
END = "<end>"
SAVED = "tiny-lm.safetensors"


def tokenizer(texts):
    """A byte-level BPE tokenizer learnt from texts; the same texts give the same one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split("\n", "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=RECIPE["vocabulary"], special_tokens=[END], initial_alphabet=letters, show_progress=False),
    )
    return _wrap(made)


def _wrap(made):
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=END, pad_token=END, padding_side="left", model_max_length=RECIPE["positions"],
        clean_up_tokenization_spaces=False,
    )  # fmt: skip


def _model(size):
    from transformers import MistralConfig, MistralForCausalLM

    return MistralForCausalLM(
        MistralConfig(
            vocab_size=size, hidden_size=RECIPE["hidden"], num_hidden_layers=RECIPE["layers"], num_attention_heads=RECIPE["heads"],
            num_key_value_heads=RECIPE["heads"], intermediate_size=RECIPE["feed_forward"], sliding_window=None,
            max_position_embeddings=RECIPE["positions"], tie_word_embeddings=True, initializer_range=0.06,
            bos_token_id=None, eos_token_id=0, pad_token_id=0,
        )
    )  # fmt: skip


def train(documents, steps, seed, progress):
    """(Causal, [loss of each tenth of the steps]): a model trained on documents.

    documents(rng): a fresh document, [(text, whether it is an answer)]: only answers are learnt. steps: of the optimiser.
    """
    import torch

    rng = np.random.default_rng(number("tiny-lm documents", seed) % 2**32)
    with repeatable(number("tiny-lm", seed)), threads(1):
        first = [documents(rng) for _ in range(400)]
        made = tokenizer("".join(text for text, _ in document) for document in first)
        model = _model(len(made)).to(device())
        optimiser = torch.optim.AdamW(model.parameters(), lr=RECIPE["lr"], weight_decay=0.01, betas=(0.9, 0.98))
        warm, losses = max(1, round(RECIPE["warmup"] * steps)), []
        model.train()
        for step in range(steps):
            ids, gold = _batch(made, documents, rng)
            loss = _loss(model, ids.to(device()), gold.to(device()))
            for group in optimiser.param_groups:
                group["lr"] = RECIPE["lr"] * min((step + 1) / warm, (steps - step) / max(1, steps - warm))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            progress(step + 1, steps, "training")
    tenths = [round(float(np.mean(part)), 4) for part in np.array_split(losses, min(10, steps)) if len(part)]
    return Causal(model, made), tenths


def _batch(made, documents, rng):
    """(ids (R, L), gold (R, L)): documents padded on the right; gold is -100 except at the sub-words of answers."""
    import torch

    rows, longest = [], 0
    while True:
        row = _row(made, documents(rng))
        longest = max(longest, len(row[0]))
        if rows and longest * (len(rows) + 1) > RECIPE["batch_tokens"]:
            break
        rows.append(row)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    gold = torch.full((len(rows), longest), -100)
    for number_, (row, marked) in enumerate(rows):
        ids[number_, : len(row)] = torch.tensor(row)
        gold[number_, : len(row)] = torch.where(torch.tensor(marked), torch.tensor(row), -100)
    return ids, gold


def _row(made, document):
    """([sub-word], [whether it belongs to an answer]) of a document."""
    spans, end = [], 0
    for text, answer in document:
        if answer:
            spans.append((end, end + len(text)))
        end += len(text)
    found = made("".join(text for text, _ in document), return_offsets_mapping=True)
    marked = [any(start < upto and begin < stop for begin, upto in spans) for start, stop in found.offset_mapping]
    return found.input_ids[: RECIPE["positions"]], marked[: RECIPE["positions"]]


def _loss(model, ids, gold):
    """Mean cross-entropy of the answers' sub-words; only they go through the output layer."""
    import torch

    hidden = model.model(input_ids=ids).last_hidden_state[:, :-1]
    wanted = gold[:, 1:]
    at = wanted != -100
    return torch.nn.functional.cross_entropy(model.lm_head(hidden[at]), wanted[at])


def save(causal, folder):
    """Write model and tokenizer into a folder."""
    tensors = {name: value.clone() for name, value in causal.model.model.state_dict().items()}
    checkpoint.write(folder, tensors, {}, SAVED)
    causal.tokenizer.backend_tokenizer.save(str(Path(folder) / "tokenizer.json"))


def load(folder):
    """The Causal that `save` wrote into a folder."""
    from tokenizers import Tokenizer

    found, path = checkpoint.read(folder, SAVED), Path(folder) / "tokenizer.json"
    if found is None or not path.is_file():
        raise InputError(f"{folder}: no saved model")
    made = _wrap(Tokenizer.from_file(str(path)))
    model = _model(len(made))
    try:
        model.model.load_state_dict(found[0])
    except RuntimeError as error:
        raise InputError(f"{folder}: the saved model does not fit: {str(error).splitlines()[-1].strip()}") from None
    return Causal(model.to(device()), made)
