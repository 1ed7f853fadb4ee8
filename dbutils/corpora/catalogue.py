"""The catalogue: data/corpora.toml, one record per corpus, checked on load."""

import functools
import tomllib
from dataclasses import dataclass, fields

from dbutils import paths
from dbutils.corpora.examples import RECORDS
from dbutils.errors import InputError, nearest, unknown

TERMS = {
    "free": "",
    "share alike": "",
    "non-commercial": "non-commercial use only",
    "research only": "research use only",
    "on application": "only after an application to its makers",
    "not stated": "its makers state no licence: ask them before any use beyond private study",
}


@dataclass(frozen=True)
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
    codes: {task: codes, given with the corpus}. splits: {name: what it is}. licences: {code:
    licence} where they differ. defects: what to know before believing its scores.
    """

    id: str
    name: str
    tasks: tuple[str, ...]
    homepage: str
    licence: str
    terms: str
    redistributable: bool
    citation: tuple[str, ...]
    revision: str
    splits: dict[str, str]
    codes: dict[str, tuple[str, ...]]
    defects: tuple[str, ...] = ()
    labels: dict[str, tuple[str, ...]] = None
    address: str = ""
    archive: str = ""
    archive_sha256: str = ""
    by_hand: str = ""
    licences: dict[str, str] = None
    only: dict[str, tuple[str, ...]] = None
    split_labels: dict[str, tuple[str, ...]] = None
    empty: dict[str, tuple[str, ...]] = None

    def is_empty(self, code, split):
        """Whether a code and split is known to have no example."""
        return code in self.empty.get(split, ()) or code in self.empty.get(bare(split), ())


def bare(split):
    """A split's name without the `paper-` or `sound-` before it."""
    return split.removeprefix("paper-").removeprefix("sound-")


BY_SPLIT = ("only", "split_labels", "empty")
OPEN_ANSWERS = ("mrc", "eqa", "mt")  # tasks that have no closed label set
NEEDED = ("id", "name", "tasks", "homepage", "licence", "terms", "citation", "revision", "splits", "codes")


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
        record = _record(where, raw)
        if record.id in found:
            raise InputError(f"{where}: id {record.id!r} stands twice")
        found[record.id] = record
    return found


def _record(where, raw):
    known = [field.name for field in fields(Corpus)]
    for name in raw:
        if name not in known:
            close = nearest(name, known)
            hint = f", did you mean {close[0]!r}?" if close else ""
            raise InputError(f"{where}: unknown field {name!r}{hint}")
    for name in NEEDED:
        if not raw.get(name):
            raise InputError(f"{where}: field {name!r} is missing or empty")
    if not isinstance(raw.get("redistributable"), bool):
        raise InputError(f"{where}: field 'redistributable' must be true or false")
    for task in raw["tasks"]:
        if task not in RECORDS:
            raise InputError(f"{where}: field 'tasks': {unknown('task', task, RECORDS)}")
    if raw["terms"] not in TERMS:
        raise InputError(f"{where}: field 'terms': {unknown('terms', raw['terms'], TERMS)}")
    _check_addresses(where, raw)
    for name in ("codes", "labels"):
        _check_by_task(where, name, raw)
    for name in BY_SPLIT:
        for split in raw.get(name, {}):
            if split not in raw["splits"]:
                raise InputError(f"{where}: field {name!r}: {split!r} is not one of its splits")
    lists = {name: tuple(raw.get(name, ())) for name in ("tasks", "citation", "defects")}
    tables = {
        name: {key: tuple(values) for key, values in raw.get(name, {}).items()}
        for name in ("codes", "labels", *BY_SPLIT)
    }
    return Corpus(**{**raw, **lists, **tables, "licences": raw.get("licences", {})})


def _check_addresses(where, raw):
    if not (raw.get("address") or raw.get("archive") or raw.get("by_hand")):
        raise InputError(f"{where}: one of 'address', 'archive' and 'by_hand' must say how to get it")
    for name in ("homepage", "address", "archive"):
        value = raw.get(name, "")
        if value and not value.startswith(("https://", "http://")):
            raise InputError(f"{where}: field {name!r}: {value!r} is not a web address")
    if "\n" in raw.get("by_hand", ""):
        raise InputError(f"{where}: field 'by_hand' must be one line")


def _check_by_task(where, name, raw):
    table = raw.get(name, {})
    for task in table:
        if task not in raw["tasks"]:
            raise InputError(f"{where}: field {name!r}: {task!r} is not a task of this corpus")
    for task in raw["tasks"]:
        if name == "labels" and task in OPEN_ANSWERS:
            continue
        values = table.get(task)
        if not values:
            raise InputError(f"{where}: field {name!r}: nothing for task {task!r}")
        for value in values:
            if not isinstance(value, str) or not value:
                raise InputError(f"{where}: field {name!r}: {value!r} must be text")
        if len(set(values)) != len(values):
            twice = next(v for v in values if values.count(v) > 1)
            raise InputError(f"{where}: field {name!r}: {twice!r} stands twice for task {task!r}")


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
