"""One run: read, fit once, then predict, score and record one variety after the other."""

import contextlib
import copy
import errno
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from dbutils import tasks
from dbutils.errors import InputError, counted
from dbutils.experiments import identity, parts, predictions, rescore, scoring, store
from dbutils.experiments.data import Data
from dbutils.models import parallel
from dbutils.models.output_cache import OutputCache
from dbutils.models.records import PRETRAINED
from dbutils.paths import ROOT

CHECKPOINT, MODEL = "checkpoint", "model"  # folders below that of the run
MEMORY = "memory-{}.jsonl"  # of each process


def run_training(training, request, say=print, progress=None):
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
        with _shared(Path(folder) / name, head, say) as run:
            keys = {key: identity.predictions_key(found, facts) for key, facts in named.items()}
            todo = [
                test for test in training.tests if not run.done(test.key, named[test.key]["sha256"], keys[test.key])
            ]
            _rescore(run, [test for test in training.tests if test not in todo], say)
            if todo:
                say(f"{name}: {len(todo)} of {counted(len(training.tests), 'variety', 'varieties')} to do")
                job = _Job(training, request, data, run, say, progress)
                job.learn()
                job.remember()
                for test in todo:
                    job.test(test, named[test.key], keys[test.key])
            if parallel.rank() == 0:
                run.write_scores()
                drop(run.folder, CHECKPOINT)
                if not request.keep_model and (planned or set(named)) <= set(store.tests_of(run.manifest)):
                    drop(run.folder, MODEL)
                if set(named) <= set(store.tests_of(run.manifest)):
                    for path in run.folder.glob(MEMORY.format("*")):
                        path.unlink()
    return run.folder


@contextlib.contextmanager
def _shared(folder, head, say):
    """The run folder: held by this process, or by the first of those that work together on it.

    The others get the state that the first one found, and write nothing.
    """
    if parallel.size() > 1:
        parallel.join()
    if parallel.rank() == 0:
        with store.opened(folder, head, say) as run:
            parallel.gather(run.manifest)
            yield run
    else:
        yield store.ReadOnlyRun(folder, parallel.gather(None)[0], say)


def _rescore(run, tests, say):
    """Compute the scores of finished tests anew where a metric is another than it was: nothing is trained or predicted."""
    entries = [store.tests_of(run.manifest)[test.key] for test in tests]
    stale = [(entry, names) for entry in entries if (names := rescore.outdated(run.manifest, entry))]
    if stale and parallel.rank() == 0:
        names = dict.fromkeys(name for _, found in stale for name in found)
        what = counted(len(stale), "variety", "varieties")
        say(f"{run.name}: {what} rescored from the predictions, as the code of {', '.join(names)} has changed")
        rescore.rescore(run, [entry for entry, _ in stale], say)


