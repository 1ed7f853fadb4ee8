"""The folder of a run: manifest.json, scores.csv, predictions/<code>.parquet.

The manifest is the authority: a variety is done when it stands there and its predictions file has the
recorded checksum. It is written last, so that a run killed at any moment loses at most the variety in
progress; scores.csv is always made anew from the manifest.
"""

import contextlib
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Literal, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from dbutils import csvio
from dbutils.errors import InputError, nearest
from dbutils.experiments import predictions
from dbutils.experiments.identity import canonical
from dbutils.scores import COLUMNS

MANIFEST = "manifest.json"
# What a manifest must hold for those that read it; whatever else stands there stays as it is.
FORMS = (1, 2)  # of manifests that can be read; the last is written

_open = with_config(ConfigDict(extra="allow", strict=True))


@_open
class RowEntry(TypedDict):
    code: str
    split: str
    metric: str
    value: float
    low: float | None
    high: float | None


@_open
class PartEntry(TypedDict):
    corpus: str
    code: str
    split: str
    examples: int
    sha256: str


@_open
class Train(TypedDict):
    name: str
    kind: str
    parts: list[PartEntry]
    dev: list[PartEntry]


@_open
class Identity(TypedDict):
    task: str
    profile: str
    setting: str
    model: dict
    train: Train
    labels: list[str]
    hyper: dict
    seed: int
    limit: int
    versions: dict


@_open
class Session(TypedDict):
    started: NotRequired[str]


@_open
class Fit(TypedDict):
    started: str
    seconds: float
    notes: dict


@_open
class TestEntry(TypedDict):
    corpus: str
    code: str
    split: str
    read: str
    cluster: str
    variety: str
    examples: int
    sha256: str
    file: str
    file_sha256: str
    file_sha256_next: NotRequired[str]
    key: NotRequired[str]  # of the predictions; not in form 1
    signatures: NotRequired[dict[str, str]]  # {metric: how it was computed}; not in form 1 until it is rescored
    unit: NotRequired[str]  # what its intervals draw; without it lines and examples
    rows: list[RowEntry]


@_open
class Manifest(TypedDict):
    form: Literal[FORMS]
    run: str
    model: str
    command: str
    identity: Identity
    sessions: list[Session]
    fit: Fit | None
    model_files: dict[str, str] | None
    tests: dict[str, TestEntry]


_MANIFEST = TypeAdapter(Manifest)


