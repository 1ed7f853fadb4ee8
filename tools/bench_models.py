"""How fast models are, as ratios measured in one run: prediction, a training step, the bootstrap, tree decoding.

    python tools/bench_models.py                  a Markdown table; exit 1 if a target is missed
    python tools/bench_models.py --json           the same as JSON
    python tools/bench_models.py --only trees     some parts (prediction, training, bootstrap, trees)
    python tools/bench_models.py --threads 1 --processor   processor time: for a machine that does other things

DBUTILS_ENCODER names the folder of an encoder, DBUTILS_CORPORA that of the corpora (sib-200 and ud are read). Without
them a base-size encoder with random weights and texts of the sandbox are used; the targets that are set for the real
ones are then not judged. Of several tries, taken in turn, the fastest counts.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

BATCH, STATIC = 8, 128  # rows per batch and padded length of the scripts that the project is compared with
SAMPLE = 2  # of batches padded to one length all cost the same, so a few are timed


@dataclass(frozen=True)
class Row:
    """A line of the table. target: None, or what `measured` must reach (`most`: not exceed); met: None if not judged."""

    part: str
    what: str
    measured: float
    unit: str
    target: float | None = None
    most: bool = False
    met: bool | None = None


class Clock:
    """Seconds of calls, by the clock or of the processor; the fastest of `tries`, the calls taken in turn."""

    def __init__(self, tries, processor):
        self.tries, self.now = tries, time.process_time if processor else time.perf_counter

    def once(self, call):
        begun = self.now()
        call()
        return self.now() - begun

    def best(self, *calls):
        """The fewest seconds of each call."""
        times = [[self.once(call) for call in calls] for _ in range(self.tries)]
        return [min(column) for column in zip(*times, strict=True)]


# ---- what is measured on ------------------------------------------------------------------------


def encoder(folder, hidden=768, layers=12):
    """A folder with an encoder of random weights, its tokenizer learnt from the sandbox."""
    import torch
    from transformers import BertConfig, BertModel

    from dbutils.models import tiny

    tokenizer = tiny.tokenizer([e.text for e in sandbox("tc", "train")], 1200)
    sizes = dict(
        hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=hidden // 64, intermediate_size=4 * hidden
    )
    torch.manual_seed(0)
    BertModel(BertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def sandbox(task, split):
    """The examples of the sandbox's first variety."""
    from dbutils import sandbox as made

    return list(made.examples(task, made.codes(task)[0], split))


def has(corpus):
    """Whether a corpus can be read."""
    from dbutils.corpora import store

    return store.folder(corpus).is_dir()


def data(task, corpus, code, split):
    """(name, examples): of the corpus if it is there, else of the sandbox."""
    from dbutils.corpora import load

    if has(corpus):
        return f"{corpus} {code}", list(load.examples(task, corpus, code, split))
    return "sandbox", sandbox(task, split)


# ---- prediction ---------------------------------------------------------------------------------


def work(config, lengths):
    """Floating-point operations of an encoder's layers on rows of these lengths, without padding."""
    h, f, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    return sum(layers * (2 * (4 * h * h + 2 * h * f) * n + 4 * h * n * n) for n in lengths)


def rate(config, clock):
    """Floating-point operations a second of the best matrix product of the encoder's shape."""
    import torch

    a, b = torch.randn(2048, config.hidden_size), torch.randn(config.hidden_size, config.intermediate_size)
    return 2 * a.numel() * b.shape[1] / min(clock.once(lambda: a @ b) for _ in range(15))


def forward(learner, rows, width=0):
    """A pass of the model as published scripts make it: rows padded to `width` (0: the longest), longer ones cut."""
    import torch

    width = width or max(map(len, rows))
    ids = torch.full((len(rows), width), learner.tokens.pad)
    mask = torch.zeros_like(ids)
    for number, row in enumerate(rows):
        n = min(len(row), width)
        ids[number, :n], mask[number, :n] = torch.from_numpy(row[:n]), 1
    with torch.no_grad():
        learner.model(input_ids=ids, attention_mask=mask)


