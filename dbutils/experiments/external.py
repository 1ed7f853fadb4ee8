"""Scores of predictions made elsewhere: one JSON object a line with code, id and prediction."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dbutils import sandbox, tasks
from dbutils.corpora import catalogue
from dbutils.corpora.examples import TaggedExample, TreeExample
from dbutils.corpora.text import from_json
from dbutils.errors import InputError, counted, nearest, unknown
from dbutils.experiments import parts, scoring
from dbutils.experiments.parts import Part
from dbutils.experiments.plan import Target
from dbutils.experiments.sources import CorporaSources, SandboxSources
from dbutils.paths import nfc
from dbutils.scores.cells import training
from dbutils.scores.schema import CELLS
from dbutils.tasks import mt

REFERENCE = "reference"  # in translation, where the reference is to be made by the system too
KEYS = ("code", "id", "prediction")
SHOWN = 5  # problems of one kind and code that are told one by one


@dataclass
class Report:
    """What was scored and what was wrong. rows: score rows (dicts). problems: lines of text."""

    rows: list = field(default_factory=list)
    problems: list = field(default_factory=list)


def score(task, path, corpus="", split="test", model="", setting="zero_shot", train=""):
    """The Report of a file of predictions.

    task: its code. corpus: its id, `sandbox`, or "": the benchmark's corpus of each code. split: what
    the predictions are for, a split of the corpus. model (default: the file's name), setting: for the
    score rows; train: what the system was trained on; "": the one possibility of the setting, where there is one.
    Every code that the file names is scored on all its examples; what is missing or malformed is wrong.
    Translations without English references need the pseudo-reference in the file, and get the setting of that name.
    Raises InputError if nothing can be scored.
    """
    path = Path(path)
    if task not in tasks.TASKS:
        raise unknown("task", task, tasks.TASKS)
    for column, text in (("model", model or path.stem), ("train", train), ("split", split), ("run", path.stem)):
        if not CELLS[column](text):  # such rows no reader of scores would take
            raise InputError(f"{text!r} is not {CELLS[column].what}: the score rows could not be read again")
    record, report = tasks.TASKS[task], Report()
    lines, digest = _lines(path, report)
    sources = _sources(task, corpus)
    known = sources.codes()
    by_code = {}
    for number, line in lines:
        by_code.setdefault(nfc(line["code"]), []).append((number, line))
    if not train and corpus != sandbox.CORPUS and training(task, setting, "any") is None:
        raise InputError(f"scores of setting {setting} must say what the system was trained on: give --train CODE")
    common = {
        "task": task,
        "model": model or path.stem,
        "setting": setting,
        "train": train,
        "seed": None,
        "origin": "run",
        "run": f"{path.stem}-{digest[:10]}",
    }
    strange = _Told(report)
    for code, entries in by_code.items():
        if code not in known:
            lost = f"{counted(len(entries), 'prediction')} of {_unknown(task, code, known)}"
            strange(f"{path}:{entries[0][0]}: surplus: {lost}", "surplus")
            continue
        test = _test(sources, code, split)
        examples, labels = parts.read(task, test.part), parts.labels(task, test.part)
        if not examples:
            report.problems.append(f"{path}: {test.part} has no examples, so there is no score")
            continue
        predictions = _matched(record, labels, path, code, examples, entries, report)
        units = parts.units(task, test.part, examples)  # before references are replaced
        this = {} if train or corpus == sandbox.CORPUS else {"train": training(task, setting, code)}
        if task == "mt" and any(example.kind == "standard" for example in examples):
            examples, this = _referred(path, code, examples, entries, report), {**this, "setting": "pseudo_reference"}
        if examples is not None:
            report.rows.extend(_rows(record, labels, test, examples, predictions, units, common | this))
    strange.close(path, "unknown codes")
    if not report.rows:
        raise InputError(report.problems[0] if report.problems else f"{path}: no predictions")
    return report


def _unknown(task, code, known):
    close = nearest(code, known)
    if close:
        return f"the unknown code {code!r}, did you mean {close[0]!r}?"
    other = " (one of the sandbox: --corpus sandbox)" if code in sandbox.codes(task) else ""
    return f"the unknown code {code!r}{other}"


def _lines(path, report):
    """[(line number, object)] of the well-formed lines, and the file's sha256; the others are problems."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    out, told = [], _Told(report)
    for number, raw in enumerate(content.split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            line = from_json(raw.decode("utf-8-sig"), path, number)
            wrong = _wrong_keys(line)
        except UnicodeDecodeError:
            wrong = "not UTF-8 text"
        except InputError as error:
            wrong = str(error).removeprefix(f"{path}:{number}: ")
        if wrong:
            told(f"{path}:{number}: malformed: {wrong}", "malformed")
        else:
            out.append((number, line))
    told.close(path, "the file's lines")
    return out, hashlib.sha256(content).hexdigest()


def _wrong_keys(line):
    if not isinstance(line, dict):
        return "not a JSON object"
    missing = [key for key in KEYS if key not in line]
    if missing:
        close = nearest(missing[0], [key for key in line if key not in KEYS])
        return f"{missing[0]!r} is missing" + (f" (is {close[0]!r} it?)" if close else "")
    for key in ("code", "id"):
        if not isinstance(line[key], str):
            return f"{key} {line[key]!r} is not text: put it in quotes"
    return ""


def _sources(task, corpus):
    setting = "in_cluster"  # any: only its codes and splits are used
    if corpus == sandbox.CORPUS:
        return SandboxSources(task, setting, "sound", "")
    if corpus:
        catalogue.corpus(corpus)
    return CorporaSources(task, setting, "paper", corpus)


def _test(sources, code, split):
    """The Target of a code on the split as it is called in the corpus."""
    if sources.profile == "sandbox":
        test = sources.tests_of(code)[0]
        if split not in sandbox.SPLITS:
            raise unknown("split", split, sandbox.SPLITS)
        return Target(Part(sandbox.CORPUS, code, split), split, test.cluster, test.variety)
    variety = sources.registry.coded(sources.task, code) if sources.task != "did" else None
    role = split.removeprefix("paper-").removeprefix("sound-")
    return Target(Part(sources.where(code), code, split), role, *(variety.key if variety else ("", "")))


def _matched(record, labels, path, code, examples, entries, report):
    """One prediction per example, in order; what is missing or malformed is no prediction at all."""
    found, told = {}, _Told(report)
    by_id = {example.id: example for example in examples}
    for number, line in entries:
        id = _again(line["id"], found, by_id)
        if id not in by_id:
            told(f"{path}:{number}: surplus: {code} has no example {id!r}", "surplus")
        elif id in found:
            told(f"{path}:{number}: duplicate: {code} {id!r} was predicted before; the first counts", "duplicate")
        else:
            try:
                found[id] = record.from_json(line["prediction"], by_id[id])
                if isinstance(found[id], str) and labels and found[id] not in labels:
                    raise unknown("label", found[id], labels)
            except InputError as error:
                found[id] = absent(by_id[id])
                told(f"{path}:{number}: malformed: {code} {id!r}: {error}; counts as wrong", "malformed")
    for id in by_id:
        if id not in found:
            told(f"{path}: missing: {code} {id!r}; counts as wrong", "missing")
    told.close(path, code)
    return [found.get(example.id, absent(example)) for example in examples]


def _again(id, found, known):
    """An id, or ID#2 and so on for what is predicted again where the corpus repeats that id (see `load.examples`)."""
    number, again = 2, id
    while again in found and f"{id}#{number}" in known:
        number, again = number + 1, f"{id}#{number}"
    return again


def _referred(path, code, examples, entries, report):
    """The examples with the pseudo-references that stand in the file; None, and a problem told, if one is missing."""
    found = {line["id"]: line.get(REFERENCE) for _, line in reversed(entries)}
    lacking = [example.id for example in examples if not isinstance(found.get(example.id), str)]
    if lacking:
        report.problems.append(
            f"{path}: {code} has no English reference: every line needs the system's translation of the standard's "
            f"sentence as {REFERENCE!r}; {len(lacking)} have none, {lacking[0]!r} for one"
        )
        return None
    return [mt.with_reference(example, found[example.id]) for example in examples]


class _Told:
    """Tells the first SHOWN problems of each kind, and how many more there were."""

    def __init__(self, report):
        self.report, self.counts = report, {}

    def __call__(self, text, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] <= SHOWN:
            self.report.problems.append(text)

    def close(self, path, code):
        for kind, count in self.counts.items():
            if count > SHOWN:
                self.report.problems.append(f"{path}: {kind}: {count - SHOWN} more of {code}")


def absent(example):
    """What stands for no prediction of an example: nothing of it is right."""
    if isinstance(example, TreeExample):
        return (None,) * len(example.tokens), (None,) * len(example.tokens)
    if isinstance(example, TaggedExample):
        return (None,) * len(example.tokens)
    return None


def _rows(record, labels, test, examples, predictions, units, common):
    metrics = record.metrics(labels)
    statistics = {m.name: m.table(examples, predictions) if examples else np.zeros((0, 0)) for m in metrics}
    return scoring.rows_from(record, labels, test, statistics, None if None in units else units, common)
