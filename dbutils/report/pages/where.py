"""Where is Table N, where is Figure N, and how many of its numbers reproduce?"""

from dbutils.registry import TASK_FACTS
from dbutils.report.markup import md
from dbutils.report.numbers import count, published
from dbutils.report.pages.links import figure, table
from dbutils.report.tables import directive

HEAD = """(where)=
# Where is Table N, Figure N?

The tables and figures of the paper, under the numbers that they have there and in this book. What this book adds to them
is numbered S1, S2 and so on. The numbers of cells come from the reproduction report ({ref}`nb-reproduction_report`), which lists every
cell that is not {term}`reproduced`; what {term}`mislabelled`, {term}`differs` and {term}`unverifiable` mean is said in the glossary.

"""
FOOT = """
Table 6 of the paper lists the contents of its appendices; here they are the chapters {ref}`appendix-a` to {ref}`appendix-i`. Tables 1, 2,
8 and 9 state what the benchmark is, not what came out: they hold no result to compare. The numbers in the
running text of the paper are compared as well: {number}`audit-statements` of them.

"""

# the page (label) that holds each table and figure
TABLE_PAGES = {
    1: "benchmark",
    2: "experiments",
    3: "nb-summary",
    4: "nb-gap_analysis",
    5: "nb-summary",
    7: "nb-natural_language_inference",
    8: "nb-varieties",
    9: "nb-varieties",
    **{n: f"nb-{task.notebook}" for task in TASK_FACTS.values() for n in task.result_tables},
    21: "nb-summary",
    22: "nb-summary",
    **dict.fromkeys(range(23, 32), "nb-utility_analysis"),
}
FIGURES = {
    "2": ("the clusters and how many varieties each has in each task", "nb-varieties"),
    "3": ("maximum scores, dependency parsing", "nb-dependency_parsing"),
    "4a": ("dialectal gaps of clusters, dependency parsing", "nb-gap_analysis"),
    "4b": ("dialectal gaps of clusters, topic classification", "nb-gap_analysis"),
    "4c": ("dialectal gaps of clusters, extractive question answering", "nb-gap_analysis"),
    "5": ("map of Switzerland, translation scores per canton", "nb-machine_translation"),
    "6": ("map of Italy, translation scores per region", "nb-machine_translation"),
    "7a": ("maximum scores, part-of-speech tagging", "nb-pos_tagging"),
    "7b": ("maximum scores, named entity recognition", "nb-named_entity_recognition"),
    "7c": ("maximum scores, topic classification", "nb-topic_classification"),
    "8a": ("maximum scores, natural language inference", "nb-natural_language_inference"),
    "8b": ("maximum scores, extractive question answering", "nb-question_answering"),
    "8c": ("maximum scores, multiple-choice reading comprehension", "nb-reading_comprehension"),
    "9a": ("maximum scores, sentiment analysis", "nb-sentiment_analysis"),
    "9b": ("maximum scores, dialect identification", "nb-dialect_identification"),
    "10a": ("maximum scores, machine translation of regions", "nb-machine_translation"),
    "10b": ("maximum scores, machine translation of dialects", "nb-machine_translation"),
    "11a": ("dialectal gaps of clusters, part-of-speech tagging", "nb-gap_analysis"),
    "11b": ("dialectal gaps of clusters, named entity recognition", "nb-gap_analysis"),
    "11c": ("dialectal gaps of clusters, natural language inference", "nb-gap_analysis"),
}


def where():
    """{`where.md`: the page}."""
    return {"where.md": HEAD + _tables() + FOOT + _figures()}


def _tables():
    from dbutils.analysis.audit import STATUSES, counts

    found = counts(published().cells)
    rows = []
    for number, page in sorted(TABLE_PAGES.items()):
        of = found.get(str(number))
        cells = [count(sum(of.values())), *(count(of[s]) for s in STATUSES)] if of else [""] * (1 + len(STATUSES))
        rows.append([f"{table(number)}: {md(published().table(number).title)}", f"{{ref}}`{page}`", *cells])
    return directive(
        ["table", "page", "cells", *STATUSES],
        rows,
        "The tables of the paper and how many of their cells reproduce",
        "tab-where",
        [False] * 2 + [True] * (1 + len(STATUSES)),
    )


def _figures():
    rows = [[f"{figure(number)}: {what}", f"{{ref}}`{page}`"] for number, (what, page) in FIGURES.items()]
    rows.insert(0, ["Figure 1: a drawing of the benchmark's parts; told in words", "{ref}`benchmark`"])
    return directive(["figure", "page"], rows, "The figures of the paper", "tab-where-figures")
