"""Runs to hand on: scores and manifests without any text of a corpus, and the checks that what is there fits together.

A bundle is a folder or a .zip:

    bundle.json        {form, dbutils, runs, files: {name: sha256}}
    scores.csv         the score rows of all its runs, so that `--scores BUNDLE` reads them
    manifests/RUN.json
    statistics/RUN/CODE.parquet   where asked for: per example the metrics' counts and the bootstrap's group
"""

import hashlib
import io
import json
import math
import zipfile
from pathlib import Path, PurePosixPath

from dbutils import __version__, csvio
from dbutils.errors import InputError
from dbutils.experiments import parts, predictions, rescore, scoring, store
from dbutils.experiments.identity import run_name
from dbutils.experiments.parts import Part
from dbutils.tasks import TASKS

FORM = 1
NAME = "bundle.json"


def write(path, folders, statistics=False):
    """Write a bundle of run folders to a new folder or a .zip; returns the number of its score rows.

    Raises InputError for a target that is there already, and for runs whose files are not as recorded.
    """
    path = Path(path)
    if path.exists():
        raise InputError(f"{path}: is there already; give another name, or remove it first")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")
    files, rows = {}, []
    for folder in folders:
        manifest = store.read_manifest(folder)
        name = manifest["run"]
        files[f"manifests/{name}.json"] = _json(manifest)
        rows += [row for _, entry in sorted(manifest["tests"].items()) for row in entry["rows"]]
        for entry in manifest["tests"].values() if statistics else ():
            if not store.Run(folder, manifest, print).intact(entry):
                raise InputError(f"{folder / entry['file']}: missing or damaged; '{manifest['command']}' mends it")
            table = predictions.without_text(predictions.read(folder / entry["file"]))
            files[_statistics(name, entry)] = predictions.as_bytes(table)
    files["scores.csv"] = store.rows_text(rows).encode("utf-8")
    named = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    head = {"form": FORM, "dbutils": __version__, "runs": [folder.name for folder in folders], "files": named}
    files[NAME] = _json(head)
    if path.suffix == ".zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(files.items()):
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        csvio.write_bytes(path, buffer.getvalue())
    else:
        for name, content in sorted(
            files.items(), key=lambda item: item[0] == NAME
        ):  # what says that it is whole, last
            csvio.write_bytes(path / name, content)
    return len(rows)


def _json(value):
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _statistics(run, entry):
    return f"statistics/{run}/{PurePosixPath(entry['file']).name}"


def is_bundle(path):
    """Whether a path is a bundle, whole or not."""
    path = Path(path)
    return (path / NAME).is_file() or (path.is_file() and zipfile.is_zipfile(path))


def verify(path):
    """What is wrong with a bundle or a run folder, one line for each finding; [] if nothing is."""
    return _verify_bundle(Path(path)) if is_bundle(path) else _verify_run(Path(path))


def _verify_bundle(path):
    files = _files(path)
    try:
        head = json.loads(files.pop(NAME))
        named = dict(head["files"])
        if head["form"] != FORM:
            raise InputError(f"{path}: a bundle of form {head['form']}, which this version cannot read")
    except (KeyError, ValueError, TypeError):
        raise InputError(f"{path}: no bundle, or its {NAME} is damaged") from None
    found = [f"{name}: is missing" for name in named if name not in files]
    found += [f"{name}: is not in {NAME}" for name in files if name not in named]
    for name in sorted(set(named) & set(files)):
        if hashlib.sha256(files[name]).hexdigest() != named[name]:
            found.append(f"{name}: not as it was written (its sha256 is another)")
    rows = []
    for name in sorted(name for name in files if name.startswith("manifests/")):
        try:
            manifest = store.parsed(files[name], name)
        except InputError as error:
            found.append(str(error))
            continue
        rows += [row for _, entry in sorted(manifest["tests"].items()) for row in entry["rows"]]
        found += _verify_manifest(manifest, name)
        for entry in manifest["tests"].values():
            inside = _statistics(manifest["run"], entry)
            if inside in files:
                found += _from_statistics(manifest, entry, files[inside], inside)
    if sorted(files.get("scores.csv", b"").splitlines()) != sorted(store.rows_text(rows).encode("utf-8").splitlines()):
        found.append("scores.csv: its rows are not those of the manifests")
    return found