def prediction(task, name, examples, record, clock, targets):
    """Rows on predicting examples. targets: {pad128, pad512, floor: number}."""
    from dbutils import tasks
    from dbutils.models import batches

    labels = sorted({e.label for e in examples} if task == "tc" else {tag for e in examples for tag in e.tags})
    hyper = replace(
        tasks.hyper(task, "paper", record), epochs=1, max_length=STATIC, predict_length=512, selection="last"
    )
    learner = tasks.learner(task, record, labels, hyper, 0).fit(examples[:16])
    units = learner.head.units(learner.tokens, examples, False)
    rows = [row for unit in units for row in unit.rows]
    in_order = [rows[i : i + BATCH] for i in range(0, len(rows), BATCH)]
    sorted_ = [[row for i in places for row in units[i].rows] for places in batches.by_budget(units, 1024)]
    share = len(rows) / sum(map(len, in_order[:SAMPLE]))

    def some(width):
        return lambda: [forward(learner, batch, width) for batch in in_order[:SAMPLE]]

    best_rate = rate(learner.model.config, clock)
    times = clock.best(
        lambda: learner.predict(examples),
        some(STATIC),
        some(512),
        lambda: [forward(learner, batch) for batch in in_order],
        lambda: [forward(learner, batch) for batch in sorted_],
    )
    best_rate = max(best_rate, rate(learner.model.config, clock))
    ours, pad128, pad512, longest, budget = times
    lengths = [len(row) for row in rows]
    floor = work(learner.model.config, lengths) / best_rate
    part = f"prediction, {name}: {len(examples)} items, {sum(lengths)} tokens"
    return [
        Row(part, "tokens a second", sum(lengths) / ours, "tokens/s"),
        Row(
            part,
            f"faster than padding to {STATIC}, file order, {BATCH} a batch",
            pad128 * share / ours,
            "x",
            targets.get("pad128"),
        ),
        Row(
            part,
            f"faster than padding to 512, file order, {BATCH} a batch",
            pad512 * share / ours,
            "x",
            targets.get("pad512"),
        ),
        Row(part, f"faster than padding to the longest, file order, {BATCH} a batch", longest / ours, "x"),
        Row(part, "faster than padding in batches sorted by length", budget / ours, "x"),
        Row(
            part,
            f"times the floor of {best_rate / 1e9:.0f} GFLOP/s",
            ours / floor,
            "x",
            targets.get("floor"),
            most=True,
        ),
    ]


# ---- a training step ----------------------------------------------------------------------------


def training(name, examples, also, record, clock, steps=4, size=16):
    """Rows on a step of fine-tuning: ours, and with whole vocabulary, AdamW's defaults, without and with static padding.

    also: texts that are tested later, whose sub-words keep their rows. Dropout is off, so that the losses can be compared.
    """
    import torch

    from dbutils import tasks
    from dbutils.models.batches import used
    from dbutils.models.rows import Restricted
    from dbutils.models.training import Training

    hyper = replace(tasks.hyper("tc", "paper", record), epochs=1, batch_size=size, max_length=STATIC)
    labels = sorted({e.label for e in examples})
    examples = examples[: steps * size]

    def start():
        learner = tasks.learner("tc", record, labels, hyper, 0)
        torch.manual_seed(0)
        learner._open([e.text for e in examples])
        for module in learner.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        return learner, learner.head.units(learner.tokens, examples, True)

    def times(learner, units, lookup, optimizer=None, width=0):
        """([seconds], [loss]) of each step after the first, which also makes the optimiser's state."""
        seconds, losses = [], []

        def loss(batch):
            value, count = learner.head.loss(
                learner.model, stretched(batch, width, learner.tokens.pad) if width else batch
            )
            losses.append(value.item() / count)
            return value, count

        run = Training(learner.model, units, loss, hyper, 0, learner.tokens.pad, lookup)
        if optimizer:
            run._optimizer = lambda: optimizer(run.parameters)
        last = [clock.now()]

        def progress(*_):
            seconds.append(clock.now() - last[0])
            last[0] = clock.now()

        run.run(progress)
        return seconds[1:], losses

    def ours():
        learner, units = start()
        everything = learner.head.units(learner.tokens, also, False)
        restricted = Restricted(learner.model, used(units, everything), learner.tokens.pad)
        return *times(learner, units, restricted.lookup), len(restricted.ids)

    def whole(width):
        learner, units = start()
        return times(learner, units, None, lambda p: torch.optim.AdamW(p, lr=hyper.lr, weight_decay=0.0), width)

    fast, losses, kept = ours()
    plain, plain_losses = whole(0)
    static, static_losses = whole(STATIC)
    for _ in range(clock.tries - 1):
        fast, plain, static = (
            [min(pair) for pair in zip(old, new, strict=True)]
            for old, new in ((fast, ours()[0]), (plain, whole(0)[0]), (static, whole(STATIC)[0]))
        )
    apart = max(abs(a - b) for other in (plain_losses, static_losses) for a, b in zip(losses, other, strict=True))
    part = f"training step, {name}: {size} a batch, {kept} sub-words in use"
    return [
        Row(part, "seconds", sum(fast) / len(fast), "s"),
        Row(part, "faster than with the whole vocabulary and AdamW's defaults", sum(plain) / sum(fast), "x"),
        Row(part, f"faster than that padded to {STATIC}", sum(static) / sum(fast), "x", 2.2),
        Row(part, "largest difference of the losses", apart, "", 1e-3, most=True),
    ]


