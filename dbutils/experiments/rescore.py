"""New scores from old predictions: nothing is trained, nothing predicted, no corpus read."""

from dbutils.errors import InputError, counted
from dbutils.experiments import predictions, scoring, store
from dbutils.experiments.identity import signatures
from dbutils.experiments.parts import Part
from dbutils.experiments.plan import Target
from dbutils.tasks import TASKS


def outdated(manifest, entry):
    """The metrics of a finished test whose stored signature is not that of today's code."""
    now = signatures_of(manifest)
    had = entry.get("signatures", {})
    return [name for name in {**now, **had} if now.get(name) != had.get(name)]


def signatures_of(manifest):
    """{metric: signature} that scores of a run would get today."""
    identity = manifest["identity"]
    return signatures(identity["task"], tuple(identity["labels"]))


def computed(manifest, entry, table):
    """(Arrow table with new statistics, score rows) of a finished test from its table of predictions."""
    identity = manifest["identity"]
    task, labels = TASKS[identity["task"]], tuple(identity["labels"])
    table = predictions.with_statistics(table, *predictions.held(task, table), task.metrics(labels))
    return table, scoring.rows(task, labels, target(entry), table, common(manifest))


def target(entry):
    """What a finished test was of."""
    part = Part(entry["corpus"], entry["code"], entry["read"])
    return Target(part, entry["split"], entry["cluster"], entry["variety"])


def common(manifest):
    """The cells that are equal in all score rows of a run."""
    identity = manifest["identity"]
    return {
        "task": identity["task"],
        "model": manifest["model"],
        "setting": identity["setting"],
        "train": identity["train"]["name"],
        "seed": identity["seed"],
        "origin": "run",
        "run": manifest["run"],
    }


def rescore(run, entries=None, say=print):
    """Compute the scores of finished tests of a Run that is held anew; returns how many rows became others.

    entries: of the manifest (default: all). Raises InputError for predictions that are not as recorded.
    """
    now, changed = signatures_of(run.manifest), 0
    for entry in run.manifest["tests"].values() if entries is None else entries:
        where = f"{run.name}: {entry['code']} {entry['split']}"
        if not run.intact(entry):
            raise InputError(
                f"{where}: {entry['file']} is missing or damaged: run it again ({run.manifest['command']})"
            )
        before = entry["rows"]
        try:
            table, rows = computed(run.manifest, entry, predictions.read(run.folder / entry["file"]))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        run.rescored(entry, table, rows, now)
        changed += sum(row not in before for row in rows)
    run.write_scores()
    return changed


def folder(path, say=print):
    """Rescore all finished tests of a run folder; returns how many rows became others."""
    manifest = store.read_manifest(path)
    with store.opened(path, {name: manifest[name] for name in ("run", "model", "command", "identity")}, say) as run:
        changed = rescore(run, say=say)
        rows = sum(len(entry["rows"]) for entry in run.manifest["tests"].values())
        say(f"{run.name}: {counted(rows, 'row')} computed anew, {changed} changed")
    return changed
