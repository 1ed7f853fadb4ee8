"""How fast an encoder is on the GPU: tokens a second in prediction and in training, and the share of the card's peak.

    python tools/bench_gpu.py            a Markdown table; exit 2 where there is no GPU

A base-size encoder with random weights on random sub-words, mixed precision (bf16), through the project's own batches
and training loop.
"""

import sys
import time
from dataclasses import dataclass

# Peak of dense bf16 matrix products in TFLOP/s, from the makers' data sheets; the first name that fits counts.
PEAK = {
    "B200": 2250,
    "H200": 989,
    "H100 PCIe": 756,
    "H100": 989,
    "A100": 312,
    "A40": 150,
    "A30": 165,
    "A10": 125,
    "L40S": 362,
    "L40": 181,
    "L4": 121,
    "RTX 4090": 165,
    "RTX 3090": 71,
    "RTX 6000 Ada": 364,
    "RTX A6000": 155,
}


@dataclass(frozen=True)
class Sizes:
    """Of the encoder, and of what it reads: units rows of 16 to `longest` sub-words, `batch` of them in a training step."""

    vocabulary: int = 120000
    hidden: int = 768
    layers: int = 12
    units: int = 8192
    longest: int = 128
    batch: int = 256


def peak(name):
    """The peak of a card in FLOP/s by its name, None if it is not in the table."""
    return next((1e12 * value for known, value in PEAK.items() if known in name), None)


def per_token(sizes):
    """Floating-point operations of the layers' matrix products a token, attention left out."""
    return sizes.layers * 2 * 12 * sizes.hidden**2


def model(sizes, place):
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    made = BertForSequenceClassification(
        BertConfig(
            vocab_size=sizes.vocabulary,
            hidden_size=sizes.hidden,
            num_hidden_layers=sizes.layers,
            num_attention_heads=sizes.hidden // 64,
            intermediate_size=4 * sizes.hidden,
            num_labels=7,
        )
    )
    return made.to(place)


def units(sizes):
    """Units of random sub-words and lengths, with a label each."""
    import numpy as np

    from dbutils.models.batches import Unit

    random = np.random.default_rng(0)
    rows = [
        random.integers(1, sizes.vocabulary, size=n) for n in random.integers(16, sizes.longest + 1, size=sizes.units)
    ]
    return [Unit(i, [row], [np.zeros_like(row)], {"label": int(row[0] % 7)}) for i, row in enumerate(rows)]


def measure(sizes, place, tries=3):
    """{what: (tokens a second, FLOP a second)}, the fastest of some tries after one to warm up."""
    from dbutils.tasks import TASKS

    made, some = model(sizes, place), units(sizes)
    tokens = sum(unit.length for unit in some)
    out = {}
    for what, call, passes in (
        ("prediction", lambda: predict(made, some, place), 1),
        ("training", lambda: train(made, some, TASKS["tc"].paper, sizes.batch), 3),
    ):
        best = min([seconds(call, place) for _ in range(tries + 1)][1:])
        out[what] = tokens / best, passes * per_token(sizes) * tokens / best
    return out


def seconds(call, place):
    import torch

    begun = time.perf_counter()
    call()
    if place.type == "cuda":
        torch.cuda.synchronize(place)
    return time.perf_counter() - begun


def predict(made, some, place):
    """The label of each unit."""
    import torch

    from dbutils.models import batches
    from dbutils.models.device import autocast
    from dbutils.tasks.encoder import BUDGET
    from dbutils.tasks.heads.base import run

    made.eval()
    found = {}
    with torch.inference_mode(), autocast("bf16", place):
        for places in batches.by_budget(some, BUDGET[place.type]):
            batch = batches.collate([some[i] for i in places], place, 0)
            found.update(zip(places, run(made, batch).logits.argmax(-1).tolist(), strict=True))
    return found


def train(made, some, hyper, batch):
    """One epoch."""
    from dataclasses import replace

    from dbutils.models.training import Training
    from dbutils.tasks.heads.sequence import SequenceHead

    head = SequenceHead(range(7), hyper)
    hyper = replace(hyper, epochs=1, batch_size=batch, precision="bf16", selection="last")
    return Training(made, some, lambda b: head.loss(made, b), hyper, 0, 0).run(lambda *_: None)


def main(sizes=Sizes()):
    import torch

    if not torch.cuda.is_available():
        print("bench-gpu: there is no GPU that torch can use here; nothing was measured", file=sys.stderr)
        return 2
    place, name = torch.device("cuda", 0), torch.cuda.get_device_name(0)
    top = peak(name)
    print(f"{name}, torch {torch.__version__}, bf16, base-size encoder\n")
    print("| what | tokens/s | TFLOP/s | share of peak |", "|---|---|---|---|", sep="\n")
    for what, (tokens, flop) in measure(sizes, place).items():
        share = f"{flop / top:.1%}" if top else "peak not known"
        print(f"| {what} | {tokens:,.0f} | {flop / 1e12:.1f} | {share} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
