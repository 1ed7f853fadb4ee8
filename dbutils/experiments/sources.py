"""Which trainings a task has in a setting, and which codes each is tested on.

`paper` splits repeat what the paper did (its random draws redone with seed 0; in DSL-TL and DMT it trained
on the test rows), `sound` splits keep train, dev and test apart.
"""

from dataclasses import replace

from dbutils import SETTINGS, TASKS, registry
from dbutils.errors import InputError, unknown
from dbutils.experiments import sandbox_sources
from dbutils.experiments.corpora_sources import NO_TRAINING, CorporaRoom
from dbutils.experiments.parts import Part, labels
from dbutils.experiments.plan import Plan
from dbutils.experiments.sandbox_sources import SandboxRoom

PROFILES = ("sandbox", "paper")
KINDS = ("paper", "sound")
FROM_ONE = ("zero_shot", "combined", "in_context", "pseudo_reference")  # settings whose sources serve any variety


def settings(task, profile):
    """The settings that a task can be run in under a profile; InputError for an unknown task or profile."""
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if task not in TASKS:
        raise unknown("task", task, TASKS)
    return sandbox_sources.settings(task) if profile == "sandbox" else registry.facts(task).settings


def sources(task, setting, profile="sandbox", kind="", train="", varieties=(), corpus=""):
    """The Plan of a task in a setting.

    kind: `paper` or `sound` splits (default: the profile's). train: one of the setting's trainings, or
    another source: a code, CORPUS/CODE or CORPUS/CODE@SPLIT. varieties: codes or names of varieties to
    test on (default: those of the benchmark). corpus: only test sets of this corpus.
    Raises InputError for whatever is unknown, naming the nearest.
    """
    have = settings(task, profile)
    if setting not in SETTINGS:
        raise unknown("setting", setting, SETTINGS)
    if setting not in have:
        raise InputError(f"task {task!r} has no setting {setting!r} with profile {profile}; it has: {', '.join(have)}")
    kind = kind or ("sound" if profile == "sandbox" else "paper")
    if kind not in KINDS:
        raise unknown("kind of split", kind, KINDS)
    room = (SandboxRoom if profile == "sandbox" else CorporaRoom)(task, setting, kind, corpus)
    plan = room.plan()
    if train:
        plan = _with_source(room, plan, train)
    if varieties:
        plan = _restricted(room, plan, varieties)
    plan = _comparable(plan, named=bool(varieties))
    if not plan.trainings:
        code, why = next(iter(plan.left_out.items()), ("", ""))
        raise InputError(f"nothing to run for {task} {setting}" + (f" ({code}: {why})" if code else ""))
    return plan


def _with_source(room, plan, train):
    """The plan cut down to one training, or with another source than its own."""
    mine = tuple(t for t in plan.trainings if t.name == train)
    if mine:
        return Plan(mine)
    code, _, split = train.rpartition("/")[2].partition("@")
    own = [t for t in plan.trainings if split and t.name == code and len(t.parts) == 1]
    if own:  # one of the setting's trainings, on another split
        corpus, code, split = room.source(train)
        return Plan(
            (replace(own[0], spec=train, parts=(Part(corpus, code, split),), dev=_dev(room, corpus, code, split)),)
        )
    if room.task in ("did", "mt") or (room.setting == "combined" and room.task != "mrc"):
        raise unknown("training of this setting", train, [t.name for t in plan.trainings])
    corpus, code, split = room.source(train)
    if room.setting in FROM_ONE:
        tested = list(dict.fromkeys(test.code for t in plan.trainings for test in t.tests))
    else:
        there = room.codes()
        tested = [c for c in ([code] if room.setting == "in_variety" else room.family(code)) if c in there]
    if split:
        dev = _dev(room, corpus, code, split)
        return Plan((room.from_parts(code, train, [Part(corpus, code, split)], dev, tested),))
    training = room.training(code, train, [(corpus, code)], tested)
    if training is None:
        raise InputError(f"--train {train}: {NO_TRAINING} for {code!r} (a split can be named: {corpus}/{code}@SPLIT)")
    return Plan((training,))


def _dev(room, corpus, code, split):
    dev = room.dev(corpus, code)
    return (dev,) if dev and dev.split != split else ()


def _restricted(room, plan, varieties):
    """The plan with the named varieties only, also those outside the benchmark that can be tested."""
    codes, names, wanted = room.codes(), room.names(), []
    for text in varieties:
        if text not in codes and text not in names:
            raise unknown(f"variety of task {room.task}", text, {*codes, *names})
        wanted.extend([text] if text in codes else (code for code in names[text] if code in codes))
    wanted = list(dict.fromkeys(wanted))
    open_to_all = room.task != "did" and len(plan.trainings) == 1
    trainings = []
    for training in plan.trainings:
        mine = [test for test in training.tests if test.code in wanted]
        if open_to_all:
            there = {test.code for test in mine}
            mine += [test for code in wanted if code not in there for test in room.tests_of(code)]
        if mine:
            trainings.append(replace(training, tests=tuple(mine)))
    tested = {test.code for training in trainings for test in training.tests}
    lost = [code for code in wanted if code not in tested]
    left_out = {}
    if room.task == "mt":  # a variety has the one kind of reference or the other
        other = next(setting for setting in settings(room.task, room.profile) if setting != room.setting)
        left_out = dict.fromkeys(lost, f"its references are of setting {other}")
        if lost == wanted:
            raise InputError(f"{lost[0]!r}: {left_out[lost[0]]}")
    elif lost:
        raise InputError(f"no training of {room.task} {room.setting} is tested on {lost[0]!r}: choose one with --train")
    return Plan(tuple(trainings), left_out)


def _comparable(plan, named):
    """The plan without tests whose labels the training does not know, or that are its training data."""
    trainings, left_out = [], dict(plan.left_out)
    for training in plan.trainings:
        tests = []
        for test in training.tests:
            why = _unfit(training, test)
            if not why:
                tests.append(test)
            elif named:
                raise InputError(f"{test.code} cannot be tested: {why}")
            else:
                left_out[test.code] = why
        if tests:
            trainings.append(replace(training, tests=tuple(tests)))
    return Plan(tuple(trainings), left_out)


def _unfit(training, test):
    """Why a training cannot be tested on this, "" if it can."""
    other = [label for label in labels(training.task, test.part) if label not in training.labels]
    if other:
        return f"its labels ({', '.join(other[:3])} ...) are not those of {training.name}"
    return f"{test.part} is what is trained on" if test.part in training.parts else ""
