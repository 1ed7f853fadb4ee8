"""What a task is trained on and tested on in each setting: in the sandbox, and on real corpora as the paper's Table 2 has it.

`paper` splits repeat what the paper did (its random draws redone with seed 0; in DSL-TL and DMT it trained
on the test rows), `sound` splits keep train, dev and test apart.
"""

from dataclasses import replace

from dbutils import SETTINGS, TASKS, registry, sandbox
from dbutils.corpora import catalogue, load, written
from dbutils.corpora.readers import translation
from dbutils.errors import InputError, unknown
from dbutils.experiments.parts import AGAINST_STANDARD, Part, labels
from dbutils.experiments.plan import Plan, Target, Training
from dbutils.scores.printed import SCORE_TABLES
from dbutils.tasks.prompts import PROMPTED

PROFILES = ("sandbox", "paper")
KINDS = ("paper", "sound")
FROM_ONE = ("zero_shot", "combined", "in_context", "pseudo_reference")  # settings whose sources serve any variety
SANDBOX_SETTINGS = ("zero_shot", "in_variety", "in_cluster", "combined")
REFERENCES = {
    "zero_shot": "english",
    "pseudo_reference": "standard",
}  # kind of reference of each setting of translation
UNTRAINED = "none"  # what the training of a model that is already trained is called
SOURCE_TABLE = {"ner": 12, "tc": 17}  # whose column names the source of in-cluster training
NO_TRAINING = "its corpus has nothing to train on"


def settings(task, profile):
    """The settings that a task can be run in under a profile; InputError for an unknown task or profile."""
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if task not in TASKS:
        raise unknown("task", task, TASKS)
    return _sandbox_settings(task) if profile == "sandbox" else registry.facts(task).settings


def _sandbox_settings(task):
    """The settings of a task; dialect identification trains one classifier per cluster, and is shown one's exemplars.

    Translation is trained on the source alone.
    """
    if task == "mt":
        return "zero_shot", "pseudo_reference"
    context = ("in_context",) if task in PROMPTED else ()
    return (*(("in_cluster",) if task == "did" else SANDBOX_SETTINGS), *context)


def plan_of(task, setting, profile="sandbox", kind="", train="", varieties=(), corpus=""):
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
    sources = (SandboxSources if profile == "sandbox" else CorporaSources)(task, setting, kind, corpus)
    plan = sources.plan()
    if train:
        plan = _with_source(sources, plan, train)
    if varieties:
        plan = _restricted(sources, plan, varieties)
    plan = _comparable(plan, named=bool(varieties))
    if not plan.trainings:
        code, why = next(iter(plan.left_out.items()), ("", ""))
        raise InputError(f"nothing to run for {task} {setting}" + (f" ({code}: {why})" if code else ""))
    return plan


def _with_source(sources, plan, train):
    """The plan cut down to one training, or with another source than its own."""
    named = tuple(t for t in plan.trainings if t.name == train)
    if named:
        return Plan(named)
    code, _, split = train.rpartition("/")[2].partition("@")
    same = [t for t in plan.trainings if split and t.name == code and len(t.parts) == 1]
    if same:  # one of the setting's trainings, on another split
        corpus, code, split = sources.source(train)
        return Plan(
            (replace(same[0], spec=train, parts=(Part(corpus, code, split),), dev=_dev(sources, corpus, code, split)),)
        )
    if sources.task in ("did", "mt") or (sources.setting == "combined" and sources.task != "mrc"):
        raise unknown("training of this setting", train, [t.name for t in plan.trainings])
    corpus, code, split = sources.source(train)
    if sources.setting in FROM_ONE:
        tested = list(dict.fromkeys(test.code for t in plan.trainings for test in t.tests))
    else:
        there = sources.codes()
        tested = [c for c in ([code] if sources.setting == "in_variety" else sources.family(code)) if c in there]
    if split:
        dev = _dev(sources, corpus, code, split)
        return Plan((sources.from_parts(code, train, [Part(corpus, code, split)], dev, tested),))
    training = sources.training(code, train, [(corpus, code)], tested)
    if training is None:
        raise InputError(f"--train {train}: {NO_TRAINING} for {code!r} (a split can be named: {corpus}/{code}@SPLIT)")
    return Plan((training,))


def _dev(sources, corpus, code, split):
    dev = sources.dev(corpus, code)
    return (dev,) if dev and dev.split != split else ()