class _Job:
    """The work of one session on a run."""

    def __init__(self, training, request, data, run, say, progress):
        _, _, self.model, self.hyper = request.prepared
        self.training, self.seed, self.data = training, request.seed, data
        self.run, self.say, self.progress = run, say, progress
        self.task = tasks.TASKS[training.task]
        self.learner = None

    def learn(self):
        """Take up the saved model, or fit one and save it."""
        folder, manifest = self.run.folder, self.run.manifest
        known = self.training, self.model, self.hyper, self.seed
        self.run.started(started=_now(), **machine())
        self.learner = saved(*known, folder, manifest["model_files"])
        if self.learner is not None:
            return
        train, tested = self._read(self.training.parts), self._read(test.part for test in self.training.tests)
        dev = self._read(self.training.dev) if identity.selects(self.hyper) else []
        if self.training.parts:
            what = (
                f"exemplars for {self.model.name} from"
                if self.training.setting == "in_context"
                else f"training {self.model.name} on"
            )
            self.say(f"{self.run.name}: {what} {self.training.name} ({counted(len(train), 'example')})")
        started, clock = _now(), time.perf_counter()
        self.learner = fitted(*known, train, dev, tested, folder, self.progress)
        manifest["fit"] = {
            "started": started,
            "seconds": _since(clock),
            "threads": threads(self.model),
            "key": identity.fit_key(manifest["identity"]),
            "notes": copy.deepcopy(self.learner.notes),
        }
        self._tell("training", self.learner.notes)
        if parallel.rank() == 0:
            manifest["model_files"] = save(self.learner, folder)
            self.run.write()
            drop(folder, CHECKPOINT)

    def remember(self):
        """Let a learner that can take up single outputs keep them in the run folder."""
        if self.learner.remembers:
            self.learner.cache = OutputCache(self.run.folder / MEMORY.format(parallel.rank()))

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
        rows = scoring.rows(self.task, self.training.labels, test, table, rescore.common(self.run.manifest))
        facts = {"started": started, "seconds": _since(clock), "notes": _more(before, self.learner.notes)}
        facts |= {
            "threads": threads(self.model),
            "key": key,
            "unit": parts.unit(self.training.task, test.part),
            "signatures": rescore.signatures_of(self.run.manifest),
        }
        self.run.record(test, named, table, rows, **facts)
        if not examples:
            self.say(f"{self.run.name}: {test.code} {test.role}: it has no examples, so there is no score")
            return
        first = metrics[0].name
        shown = next(f"{row['value']:.2f}" for row in rows if row["code"] == test.code and row["metric"] == first)
        none = scoring.unanswered(facts["notes"], len(examples))
        self.say(
            f"{self.run.name}: {test.code} {test.role}: {first} {shown} ({counted(len(examples), 'example')}{none})"
        )
        self._tell(f"{test.code} {test.role}", facts["notes"])

    def _tell(self, what, notes):
        """Say what the learner counted that is worth it."""
        told = [f"{notes[name]:,} {name}" for name in sorted(self.learner.told & set(notes)) if notes[name]]
        if told:
            self.say(f"{self.run.name}: {what}: {', '.join(told)}")


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


def fitted(training, model, hyper, seed, train, dev, tested, folder, progress):
    """A learner fitted to the training, going on from a checkpoint in `folder` if there is one.

    train, dev: examples of all parts, in order. tested: what will be tested.
    """
    learner = tasks.learner(training.task, model, training.labels, hyper, seed)
    learner.fit(train, dev=dev, tested=tested, checkpoint=Path(folder) / CHECKPOINT, progress=progress)
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


def machine():
    """Facts of the machine and of everything installed that a run may depend on, for the record only."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": _cores(),
        "memory_gib": _memory(),
        "accelerators": _accelerators(),
        "python": platform.python_version(),
        "libraries": _installed(),
        "commit": commit(),
    }


def threads(model):
    """How many threads torch computes with for a model (a ModelRecord), None for one that needs no torch.

    Sums are rounded in another order with another number, so a training on two threads ends with other weights than
    one on one thread. Models made on the spot always take one.
    """
    torch = sys.modules.get("torch")
    if model.kind not in PRETRAINED or torch is None:
        return None
    return torch.get_num_threads() if model.source else 1


def _installed():
    names = (
        "numpy",
        "scipy",
        "pandas",
        "pyarrow",
        "scikit-learn",
        "torch",
        "transformers",
        "tokenizers",
        "safetensors",
        "sentencepiece",
        "sacrebleu",
    )
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _processor():
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return platform.processor()
    match = re.search(r"model name\s*:\s*(.+)", text)
    return match[1].strip() if match else platform.machine()


def _memory():
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def _accelerators():
    torch = sys.modules.get("torch")  # only where the model has loaded it
    if torch is None or not torch.cuda.is_available():
        return []
    return [torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]


def commit(root=ROOT):
    """The commit of the project's own checkout, "" if it is none: an outer repository's says nothing of the code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(root), "rev-parse", "--show-toplevel", "HEAD"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True, env=environment)
        top, commit = said.stdout.splitlines()
        return commit if os.path.samefile(top, root) else ""
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