def stretched(batch, width, pad):
    """A Batch padded to a width."""
    import torch

    more = width - batch.shape[1]
    mask = torch.ones_like(batch.ids) if batch.mask is None else batch.mask
    grow = torch.nn.functional.pad
    return replace(
        batch, ids=grow(batch.ids, (0, more), value=pad), mask=grow(mask, (0, more)), types=grow(batch.types, (0, more))
    )


# ---- the bootstrap ------------------------------------------------------------------------------


def bootstrap(clock, sizes=(204, 2000, 1000, 1000), timed=(40, 20, 3, 2)):
    """Rows on intervals against computing the metric anew on each of 1,000 resamples; of those a few are timed."""
    from types import SimpleNamespace

    import numpy as np
    from sacrebleu.metrics import BLEU as Official
    from seqeval.metrics import f1_score as span_f1
    from sklearn.metrics import f1_score

    from dbutils.metrics import chunks, intervals, labels, translation
    from dbutils.metrics.bootstrap import RESAMPLES

    random = np.random.default_rng(0)
    topics = [f"topic {i}" for i in range(7)]
    tags = ["O", *(f"{x}-{kind}" for x in "BI" for kind in ("PER", "LOC", "ORG"))]
    words = [f"word{i}" for i in range(300)]

    def noisy(gold, choices, share=0.3):
        return [random.choice(choices) if random.random() < share else item for item in gold]

    def label_case(n):
        gold = list(random.choice(topics, n))
        return gold, noisy(gold, topics), [SimpleNamespace(label=g) for g in gold], labels.macro_f1(topics)

    def tag_case(n):
        gold = [list(random.choice(tags, 20)) for _ in range(n)]
        made = [SimpleNamespace(tags=g, scored=(True,) * len(g)) for g in gold]
        return gold, [noisy(g, tags) for g in gold], made, chunks.CHUNK_F1

    def text_case(n):
        gold = [list(random.choice(words, 22)) for _ in range(n)]
        found, gold = [" ".join(noisy(g, words)) for g in gold], [" ".join(g) for g in gold]
        return gold, found, [SimpleNamespace(reference=g) for g in gold], translation.BLEU

    cases = [
        ("macro F1", label_case, lambda g, p: f1_score(g, p, labels=topics, average="macro", zero_division=0), 400),
        ("macro F1", label_case, lambda g, p: f1_score(g, p, labels=topics, average="macro", zero_division=0), 400),
        ("span F1", tag_case, span_f1, 1000),
        ("BLEU", text_case, lambda g, p: Official().corpus_score(p, [g]).score, 1000),
    ]
    rows = []
    for (name, case, naive, target), n, count in zip(cases, sizes, timed, strict=True):
        gold, found, examples, metric = case(n)

        def again(gold=gold, found=found, naive=naive, n=n, count=count):
            for _ in range(count):
                at = random.integers(n, size=n)
                naive([gold[i] for i in at], [found[i] for i in at])

        def ours(examples=examples, found=found, metric=metric):
            intervals.interval(metric, metric.table(examples, found))

        table = metric.table(examples, found)
        slow, fast, drawn = clock.best(
            again, ours, lambda metric=metric, table=table: intervals.interval(metric, table)
        )
        slow *= RESAMPLES / count
        part = f"bootstrap, {name}, {n} items, {RESAMPLES} resamples"
        rows += [
            Row(part, "faster than computing it anew, statistics included", slow / fast, "x", target),
            Row(part, "the same, statistics at hand", slow / drawn, "x"),
        ]
    return rows


# ---- trees --------------------------------------------------------------------------------------


