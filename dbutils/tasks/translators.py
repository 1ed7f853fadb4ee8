"""Learners of translation into English: a model that translates, and the source as it is.

Where there is no English reference (kind `standard`), the same system's translation of the standard's sentence becomes
the reference (`referred`).
"""

import time
from pathlib import Path

from dbutils.corpora import languages
from dbutils.corpora.examples import TranslationExample
from dbutils.errors import InputError
from dbutils.models import parallel
from dbutils.models.device import repeatable, seed_from
from dbutils.models.device import threads as using
from dbutils.models.output_cache import OutputCache
from dbutils.models.progress import Bar
from dbutils.models.translator import Output, translate
from dbutils.tasks.learners import Learner
from dbutils.tasks.mt import with_reference
from dbutils.tasks.prompting import PromptLearner
from dbutils.tasks.prompts.answers import first_line

NOTHING = Output("", True)  # of a blank line


class _Translating(Learner):
    """What translates: `translations(texts, standard, progress)` -> texts; standard: of the standard variety."""

    def predict(self, examples, progress=None):
        return self.translations([example.source for example in examples], False, progress)

    def referred(self, examples, progress=None):
        standard = [example.reference for example in examples if example.kind == "standard"]
        if not standard:
            return list(examples)
        made = iter(self.translations(standard, True, progress))
        return [with_reference(e, next(made)) if e.kind == "standard" else e for e in examples]


class Copy(_Translating):
    """Leaves every text as it is."""

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        return self

    def translations(self, texts, standard, progress=None):
        return list(texts)

    def save(self, folder):
        """There is nothing to save."""

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        return cls(task, record, labels, hyper, seed)


class PromptTranslator(_Translating, PromptLearner):
    """A language model that is asked for a translation, without exemplars; the first line of its answer counts."""

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        return self

    def translations(self, texts, standard, progress=None):
        self._open()
        asked = [TranslationExample("", text, "", 0, "") for text in texts]
        mine = list(range(parallel.rank(), len(texts), parallel.size()))
        answers = self._answers([asked[index] for index in mine if texts[index].strip()], progress or Bar())
        made = dict(zip((index for index in mine if texts[index].strip()), answers, strict=True))
        found = {index: answer for part in parallel.gather(made) for index, answer in part.items()}
        out = [first_line(self.task.code, found.get(index) or "") for index in range(len(texts))]
        self._count("empty", sum(not text for text in out))
        return out


class TranslatorLearner(_Translating):
    """A sequence-to-sequence model: one that is already trained and learns nothing, or the tiny one, which is fitted."""

    remembers = True
    translator = None

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        if self.record.source:
            self._open()
            return self
        from dbutils.models import tiny_translator

        train = self._fitted(train)
        pairs = [(example.source, example.reference) for example in train]
        with repeatable(seed_from("start", self.seed)), using(1):
            self.translator, notes = tiny_translator.fit(pairs, self.hyper, self.seed, checkpoint, progress or Bar())
        self.notes = {"train": len(train)} | notes
        return self

    def _open(self):
        from dbutils.models.translator import open_translator

        self.translator = open_translator(self.record, self.hyper)

    def translations(self, texts, standard, progress=None):
        """The translations of texts, in order. An empty text stays empty; equal texts are translated once.

        What `cache` has is not translated again. `notes` counts empty translations, those that ran into the greatest
        length, sources that were cut, and texts by the language code under which they were presented.
        """
        begun = time.perf_counter()
        if self.cache is None:
            self.cache = OutputCache()
        source, threads = self._source(standard), 0 if self.record.source else 1
        wanted = [text for text in texts if text.strip()]
        found = translate(self.translator, wanted, source, languages.TARGET, self.cache, progress or Bar(), threads)
        made = [found.get(text, NOTHING) for text in texts]
        self._note(source, made, time.perf_counter() - begun)
        return [out.text for out in made]

    def _source(self, standard):
        """The language code of what is translated now, "" for a model made on the spot, which knows but one."""
        if not self.record.source:
            return ""
        if self.hyper.source:
            return self.hyper.source
        if self.part is None:
            raise InputError("translation: the language is not known; name it with source=CODE")
        codes = languages.of(self.part.corpus, self.part.code)
        return codes.standard if standard else getattr(codes, self.hyper.codes)

    def _note(self, source, made, seconds):
        notes = self.notes.setdefault("translated", {"texts": 0, "empty": 0, "ran into max_length": 0, "seconds": 0.0})
        notes["texts"] += len(made)
        notes["empty"] += sum(not out.text for out in made)
        notes["ran into max_length"] += sum(not out.ended for out in made)
        notes["seconds"] = round(notes["seconds"] + seconds, 3)
        notes["sources cut"], self.translator.cut = notes.get("sources cut", 0) + self.translator.cut, 0
        presented = self.notes.setdefault("presented as", {})
        presented[source or "one language"] = presented.get(source or "one language", 0) + len(made)

    def save(self, folder):
        """Of a model that is already trained there is nothing to save."""
        if not self.record.source:
            from dbutils.models import tiny_translator

            tiny_translator.save(self.translator, Path(folder))

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        self = cls(task, record, labels, hyper, seed)
        if record.source:
            self._open()
            return self
        from dbutils.models import tiny_translator

        self.translator = tiny_translator.load(Path(folder), hyper)
        if self.translator is None:
            raise InputError(f"{folder}: no saved model")
        return self
