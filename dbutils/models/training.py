"""The one training loop.

A training is a row of segments: the steps between two looks at dev, or an epoch. A checkpoint is written at the end of one,
when the last is CHECKPOINT_EVERY seconds old.
The order of the examples depends on the seed and the epoch alone, and torch's randomness (dropout) starts anew
from the seed at each segment, so a resumed training repeats an undisturbed one bit for bit.
"""

import math
import time
from dataclasses import asdict

from dbutils.models import batches, checkpoint, parallel
from dbutils.models.device import autocast, seed_from

CHECKPOINT_EVERY = (
    20.0  # seconds: what a killed training loses at most, besides a segment; writing takes a fraction of one
)
NO_DECAY = ("bias", "norm.weight", "layernorm.weight", "layer_norm.weight")


def steps(hyper, examples):
    """How many steps a training on so many examples takes: epochs, made longer by min_steps and shorter by max_steps.

    With max_steps it is as in the paper's tagging (protocol, section 1): min(max_steps, round(examples * epochs / batch)).
    """
    per_epoch = math.ceil(examples / hyper.batch_size)
    wanted = per_epoch * max(hyper.epochs, math.ceil(hyper.min_steps / max(per_epoch, 1)))
    most = getattr(hyper, "max_steps", 0)
    if not most:
        return wanted
    return min(wanted, most, max(1, round(examples * hyper.epochs / hyper.batch_size)))