def _restricted(sources, plan, varieties):
    """The plan with the named varieties only, also those outside the benchmark that can be tested."""
    codes, names, wanted = sources.codes(), sources.names(), []
    for text in varieties:
        if text not in codes and text not in names:
            raise unknown(f"variety of task {sources.task}", text, {*codes, *names})
        wanted.extend([text] if text in codes else (code for code in names[text] if code in codes))
    wanted = list(dict.fromkeys(wanted))
    open_to_all = sources.task != "did" and len(plan.trainings) == 1
    trainings = []
    for training in plan.trainings:
        tests = [test for test in training.tests if test.code in wanted]
        if open_to_all:
            there = {test.code for test in tests}
            tests += [test for code in wanted if code not in there for test in sources.tests_of(code)]
        if tests:
            trainings.append(replace(training, tests=tuple(tests)))
    tested = {test.code for training in trainings for test in training.tests}
    lost = [code for code in wanted if code not in tested]
    left_out = {}
    if sources.task == "mt":  # a variety has the one kind of reference or the other
        other = next(setting for setting in settings(sources.task, sources.profile) if setting != sources.setting)
        left_out = dict.fromkeys(lost, f"its references are of setting {other}")
        if lost == wanted:
            raise InputError(f"{lost[0]!r}: {left_out[lost[0]]}")
    elif lost:
        raise InputError(
            f"no training of {sources.task} {sources.setting} is tested on {lost[0]!r}: choose one with --train"
        )
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


class Sources:
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


class SandboxSources(Sources):
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


