"""Parts of corpora, real or constructed: reading, taking few of them, naming what was read."""

import functools
import hashlib
import itertools
from dataclasses import dataclass

from dbutils import sandbox
from dbutils.corpora import catalogue, load, stats, written
from dbutils.corpora.examples import RECORDS, as_json
from dbutils.corpora.store import NotOnDisk

AGAINST_STANDARD = "standard-"  # before a split of the sandbox: against the sentence of the cluster's representative


@dataclass(frozen=True, slots=True)
class Part:
    """One code and split of a corpus, named as `corpora.load.examples` wants it."""

    corpus: str
    code: str
    split: str

    def __str__(self):
        return f"{self.corpus}/{self.code}@{self.split}"


def examples(task, part):
    """The examples of a part, lazily; NotOnDisk says how to get a corpus that is not there."""
    if part.corpus == sandbox.CORPUS:
        if part.split.startswith(AGAINST_STANDARD):
            return sandbox.against_standard(part.code, part.split.removeprefix(AGAINST_STANDARD))
        return sandbox.examples(task, part.code, part.split)
    if part.corpus == written.CORPUS:
        return written.examples(task, part.code)
    return load.examples(task, part.corpus, part.code, part.split)


def parallel(corpus):
    """Whether all codes of a corpus hold the same items, so that two codes can be compared item by item."""
    return corpus == sandbox.CORPUS or (corpus != written.CORPUS and catalogue.corpus(corpus).parallel)


def unit(task, part):
    """What is drawn as one where an interval is made: `passage`, `premise`, `standard sentence` ..., or `example`."""
    if part.corpus == written.CORPUS:  # translations of XNLI
        return "premise" if task == "nli" else "example"
    named = "" if part.corpus == sandbox.CORPUS else catalogue.corpus(part.corpus).unit
    return named or {"mrc": "passage", "eqa": "passage", "mt": "line"}.get(task, "example")


def units(task, part, found):
    """The name of the unit of each example, None for all where each is one of its own.

    Of translations it is the standard sentence, by its text: the lines of a town are not those of the next one. So it
    must be asked before references are replaced by pseudo-references.
    """
    by = {
        "passage": lambda example: example.passage_id,
        "premise": lambda example: _short(example.premise),
        "question": lambda example: item(part, example.id),
        "source sentence": lambda example: example.id.rpartition(":")[2],
        "standard sentence": lambda example: _short(example.reference),
        "line": lambda example: str(example.line),
    }.get(unit(task, part))
    return [by(example) if by else None for example in found]


def _short(text):
    return hashlib.sha256(" ".join(text.split()).encode("utf-8")).hexdigest()[:16]


def item(part, id, unit_name=""):
    """What an id means whatever the variety: equal in all codes of a parallel corpus.

    unit_name: of the example (see `units`). Translations of CODET are the same item where the standard sentence is.
    """
    if part.corpus == "sd-qa":  # its ids end in the dialect
        from dbutils.corpora.readers.answers import parts

        language, number, _ = parts(id)
        return f"{language}-{number}"
    if part.corpus in ("codet", "codet-arabic"):
        return unit_name or f"{part}:{id}"
    return id


def read(task, part, limit=0):
    """The examples of a part as a list.

    limit: at most so many (0: all), drawn by a hash of the item, in file order: the same on every
    machine, and the same items in every variety of a parallel corpus.
    """
    found = list(examples(task, part))
    if not limit or len(found) <= limit:
        return found

    names = units(task, part, found)

    def rank(place):
        return hashlib.sha256(item(part, found[place].id, names[place]).encode("utf-8")).digest(), place

    return [found[place] for place in sorted(sorted(range(len(found)), key=rank)[:limit])]


def dataset(task, part, limit=0):
    """A part as a datasets.Dataset with features, licence, homepage and citation; InputError as for `examples`.

    Labels and tags are ClassLabel in the fixed order of the split's label set. limit: at most so many, from the start.
    """
    from dbutils.corpora.to_dataset import to_dataset

    found = itertools.islice(examples(task, part), limit or None)
    if part.corpus in (sandbox.CORPUS, written.CORPUS):
        known = labels(task, part)
        info = {"license": "Apache-2.0: constructed for this project, no text of others"}
    else:
        record = catalogue.corpus(part.corpus)
        known = load.labels(task, part.corpus, part.code, part.split)
        info = {
            "license": record.licences.get(part.code, record.licence),
            "homepage": record.homepage,
            "citation": ", ".join(record.citation),
        }
    return to_dataset(found, RECORDS[task], known, description=f"{part} of DialectBench's task {task}", **info)


def digest(found):
    """sha256 over examples as they were read, as hex."""
    total = hashlib.sha256()
    for example in found:
        total.update(as_json(example).encode("utf-8") + b"\n")
    return total.hexdigest()


def labels(task, part):
    """The label set of a part's corpus in fixed order; () where the task has none.

    In dialect identification it is the labels of the set that the code names. The paper's tagging
    counts multiword rows and empty nodes as words, whose tag is "_".
    """
    if part.corpus == sandbox.CORPUS:
        return sandbox.labels(task, part.code if task == "did" else None)
    if part.corpus == written.CORPUS:
        return written.labels(task, part.code)
    record = catalogue.corpus(part.corpus)
    if task == "did":
        return tuple(code.split(":", 1)[1] for code in record.codes[task] if code.startswith(f"{part.code}:"))
    found = record.labels.get(task, ())
    return (*found, "_") if task == "pos" and part.split.startswith("paper-") else found


def lacking(task, part):
    """Why a part cannot be read from this machine's disk, in one line; "" if it can."""
    for one in _components(part):
        try:
            next(iter(examples(task, one)), None)
        except NotOnDisk as error:
            return str(error)
    return ""


def _components(part):
    """The parts that a part is assembled from: the mixture of reading comprehension has six."""
    if part.corpus == "belebele_training" and part.code == "all" and not part.split.startswith("paper-"):
        codes = load.codes("mrc", part.corpus)
        return [Part(part.corpus, code, part.split) for code in codes if code != "all"]
    return [part]


def size(task, part):
    """(examples, words) of a part, None for what is not known.

    Of corpora it is what data/corpora_stats.csv holds of the split, or of the official split that a
    `paper-` or `sound-` one is made from; what is not there is counted if it is on disk, as is the sandbox.
    """
    for split in (part.split, part.split.removeprefix("paper-").removeprefix("sound-")):
        row = recorded(task, Part(part.corpus, part.code, split))
        if row:
            return row
    if part.corpus != sandbox.CORPUS and lacking(task, part):
        return None, None
    return _count(task, part)


def recorded(task, part):
    """(examples, words) of exactly this part in data/corpora_stats.csv, None if it is not there."""
    return _committed().get((task, part.corpus, part.code, part.split))


@functools.cache
def _count(task, part):
    count = stats.of_examples(examples(task, part))
    return int(count["examples"]), int(count["tokens"])


@functools.cache
def _committed():
    def number(text):
        return int(text) if text else None

    return {
        (row["task"], row["corpus"], row["code"], row["split"]): (number(row["examples"]), number(row["tokens"]))
        for row in stats.committed().to_dict("records")
    }
