"""The translate-test set for natural language inference made anew: XNLI's English test set in 38 varieties.

    <folder>/work-<hash>/<code>.<i>-of-<n>.jsonl   finished translations of a shard, kept batch by batch
    <folder>/dialect_nli/test.tsv                  all varieties, as the reader of `dialect_nli` reads it
    <folder>/dialect_nli/README.md                 data card with the quality report
    <folder>/dialect_nli/quality.csv, flagged.tsv, manifest.json

The hash is of all that determines a translation, so a killed or sharded job goes on where it was. The process that
finds every shard complete writes the set.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from dbutils import csvio, models, registry
from dbutils.errors import InputError, unknown
from dbutils.experiments import identity, parts, translation_checks
from dbutils.experiments.code import meaning
from dbutils.experiments.parts import Part
from dbutils.models.output_cache import OutputCache, key
from dbutils.models.progress import Bar

CORPUS, SOURCE = "dialect_nli", "eng_Latn"
COLUMNS = ("language", "gold_label", "sentence1", "sentence2", "pairID")


def codes():
    """The codes of the varieties of Table 7, in the registry's order."""
    return tuple(c.code for v in registry.load() for c in v.codes if c.task == "nli" and c.corpus == CORPUS)


class Job:
    """One making of the set. model: a ModelRecord (a translator or the copy). hyper: a `Translation`.

    wanted: codes. limit: at most so many pairs (0: all). folder: where it goes.
    """

    def __init__(self, model, hyper, wanted=(), limit=0, folder="translate-nli", say=print):
        if model.kind not in ("translator", "copy") or (model.kind == "translator" and not model.source):
            raise InputError(
                f"model {model.name!r} ({model.kind}) cannot translate English; take nllb-600m, say, or copy"
            )
        for code in wanted:
            if code not in codes():
                raise unknown("variety of the translate-test set", code, codes())
        self.model, self.hyper, self.say = model, hyper, say
        self.codes = tuple(code for code in codes() if code in (wanted or codes()))
        part = Part("xnli-en", "en", "test")
        self.pairs = parts.read("nli", part, limit)
        self.texts = list(dict.fromkeys(text for pair in self.pairs for text in (pair.premise, pair.hypothesis)))
        settings = {} if model.kind == "copy" else asdict(hyper)
        self.identity = {
            "model": models.identity(model),
            "hyper": settings,
            "source": {**asdict(part), "sha256": parts.digest(self.pairs)},
            "limit": limit,
            "code": _code(),
            "versions": identity.versions(model.kind),
        }
        digest = hashlib.sha256(identity.canonical(self.identity).encode("ascii")).hexdigest()[:10]
        self.folder = Path(folder)
        self.work = self.folder / f"work-{digest}"

    def run(self, shard=1, of=1, progress=None):
        """Translate one of `of` shards, and write the set if nothing is lacking then; its folder, or None."""
        self.work.mkdir(parents=True, exist_ok=True)
        translator = None
        for code in self.codes:
            todo = self.lacking(code, self.texts[shard - 1 :: of])
            if not todo:
                continue
            if translator is None:
                translator = self._translator()
            memory = OutputCache(self.work / f"{code}.{shard}-of-{of}.jsonl")
            self.say(f"{code}: {len(todo)} texts to translate")
            translator(todo, code, memory, progress or Bar())
        missing = {code: len(lacking) for code in self.codes if (lacking := self.lacking(code, self.texts))}
        if missing:
            self.say(
                f"{sum(missing.values())} translations of {len(missing)} varieties are still to come from other shards"
            )
            return None
        return self.write()

    def _translator(self):
        """Function of texts, code, memory and progress that translates into memory."""
        from dbutils.models import translator

        if self.model.kind == "copy":
            return lambda texts, code, memory, progress: memory.put(
                {key(SOURCE, code, text): f"+{text}" for text in texts}
            )
        opened = translator.open_translator(self.model, self.hyper)
        for code in self.codes:
            translator.language(opened.tokenizer, code)  # an unknown one stops before any work
        return lambda texts, code, memory, progress: translator.translate(opened, texts, SOURCE, code, memory, progress)

    def found(self, code):
        """{text: Output} of what is translated into a variety; English is itself."""
        from dbutils.models.translator import Output

        if code == SOURCE:
            return {text: Output(text, True) for text in self.texts}
        memories = [OutputCache(path) for path in sorted(self.work.glob(f"{code}.*-of-*.jsonl"))]
        out = {}
        for text in self.texts:
            kept = next((k for memory in memories if (k := memory.get(key(SOURCE, code, text))) is not None), None)
            if kept is not None:
                out[text] = Output(kept[1:], kept[0] == "+")
        return out

    def lacking(self, code, texts):
        """Those of the texts that are not yet translated into a variety."""
        found = self.found(code)
        return [text for text in texts if text not in found]

    def write(self):
        """Write the set, its quality report and its data card; returns their folder."""
        import pandas as pd

        target, rows, quality, flagged = self.folder / CORPUS, [], [], []
        for code in self.codes:
            found = self.found(code)
            failed, identified, middle = translation_checks.checked(
                [(text, found[text]) for text in self.texts], code, code == SOURCE
            )
            quality.append(translation_checks.report(code, failed, identified, middle))
            flagged += [
                f"{code}\t{','.join(sorted(wrong))}\t{text}\t{found[text].text}"
                for text, wrong in zip(self.texts, failed, strict=True)
                if wrong
            ]
            rows += [
                "\t".join((code, pair.label, found[pair.premise].text, found[pair.hypothesis].text, pair.id))
                for pair in self.pairs
            ]
        table = pd.DataFrame(quality, columns=list(translation_checks.COLUMNS), dtype=object)
        csvio.write_csv(table, target / "quality.csv")
        csvio.write_text(target / "flagged.tsv", "\n".join(["language\tchecks\tsource\ttranslation", *flagged]) + "\n")
        csvio.write_text(target / "manifest.json", json.dumps(self.identity, indent=1, ensure_ascii=False) + "\n")
        csvio.write_text(target / "README.md", self._card(quality))
        csvio.write_text(target / "test.tsv", "\n".join(["\t".join(COLUMNS), *rows]) + "\n")
        return target

    def _card(self, quality):
        names = {c.code: v.variety for v in registry.load() for c in v.codes if c.task == "nli"}
        how = "the English as it is" if self.model.kind == "copy" else json.dumps(asdict(self.hyper))
        head = ("variety", *translation_checks.COLUMNS)
        lines = [
            f"| {' | '.join(head)} |",
            f"|{'---|' * len(head)}",
            *(
                f"| {' | '.join('' if v is None else str(v) for v in (names[row['code']], *row.values()))} |"
                for row in quality
            ),
        ]
        return f"""# Translate-test NLI

XNLI's English test set ({len(self.pairs)} pairs, {len(self.texts)} different texts) in {len(self.codes)} varieties, translated by
a machine. Labels are those of the English pairs: nobody has checked that they still hold.

- Model: {self.model.name}; settings: {how}; what determines the result in full: `manifest.json`.
- Licence: CC BY-NC 4.0, from XNLI (Conneau et al., 2018), which is to be cited.
- File: `test.tsv`, tab-separated without quoting: {", ".join(f"`{name}`" for name in COLUMNS)}.

## Quality

Counts of texts. empty: no translation. copied: it is the English text. cut: the model ran into the greatest length.
wrong_script: less than half of the letters are of the variety's script. odd_length: less than a third or more than three
times as long, for its source, as the variety's median. repeated: four words in a row stand three times. english: a language
identifier (py3langid) takes it for English. language_agreement: for which share of the texts, in per cent, the identifier
names the variety or its macrolanguage; empty where it does not know it. length_ratio: the median of characters out to
characters in. flagged: texts with at least one of these, which stand in `flagged.tsv`.

{chr(10).join(lines)}
"""


def _code():
    """A checksum of the code that translates."""
    from dbutils.models import translator

    source = meaning(Path(translator.__file__).read_text(encoding="utf-8"))
    return hashlib.sha256(source.encode("utf-8")).hexdigest()


def shard(text):
    """(i, n) of `i/n`; InputError for anything else."""
    left, slash, right = text.partition("/")
    if not (slash and left.isdecimal() and right.isdecimal() and 1 <= int(left) <= int(right)):
        raise InputError(f"shard {text!r}: write it as I/N, with I from 1 to N")
    return int(left), int(right)