def trees(clock, sentences=2000, words=20):
    """Rows on decoding dependency trees of random scores, and of scores whose best heads are a tree already."""
    import numpy as np

    from dbutils.models.spanning_tree import best_tree

    random = np.random.default_rng(0)
    scores = list(random.normal(size=(sentences, words, words + 1)))
    easy = [s.copy() for s in scores]
    for s in easy:
        s[np.arange(words), np.arange(words)] += 100  # each word hangs on the one before
    hard, chain = clock.best(lambda: [best_tree(s) for s in scores], lambda: [best_tree(s) for s in easy])
    part = f"trees of {words} words"
    return [
        Row(part, "random scores", sentences / hard, "sentences/s"),
        Row(part, "best heads are a tree", sentences / chain, "sentences/s"),
    ]


# ---- the table ----------------------------------------------------------------------------------

PARTS = ("prediction", "training", "bootstrap", "trees")


def measure(parts, clock, folder):
    """The rows of some parts and [notes]. folder: the encoder's, "" for one made on the spot."""
    from dbutils import models
    from dbutils.corpora import load

    notes, rows = [], []
    with tempfile.TemporaryDirectory() as made:
        if {"prediction", "training"} & set(parts):
            real = bool(folder) and has("sib-200") and has("ud")
            if not folder:
                notes.append("DBUTILS_ENCODER is not set: a base-size encoder with random weights")
            notes += [f"{c} is not in the folder DBUTILS_CORPORA: sandbox" for c in ("sib-200", "ud") if not has(c)]
            record = models.resolve(folder or str(encoder(Path(made))))
        if "prediction" in parts:
            name, examples = data("tc", "sib-200", "eng_Latn", "test")
            rows += prediction(
                "tc", name, examples, record, clock, {"pad128": 4, "pad512": 20, "floor": 1.35} if real else {}
            )
            name, examples = data("pos", "ud", "UD_Ligurian-GLT", "test")
            rows += prediction("pos", name, examples, record, clock, {"floor": 1.5} if real else {})
        if "training" in parts:
            name, examples = data("tc", "sib-200", "eng_Latn", "train")
            codes = load.codes("tc", "sib-200") if has("sib-200") else ()
            also = [e for code in codes for e in load.examples("tc", "sib-200", code, "test")]
            rows += training(name, examples, also or sandbox("tc", "test"), record, clock)
    rows += bootstrap(clock) if "bootstrap" in parts else []
    rows += trees(clock) if "trees" in parts else []
    return [judged(row) for row in rows], notes


def judged(row):
    """The row with `met` where it has a target."""
    if row.target is None:
        return row
    return replace(row, met=row.measured <= row.target if row.most else row.measured >= row.target)


def number(value):
    return f"{value:.2g}" if abs(value) < 0.1 else f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def markdown(rows):
    """The rows as a Markdown table."""
    lines = ["| part | what | measured | target | met |", "|---|---|---|---|---|"]
    for row in rows:
        target = "" if row.target is None else f"{'at most' if row.most else 'at least'} {row.target:g}"
        met = {None: "", True: "yes", False: "NO"}[row.met]
        lines.append(
            f"| {row.part} | {row.what} | {number(row.measured)} {row.unit} | {target} | {met} |".replace("  ", " ")
        )
    return "\n".join(lines)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="measure these parts")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch (default 2, as figures are reported)")
    parser.add_argument("--tries", type=int, default=3, help="tries, of which the fastest counts (default 3)")
    parser.add_argument(
        "--processor", action="store_true", help="processor time instead of the clock's; takes --threads 1"
    )
    arguments = parser.parse_args(argv)
    if arguments.processor and arguments.threads != 1:
        parser.error("--processor takes --threads 1: threads that wait use the processor too")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch

    torch.set_num_threads(arguments.threads)
    clock = Clock(arguments.tries, arguments.processor)
    load = os.getloadavg()[0]
    rows, notes = measure(arguments.only, clock, os.environ.get("DBUTILS_ENCODER", ""))
    kind = "processor time" if arguments.processor else "by the clock"
    notes.insert(
        0, f"{torch.get_num_threads()} threads of {os.cpu_count()} cores, load {load:.1f} before, {kind}, fp32"
    )
    if arguments.json:
        print(json.dumps({"notes": notes, "rows": [asdict(row) for row in rows]}, indent=1))
    else:
        print(markdown(rows), *(f"- {note}" for note in notes), sep="\n")
    missed = [f"{row.part}: {row.what}" for row in rows if row.met is False]
    if missed:
        print(f"missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
