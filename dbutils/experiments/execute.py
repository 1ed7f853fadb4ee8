"""One run: read, fit once, then predict, score and record one variety after the other."""

import contextlib
import copy
import errno
import hashlib
import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

from dbutils import tasks
from dbutils.errors import InputError, counted
from dbutils.experiments import identity, machine, parts, predictions, rescore, runs, scoring
from dbutils.experiments.data import Data
from dbutils.models import parallel
from dbutils.models.memory import Memory
from dbutils.tasks.task import IN_CONTEXT

CHECKPOINT, MODEL = "checkpoint", "model"  # folders below that of the run
MEMORY = "memory-{}.jsonl"  # of each process


def run(training, request, say=print, progress=None):
    """Make a run of a Request, or what is missing of it; returns its folder.

    training: one of its plan; its tests are what is asked for now. The model is kept until all tests of the setting are
    done, with keep_model for ever. say: called with lines for the user. progress(done, total, what).
    Raises InputError before any training for data that are not on disk, and for a full disk.
    """
    _, everything, model, hyper = request.prepared
    folder, command = request.runs, request.command(training)
    planned = {test.key for one in everything.trainings if one.name == training.name for test in one.tests}
    with clear_errors(folder):
        data = Data(training.task, request.limit, folder)
        found, name = identity.identified(training, model, hyper, request.seed, data)
        named = {test.key: data.named(test.part) for test in training.tests}
        head = {"run": name, "model": model.name, "command": command, "identity": found}
        with _shared(Path(folder) / name, head, say) as mine:
            keys = {key: identity.predictions_key(found, facts) for key, facts in named.items()}
            todo = [
                test for test in training.tests if not mine.done(test.key, named[test.key]["sha256"], keys[test.key])
            ]
            _rescore(mine, [test for test in training.tests if test not in todo], say)
            if todo:
                say(f"{name}: {len(todo)} of {counted(len(training.tests), 'variety', 'varieties')} to do")
                job = _Job(training, request, data, mine, say, progress)
                job.learn()
                job.remember()
                for test in todo:
                    job.test(test, named[test.key], keys[test.key])
            if parallel.rank() == 0:
                mine.write_scores()
                drop(mine.folder, CHECKPOINT)
                if not request.keep_model and (planned or set(named)) <= set(runs.tests_of(mine.manifest)):
                    drop(mine.folder, MODEL)
                if set(named) <= set(runs.tests_of(mine.manifest)):
                    for path in mine.folder.glob(MEMORY.format("*")):
                        path.unlink()
    return mine.folder


@contextlib.contextmanager
def _shared(folder, head, say):
    """The run folder: held by this process, or by the first of those that work together on it.

    The others get the state that the first one found, and write nothing.
    """
    if parallel.size() > 1:
        parallel.join()
    if parallel.rank() == 0:
        with runs.opened(folder, head, say) as mine:
            parallel.gather(mine.manifest)
            yield mine
    else:
        yield runs.ReadOnlyRun(folder, parallel.gather(None)[0], say)


def _rescore(mine, tests, say):
    """Compute the scores of finished tests anew where a metric is another than it was: nothing is trained or predicted."""
    entries = [runs.tests_of(mine.manifest)[test.key] for test in tests]
    stale = [(entry, names) for entry in entries if (names := rescore.outdated(mine.manifest, entry))]
    if stale and parallel.rank() == 0:
        names = dict.fromkeys(name for _, found in stale for name in found)
        what = counted(len(stale), "variety", "varieties")
        say(f"{mine.name}: {what} rescored from the predictions, as the code of {', '.join(names)} has changed")
        rescore.rescore(mine, [entry for entry, _ in stale], say)


