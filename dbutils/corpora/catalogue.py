"""The catalogue: data/corpora.toml, one record per corpus, checked on load."""

import functools
import tomllib
from typing import Annotated

import pydantic
from pydantic import AfterValidator, Field, StrictBool
from pydantic.dataclasses import dataclass

from dbutils import paths, shape
from dbutils.corpora.examples import RECORDS
from dbutils.errors import InputError, unknown

TERMS = {
    "free": "",
    "share alike": "",
    "non-commercial": "non-commercial use only",
    "research only": "research use only",
    "on application": "only after an application to its makers",
    "not stated": "its makers state no licence: ask them before any use beyond private study",
}


UNITS = ("passage", "premise", "question", "source sentence", "standard sentence")
OPEN_ANSWERS = ("mrc", "eqa", "mt")  # tasks that have no closed label set


def _task(text):
    if text not in RECORDS:
        raise unknown("task", text, RECORDS)
    return text


def _terms(text):
    if text not in TERMS:
        raise unknown("terms", text, TERMS)
    return text


def _address(text):
    if text and not text.startswith(("https://", "http://")):
        raise ValueError(f"{text!r} is not a web address")
    return text


def _line(text):
    if "\n" in text:
        raise ValueError(f"{text!r} must be one line")
    return text


def _once(values):
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value!r} stands twice")
    return values


def _unit(text):
    if text and text not in UNITS:
        raise unknown("unit", text, UNITS)
    return text


Text = Annotated[str, Field(strict=True)]
Needed = Annotated[Text, Field(min_length=1)]
Texts = Annotated[tuple[Needed, ...], AfterValidator(_once)]
Tasks = Annotated[tuple[Annotated[Needed, AfterValidator(_task)], ...], Field(min_length=1)]
Address = Annotated[Text, AfterValidator(_address)]


@dataclass(frozen=True, config=pydantic.ConfigDict(extra="forbid"))
class Corpus:
    """One corpus.

    tasks: task codes. terms: a key of TERMS. citation: keys of book/references.bib.
    address: rule for a file's address, with {path}, or {folder} and {name} of its path.
    archive: address of one archive that holds the files ("" if they are single files), with its
    archive_sha256 ("" if not known). by_hand: how to get what cannot be fetched ("" if it can).
    only: {split: tasks} for splits that differ for some tasks only.
    labels: {task: label set in fixed order}; tasks without a closed label set are left out.
    split_labels: {split: label set} where a split has another (load.labels knows all exceptions).
    empty: {split: codes} of what has no example, and is known to.
    unit: what is drawn as one where a score's interval is made, and what makes two codes' items the same (a key of UNITS;
    "": each example, or what the task says).
    parallel: whether all its codes hold the same items, so that two can be compared item by item. reads: other corpora that
    its reader looks into. english_for: the tasks whose English training data it holds. english: corpus/code of the English
    training data for its test sets, where they are others than the task's. exemplars: `train` where exemplars come from its
    official training part, since the paper's is what is tested on, or a file that has to be assembled.
    codes: {task: codes, given with the corpus}. splits: {name: what it is}. licences: {code:
    licence} where they differ. defects: what to know before believing its scores.
    """

    id: Needed
    name: Needed
    tasks: Tasks
    homepage: Annotated[Address, Field(min_length=1)]
    licence: Needed
    terms: Annotated[Needed, AfterValidator(_terms)]
    redistributable: StrictBool
    citation: Annotated[Texts, Field(min_length=1)]
    revision: Needed
    splits: Annotated[dict[str, Text], Field(min_length=1)]
    codes: Annotated[dict[str, Texts], Field(min_length=1)]
    defects: tuple[Needed, ...] = ()
    labels: dict[str, Texts] = Field(default_factory=dict)
    address: Address = ""
    archive: Address = ""
    archive_sha256: Text = ""
    by_hand: Annotated[Text, AfterValidator(_line)] = ""
    licences: dict[str, Needed] = Field(default_factory=dict)
    only: dict[str, Texts] = Field(default_factory=dict)
    split_labels: dict[str, Texts] = Field(default_factory=dict)
    empty: dict[str, Texts] = Field(default_factory=dict)
    unit: Annotated[Text, AfterValidator(_unit)] = ""
    parallel: StrictBool = False
    reads: Texts = ()
    english_for: Texts = ()
    english: Text = ""
    exemplars: Text = ""

    def __post_init__(self):
        """Raise ValueError for facts that do not go together; pydantic has checked each alone."""
        if not (self.address or self.archive or self.by_hand):
            raise ValueError("one of 'address', 'archive' and 'by_hand' must say how to get it")
        for name in ("codes", "labels"):
            self._by_task(name, getattr(self, name))
        for name in ("only", "split_labels", "empty"):
            for split in getattr(self, name):
                if split not in self.splits:
                    raise ValueError(f"field {name!r}: {split!r} is not one of its splits")
        for task in self.english_for:
            if task not in self.tasks:
                raise ValueError(f"field 'english_for': {task!r} is not a task of this corpus")
        if self.exemplars not in ("", "train"):
            raise ValueError(f"field 'exemplars': {self.exemplars!r} must be 'train', or left out")

    def _by_task(self, name, table):
        for task in table:
            if task not in self.tasks:
                raise ValueError(f"field {name!r}: {task!r} is not a task of this corpus")
        for task in self.tasks:
            if not table.get(task) and not (name == "labels" and task in OPEN_ANSWERS):
                raise ValueError(f"field {name!r}: nothing for task {task!r}")

    def is_empty(self, code, split):
        """Whether a code and split is known to have no example."""
        return code in self.empty.get(split, ()) or code in self.empty.get(bare(split), ())


def bare(split):
    """A split's name without the `paper-` or `sound-` before it."""
    return split.removeprefix("paper-").removeprefix("sound-")


RECORD = pydantic.TypeAdapter(Corpus)


@functools.cache
def load():
    """The catalogue as {id: Corpus} in file order; InputError names record, field and value."""
    path = paths.data("corpora.toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    return parse(content, path)


def parse(content, path="corpora.toml"):
    """The catalogue of an already parsed TOML document (a dict with the list `corpus`)."""
    found = {}
    if set(content) != {"corpus"}:
        raise InputError(f"{path}: the document must hold [[corpus]] records and nothing else")
    for number, raw in enumerate(content["corpus"], 1):
        where = f"{path}: record {number} ({raw.get('id', 'no id')})"
        record = shape.checked(RECORD, raw, where)
        if record.id in found:
            raise InputError(f"{where}: id {record.id!r} stands twice")
        found[record.id] = record
    for record in found.values():
        for other in (*record.reads, *filter(None, [record.english.partition("/")[0]])):
            if other not in found:
                raise InputError(f"{path}: record {record.id}: {unknown('corpus', other, found)}")
    return found


def english_corpus(task):
    """The id of the corpus that holds a task's English training data, "" if there is none."""
    return next((record.id for record in load().values() if task in record.english_for), "")


def corpus(id):
    """The record of one corpus; InputError naming the nearest id where there is none."""
    found = load().get(id)
    if found is None:
        raise unknown("corpus", id, load())
    return found


def notice(record):
    """What a user must read before getting a corpus: its licence, and its terms where they bind."""
    terms = TERMS[record.terms]
    return f"{record.name}: licence {record.licence}" + (f"; {terms}" if terms else "")
