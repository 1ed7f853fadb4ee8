"""One tag per word, read from its first sub-word (pos, ner)."""

import numpy as np

from dbutils.tasks.heads import words
from dbutils.tasks.heads.base import Head, run


class TokenHead(Head):
    """Sentences longer than a row go through overlapping windows."""

    auto = "AutoModelForTokenClassification"

    def texts(self, example):
        return example.tokens

    def units(self, tokens, examples, training):
        out = words.units(self, tokens, examples, training)
        if training:
            for unit in out:
                example = examples[unit.example]
                gold = [
                    self.label_index(t, example) if s else -100
                    for t, s in zip(example.tags, example.scored, strict=True)
                ]
                unit.data["gold"] = np.array(gold, dtype=np.int64)[unit.data["words"]]
        return out

    def _logits(self, model, batch):
        import torch

        flat, unit, _ = words.positions(batch, first_only=True)
        logits = run(model, batch).logits.flatten(0, 1)[torch.from_numpy(flat).to(batch.ids.device)]
        return logits.float(), unit

    def loss(self, model, batch):
        import torch

        gold = torch.from_numpy(np.concatenate([u.data["gold"] for u in batch.units])).to(batch.ids.device)
        logits, _ = self._logits(model, batch)
        return torch.nn.functional.cross_entropy(logits, gold, reduction="sum"), int((gold >= 0).sum())

    def outputs(self, model, batch):
        logits, unit = self._logits(model, batch)
        best = logits.argmax(-1).cpu().numpy()
        return [best[unit == number] for number in range(len(batch.units))]

    def prediction(self, example, units, outputs):
        return tuple(self.labels[number] for number in outputs[0].tolist())
