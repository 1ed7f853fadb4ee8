"""Trainings and tests on real corpora: the settings of the paper's Table 2, and what else the data allow."""

from dbutils import registry
from dbutils.corpora import catalogue, load, written
from dbutils.corpora.readers import translation
from dbutils.errors import InputError, unknown
from dbutils.experiments.parts import Part
from dbutils.experiments.plan import Plan, Room, Target
from dbutils.scores.printed import SCORE_TABLES

REFERENCES = {
    "zero_shot": "english",
    "pseudo_reference": "standard",
}  # kind of reference of each setting of translation
UNTRAINED = "none"  # what the training of a model that is already trained is called
SOURCE_TABLE = {"ner": 12, "tc": 17}  # whose column names the source of in-cluster training
NO_TRAINING = "its corpus has nothing to train on"


class CorporaRoom(Room):
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
        mine = {code: corpus for code, corpus in pairs if self.corpus in ("", corpus)}
        return mine or dict.fromkeys(load.codes(self.task, self.corpus), self.corpus)

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
        mine = {c.code for v in self.registry.of(cluster) for c in v.codes if c.task == self.task}
        return [code for code in self.benchmark if code in mine]

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
        own = catalogue.corpus(self.corpus).english if self.corpus else ""
        return (
            tuple(own.split("/")) if own else (catalogue.english_corpus(self.task), registry.facts(self.task).english)
        )

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
