"""What the paper does with each task, in one record: training, tables, figures, what its summaries are taken over.

Names, metric as printed and data sets are in `data/registry/tasks.csv`, what learners do in `dbutils.tasks`.
"""

from dataclasses import dataclass, field

from dbutils.errors import unknown

_TRANSFER = ("zero_shot", "in_variety", "in_cluster")
_ENCODERS = ("mbert", "xlmr")


@dataclass(frozen=True)
class Maximum:
    """What the maximum obtainable score of a task is taken over (paper, section 4.1; protocol, section 6)."""

    metrics: tuple[str, ...]
    settings: tuple[str, ...]
    models: tuple[str, ...] = _ENCODERS
    split: str = "test"
    sentence: str = ""


@dataclass(frozen=True)
class Comparison:
    """How Table 5 compares base models: settings of its zero-shot and fine-tuned columns (None: no such column), metric.

    same_rows: all columns are over the varieties with a fine-tuned score only. table: the result table whose varieties count.
    """

    zero_shot: str | None
    fine_tuned: str | None
    metric: str
    table: int
    same_rows: bool = False


@dataclass(frozen=True)
class Gaps:
    """How Table 4 measures gaps. fine_tuned: the setting of the third. corpora: whose rows count (None: all).

    left_out: clusters without which alone the printed values come out (protocol, section 6).
    """

    fine_tuned: str
    corpora: frozenset[str] | None = None
    left_out: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TaskFacts:
    """The facts of a task.

    metric: of gaps, ranks and the first column of its tables, as score rows call it. settings: in which there are examples to
    train and test on; in context, exemplars are English: dialects are shown in their own training texts, sentiment in sentences
    written for it. notebook: its name in the book. result_tables: with scores of varieties.
    table8: column of Table 8 with a tick per variety. printed: its name in a table (number or (number, level)), where that is
    not its name in the registry. utility_table: of Tables 23-31. bars: {level: figure of maxima}; gap_figure: of gaps.
    ranking: the setting that Table 21 ranks by. english: the code whose training data the paper trains on zero-shot.
    levels: translation has two (Table 9).
    """

    code: str
    metric: str
    settings: tuple[str, ...]
    notebook: str
    result_tables: tuple[int, ...]
    table8: str
    maximum: Maximum
    bars: dict[str, str]
    printed: dict = field(default_factory=dict)
    utility_table: int | None = None
    gap_figure: str = ""
    ranking: str = ""
    english: str = ""
    comparison: Comparison | None = None
    gaps: Gaps | None = None
    levels: tuple[str, ...] = ()

    def stands_in(self, table):
        """Whether a summary table of the paper has rows of the task."""
        return bool({4: self.gaps, 5: self.comparison, 21: self.ranking}.get(table, True))


