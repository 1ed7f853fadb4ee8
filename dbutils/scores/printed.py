"""The paper's score tables (10-20): which quantity each printed column holds.

The one description of these tables. `paper.py` reads score rows out of the printed numbers with
it, the report lays score rows out in the printed form with it.

Where a printed column holds another quantity than its heading says (protocol, section 2), both
are given: `holds` is what was printed, `headed` what the heading promises.
"""

import functools
from dataclasses import dataclass, field

from dbutils.csvio import read_csv
from dbutils.paths import data
from dbutils.registry import TASK_FACTS


@dataclass(frozen=True)
class Quantity:
    """What a score column shows: one metric of one model in one setting."""

    model: str
    setting: str
    metric: str
    split: str = "test"


@dataclass(frozen=True)
class Column:
    """A printed column of numbers."""

    holds: Quantity
    headed: Quantity | None = None  # None: the heading is right
    decimals: int = 2

    def quantity(self, printed):
        """The quantity to show: as printed, or as the heading says."""
        return self.holds if printed or self.headed is None else self.headed


@dataclass(frozen=True)
class ScoreTable:
    """A table of the paper that holds scores of single varieties."""

    number: int
    task: str
    columns: dict[str, Column]
    code: str = ""  # name of the column of codes
    source: str = ""  # name of the column that says what was trained on
    count: str = ""  # name of the column of test sizes
    trains: dict[str, str] = field(default_factory=dict)  # setting -> training set, where it is one for all rows
    labels: tuple[str, ...] = ()  # columns of text that describe the row

    def printed(self):
        """The table as printed: text cells indexed by line of its file."""
        return printed(self.number)


@functools.cache
def printed(number):
    """Table `number` as printed: text cells indexed by line, with the registry's names in *_norm columns."""
    return read_csv(data("scores", "paper", f"table{number:02d}.csv"))


ENCODERS = ("mbert", "xlmr")


def _pairs(prefixes, metric, split="test"):
    return {f"{p}_{m}": Column(Quantity(m, s, metric, split)) for p, s in prefixes.items() for m in ENCODERS}


def _table16():
    out = {}
    for name, true in (("precision", "recall"), ("recall", "precision"), ("f1", "f1")):
        for model in ENCODERS:
            headed = None if true == name else Quantity(model, "in_cluster", name)
            out[f"{name}_{model}"] = Column(Quantity(model, "in_cluster", true), headed)
    return out


def _table17():
    out = {}
    for model in ENCODERS:
        out[f"acc_{model}"] = Column(Quantity(model, "zero_shot", "f1"), Quantity(model, "in_cluster", "accuracy"))
    for model in ENCODERS:
        out[f"f1_{model}"] = Column(Quantity(model, "in_cluster", "f1"))
    return out


def _accuracy_and_f1(setting, order=("acc_mbert", "acc_xlmr", "f1_mbert", "f1_xlmr")):
    metric = {"acc": "accuracy", "f1": "f1"}
    return {c: Column(Quantity(c.split("_")[1], setting, metric[c.split("_")[0]])) for c in order}


_FINE_TUNED = {"zeroshot": "zero_shot", "finetune": "in_variety"}
_COMBINED = {"finetune": "combined", "zeroshot": "zero_shot"}

SCORE_TABLES = {
    table.number: table
    for table in (
        ScoreTable(
            10,
            "dep",
            _pairs(_FINE_TUNED, "uas"),
            code="ud_code",
            trains={"zero_shot": TASK_FACTS["dep"].english},
            labels=("cluster", "variety", "ud_code"),
        ),
        ScoreTable(
            11,
            "pos",
            _pairs(_FINE_TUNED, "f1"),
            code="dataset_code",
            trains={"zero_shot": TASK_FACTS["pos"].english},
            labels=("cluster", "variety", "dataset_code", "dataset"),
        ),
        ScoreTable(
            12,
            "ner",
            _pairs({"zeroshot": "zero_shot", "finetune": "in_cluster"}, "f1"),
            code="target_code",
            source="source",
            count="support",
            trains={"zero_shot": TASK_FACTS["ner"].english},
            labels=("cluster", "variety", "target_code", "source", "dataset", "support"),
        ),
        ScoreTable(
            13,
            "nli",
            _accuracy_and_f1("zero_shot"),
            code="target_code",
            trains={"zero_shot": TASK_FACTS["nli"].english},
            labels=("cluster", "variety", "target_code", "src"),
        ),
        ScoreTable(
            14,
            "eqa",
            _pairs(_COMBINED, "f1", "dev"),
            code="target_code",
            count="count",
            trains={"zero_shot": TASK_FACTS["eqa"].english, "combined": "all"},
            labels=("cluster", "variety", "target_code", "count"),
        ),
        ScoreTable(
            15,
            "eqa",
            _pairs(_COMBINED, "f1") | {"icl_mistral": Column(Quantity("mistral-7b", "in_context", "f1"))},
            code="target_code",
            count="count",
            trains={"zero_shot": TASK_FACTS["eqa"].english, "combined": "all", "in_context": "2-shot"},
            labels=("cluster", "variety", "target_code", "count"),
        ),
        ScoreTable(
            16,
            "did",
            _table16(),
            code="dialect_code",
            count="support",
            labels=("cluster", "variety", "dialect_code", "support"),
        ),
        ScoreTable(
            17,
            "tc",
            _table17(),
            code="target_code",
            source="src",
            trains={"zero_shot": TASK_FACTS["tc"].english},
            labels=("cluster", "variety", "target_code", "src"),
        ),
        ScoreTable(
            18,
            "sa",
            _accuracy_and_f1("in_cluster", ("acc_mbert", "f1_mbert", "acc_xlmr", "f1_xlmr"))
            | {"mistral7b": Column(Quantity("mistral-7b", "in_context", "accuracy"), decimals=1)},
            code="dialect_code",
            trains={"in_context": "4-shot"},
            labels=("cluster", "variety", "dialect_code"),
        ),
        ScoreTable(
            19, "mrc", _accuracy_and_f1("combined"), code="dialect_code", labels=("cluster", "variety", "dialect_code")
        ),
        # setting "": English or pseudo-reference, row by row (`translation_setting`)
        ScoreTable(
            20,
            "mt",
            {
                "nllb_600m_bleu": Column(Quantity("nllb-600m", "", "bleu")),
                "nllb_1_3b_bleu": Column(Quantity("nllb-1.3b", "", "bleu")),
            },
            labels=("cluster", "variety"),
        ),
    )
}

# Table 20's caption: these clusters are scored against English references, all others against
# the translation of the standard's sentence.
ENGLISH_REFERENCES = {"yoruba", "common turkic", "farsic", "tigrinya", "bengali"}


def translation_setting(cluster):
    """`zero_shot` where Table 20 has English references, `pseudo_reference` elsewhere."""
    return "zero_shot" if cluster in ENGLISH_REFERENCES else "pseudo_reference"
