"""The span of a passage that answers a question (eqa)."""

import unicodedata

import numpy as np

from dbutils.models.batches import Unit
from dbutils.models.tokens import windows
from dbutils.tasks.heads.base import Head, run


class SpanHead(Head):
    """Question and passage in one row; a long passage in windows `doc_stride` apart, each a unit of its own.

    An answer is a piece of the passage as it stands there, from the start of a sub-word to the end of one.
    """

    auto = "AutoModelForQuestionAnswering"

    def texts(self, example):
        return example.passage, example.question

    def build(self, source):
        return source.load(self.auto)

    def units(self, tokens, examples, training):
        questions = tokens.texts([e.question for e in examples])
        passages = tokens.texts([e.passage for e in examples])
        out = []
        for i, (example, question, passage) in enumerate(zip(examples, questions, passages, strict=True)):
            self.count("questions cut", len(question) > self.hyper.query_length)
            question = question[: self.hyper.query_length]
            room = self.room(tokens, training, pair=True, taken=len(question))
            parts = windows(passage, room, room - min(self.hyper.doc_stride, room))
            self.count("passages in windows", len(parts) > 1)
            starts = np.array([start for start, _ in parts])
            sizes = np.array([len(window) for _, window in parts])
            span = self._span(example, passage.spans) if training else None
            if training and span is None:
                self.count("answers not in the passage")
                continue
            for number, (start, window) in enumerate(parts):
                row = tokens.row(question, window)
                data = {"inside": np.flatnonzero(row.place >= 0), "spans": window.spans}
                data["allowed"] = _most_context(starts, sizes, number)
                if training:
                    data["gold"] = _target(span, start, sizes[number], data["inside"])
                out.append(Unit(i, [row.ids], [row.types], data))
        return out

    def _span(self, example, spans):
        """(first, last) piece of the first answer that stands in the passage, or None."""
        for answer, start in zip(example.answers, example.starts, strict=True):
            if start < 0 or not answer:
                continue
            end = start + len(answer)
            touched = np.flatnonzero((spans[:, 0] < end) & (spans[:, 1] > start) & (spans[:, 1] > spans[:, 0]))
            if len(touched):
                return int(touched[0]), int(touched[-1])
        return None

    def loss(self, model, batch):
        import torch

        gold = torch.tensor([u.data["gold"] for u in batch.units], device=batch.ids.device)
        start, end = self._logits(model, batch)
        entropy = torch.nn.functional.cross_entropy
        return (entropy(start, gold[:, 0], reduction="sum") + entropy(end, gold[:, 1], reduction="sum")) / 2, len(gold)

    def _logits(self, model, batch):
        found = run(model, batch)
        logits = found.start_logits.float(), found.end_logits.float()
        if batch.mask is None:
            return logits
        return tuple(x.masked_fill(batch.mask == 0, -1e9) for x in logits)

    def outputs(self, model, batch):
        """(score, first character, last character + 1) of the best span of each window; None if it has none."""
        start, end = (x.cpu().numpy() for x in self._logits(model, batch))
        return [self._best(u, start[i], end[i]) for i, u in enumerate(batch.units)]

    def _best(self, unit, start, end):
        inside = unit.data["inside"]
        if not len(inside):
            return None
        begin = np.where(unit.data["allowed"], start[inside], -np.inf)
        return best_span(begin, end[inside], unit.data["spans"], self.hyper.answer_length)

    def prediction(self, example, units, outputs):
        found = [output for output in outputs if output is not None]
        if not found:
            return ""
        _, first, last = max(found)
        return example.passage[first : _whole(example.passage, last)].strip()


def best_span(start, end, spans, longest):
    """(score, first character, last character + 1) of the best span of at most `longest` pieces.

    start, end: scores (n,) of each piece to begin and to end the answer; spans (n, 2). Every span is looked at, so
    the best is found for certain.
    """
    n = len(start)
    best = (-np.inf, 0, 0)
    for length in range(min(longest, n)):
        scores = start[: n - length] + end[length:]
        at = int(scores.argmax())
        if scores[at] > best[0]:
            best = (float(scores[at]), at, at + length)
    score, first, last = best
    return score, int(spans[first, 0]), int(spans[last, 1])


def _most_context(starts, sizes, number):
    """Which pieces of a window have more context in it than in the other windows (the first of equals)."""
    pieces = np.arange(starts[number], starts[number] + sizes[number])
    before = pieces[None, :] - starts[:, None]
    after = (starts + sizes - 1)[:, None] - pieces[None, :]
    context = np.minimum(before, after) + 0.01 * sizes[:, None]
    context[(before < 0) | (after < 0)] = -np.inf
    return context.argmax(axis=0) == number


def _target(span, start, size, inside):
    """Positions of the answer in a row; the row's first position if the window does not hold it whole."""
    first, last = span[0] - start, span[1] - start
    if first < 0 or last >= size:
        return 0, 0
    return int(inside[first]), int(inside[last])


def _whole(text, end):
    """The end of a span, moved behind the marks and joiners that belong to its last letter."""
    while end < len(text) and (unicodedata.category(text[end])[0] == "M" or text[end] == "\u200d"):
        end += 1
    return end
