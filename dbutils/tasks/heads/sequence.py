"""One label for a text or a pair of texts (did, sa, tc, nli)."""

from dbutils.models.batches import Unit
from dbutils.tasks.heads.base import Head, run
from dbutils.tasks.texts import fields


class SequenceHead(Head):
    """A text longer than the row loses its end (counted); of a pair the longer text is cut."""

    auto = "AutoModelForSequenceClassification"
    first_only = True

    def texts(self, example):
        return fields(example)

    def units(self, tokens, examples, training):
        pieces = [tokens.texts(column) for column in zip(*(fields(e) for e in examples), strict=True)]
        pair = len(pieces) == 2
        room = self.room(tokens, training, pair)
        out = []
        for i, example in enumerate(examples):
            parts = [column[i] for column in pieces]
            self.count("texts cut", sum(map(len, parts)) > room)
            row = tokens.row(*_fit(parts, room))
            gold = {"label": self.label_index(example.label, example)} if training else {}
            out.append(Unit(i, [row.ids], [row.types], gold))
        return out

    def loss(self, model, batch):
        import torch

        gold = torch.tensor([u.data["label"] for u in batch.units], device=batch.ids.device)
        logits = run(model, batch).logits.float()
        return torch.nn.functional.cross_entropy(logits, gold, reduction="sum"), len(gold)

    def outputs(self, model, batch):
        return run(model, batch).logits.float().argmax(-1).tolist()

    def prediction(self, example, units, outputs):
        return self.labels[outputs[0]]


def _fit(parts, room):
    """Pieces cut until they fit together, the longer ones first."""
    if sum(map(len, parts)) <= room:
        return parts
    if len(parts) == 1:
        return [parts[0][:room]]
    a, b = map(len, parts)
    short = min(a, b, room // 2)
    sizes = (room - short, short) if a > b else (short, room - short)
    return [part[:size] for part, size in zip(parts, sizes, strict=True)]
