"""What a user asks for: a task, a model, a setting and options, checked as a whole before any work."""

import functools
import os
import shlex
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple

from dbutils import models, tasks
from dbutils.errors import InputError, counted, unknown
from dbutils.experiments.plan import Plan, lacks, table
from dbutils.experiments.run import run_training
from dbutils.experiments.sources import plan_of, settings
from dbutils.experiments.store import read_manifest, tests_of
from dbutils.models import parallel
from dbutils.models.endpoint import URL, checked_url
from dbutils.models.records import ENDPOINT, is_folder
from dbutils.paths import nfc
from dbutils.tasks.task import IN_CONTEXT

# {what it does: {profile: model}}
DEFAULT_MODEL = {
    "understand": {"sandbox": "tiny", "paper": "mbert"},
    "answer": {"sandbox": "tiny-lm", "paper": "mistral-7b"},
    "translate": {"sandbox": "tiny-mt", "paper": "nllb-600m"},
}
ONE_OF = {
    "precision": ("fp32", "bf16"),
    "word_vector": ("first", "mean"),
    "answer": ("generate", "likelihood"),
    "chat": ("auto", "never"),
    "codes": ("paper", "best"),
}
POSITIVE = (
    "epochs",
    "lr",
    "batch_size",
    "max_length",
    "predict_length",
    "n_best",
    "max_new_tokens",
    "beams",
    "max_source",
    "copies",
)


def default_model(task, profile, in_context=False):
    """The name of the model that a profile takes for a task where none is named."""
    return DEFAULT_MODEL["answer" if in_context else "translate" if task == "mt" else "understand"][profile]


def default_setting(task, profile):
    """The setting of a task where none is named: zero_shot, or the first that it has."""
    have = settings(task, profile)
    return "zero_shot" if "zero_shot" in have else have[0]


class Prepared(NamedTuple):
    """What a request means. plan: what is asked for. everything: the same with all tests of the setting."""

    plan: Plan
    everything: Plan
    model: models.ModelRecord
    hyper: object


@dataclass(frozen=True)
class Request:
    """The options of `dbutils run`; empty texts, 0 and () mean the default.

    set: {name of a hyperparameter: value as text}. present: leave out what is not on disk.
    """

    task: str
    model: str
    setting: str
    train: str = ""
    varieties: tuple[str, ...] = ()
    seed: int = 0
    limit: int = 0
    profile: str = "sandbox"
    kind: str = ""
    corpus: str = ""
    runs: str = "runs"
    set: dict = field(default_factory=dict)
    present: bool = False
    keep_model: bool = False

    def __post_init__(self):  # names are compared in one spelling
        object.__setattr__(self, "train", nfc(self.train))
        object.__setattr__(self, "varieties", tuple(map(nfc, self.varieties)))

    @functools.cached_property
    def prepared(self):
        """What follows from the request, as a Prepared, found once; InputError for anything wrong."""
        for name in ("seed", "limit"):
            value = getattr(self, name)
            if value < 0 or (name == "seed" and value >= 2**32):
                raise InputError(
                    f"--{name} {value}: must be a whole number from 0" + (" to 4294967295" if name == "seed" else "")
                )
        options = dict(profile=self.profile, kind=self.kind, train=self.train, corpus=self.corpus)
        everything = plan_of(self.task, self.setting, **options)
        plan = plan_of(self.task, self.setting, varieties=self.varieties, **options) if self.varieties else everything
        model = models.resolve(self.model, self.task)
        check_model(self.task, self.setting, model)
        for training in plan.trainings:
            check_training(training, model)
        return Prepared(plan, everything, model, self.hyper(model))

    def hyper(self, model):
        """The hyperparameters of the task under the profile, with those of `set`."""
        default = tasks.hyper(self.task, self.profile, model, self.kind or "paper")
        hyper = overridden(self.task, default, self.set, model)
        return replace(hyper, base_url=checked_url(hyper.base_url)) if model.kind == "endpoint" else hyper

    def command(self, training):
        """The command line that makes the run of one training, without the choice of varieties."""
        launcher = ["torchrun", "--nproc-per-node", str(parallel.size()), "-m"] if parallel.size() > 1 else []
        return shlex.join([*launcher, "dbutils", *self.words(training)])

    def words(self, training):
        """The words of that command line after `dbutils`."""
        local = self.model not in models.MODELS and is_folder(self.model)
        model = str(Path(self.model).expanduser().resolve()) if local else self.model
        words = ["run", self.task, "--model", model, "--setting", self.setting, "--train", training.spec]
        words += (
            ["--profile", training.profile, "--split", training.kind]
            if training.profile == "paper"
            else ["--profile", "sandbox"]
        )
        words += ["--corpus", self.corpus] if self.corpus else []
        words += ["--seed", str(self.seed)] + (["--limit", str(self.limit)] if self.limit else [])
        changes = self.set
        if self.model.startswith(ENDPOINT) and os.environ.get(URL):  # what the environment said, for the record
            changes = {"base_url": checked_url(os.environ[URL]), **changes}
        for name, value in sorted(changes.items()):
            words += ["--set", f"{name}={value}"]
        return words


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


