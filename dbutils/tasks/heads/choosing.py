"""The right one of several choices for a question on a passage (mrc)."""

from dbutils.models.batches import Unit
from dbutils.models.tokens import cut
from dbutils.tasks.heads.base import Head


class Choosing(Head):
    """A row per choice: the passage, then question and choice. What does not fit is cut from the passage (counted)."""

    auto = "AutoModelForMultipleChoice"
    first_only = True

    def texts(self, example):
        return (example.passage, example.question, *example.choices)

    def build(self, source):
        return source.load(self.auto)

    def units(self, tokens, examples, training):
        passages = tokens.texts([e.passage for e in examples])
        questions = [len(found.ids) for found in tokens.texts([e.question for e in examples])]
        seconds = iter(tokens.texts([f"{e.question} {choice}" for e in examples for choice in e.choices]))
        room = self.size(training) - tokens.special(pair=True)
        whole = tokens.texts  # encodings are cut in place, so a cut passage is encoded anew for each choice
        out = []
        for i, (example, passage) in enumerate(zip(examples, passages, strict=True)):
            rows, short = [], False
            for _ in example.choices:
                second = next(seconds)
                short |= cut(second, room)
                left = room - len(second.ids)
                first = passage
                if len(passage.ids) > left:
                    first, short = whole([example.passage])[0], True
                    cut(first, left)
                rows.append(tokens.row(first, second, third=questions[i]))
            self.count("passages cut", short)
            gold = {"answer": example.answer} if training else {}
            out.append(Unit(i, [r.ids for r in rows], [r.types for r in rows], gold))
        return out

    def _logits(self, model, batch):
        """(B, C): the choices' scores, -inf where an example has fewer choices."""
        import torch

        embeds = model.get_input_embeddings()(batch.ids)[:, None]
        types = {"token_type_ids": batch.types[:, None]} if getattr(model.config, "type_vocab_size", 1) > 1 else {}
        mask = None if batch.mask is None else batch.mask[:, None]
        flat = model(inputs_embeds=embeds, attention_mask=mask, **types).logits.float().flatten()
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