def check_model(task, setting, model):
    """Raise InputError if this kind of model cannot do the task in this setting."""
    kinds = tasks.TASKS[task].learners
    if model.kind not in kinds:
        raise InputError(
            f"model {model.name!r} ({model.kind}) cannot do task {task!r}, which takes: {', '.join(kinds)}"
        )
    if not fits(task, setting, model.kind):
        can = [kind for kind in kinds if fits(task, setting, kind)]
        hint = "; give --setting in_context" if setting != "in_context" else ""
        raise InputError(
            f"model {model.name!r} ({model.kind}) cannot do setting {setting!r}, which takes: {', '.join(can)}{hint}"
        )


def fits(task, setting, kind):
    """Whether a kind of model that can do a task can do it in a setting: language models in context, all others trained.

    Translation has no exemplars, so a language model is asked in its settings.
    """
    if task == "mt":
        return setting != "in_context"
    return (setting == "in_context") == (kind in IN_CONTEXT)


def check_training(training, model):
    """Raise InputError if a translator would be trained that is so already, or not trained that needs it."""
    if model.kind != "translator" or bool(model.source) != bool(training.parts):
        return
    if model.source:
        raise InputError(
            f"model {model.name!r} knows none of the sandbox's varieties: take tiny-mt or copy, or --profile paper"
        )
    raise InputError(
        f"model {model.name!r} learns from the sandbox's data: take one that can translate, or --profile sandbox"
    )


class _Job:
    """The work of one session on a run."""

    def __init__(self, training, request, data, mine, say, progress):
        _, _, self.model, self.hyper = request.prepared
        self.training, self.seed, self.data = training, request.seed, data
        self.mine, self.say, self.progress = mine, say, progress
        self.task = tasks.TASKS[training.task]
        self.learner = None

    def learn(self):
        """Take up the saved model, or fit one and save it."""
        folder, manifest = self.mine.folder, self.mine.manifest
        known = self.training, self.model, self.hyper, self.seed
        self.mine.started(started=_now(), **machine.machine())
        self.learner = saved(*known, folder, manifest["model_files"])
        if self.learner is not None:
            return
        train, also = self._read(self.training.parts), self._read(test.part for test in self.training.tests)
        dev = self._read(self.training.dev) if identity.selects(self.hyper) else []
        if self.training.parts:
            what = (
                f"exemplars for {self.model.name} from"
                if self.training.setting == "in_context"
                else f"training {self.model.name} on"
            )
            self.say(f"{self.mine.name}: {what} {self.training.name} ({len(train)} examples)")
        started, clock = _now(), time.perf_counter()
        self.learner = fitted(*known, train, dev, also, folder, self.progress)
        manifest["fit"] = {
            "started": started,
            "seconds": _since(clock),
            "threads": machine.threads(self.model),
            "key": identity.fit_key(manifest["identity"]),
            "notes": copy.deepcopy(self.learner.notes),
        }
        self._tell("training", self.learner.notes)
        if parallel.rank() == 0:
            manifest["model_files"] = save(self.learner, folder)
            self.mine.write()
            drop(folder, CHECKPOINT)

    def remember(self):
        """Let a learner that can take up single outputs keep them in the run folder."""
        if self.learner.remembers:
            self.learner.memory = Memory(self.mine.folder / MEMORY.format(parallel.rank()))

    def _read(self, wanted):
        return [example for part in wanted for example in self.data.examples(part)]

    def test(self, test, named, key):
        """Predict, score and record one variety. named: {examples, sha256} of its data. key: of the predictions."""
        examples = self.data.examples(test.part)
        started, clock, before = _now(), time.perf_counter(), copy.deepcopy(self.learner.notes)
        self.learner.part = test.part
        made = self.learner.predict(examples, progress=self.progress) if examples else []
        units = parts.units(self.training.task, test.part, examples)  # before references are replaced
        examples = self.learner.referred(examples, progress=self.progress)
        if len(made) != len(examples):
            raise ValueError(f"{len(made)} predictions for {len(examples)} examples of {test.part}")
        metrics = self.task.metrics(self.training.labels)
        table = predictions.table(self.task, examples, made, metrics, units)
        rows = scoring.rows(self.task, self.training.labels, test, table, rescore.common(self.mine.manifest))
        facts = {"started": started, "seconds": _since(clock), "notes": _more(before, self.learner.notes)}
        facts |= {
            "threads": machine.threads(self.model),
            "key": key,
            "unit": parts.unit(self.training.task, test.part),
            "signatures": rescore.signatures_of(self.mine.manifest),
        }
        self.mine.record(test, named, table, rows, **facts)
        if not examples:
            self.say(f"{self.mine.name}: {test.code} {test.role}: it has no examples, so there is no score")
            return
        first = metrics[0].name
        shown = next(f"{row['value']:.2f}" for row in rows if row["code"] == test.code and row["metric"] == first)
        none = scoring.unanswered(facts["notes"], len(examples))
        self.say(f"{self.mine.name}: {test.code} {test.role}: {first} {shown} ({len(examples)} examples{none})")
        self._tell(f"{test.code} {test.role}", facts["notes"])

    def _tell(self, what, notes):
        """Say what the learner counted that is worth it."""
        told = [f"{notes[name]:,} {name}" for name in sorted(self.learner.told & set(notes)) if notes[name]]
        if told:
            self.say(f"{self.mine.name}: {what}: {', '.join(told)}")