class Training:
    """Fine-tune a model.

    model: on its device. units: training units. loss(batch): (sum of losses, count) of a batch.
    hyper: epochs, min_steps, max_steps, lr, batch_size, warmup, weight_decay, clip, evaluate_every, precision are used.
    pad, lookup: as `batches.collate` wants them.
    evaluate(): a number after each segment, the greater the better; None to keep the last state.
    folder: of the checkpoint, or None. key: what determines the training, a JSON value; a checkpoint with
    another key is not used.
    """

    def __init__(self, model, units, loss, hyper, seed, pad, lookup=None, evaluate=None, folder=None, key=None):
        self.model, self.units, self.loss, self.hyper, self.seed = model, units, loss, hyper, seed
        self.pad, self.lookup, self.evaluate, self.folder = pad, lookup, evaluate, folder
        self.key = {"hyper": asdict(hyper), "seed": seed, "units": len(units), "processes": parallel.size(), "of": key}
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        self.device = self.parameters[0].device
        self.per_epoch = math.ceil(len(units) / hyper.batch_size)
        self.steps = steps(hyper, len(units))
        self.losses, self.values = [], []  # per segment
        self.best = None  # parameters of the best state so far

    def ends(self):
        """The step at which each segment ends."""
        every = self.hyper.evaluate_every if self.evaluate else 0
        return sorted({*range(every or self.per_epoch, self.steps + 1, every or self.per_epoch), self.steps})

    def run(self, progress):
        """Train to the end, leave the selected state in the model; {notes}."""
        begun = self.saved = time.perf_counter()
        self.optimizer = self._optimizer()
        done = self._resume()
        ends = self.ends()
        resumed = sum(end <= done for end in ends)
        for segment, end in enumerate(ends):
            if end <= done:
                continue
            self._segment(segment, done, end, progress)
            done = end
            if self.evaluate is not None:
                value = self.evaluate()
                if not self.values or value > max(self.values):
                    self.best = [p.detach().clone() for p in self.parameters]
                self.values.append(value)
            if self.folder is not None and done < self.steps:
                self._save(done)
        if self.best is not None:
            self._put(self.best)
        notes = {"steps": self.steps, "loss": [round(x, 6) for x in self.losses]}
        if self.values:
            notes |= {"dev": [round(x, 6) for x in self.values], "selected": self.values.index(max(self.values)) + 1}
        if resumed:
            notes["resumed_after"] = resumed
        return notes | {"train_seconds": round(time.perf_counter() - begun, 3)}

    def _segment(self, segment, start, end, progress):
        import torch

        torch.manual_seed(seed_from("segment", self.seed, segment, parallel.rank()))
        self.model.train()
        total = seen = 0.0
        epoch, order = None, None
        for step in range(start, end):
            if step // self.per_epoch != epoch:
                epoch = step // self.per_epoch
                order = batches.shuffled(
                    self.units, self.hyper.batch_size, seed_from("order", self.seed, epoch) % 2**32
                )
            value, count = self._step(order[step % self.per_epoch], step)
            total, seen = total + value, seen + count
            progress(step + 1, self.steps, "training")
        self.losses.append(float(total) / max(seen, 1))

    def _step(self, indices, step):
        """(sum of losses, count) of a step over all processes; the parameters move."""
        import torch

        mine = indices[parallel.rank() :: parallel.size()]
        value, count = torch.zeros((), device=self.device), 0
        self.optimizer.zero_grad(set_to_none=True)
        if mine:
            batch = batches.collate([self.units[i] for i in mine], self.device, self.pad, self.lookup)
            with autocast(self.hyper.precision, self.device):
                value, count = self.loss(batch)
        (everything,) = parallel.total(count)
        if everything == 0:  # nothing in the batch has gold
            return 0.0, 0
        if count:
            (value / everything).backward()
        parallel.sum_gradients(self.parameters)
        torch.nn.utils.clip_grad_norm_(self.parameters, self.hyper.clip)
        for group in self.optimizer.param_groups:
            group["lr"] = self.hyper.lr * self.share(step)
        self.optimizer.step()
        return value.detach().double() if parallel.size() == 1 else parallel.total(value.item())[0], everything

    def share(self, step):
        """The learning rate of a step as a share of the peak: up to 1 in the warm-up, then down to 0."""
        warm = round(self.hyper.warmup * self.steps)
        if step < warm:
            return (step + 1) / warm
        return (self.steps - step) / max(self.steps - warm, 1)

    def _optimizer(self):
        import torch

        decay, none = [], []
        for name, p in self.model.named_parameters():
            if p.requires_grad:
                (none if name.lower().endswith(NO_DECAY) else decay).append(p)
        groups = [{"params": decay, "weight_decay": self.hyper.weight_decay}, {"params": none, "weight_decay": 0.0}]
        return torch.optim.AdamW([g for g in groups if g["params"]], lr=self.hyper.lr, fused=True)

    def _put(self, values):
        import torch

        with torch.no_grad():
            for p, value in zip(self.parameters, values, strict=True):
                p.copy_(value)

    def _save(self, done):
        if parallel.rank() == 0 and time.perf_counter() - self.saved >= CHECKPOINT_EVERY:
            tensors = {}
            for i, p in enumerate(self.parameters):
                tensors[f"now.{i}"] = p
                for name, value in self.optimizer.state.get(p, {}).items():
                    tensors[f"{name}.{i}"] = value
                if self.best is not None:
                    tensors[f"best.{i}"] = self.best[i]
            facts = {"key": self.key, "step": done, "losses": self.losses, "values": self.values}
            checkpoint.write(self.folder, tensors, facts)
            self.saved = time.perf_counter()
        parallel.wait()

    def _resume(self):
        """The number of steps done before, with everything as it was after them."""
        import json

        found = checkpoint.read(self.folder) if self.folder is not None else None
        if found is None:
            return 0
        tensors, facts = found
        if facts["key"] != json.loads(json.dumps(self.key)):
            return 0
        self._put([tensors[f"now.{i}"] for i in range(len(self.parameters))])
        for i, p in enumerate(self.parameters):
            names = [name for name in ("step", "exp_avg", "exp_avg_sq") if f"{name}.{i}" in tensors]
            if names:
                self.optimizer.state[p] = {name: tensors[f"{name}.{i}"].to(self.device) for name in names}
        if "best.0" in tensors:
            self.best = [tensors[f"best.{i}"].to(self.device) for i in range(len(self.parameters))]
        self.losses, self.values = list(facts["losses"]), list(facts["values"])
        return facts["step"]
