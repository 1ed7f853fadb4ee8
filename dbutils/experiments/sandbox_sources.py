"""Trainings and tests in the sandbox: every setting for every task, as far as it makes sense."""

from dbutils import sandbox
from dbutils.errors import InputError, unknown
from dbutils.experiments.parts import AGAINST_STANDARD, Part
from dbutils.experiments.plan import Plan, Room, Target
from dbutils.tasks.prompts import PROMPTED

SETTINGS = ("zero_shot", "in_variety", "in_cluster", "combined")


def settings(task):
    """The settings of a task; dialect identification trains one classifier per cluster, and is shown one's exemplars.

    Translation is trained on the source alone.
    """
    if task == "mt":
        return "zero_shot", "pseudo_reference"
    context = ("in_context",) if task in PROMPTED else ()
    return (*(("in_cluster",) if task == "did" else SETTINGS), *context)


class SandboxRoom(Room):
    profile = "sandbox"

    def __init__(self, task, setting, kind, corpus):
        if kind != "sound":
            raise InputError("the sandbox has sound splits only: leave out --split, or take --profile paper")
        if corpus not in ("", sandbox.CORPUS):
            raise InputError(f"corpus {corpus!r} belongs to --profile paper; the sandbox is a corpus of its own")
        super().__init__(task, setting, kind)

    def part(self, corpus, code, role):
        return Part(sandbox.CORPUS, code, role)

    def dev(self, corpus, code):
        return self.part(corpus, code, "dev")

    def tests_of(self, code):
        cluster = variety = ""
        if self.task != "did":
            record = sandbox.variety(code)
            cluster, variety = record.cluster, record.name
        if self.setting == "pseudo_reference":
            if code == sandbox.CLUSTERS[cluster].representative:  # its translation is the reference
                return []
            return [Target(self.part(sandbox.CORPUS, code, f"{AGAINST_STANDARD}test"), "test", cluster, variety)]
        return [Target(self.part(sandbox.CORPUS, code, "test"), "test", cluster, variety)]

    def codes(self):
        return tuple(sandbox.CLUSTERS) if self.task == "did" else sandbox.codes(self.task)

    def names(self):
        varieties = sandbox.varieties()
        if self.task == "did":
            return {name: [v.cluster] for v in varieties for name in (v.code, v.name)}
        return {v.name: [v.code] for v in varieties} | {
            c: [v.code for v in sandbox.varieties(c)] for c in sandbox.CLUSTERS
        }

    def family(self, code):
        return [v.code for v in sandbox.varieties(sandbox.variety(code).cluster)]

    def plan(self):
        codes = self.codes()
        representatives = [cluster.representative for cluster in sandbox.CLUSTERS.values()]
        if self.setting == "combined":
            sources = [(sandbox.CORPUS, code) for code in representatives]
            return Plan((self.training("all", "all", sources, codes),))
        if self.setting == "in_variety" or self.task == "did":
            groups = {code: [code] for code in codes}
        elif self.setting in ("zero_shot", "in_context", "pseudo_reference"):
            groups = {sandbox.SOURCE: codes}
        else:
            groups = {code: self.family(code) for code in representatives}
        return Plan(tuple(self.training(c, c, [(sandbox.CORPUS, c)], tested) for c, tested in groups.items()))

    def source(self, text):
        code = text.removeprefix(f"{sandbox.CORPUS}/")
        if code not in self.codes():
            raise unknown("sandbox variety", code, self.codes())
        return sandbox.CORPUS, code, ""
