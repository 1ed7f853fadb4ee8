"""The right one of several choices for a question on a passage (mrc)."""

from dbutils.models.batches import Unit
from dbutils.tasks.heads.base import Head, run


class ChoiceHead(Head):
    """A row per choice: the passage, then question and choice. What does not fit is cut from the passage (counted)."""

    auto = "AutoModelForMultipleChoice"
    first_only = True

    def texts(self, example):
        return (example.passage, example.question, *example.choices)

    def build(self, source):
        return source.load(self.auto)

    def units(self, tokens, examples, training):
        passages = tokens.texts([e.passage for e in examples])
        questions = [len(found) for found in tokens.texts([e.question for e in examples])]
        seconds = iter(tokens.texts([f"{e.question} {choice}" for e in examples for choice in e.choices]))
        room = self.room(tokens, training, pair=True)
        out = []
        for i, (example, passage) in enumerate(zip(examples, passages, strict=True)):
            rows, short = [], False
            for _ in example.choices:
                second = next(seconds)
                short |= len(passage) + len(second) > room
                second = second[:room]
                rows.append(tokens.row(passage[: room - len(second)], second, third=questions[i]))
            self.count("passages cut", short)
            gold = {"answer": example.answer} if training else {}
            out.append(Unit(i, [r.ids for r in rows], [r.types for r in rows], gold))
        return out

    def _logits(self, model, batch):
        """(B, C): the choices' scores, -inf where an example has fewer choices."""
        import torch

        flat = run(model, batch, choices=True).logits.float().flatten()
        return torch.nn.utils.rnn.pad_sequence(
            torch.split(flat, [len(u.rows) for u in batch.units]), batch_first=True, padding_value=-torch.inf
        )

    def loss(self, model, batch):
        import torch

        gold = torch.tensor([u.data["answer"] for u in batch.units], device=batch.ids.device)
        return torch.nn.functional.cross_entropy(self._logits(model, batch), gold, reduction="sum"), len(gold)

    def outputs(self, model, batch):
        return self._logits(model, batch).argmax(-1).tolist()

    def prediction(self, example, units, outputs):
        return outputs[0]