class CorporaSources(Sources):
    profile = "paper"

    def __init__(self, task, setting, kind, corpus):
        super().__init__(task, setting, kind)
        self.registry = registry.load()
        if corpus and task not in catalogue.corpus(corpus).tasks:
            raise unknown(
                f"corpus of task {task}", corpus, [r.id for r in catalogue.load().values() if task in r.tasks]
            )
        self.corpus = corpus
        self.benchmark = self._benchmark()
        self.corpora = (corpus,) if corpus else tuple(dict.fromkeys(self.benchmark.values()))

    def _benchmark(self):
        """{code: corpus} of the benchmark, or of the chosen corpus where the benchmark has none of it."""
        pairs = [(c.code, c.corpus) for v in self.registry for c in v.codes if c.task == self.task]
        if self.task == "did":  # a classifier per set; its labels are the varieties
            pairs = [(code.partition(":")[0], corpus) for code, corpus in pairs]
        chosen = {code: corpus for code, corpus in pairs if self.corpus in ("", corpus)}
        return chosen or dict.fromkeys(load.codes(self.task, self.corpus), self.corpus)

    def part(self, corpus, code, role):
        """The part of a code for a role (train, dev, test) under this kind of split, or None."""
        if corpus == written.CORPUS:
            return Part(corpus, code, "train") if role == "train" else None
        names = load.names(self.task, corpus, code)
        if role == "train" and self.setting == "in_context":
            split = self._exemplars(corpus, names)
            return Part(corpus, code, split) if split else None
        split = self._paper(names, role) if self.kind == "paper" else self._sound(names, role)
        return Part(corpus, code, split) if split else None

    def _paper(self, names, role):
        if role == "dev" and "paper-train" in names:  # what the paper held out of its own draw, if anything
            return "paper-dev" if "paper-dev" in names else ""
        return next((name for name in (f"paper-{role}", role) if name in names), "")

    def _exemplars(self, corpus, names):
        """Where exemplars come from: the paper's training part, unless that is what is tested on, or shares passages with it."""
        if self.kind != "paper":
            return self._sound(names, "train")
        wanted = ("paper-train", "sound-train", "train") if not catalogue.corpus(corpus).exemplars else ("train",)
        return next((name for name in wanted if name in names), "")

    def _sound(self, names, role):
        if f"sound-{role}" in names:
            return f"sound-{role}"
        if role == "test":
            return next((name for name in ("test", "dev") if name in names), "")  # DMT's test has no labels
        return f"sound-{role}" if role in names else ""

    def dev(self, corpus, code):
        """What a training is selected on; a treebank without a dev part takes English, as the paper did.

        None where the corpus's dev part is what is tested on: in DMT, and TyDiQA's is the test of SD-QA; and in context,
        where nothing is selected.
        """
        if self.setting == "in_context":
            return None
        test, dev = self.part(corpus, code, "test"), self.part(corpus, code, "dev")
        if corpus == "tydiqa-goldp" or (corpus in self.corpora and test and test.split == "dev"):
            return None
        if not dev and self.task in ("dep", "pos") and self.kind == "paper":
            return self.part("ud", registry.facts(self.task).english, "dev")
        return dev

    def tests_of(self, code):
        """The Tests of a code: `test`, and in question answering `dev` too, as the paper reports both."""
        corpus = self.where(code)
        if self.task == "mt" and self.reference(corpus, code) != REFERENCES[self.setting]:
            return []
        variety = self.registry.coded(self.task, code) if self.task != "did" else None
        key = variety.key if variety else ("", "")
        parts = [("test", self.part(corpus, code, "test"))]
        if self.task == "eqa":
            parts.append(("dev", Part(corpus, code, "dev")))
        return [Target(part, role, *key) for role, part in parts if part]

    def reference(self, corpus, code):
        """What a code's translations are compared with: `english` or `standard`."""
        return translation.kind(corpus, code, self.part(corpus, code, "test").split)

    def where(self, code):
        """The corpus, among those tested on, that has a code."""
        found = [corpus for corpus in self.corpora if code in load.codes(self.task, corpus)]
        if len(found) > 1:
            raise InputError(f"code {code!r} stands in {' and '.join(found)}: say which with --corpus")
        return found[0]

    def codes(self):
        """Every code that can be tested, whether of the benchmark or not."""
        return tuple(
            code
            for corpus in self.corpora
            for code in load.codes(self.task, corpus)
            if not (self.task == "did" and ":" in code) and self.part(corpus, code, "test")
        )

    def names(self):
        out = {}
        for v in self.registry:
            codes = [self._set(c.code) for c in v.codes if c.task == self.task and c.corpus in self.corpora]
            for name in (v.variety, f"{v.cluster}/{v.variety}"):
                out.setdefault(name, []).extend(codes)
        if self.task == "did":
            out |= {code: [self._set(code)] for corpus in self.corpora for code in load.codes("did", corpus)}
        return {name: list(dict.fromkeys(codes)) for name, codes in out.items() if codes}

    def _set(self, code):
        return code.partition(":")[0] if self.task == "did" else code

    def family(self, code):
        variety = self.registry.coded(self.task, code)
        return self._of_cluster(variety.cluster) if variety else [code]

    def _of_cluster(self, cluster):
        codes = {c.code for v in self.registry.of(cluster) for c in v.codes if c.task == self.task}
        return [code for code in self.benchmark if code in codes]

    def plan(self):
        if self.task == "mt":
            return Plan((self.from_parts(UNTRAINED, UNTRAINED, (), (), self.benchmark),))
        if self.setting == "combined" or (self.setting == "in_context" and self.task == "mrc"):
            return Plan((self.training("all", "all", self._mixture(), self.benchmark),))
        if self.setting == "in_context" and self.task == "sa":
            return self._shown()
        if self.setting == "zero_shot" or (self.setting == "in_context" and self.task != "did"):
            groups = {self._english(): list(self.benchmark)}
        elif self.setting == "in_variety" or self.task in ("did", "sa"):
            groups = {(corpus, code): [code] for code, corpus in self.benchmark.items()}
        else:
            groups = self._by_table() if self.task in SOURCE_TABLE else self._by_representative()
        trainings = {
            code: self.training(code, code, [(corpus, code)], tested) for (corpus, code), tested in groups.items()
        }
        left_out = {code: NO_TRAINING for code, training in trainings.items() if training is None}
        return Plan(tuple(t for t in trainings.values() if t and t.tests), left_out)

    def _shown(self):
        """Sentiment in context: no corpus of it is English, so sentences of our own are shown."""
        names = {code: f"english:{code}" for code in self.benchmark}
        return Plan(tuple(self.training(name, name, [(written.CORPUS, code)], [code]) for code, name in names.items()))

    def _english(self):
        named = catalogue.corpus(self.corpus).english if self.corpus else ""
        if named:
            return tuple(named.split("/"))
        return catalogue.english_corpus(self.task), registry.facts(self.task).english

    def _mixture(self):
        if self.task == "eqa":
            return [("tydiqa-goldp", code) for code in load.codes("eqa", "tydiqa-goldp")]
        return [("belebele_training", "all")]

    def _by_table(self):
        """{(corpus, source): codes} as the source columns of Tables 12 and 17 name them."""
        table, groups = SCORE_TABLES[SOURCE_TABLE[self.task]], {}
        for _, row in table.printed().iterrows():
            if row[table.code] in self.benchmark:
                groups.setdefault(self._holder(row[table.source]), []).append(row[table.code])
        return groups

    def _holder(self, source):
        norwegian = self.task == "ner" and source in load.codes("ner", "norwegian_ner")
        return ("norwegian_ner" if norwegian else catalogue.english_corpus(self.task)), source

    def _by_representative(self):
        """{(corpus, representative): codes of its cluster} as Table 9 names them."""
        groups = {}
        for cluster, variety in self.registry.representatives(self.task).items():
            source, tested = next(c for c in variety.codes if c.task == self.task), self._of_cluster(cluster)
            if tested:
                groups[source.corpus, source.code] = tested
        return groups

    def source(self, text):
        head, slash, rest = text.partition("/")
        corpus = head if slash and head in catalogue.load() else ""
        code, _, split = (rest if corpus else text).partition("@")
        corpus = corpus or self._with_training(code)
        if code not in load.codes(self.task, corpus):
            raise unknown(f"code of corpus {corpus}", code, load.codes(self.task, corpus))
        names = load.names(self.task, corpus, code)
        if split and _bare(split) not in {_bare(name) for name in names}:
            raise unknown(f"split of {corpus}/{code}", split, names)
        return corpus, code, split

    def _with_training(self, code):
        """The corpus to train from for a bare code: where English stands, then those tested on, then any."""
        english = list(filter(None, [catalogue.english_corpus(self.task)]))
        every = [record.id for record in catalogue.load().values() if self.task in record.tasks]
        order = dict.fromkeys([*english, *self.corpora, *every])
        holding = [corpus for corpus in order if code in load.codes(self.task, corpus)]
        if not holding:
            codes = {c for corpus in order for c in load.codes(self.task, corpus) if self.part(corpus, c, "train")}
            raise unknown("training code", code, codes)
        return next((corpus for corpus in holding if self.part(corpus, code, "train")), holding[0])


def _bare(split):
    return split.removeprefix("paper-").removeprefix("sound-")