class Run:
    """A run folder that this process holds; see `opened`."""

    def __init__(self, folder, manifest, say):
        self.folder, self.manifest, self._say = folder, manifest, say

    @property
    def name(self):
        return self.folder.name

    def done(self, key, sha256, predictions_key):
        """Whether a test is done: its predictions are as recorded, made on data of this sha256 and under this key."""
        entry = self.manifest["tests"].get(_text(key))
        if entry is None:
            return False
        if entry["sha256"] != sha256:
            self._say(f"{self.name}: the data of {key[0]} have changed since; it is done again")
            return False
        if entry.get("key") != predictions_key:
            self._say(f"{self.name}: the code that predicts has changed; {key[0]} is predicted again")
            return False
        if not self.intact(entry):
            self._say(f"{self.name}: {entry['file']} is missing or damaged; {key[0]} is done again")
            return False
        return True

    def intact(self, entry):
        """Whether the predictions of a test are on disk as recorded (or as a killed rescoring was about to leave them)."""
        found = _sha256_of(self.folder / entry["file"])
        return found in (entry["file_sha256"], entry.get("file_sha256_next"))

    def record(self, test, named, table, rows, **facts):
        """Write a finished test: predictions, then scores, then the manifest.

        named: {examples, sha256} of its data. table: its Arrow table. rows: its score rows. facts: further
        entries of the manifest, `key` and `signatures` among them.
        """
        content = predictions.as_bytes(table)
        name = predictions.file_name(*test.key)
        csvio.write_bytes(self.folder / name, content)
        self.manifest["tests"][_text(test.key)] = {
            "corpus": test.part.corpus,
            "code": test.code,
            "split": test.role,
            "read": test.part.split,
            "cluster": test.cluster,
            "variety": test.variety,
            **named,
            "file": name,
            "file_sha256": hashlib.sha256(content).hexdigest(),
            **facts,
            "rows": rows,
        }
        self.write_scores()
        self.write()

    def rescored(self, entry, table, rows, signatures):
        """Write new scores of a finished test, and its predictions anew if their statistics changed.

        The manifest first says what the file will be, so that a process killed at any moment loses no prediction.
        """
        content = predictions.as_bytes(table)
        sha256 = hashlib.sha256(content).hexdigest()
        if sha256 != _sha256_of(self.folder / entry["file"]):
            entry["file_sha256_next"] = sha256
            self.write()
            csvio.write_bytes(self.folder / entry["file"], content)
        entry.pop("file_sha256_next", None)
        entry |= {"file_sha256": sha256, "signatures": signatures, "rows": rows}
        self.write()

    def write(self):
        csvio.write_text(self.folder / MANIFEST, json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n")

    def write_scores(self):
        """Make scores.csv what the manifest says, unless it is that already."""
        text, path = scores_text(self.manifest), self.folder / "scores.csv"
        if not path.is_file() or path.read_bytes() != text.encode("utf-8"):
            csvio.write_text(path, text)

    def started(self, **facts):
        """Note one more session of work on this run."""
        self.manifest["sessions"].append(facts)
        self.write()


class ReadOnlyRun(Run):
    """A run folder that another process writes: it sees the same state and writes nothing."""

    def write(self):
        pass

    def write_scores(self):
        pass

    def record(self, test, named, table, rows, **facts):
        pass


def scores_text(manifest):
    """scores.csv of a manifest as text: the rows of every finished test, by code."""
    return rows_text([row for _, entry in sorted(manifest["tests"].items()) for row in entry["rows"]])


def rows_text(rows):
    """Score rows (dicts) as CSV text."""
    import pandas as pd

    return csvio.to_csv(pd.DataFrame(rows, columns=list(COLUMNS), dtype=object))


@contextlib.contextmanager
def opened(folder, head, say):
    """The Run in `folder`, held by this process alone.

    head: {run, identity, model, command}. Another process that has it is waited for. A manifest that is
    damaged or does not fit the identity is begun anew. say: called with lines for the user.
    """
    import filelock

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        say(f"{folder.name}: another process is at it; waiting")
        lock.acquire(poll_interval=0.5)
    with lock:
        _tidy(folder)
        yield Run(folder, _manifest(folder, head, say), say)


# Names of what a killed process leaves half written: of `csvio.write_bytes`, `checkpoint.write` and `learn.save`.
_LEFT = re.compile(r"\.((manifest\.json|scores\.csv|.+\.parquet|.+\.safetensors)\.[a-z0-9_]+|model\.part)")


def _tidy(folder):
    """Delete what a killed process left half written, and nothing else: hidden files of other names are the user's."""
    for path in [*folder.glob(".*"), *folder.glob("predictions/.*"), *folder.glob("checkpoint/.*")]:
        if not _LEFT.fullmatch(path.name) or path.is_symlink():
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _manifest(folder, head, say):
    path = folder / MANIFEST
    if path.exists():
        try:
            found = read_manifest(folder)
            if canonical(found["identity"]) == canonical(head["identity"]):
                return found
            say(f"{path}: is of another run; begun anew")
        except InputError as error:
            say(f"{error}; begun anew")
    return {"form": FORMS[-1], **head, "sessions": [], "fit": None, "model_files": None, "tests": {}}


def read_manifest(folder):
    """The manifest of a run folder; InputError if it is none or damaged."""
    path = Path(folder) / MANIFEST
    try:
        return parsed(path.read_bytes(), path)
    except FileNotFoundError:
        raise InputError(f"{folder}: no run (it has no {MANIFEST})") from None
    except OSError as error:
        raise InputError(f"{path}: damaged ({' '.join(str(error).split())})") from None


def parsed(content, path):
    """The manifest in the bytes of a file; path: for messages. InputError if it is none or damaged."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: damaged ({' '.join(str(error).split())})") from None
    try:
        return _MANIFEST.validate_python(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{path}: not a manifest of this version ({where + ': ' if where else ''}{first['msg']})"
        ) from None


def all_runs(runs):
    """The run folders below a folder, by name; [] if there is none."""
    return sorted(path.parent for path in Path(runs).glob(f"*/{MANIFEST}"))


def find(text, runs):
    """The run folder that a path, a name, its beginning or its hash means; InputError names the nearest."""
    with contextlib.suppress(OSError, ValueError):  # longer than a path may be
        if (Path(text) / MANIFEST).is_file():
            return Path(text)
    folders = {folder.name: folder for folder in all_runs(runs)}
    if text in folders:
        return folders[text]
    fit = [name for name in folders if name.startswith(text) or name.endswith(f"-{text}")]
    if len(fit) == 1:
        return folders[fit[0]]
    if fit:
        raise InputError(
            f"run {text!r} may be {fit[0]!r}, {fit[1]!r}" + (" ..." if len(fit) > 2 else "") + ": write more of it"
        )
    if not folders:
        raise InputError(f"unknown run {text!r}: there are no runs in {Path(runs)} (--runs names another folder)")
    close = nearest(text, folders)
    hint = f"did you mean {close[0]!r}?" if close else "'dbutils runs list' shows those in " + str(runs)
    raise InputError(f"unknown run {text!r}: {hint}")


def tests_of(manifest):
    """{(code, role): entry} of the finished tests of a manifest."""
    return {(entry["code"], entry["split"]): entry for entry in manifest["tests"].values()}


def _text(key):
    return "@".join(key)


def _sha256_of(path):
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
