"""Lists of experiments as jobs: notebooks/matrix/*.yaml.

An entry is a grid of task, model, setting, source and seed. One job is one training with all that it is
tested on, so one run.
"""

import hashlib
import itertools
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dbutils import models, tasks
from dbutils.errors import InputError, unknown
from dbutils.experiments.identity import fitting_code, predicting_code
from dbutils.experiments.request import Request, fits
from dbutils.experiments.sources import KINDS, PROFILES, plan_of, settings
from dbutils.yamlio import Yaml

LONGEST = 200  # letters of a job's name, which becomes a file's


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


_Number = Annotated[int, Field(ge=0)]
_Text = Annotated[str, Field(min_length=1)]
_Texts = _Text | Annotated[list[_Text], Field(min_length=1)]


class Resources(_Record):
    """What a job needs: memory in MB, minutes, graphics cards, threads."""

    mem_mb: _Number = 4000
    runtime: _Number = 60
    gpu: _Number = 0
    threads: _Number = 1


class Entry(_Record):
    """One grid of experiments."""

    task: _Texts
    model: _Texts
    setting: _Texts
    train: _Texts | None = None
    seed: _Number | Annotated[list[_Number], Field(min_length=1)] = 0
    limit: _Number = 0
    corpus: str = ""
    set: dict[str, bool | int | float | str] = {}  # noqa: RUF012  (pydantic copies it)
    resources: Resources = Resources()
    present: bool = False


class Matrix(_Record):
    """A list of experiments under a profile."""

    profile: str
    split: str = ""
    resources: Resources = Resources()
    experiments: list[Entry]


WANTED = {
    "": "an experiment; write task, model and setting",
    **dict.fromkeys(("task", "model", "setting", "train", "corpus", "profile", "split"), "text: put it in quotes"),
    **dict.fromkeys(("seed", "limit", *Resources.model_fields), "a whole number from 0"),
    "set": "a table of hyperparameters such as {epochs: 3, lower_case: true}",
    "resources": "a table such as {mem_mb: 8000, runtime: 120, gpu: 1}",
    "present": "true or false",
    "experiments": "a list of experiments",
}


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
    """{name: Job} of a matrix file, in its order; InputError names file and line, the entry and what is wrong."""
    file = Yaml(path)
    if not isinstance(file.value, dict) or not isinstance(file.value.get("experiments"), list):
        raise InputError(f"{path}: must hold 'profile' and a list 'experiments'")
    top = file.checked(Matrix, WANTED)
    for name, known in (("profile", PROFILES), ("split", ("", *KINDS))):
        if getattr(top, name) not in known:
            raise InputError(f"{file.at(name)}: {unknown(name, getattr(top, name), filter(None, known))}")
    out = {}
    for number, entry in enumerate(top.experiments):
        try:
            for job in _expanded(top, entry):
                if job.name in out:
                    raise InputError(f"{job.name} stands twice")
                out[job.name] = job
        except InputError as error:
            raise InputError(f"{file.at('experiments', number)}: entry {number + 1}: {error}") from None
    return out


def _expanded(top, entry):
    given = top.resources.model_dump(exclude_unset=True) | entry.resources.model_dump(exclude_unset=True)
    resources = Resources(**given).model_dump()
    grid = [_list(entry.task), _list(entry.model), _list(entry.setting), _list(entry.train or ""), _list(entry.seed)]
    for task, model, setting, train, seed in itertools.product(*grid):
        if task not in tasks.TASKS:
            raise unknown("task", task, tasks.TASKS)
        chosen = _all_settings(task, top.profile, model) if setting == "all" else [setting]
        for one in chosen:
            yield from _jobs(top, entry, task, model, one, train, seed, resources)


def _list(value):
    return value if isinstance(value, list) else [value]


def _all_settings(task, profile, model):
    """The settings of a task that its kind of model can do."""
    return [s for s in settings(task, profile) if fits(task, s, models.resolve(model, task).kind)]


def _jobs(top, entry, task, model, setting, train, seed, resources):
    changes = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in entry.set.items()}
    request = Request(
        task=task,
        model=model,
        setting=setting,
        train=train,
        seed=seed,
        limit=entry.limit,
        profile=top.profile,
        kind=top.split,
        corpus=entry.corpus,
        set=changes,
    )
    code = _code(request)
    plan = plan_of(task, setting, top.profile, request.kind, train, (), request.corpus)
    for training in plan.trainings:
        words = tuple(request.words(training)) + (("--present",) if entry.present else ())
        name = [task, model, setting, training.spec, f"s{seed}"] + ([f"n{request.limit}"] if request.limit else [])
        name += [f"{key}={value}" for key, value in sorted(changes.items())]
        corpora = (*training.parts, *training.dev, *(test.part for test in training.tests))
        yield Job(_name(name), words, tuple(dict.fromkeys(part.corpus for part in corpora)), resources, code)


def _name(words):
    """A name for a file, of words; one that would be too long is cut and ends in a checksum."""
    name = "-".join(re.sub(r"[^\w.+=-]", "_", word) for word in words)
    if len(name.encode("utf-8")) <= LONGEST:
        return name
    return f"{name.encode('utf-8')[: LONGEST - 11].decode('utf-8', 'ignore')}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


def _code(request):
    """What of the code shapes the predictions of a request; a changed metric makes no job new.

    Raises InputError for hyperparameters that the model does not have; a model that is not there is its job's to tell.
    """
    try:
        model = models.resolve(request.model)
    except InputError:
        return ""
    if model.kind not in tasks.TASKS[request.task].learners:
        return ""
    hyper = request.hyper(model)
    return f"{fitting_code(request.task, model.kind, hyper)} {predicting_code(request.task, model.kind)}"