def plan_table(request):
    """(rows of `plan.table`, {what is left out: why}) of a request."""
    plan, _, model, hyper = request.prepared
    return table(plan, model, hyper, request.seed, request.limit, request.runs), plan.left_out


def make(request, say=print, progress=None):
    """Make all runs of a request, or what is missing of them; returns their folders.

    Raises InputError before any training if something is unknown or not on disk. If one of several
    trainings fails, the others go on and InputError follows at the end.
    """
    plan = request.prepared.plan
    for what, why in plan.left_out.items():
        say(f"left out: {what}: {why}")
    plan = available(plan, request.present, say)
    folders, failures = [], []
    for training in plan.trainings:
        try:
            folders.append(run_training(training, request, say, progress))
        except InputError as error:
            if len(plan.trainings) == 1:
                raise
            failures.append(f"{training.name}: {error}")
            say(f"failed: {failures[-1]}")
    if failures:
        raise InputError(
            f"{len(failures)} of {counted(len(plan.trainings), 'training')} failed; the first: {failures[0]}"
        )
    return folders


def available(plan, present, say):
    """The plan without what is not on disk; InputError if something is not, unless `present`."""
    trainings = []
    for training in plan.trainings:
        if not lacks(training):
            trainings.append(training)
            continue
        source = lacks(replace(training, tests=()))
        tests = tuple(test for test in training.tests if not lacks(replace(training, parts=(), dev=(), tests=(test,))))
        lost = [test.code for test in training.tests if test not in tests]
        if not present:
            raise InputError(_advice(source or lacks(training), plan))
        if source or not tests:
            say(f"left out: training on {training.name}: {(source or lacks(training))[0]}")
            continue
        lacking = counted(len(lost), "variety that is", "varieties that are")
        say(f"left out: {lacking} not on disk: {' '.join(lost)}")
        trainings.append(replace(training, tests=tests))
    if not trainings:
        raise InputError(_advice(lacks(plan.trainings[0]), plan))
    return Plan(tuple(trainings), plan.left_out)


def _advice(reasons, plan):
    more = f" (and {counted(len(reasons) - 1, 'more corpus', 'more corpora')})" if len(reasons) > 1 else ""
    tests = sum(len(training.tests) for training in plan.trainings)
    return f"{reasons[0]}{more}" + ("; --present leaves out what is not on disk" if tests > 1 else "")


def overridden(task, hyper, changes, model):
    """Hyperparameters with {name: text} changed; InputError for an unknown name or a bad value."""
    known = {f.name: f.type for f in fields(hyper)}
    if changes and not known:
        raise InputError(f"--set {next(iter(changes))}: model {model.name!r} has no hyperparameters to set")
    values = {}
    for name, text in changes.items():
        if name not in known:
            raise unknown("hyperparameter", name, known)
        values[name] = _value(task, name, type(getattr(hyper, name)), text)
    return replace(hyper, **values)


def _value(task, name, kind, text):
    allowed = ONE_OF.get(name)
    if name == "selection":
        allowed = ("last", "loss", *(metric.name for metric in tasks.TASKS[task].metrics(("x",))))
    if allowed and text not in allowed:
        raise unknown(f"value of {name}", text, allowed)
    if kind is bool:
        if text not in ("true", "false"):
            raise InputError(f"--set {name}={text}: must be true or false")
        return text == "true"
    if kind is str:
        return text
    try:
        value = kind(text)
    except ValueError:
        value = float("nan")
    if not (0 <= value < float("inf")) or (name in POSITIVE and value == 0):
        least = "above 0" if name in POSITIVE else "from 0"
        raise InputError(f"--set {name}={text}: must be a {'whole ' if kind is int else ''}number {least}")
    return value


def asked_rows(request, folders):
    """The score rows of a request's runs, of the varieties asked for only, as a table."""
    import pandas as pd

    from dbutils.scores import COLUMNS

    wanted = {training.name: {test.key for test in training.tests} for training in request.prepared.plan.trainings}
    rows = []
    for folder in folders:
        manifest = read_manifest(folder)
        keys = wanted[manifest["identity"]["train"]["name"]]
        rows += [row for key, entry in tests_of(manifest).items() if key in keys for row in entry["rows"]]
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
