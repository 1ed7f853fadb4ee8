"""Lists of experiments as jobs: notebooks/matrix/*.yaml.

An entry is a grid of task, model, setting, source and seed. One job is one training with all that it is
tested on, so one run.
"""

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from dbutils import models, tasks
from dbutils.errors import InputError, unknown
from dbutils.experiments.execute import fits
from dbutils.experiments.identity import fitting_code, predicting_code
from dbutils.experiments.request import Request
from dbutils.experiments.sources import PROFILES, settings, sources

TOP = ("profile", "split", "resources", "experiments")
GRID = ("task", "model", "setting", "train", "seed")
OPTIONS = ("limit", "corpus", "set", "resources", "present")
RESOURCES = {"mem_mb": 4000, "runtime": 60, "gpu": 0, "threads": 1}


@dataclass(frozen=True)
class Job:
    """One training. name: unique in its matrix, fit for a file. words: its command line after `dbutils`.

    code: a checksum of the code that learns and predicts, "" where the model is not there.
    """

    name: str
    words: tuple[str, ...]
    corpora: tuple[str, ...]
    resources: dict
    code: str


def jobs(path):
    """{name: Job} of a matrix file, in its order; InputError names the file, the entry and what is wrong."""
    path = Path(path)
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict) or not isinstance(found.get("experiments"), list):
        raise InputError(f"{path}: must hold 'profile' and a list 'experiments'")
    try:
        _known("field", found, TOP)
        if found.get("profile") not in PROFILES:
            raise unknown("profile", found.get("profile"), PROFILES)
        out = {}
        for number, entry in enumerate(found["experiments"], 1):
            where = f"entry {number}: "
            for job in _expanded(found, entry):
                if job.name in out:
                    raise InputError(f"{job.name} stands twice")
                out[job.name] = job
        return out
    except InputError as error:
        at = where if "where" in locals() else ""
        raise InputError(f"{path}: {at}{error}") from None


def _expanded(top, entry):
    if not isinstance(entry, dict):
        raise InputError(f"{entry!r} is no experiment; write task, model and setting")
    _known("field", entry, (*GRID, *OPTIONS))
    for name in ("task", "model", "setting"):
        if name not in entry:
            raise InputError(f"field {name!r} is missing")
    grid = {name: _list(name, entry.get(name, [0] if name == "seed" else [""])) for name in GRID}
    resources = RESOURCES | _resources(top.get("resources", {})) | _resources(entry.get("resources", {}))
    for task, model, setting, train, seed in itertools.product(*grid.values()):
        chosen = _all_settings(task, top["profile"], model) if setting == "all" else [setting]
        for one in chosen:
            yield from _jobs(top, entry, task, model, one, train, seed, resources)


def _all_settings(task, profile, model):
    """The settings of a task that its kind of model can do."""
    return [s for s in settings(task, profile) if fits(task, s, models.resolve(model, task).kind)]


def _jobs(top, entry, task, model, setting, train, seed, resources):
    changes = {str(name): str(value) for name, value in entry.get("set", {}).items()}
    request = Request(
        task,
        model,
        setting,
        train,
        (),
        seed,
        entry.get("limit", 0),
        top["profile"],
        top.get("split", ""),
        entry.get("corpus", ""),
        set=changes,
    )
    code = _code(request)
    plan = sources(task, setting, top["profile"], request.kind, train, (), request.corpus)
    for training in plan.trainings:
        words = tuple(request.words(training)) + (("--present",) if entry.get("present") else ())
        name = [task, model, setting, training.spec, f"s{seed}"] + ([f"n{request.limit}"] if request.limit else [])
        name += [f"{key}={value}" for key, value in sorted(changes.items())]
        corpora = (*training.parts, *training.dev, *(test.part for test in training.tests))
        yield Job(
            "-".join(re.sub(r"[^\w.+=-]", "_", part) for part in name),
            words,
            tuple(dict.fromkeys(part.corpus for part in corpora)),
            resources,
            code,
        )


def _code(request):
    """What of the code shapes the predictions of a request; a changed metric makes no job new."""
    try:
        model = models.resolve(request.model)
        hyper = request.hyper(model)
    except InputError:  # the job says so
        return ""
    return f"{fitting_code(request.task, model.kind, hyper)} {predicting_code(request.task, model.kind)}"


def _list(name, value):
    """A grid field as a list of texts, of seeds as whole numbers."""
    values = value if isinstance(value, list) else [value]
    kind = int if name == "seed" else str
    for one in values:
        if type(one) is not kind or (kind is int and one < 0):
            raise InputError(
                f"{name} {one!r} is not {'a whole number from 0' if kind is int else 'text: put it in quotes'}"
            )
    if name == "task":
        for one in values:
            if one not in tasks.TASKS:
                raise unknown("task", one, tasks.TASKS)
    return values


def _resources(value):
    if not isinstance(value, dict):
        raise InputError("resources must be like {mem_mb: 8000, runtime: 120, gpu: 1}")
    _known("resource", value, RESOURCES)
    for name, amount in value.items():
        if type(amount) is not int or amount < 0:
            raise InputError(f"resource {name}: {amount!r} is not a whole number from 0")
    return value


def _known(kind, found, names):
    for name in found:
        if name not in names:
            raise unknown(kind, name, names)
