"""The records of a plan: what is trained on what and tested on what."""

from dataclasses import dataclass, field

from dbutils.experiments.parts import Part, labels


@dataclass(frozen=True)
class Target:
    """What is tested. role: `test` or `dev`, as in score rows; cluster and variety may be ""."""

    part: Part
    role: str
    cluster: str
    variety: str

    @property
    def code(self):
        return self.part.code

    @property
    def key(self):
        return self.part.code, self.role


@dataclass(frozen=True)
class Training:
    """One fine-tuning and all that it is tested on.

    kind: `paper` or `sound` splits. name: what score rows call the training data (`train`). spec: what
    `--train` must say to choose it. parts, dev: what is read, in this order; dev may be empty, and so may parts: a model
    that is already trained learns nothing.
    """

    task: str
    profile: str
    setting: str
    kind: str
    name: str
    spec: str
    parts: tuple[Part, ...]
    dev: tuple[Part, ...]
    tests: tuple[Target, ...]

    @property
    def labels(self):
        return labels(self.task, self.parts[0]) if self.parts else ()


@dataclass
class Plan:
    """The trainings of a task in a setting. left_out: {what: why} of what does not take part."""

    trainings: tuple[Training, ...]
    left_out: dict = field(default_factory=dict)


class Room:
    """What the profiles share. A profile has

    plan() -> Plan; codes() that can be tested; names() -> {other name of them: codes}; family(code) ->
    codes of its cluster; tests_of(code) -> Tests; part(corpus, code, role), dev(corpus, code) -> Part or
    None; source(text of --train) -> (corpus, code, split or "").
    """

    profile = ""

    def __init__(self, task, setting, kind):
        self.task, self.setting, self.kind = task, setting, kind

    def training(self, name, spec, sources, codes):
        """A Training from [(corpus, code)], tested on codes; None if a source has nothing to train on."""
        parts = [self.part(corpus, code, "train") for corpus, code in sources]
        if not all(parts):
            return None
        dev = [self.dev(corpus, code) for corpus, code in sources]
        return self.from_parts(name, spec, parts, [part for part in dev if part], codes)

    def from_parts(self, name, spec, parts, dev, codes):
        tests = tuple(test for code in codes for test in self.tests_of(code))
        return Training(self.task, self.profile, self.setting, self.kind, name, spec, tuple(parts), tuple(dev), tests)
