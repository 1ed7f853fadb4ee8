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
from dbutils.models.device import device, repeatable, seed_from, threads

RECIPE = {
    "layers": 2,
    "hidden": 96,
    "heads": 4,
    "feed_forward": 256,
    "vocabulary": 500,
    "positions": 2048,
    "lr": 4e-3,
    "warmup": 0.1,
    "batch_tokens": 2048,
}
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
        trainers.BpeTrainer(
            vocab_size=RECIPE["vocabulary"], special_tokens=[END], initial_alphabet=letters, show_progress=False
        ),
    )
    return _wrap(made)


def _wrap(made):
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=END,
        pad_token=END,
        padding_side="left",
        model_max_length=RECIPE["positions"],
        clean_up_tokenization_spaces=False,
    )


def _model(size):
    from transformers import MistralConfig, MistralForCausalLM

    return MistralForCausalLM(
        MistralConfig(
            vocab_size=size,
            hidden_size=RECIPE["hidden"],
            num_hidden_layers=RECIPE["layers"],
            num_attention_heads=RECIPE["heads"],
            num_key_value_heads=RECIPE["heads"],
            intermediate_size=RECIPE["feed_forward"],
            sliding_window=None,
            max_position_embeddings=RECIPE["positions"],
            tie_word_embeddings=True,
            initializer_range=0.06,
            bos_token_id=None,
            eos_token_id=0,
            pad_token_id=0,
        )
    )


def train(document, count, seed, progress):
    """(Causal, [loss of each tenth of the training], steps): a model trained on `count` documents.

    document(rng): a fresh one, [(text, whether it is an answer)]: only answers are learnt.
    """
    import torch

    rng = np.random.default_rng(seed_from("tiny-lm documents", seed) % 2**32)
    with repeatable(seed_from("tiny-lm", seed)), threads(1):
        made = tokenizer("".join(text for text, _ in document(rng)) for _ in range(400))
        model = _model(len(made)).to(device())
        optimiser = torch.optim.AdamW(model.parameters(), lr=RECIPE["lr"], weight_decay=0.01, betas=(0.9, 0.98))
        losses, done = [], 0
        model.train()
        for rows in _batches(_row(made, document(rng)) for _ in range(count)):
            loss = _loss(model, *(part.to(device()) for part in _collated(rows)))
            done += len(rows)
            for group in optimiser.param_groups:
                group["lr"] = RECIPE["lr"] * _share(done / count)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            progress(done, count, "training")
    tenths = [round(float(np.mean(part)), 4) for part in np.array_split(losses, min(10, len(losses)))]
    return Causal(model, made), tenths, len(losses)


def _share(done):
    """The learning rate as a share of the peak, when a share of the training is done: up in the warm-up, then down to 0."""
    warm = RECIPE["warmup"]
    return done / warm if done < warm else (1 - done) / (1 - warm)


def _batches(rows):
    """Lists of rows as they come, each list's padded size at most `batch_tokens`, or of one row."""
    batch, longest = [], 0
    for row in rows:
        longest = max(longest, len(row[0]))
        if batch and longest * (len(batch) + 1) > RECIPE["batch_tokens"]:
            yield batch
            batch, longest = [], len(row[0])
        batch.append(row)
    if batch:
        yield batch


def _collated(rows):
    """(ids (R, L), gold (R, L)) of rows, padded on the right; gold is -100 except at the sub-words of answers."""
    import torch

    longest = max(len(row) for row, _ in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    gold = torch.full((len(rows), longest), -100)
    for index, (row, marked) in enumerate(rows):
        ids[index, : len(row)] = torch.tensor(row)
        gold[index, : len(row)] = torch.where(torch.tensor(marked), torch.tensor(row), -100)
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