def _files(path):
    """{name: content} of a bundle's files."""
    try:
        if path.is_dir():
            return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
        with zipfile.ZipFile(path) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    except (OSError, zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise InputError(f"{path}: cannot be read ({' '.join(str(error).split())})") from None


def _verify_run(folder):
    manifest = store.read_manifest(folder)
    found = _verify_manifest(manifest, store.MANIFEST)
    for entry in manifest["tests"].values():
        if not store.Run(folder, manifest, print).intact(entry):
            found.append(f"{entry['file']}: missing or damaged")
            continue
        try:
            table = predictions.read(folder / entry["file"])
            if table.num_rows != entry["examples"]:
                found.append(f"{entry['file']}: {table.num_rows} predictions for {entry['examples']} examples")
            if not rescore.outdated(manifest, entry):
                found += _differences(entry, rescore.computed(manifest, entry, table)[1], entry["file"], "predictions")
        except (InputError, ValueError, KeyError) as error:
            found.append(f"{entry['file']}: {error}")
    scores = folder / "scores.csv"
    if not scores.is_file() or scores.read_bytes() != store.scores_text(manifest).encode("utf-8"):
        found.append("scores.csv: its rows are not those of the manifest")
    return found


def _verify_manifest(manifest, name):
    """What is wrong with a manifest by itself: its name, the sizes of its tests, its rows and their signatures."""
    found, identity = [], manifest["identity"]
    if manifest["form"] > 1 and manifest["run"] != run_name(identity, manifest["model"]):
        found.append(f"{name}: run {manifest['run']!r} is not the name that follows from its identity")
    if identity["task"] not in TASKS:
        return [*found, f"{name}: unknown task {identity['task']!r}"]
    for entry in manifest["tests"].values():
        where = f"{name}: {entry['code']} {entry['split']}"
        recorded = parts.recorded(identity["task"], Part(entry["corpus"], entry["code"], entry["read"]))
        if recorded and not identity["limit"] and entry["examples"] != recorded[0]:
            found.append(f"{where}: {entry['examples']} examples, the corpus has {recorded[0]}")
        for row in entry["rows"]:
            found += [f"{where}: {row['metric']}: {why}" for why in _wrong(row, entry, manifest)]
        old = rescore.outdated(manifest, entry)
        if old:
            found.append(f"{where}: {', '.join(old)}: computed otherwise than now; 'dbutils rescore' makes them anew")
    return found


def _wrong(row, entry, manifest):
    if row["code"] == entry["code"] and row.get("n") != entry["examples"]:
        yield f"n is {row.get('n')}, the test has {entry['examples']} examples"
    if not 0 <= row["value"] <= 100:
        yield f"{row['value']} is not within 0..100"
    if row["low"] is not None and row["high"] is not None and row["low"] > row["high"]:
        yield f"the interval {row['low']} to {row['high']} is turned round"
    if row.get("run") != manifest["run"]:
        yield f"is a row of run {row.get('run')!r}"


def _from_statistics(manifest, entry, content, name):
    """Whether the scores of a test follow from its statistics."""
    if rescore.outdated(manifest, entry):
        return []  # told already
    identity = manifest["identity"]
    task, labels = TASKS[identity["task"]], tuple(identity["labels"])
    try:
        table = predictions.read(io.BytesIO(content))
        rows = scoring.rows(task, labels, rescore.target(entry), table, rescore.common(manifest))
    except (InputError, ValueError, KeyError) as error:
        return [f"{name}: {' '.join(str(error).split())}"]
    return _differences(entry, rows, name, "statistics")


def _differences(entry, rows, name, what):
    """Findings where recorded rows are not those that were computed again."""
    had = {(row["code"], row["metric"]): row for row in entry["rows"]}
    now = {(row["code"], row["metric"]): row for row in rows}
    if set(had) != set(now):
        return [f"{name}: other scores follow from it than {entry['code']} has"]
    return [
        f"{name}: {code} {metric}: {had[code, metric][cell]} is recorded, {row[cell]} follows from the {what}"
        for (code, metric), row in now.items()
        for cell in ("value", "low", "high")
        if not _equal(row[cell], had[code, metric][cell])
    ]


def _equal(a, b):
    return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9))
