"""The learner of in-context learning: exemplars from training data, prompts, a language model's answers, strictly read."""

import json
from pathlib import Path

from dbutils import csvio
from dbutils.corpora.text import mended
from dbutils.errors import InputError
from dbutils.models import output_cache, parallel
from dbutils.models.progress import Bar
from dbutils.tasks.learners import Learner
from dbutils.tasks.prompts import after_thoughts, candidates, choose, parse, prompt, shown, solution

SAVED = "exemplars.json"
COUNTED = {  # what a model counts: what it is called in the notes
    "tokens": "tokens",
    "retries": "retries",
    "thoughts": "thoughts left out",
    "mended": "characters replaced",
}


class PromptLearner(Learner):
    """A language model that is shown solved examples and asked for the next answer; it is not trained.

    Only a model made on the spot is, on prompts of the same form. An item's own text never stands among its exemplars.
    cache: keeps finished answers, so that a killed run asks for none of them again.
    """

    remembers = True
    cache = model = None

    def __init__(self, task, record, labels, hyper, seed):
        super().__init__(task, record, labels, hyper, seed)
        self.prompt, self.exemplars = prompt(task.code), []
        if hyper.answer == "likelihood" and (task.code in ("eqa", "mt") or record.kind == "endpoint"):
            what = "an endpoint" if record.kind == "endpoint" else f"task {task.code}"
            raise InputError(f"answer=likelihood: {what} has no list of answers to weigh; leave it out")
        if hyper.epochs and not self._made():
            raise InputError(f"epochs={hyper.epochs}: model {record.name!r} is not trained in context; leave it out")
        if hyper.bits not in (0, 4, 8):
            raise InputError(f"bits={hyper.bits}: must be 4, 8, or 0 for weights as they are")

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        train = self._fitted(train)
        self.exemplars = choose(self.task.code, self.labels, train, self.hyper.shots, self.seed)
        self.notes = {"train": len(train), "exemplars": [e.id for e in self.exemplars[: self.hyper.shots]]}
        if self._made():
            self._train(train, progress or Bar())
        return self

    def _made(self):
        return self.record.kind == "causal" and not self.record.source

    def _train(self, train, progress):
        """Train a model made on the spot on prompts with fresh exemplars, every answer in them."""
        from dbutils.models import tiny_lm

        wanted = self.hyper.shots + 1
        if len(train) < wanted:
            raise InputError(
                f"{len(train)} training examples are too few for prompts of {wanted} blocks: set shots to fewer"
            )
        if not self.hyper.epochs:
            raise InputError(f"epochs=0: model {self.record.name!r} has to be trained")
        head = self.prompt.head(self.labels)

        def document(rng):
            some = [train[index] for index in rng.choice(len(train), wanted, replace=False)]
            parts = [(head, False)]
            for example in some:
                parts += [(f"\n\n{self.prompt.block(example)}", False), (f" {solution(self.task.code, example)}", True)]
            return [*parts, ("\n", True)]

        count = max(1, round(self.hyper.epochs * len(train) / wanted))
        self.model, self.notes["loss"], self.notes["steps"] = tiny_lm.train(document, count, self.seed, progress)

    def render(self, example, shots=None):
        """The prompt of an example."""
        some = shown(self.prompt, self.exemplars, example, self.hyper.shots if shots is None else shots)
        own = self.prompt.subject(example)
        if any(self.prompt.subject(exemplar) == own for exemplar in some):
            raise AssertionError(f"{example.id!r} is among its own exemplars")
        return self.prompt.render(self.labels, [(e, solution(self.task.code, e)) for e in some], example)

    def predict(self, examples, progress=None):
        """One prediction per example, None for what is no answer; how many there are stands in the notes."""
        examples = list(examples)
        if not examples:
            return []
        self._open()
        mine = list(range(parallel.rank(), len(examples), parallel.size()))
        answers = self._answers([examples[index] for index in mine], progress or Bar())
        found = {
            index: answer
            for part in parallel.gather(dict(zip(mine, answers, strict=True)))
            for index, answer in part.items()
        }
        made = [parse(self.task.code, self.labels, e, found[index] or "") for index, e in enumerate(examples)]
        self._count("asked", sum(answer is not None for answer in found.values()))
        self._count("no answer", sum(prediction is None for prediction in made))
        return made

    def _open(self):
        """The model, ready to be asked."""
        if self.cache is None:
            self.cache = output_cache.OutputCache()
        if self.model is not None:
            return
        if self.record.kind == "endpoint":
            from dbutils.models.endpoint import Endpoint

            self.model = Endpoint(self.record.source, self.hyper.base_url, self.hyper.chat == "auto")
        else:
            from dbutils.models.causal import open_causal

            self.model = open_causal(self.record, self.hyper.bits, self.hyper.precision, self.hyper.chat == "auto")

    def _answers(self, examples, progress):
        """The answers as text, None for a prompt that is too long for the model."""
        prompts = [self._fitting(example) for example in examples]
        names = [output_cache.key(self.hyper.answer, text) for text in prompts]
        found = {name: self.cache.get(name) for name in names if self.cache.get(name) is not None}
        todo = {}  # equal prompts are asked once
        for name, text, example in zip(names, prompts, examples, strict=True):
            if text is not None and name not in found:
                todo.setdefault(name, (text, example))
        self._count("from memory", len(found))
        keys, done = list(todo), 0
        before = {name: getattr(self.model, name, 0) for name in COUNTED}
        for indices, texts in self._asked(list(todo.values())):
            batch = {keys[index]: text for index, text in zip(indices, texts, strict=True)}
            self.cache.put(batch)
            found.update(batch)
            done += len(batch)
            progress(done, len(keys), "answering")
        for name, what in COUNTED.items():
            self._count(what, getattr(self.model, name, 0) - before[name])
        return [None if text is None else self._said(found[name]) for name, text in zip(names, prompts, strict=True)]

    def _said(self, text):
        """An answer as it counts, also one that was stored: without half characters and a reasoning model's thoughts."""
        text, broken = mended(text)
        text, thought = after_thoughts(text)
        self._count("characters replaced", broken)
        self._count("thoughts left out", int(thought))
        self._count("nothing after the thoughts", int(thought and not text))
        return text

    def _fitting(self, example):
        """The prompt with as many exemplars as the model has room for, None if even the item alone is too long."""
        for shots in range(self.hyper.shots, -1, -1):
            text = self.render(example, shots)
            if self.model.fits(text, self.hyper.max_new_tokens):
                self._count("prompts with fewer exemplars", int(shots < self.hyper.shots))
                return text
        self._count("too long", 1)
        return None

    def _asked(self, todo):
        """Yield (indices in todo, answers) batch by batch. todo: [(prompt, example)]."""
        if self.hyper.answer == "generate":
            yield from self.model.generate([text for text, _ in todo], self.hyper.max_new_tokens)
            return
        asked = [(text, candidates(self.task.code, self.labels, example)) for text, example in todo]
        for indices, values in self.model.likelihoods(asked):
            best = [max(range(len(line)), key=line.__getitem__) for line in values]
            yield indices, [asked[index][1][number] for index, number in zip(indices, best, strict=True)]

    def _count(self, what, number):
        if number:
            self.notes[what] = self.notes.get(what, 0) + number

    def save(self, folder):
        from dataclasses import asdict

        chosen = [asdict(example) for example in self.exemplars]
        csvio.write_text(Path(folder) / SAVED, json.dumps(chosen, ensure_ascii=False))
        if self._made():
            from dbutils.models import tiny_lm

            tiny_lm.save(self.model, folder)

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        from dbutils.corpora.examples import RECORDS
        from dbutils.models import tiny_lm

        self = cls(task, record, labels, hyper, seed)
        try:
            rows = json.loads((Path(folder) / SAVED).read_text(encoding="utf-8"))
            kept = [{name: tuple(v) if isinstance(v, list) else v for name, v in row.items()} for row in rows]
            self.exemplars = [RECORDS[task.code](**row) for row in kept]
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise InputError(f"{folder}: no saved exemplars ({error})") from None
        if self._made():
            self.model = tiny_lm.load(folder)
        return self
