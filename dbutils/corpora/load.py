"""The one way from a corpus on disk to examples."""

import functools
import itertools
import logging
from collections import Counter
from dataclasses import replace

from dbutils.corpora import catalogue, places, records, splits
from dbutils.corpora import examples as kinds
from dbutils.corpora.readers import READERS
from dbutils.errors import InputError, unknown
from dbutils.paths import nfc

LOG = logging.getLogger(__name__)  # what must be told while reading goes to stderr, one line each


class NoExamples(InputError):
    """A code and split that has no example, though the catalogue says that it has."""


def examples(task, corpus, code, split="test"):
    """The examples of one code and split of a corpus, lazily, in file order.

    task: task code (dep, pos ...). code: the corpus's own. split: one of `names(...)`; besides those
    of the catalogue, for every corpus `paper-X` (what the paper used, X itself where nothing
    differs) and `sound-X`: train without what also stands in dev or test, dev without what stands
    in test, everything once. For dialect identification `english:EN-GB` is the part of the code
    `english` labelled EN-GB.
    Ids are unique: where a file repeats one, the second becomes `id#2`, which is told (logging, once a file).
    Raises InputError for an unknown task, corpus, code or split (nearest named), and while reading
    for a corpus that is not on disk (how to get it), for a broken file (file:line), for a label or tag that is none of
    the label set, and NoExamples, at the end, where there is none at all.
    """
    record = catalogue.corpus(corpus)
    if task not in record.tasks:
        raise unknown(f"task of corpus {corpus}", task, record.tasks)
    code = nfc(code)
    base, label = _code(record, task, code)
    found = _split(record, task, base, split)
    if label is not None:
        found = (example for example in found if example.label == label)
    return _checked(found, record, task, code, split)


def _checked(found, record, task, code, split):
    """The examples with unique ids and known labels, lazily; see `examples`."""
    seen, repeated = Counter(), 0
    known = frozenset(labels(task, record.id, code, split))
    where = f"corpus {record.id!r}, {code} {split}"
    for example in found:
        wrong = next((value for value in _labels(example) if value not in known), None) if known else None
        if wrong is not None:
            raise InputError(f"{where}, example {example.id!r}: {unknown('label', wrong, known)}")
        seen[example.id] += 1
        if seen[example.id] > 1:
            repeated += 1
            example = replace(example, id=_free(example.id, seen))
        yield example
    if repeated:
        what = "example repeats" if repeated == 1 else "examples repeat"
        _tell(f"{where}: {repeated} {what} the id of an earlier one, which becomes ID#2, ID#3 ...")
    if not seen and not record.is_empty(code, split):
        hint = f"'dbutils corpora verify {record.id}' says which file is empty or cut"
        raise NoExamples(f"{where}: there is no example in it; {hint}")


def _labels(example):
    if isinstance(example, kinds.TreeExample | kinds.TaggedExample):
        values = example.relations if isinstance(example, kinds.TreeExample) else example.tags
        return itertools.compress(values, example.scored)
    return (example.label,) if hasattr(example, "label") else ()


def _free(id, seen):
    """An id made from one that stands already; `seen` counts those that stand."""
    number = seen[id]
    while f"{id}#{number}" in seen:
        number += 1
    seen[f"{id}#{number}"] += 1
    return f"{id}#{number}"


@functools.cache
def _tell(text):
    LOG.warning(text)


def codes(task, corpus):
    """The codes of a corpus for a task, as the catalogue lists them."""
    record = catalogue.corpus(corpus)
    if task not in record.tasks:
        raise unknown(f"task of corpus {corpus}", task, record.tasks)
    return record.codes[task]


def labels(task, corpus, code, split="test"):
    """The label set of a code and split in its fixed order; () for tasks without a closed one.

    A macro-average must be taken over just these: the labels of the other codes of the corpus, and
    of its other splits, are not among them.
    """
    record = catalogue.corpus(corpus)
    if task not in record.tasks:
        raise unknown(f"task of corpus {corpus}", task, record.tasks)
    code, _ = _code(record, task, code)
    if split in record.split_labels:
        return record.split_labels[split]
    if task == "did":
        return tuple(known.partition(":")[2] for known in record.codes[task] if known.startswith(f"{code}:"))
    return record.labels.get(task, ())


def names(task, corpus, code):
    """The splits that the catalogue lists for a code of a task, in catalogue order.

    Where files are recorded by split, only the splits that the code has.
    """
    record, code = catalogue.corpus(corpus), nfc(code)
    if "did" in record.tasks:
        code = code.partition(":")[0]
    there = {file.split for file in records.of(corpus) if file.split and file.code in (code, "")}
    mine = [name for name in record.splits if task in record.only.get(name, record.tasks)]
    return tuple(name for name in mine if not there or catalogue.bare(name) in there)


def _code(record, task, code):
    """The code to read and the label to keep (None: all)."""
    code = nfc(code)
    known = record.codes[task]
    if task == "did" and ":" in code and code in known:
        base, label = code.split(":", 1)
        return base, label
    if code in known or places.of(record.id, code):
        return code, None
    raise unknown(f"code of corpus {record.id}", code, known)


def _split(record, task, code, split):
    read, known = READERS[record.id], names(task, record.id, code)
    if split in known and not split.startswith("sound-"):
        return read(task, code, split)
    kind, _, part = split.partition("-")
    if kind == "paper" and part in known:
        return read(task, code, part)
    if kind == "sound" and (part in known or split in known):
        found = read(task, code, split if split in known else part)
        return splits.without(found, _held_out(record, task, code, part)) if part != "test" else found
    raise InputError(f"code {code!r} of corpus {record.id!r} has no split {split!r}; it has: {', '.join(known)}")


def _held_out(record, task, code, part):
    """What must not occur in a sound train or dev part, as folded contents."""
    held = ("dev", "test") if part.startswith("train") else ("test",)
    known = names(task, record.id, code)
    parts = [f"sound-{name}" if f"sound-{name}" in known else name for name in held]
    return (splits.content(e) for name in parts if name in known for e in READERS[record.id](task, code, name))