def _now():
    return datetime.now(UTC).isoformat(timespec="seconds")


def _since(clock):
    return round(time.perf_counter() - clock, 3)


def _more(before, after):
    """What the counts of `after` have more than those of `before`, nested ones too."""
    out = {}
    for name, value in after.items():
        if isinstance(value, dict):
            out[name] = _more(before.get(name, {}), value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and value != before.get(name, 0):
            out[name] = round(value - before.get(name, 0), 6)
    return out


FULL = {errno.ENOSPC, errno.EDQUOT}
DENIED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP}


@contextlib.contextmanager
def clear_errors(folder):
    """Turn a full disk, or a folder that cannot be written, into one InputError line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # torch and safetensors raise errors of their own for it
        if getattr(error, "errno", None) in FULL or "No space left on device" in str(error):
            raise InputError(
                f"the disk is full ({folder}): make room and give the same command again; nothing done is lost"
            ) from None
        where = getattr(error, "filename", None)
        if getattr(error, "errno", None) in DENIED or (where and Path(folder) in (Path(where), Path(where).parent)):
            raise InputError(f"{where or folder}: cannot be written; choose another folder with --runs") from None
        raise


def fitted(training, model, hyper, seed, train, dev, also, folder, progress):
    """A learner fitted to the training, going on from a checkpoint in `folder` if there is one.

    train, dev: examples of all parts, in order. also: what will be tested.
    """
    learner = tasks.learner(training.task, model, training.labels, hyper, seed)
    learner.fit(train, dev=dev, also=also, checkpoint=Path(folder) / CHECKPOINT, progress=progress)
    return learner


def save(learner, folder):
    """Save a fitted learner below a run folder; returns {file: sha256}. The checkpoint can then go."""
    target, part = Path(folder) / MODEL, Path(folder) / f".{MODEL}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    learner.save(part)
    digests = _digests(part, sync=True)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(part, target)
    return digests


def saved(training, model, hyper, seed, folder, digests):
    """The learner that `save` wrote with these digests, or None if it is not there as it was."""
    target = Path(folder) / MODEL
    if not digests or not target.is_dir() or _digests(target) != digests:
        return None
    return tasks.load_learner(training.task, model, training.labels, hyper, seed, target)


def drop(folder, name):
    """Delete the checkpoint or the saved model."""
    shutil.rmtree(Path(folder) / name, ignore_errors=True)


def _digests(folder, sync=False):
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with open(path, "rb") as file:
            found[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
            if sync:
                os.fsync(file.fileno())
    return found