TASK_FACTS = {
    task.code: task
    for task in (
        TaskFacts(
            "dep",
            "uas",
            _TRANSFER,
            "dependency_parsing",
            (10,),
            "udp",
            Maximum(("uas",), ("zero_shot", "in_variety"), sentence="UAS, zero-shot and fine-tuned"),
            {"dep": "3"},
            printed={5: "DEP. Parsing", 9: "DEP. Parsing"},
            utility_table=23,
            gap_figure="4a",
            ranking="zero_shot",
            english="UD_English-EWT",
            comparison=Comparison("zero_shot", "in_variety", "uas", 10, same_rows=True),
            gaps=Gaps("in_variety"),
        ),
        TaskFacts(
            "pos",
            "f1",
            _TRANSFER,
            "pos_tagging",
            (11,),
            "pos",
            Maximum(("f1",), ("zero_shot", "in_variety"), sentence="F1, zero-shot and fine-tuned"),
            {"pos": "7a"},
            printed={5: "POS Tagging", 9: "POS Tagging"},
            utility_table=24,
            gap_figure="11a",
            ranking="zero_shot",
            english="UD_English-EWT",
            comparison=Comparison("zero_shot", "in_variety", "f1", 11, same_rows=True),
            gaps=Gaps("in_variety", frozenset({"ud", "singlish"}), frozenset({"italian romance"})),
        ),
        TaskFacts(
            "ner",
            "f1",
            _TRANSFER,
            "named_entity_recognition",
            (12,),
            "ner",
            Maximum(("f1",), ("zero_shot", "in_cluster"), sentence="F1, zero-shot and fine-tuned"),
            {"ner": "7b"},
            utility_table=25,
            gap_figure="11b",
            ranking="zero_shot",
            english="en",
            comparison=Comparison("zero_shot", "in_cluster", "f1", 12, same_rows=True),
            gaps=Gaps("in_cluster", frozenset({"wikiann", "wikiann_og"})),
        ),
        TaskFacts(
            "did",
            "f1",
            ("in_cluster", "in_context"),
            "dialect_identification",
            (16,),
            "di",
            Maximum(("f1",), ("in_cluster",), sentence="F1, fine-tuned"),
            {"did": "9b"},
            utility_table=28,
            comparison=Comparison(None, "in_cluster", "f1", 16),
        ),
        TaskFacts(
            "sa",
            "f1",
            ("in_cluster", "in_context"),
            "sentiment_analysis",
            (18,),
            "sc",
            Maximum(
                ("accuracy", "f1"),
                ("in_cluster", "in_context"),
                (*_ENCODERS, "mistral-7b"),
                sentence="accuracy and F1 of all models",
            ),
            {"sa": "9a"},
            printed={9: "SC"},
            utility_table=29,
            comparison=Comparison(None, "in_cluster", "accuracy", 18),
        ),
        TaskFacts(
            "tc",
            "f1",
            (*_TRANSFER, "in_context"),
            "topic_classification",
            (17,),
            "tc",
            Maximum(("f1",), ("zero_shot", "in_cluster"), sentence="F1, zero-shot and fine-tuned"),
            {"tc": "7c"},
            utility_table=27,
            gap_figure="4b",
            ranking="zero_shot",
            english="eng_Latn",
            comparison=Comparison("zero_shot", "in_cluster", "f1", 17),
            gaps=Gaps("in_cluster"),
        ),
        TaskFacts(
            "nli",
            "f1",
            ("zero_shot", "in_context"),
            "natural_language_inference",
            (13,),
            "nli",
            Maximum(("f1",), ("zero_shot",), sentence="F1, zero-shot"),
            {"nli": "8a"},
            utility_table=26,
            gap_figure="11c",
            ranking="zero_shot",
            english="eng_Latn",
            comparison=Comparison("zero_shot", None, "f1", 13),
        ),
        TaskFacts(
            "mrc",
            "f1",
            ("combined", "in_context"),
            "reading_comprehension",
            (19,),
            "rcmc",
            Maximum(("f1",), ("combined",), sentence="F1, combined fine-tuning"),
            {"mrc": "8c"},
            utility_table=30,
            ranking="combined",
            comparison=Comparison(None, "combined", "f1", 19),
        ),
        TaskFacts(
            "eqa",
            "f1",
            ("zero_shot", "combined", "in_context"),
            "question_answering",
            (14, 15),
            "sdqa",
            Maximum(
                ("f1",),
                ("zero_shot", "combined", "in_context"),
                (*_ENCODERS, "mistral-7b"),
                sentence="span F1 on the test split, zero-shot, fine-tuned and in-context",
            ),
            {"eqa": "8b"},
            utility_table=31,
            gap_figure="4c",
            ranking="zero_shot",
            english="english",
            comparison=Comparison("zero_shot", "combined", "f1", 15),
        ),
        TaskFacts(
            "mt",
            "bleu",
            ("zero_shot", "pseudo_reference"),
            "machine_translation",
            (20,),
            "mt",
            Maximum(
                ("bleu",),
                ("zero_shot", "pseudo_reference"),
                ("nllb-600m", "nllb-1.3b"),
                sentence="BLEU of both NLLB models",
            ),
            {"mt-dialect": "10b", "mt-region": "10a"},
            printed={
                (3, "mt-dialect"): "MT-dialect",
                (3, "mt-region"): "MT-region",
                (9, "mt-dialect"): "MT-Dialect",
                (9, "mt-region"): "MT-Region",
            },
            levels=("mt-dialect", "mt-region"),
        ),
    )
}
# what has representatives, maxima and gaps of its own: a task, for translation each of its levels
LEVELS = tuple(level for task in TASK_FACTS.values() for level in (task.levels or (task.code,)))


def facts(level):
    """The facts of a task, named by its code or one of its levels; InputError for another."""
    task = level.partition("-")[0]
    if task not in TASK_FACTS:
        raise unknown("task", level, TASK_FACTS)
    return TASK_FACTS[task]
