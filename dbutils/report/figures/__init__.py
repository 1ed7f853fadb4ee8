"""Figures 2-11 of the paper from score rows, and two maps beyond it: static, interactive, with alt texts.

record = figures.FIGURES["4a"]
record.draw(scores), record.alt(scores), record.caption(scores), record.interactive(scores)
figures.save(figures.figure("4a", scores), "gap.svg")
"""

import re

from dbutils.errors import InputError
from dbutils.registry import TASK_FACTS
from dbutils.report.figures import bars, clusters, gaps, places
from dbutils.report.figures.base import PaperFigure
from dbutils.report.figures.files import ENDINGS, check, content, save


def _order(record):
    digits, letters = re.fullmatch(r"(\d*)(\w*)", record.id).groups()
    return int(digits or 99), ["", *"abcdefg", "world", "europe"].index(letters)


FIGURES = {
    record.id: record
    for record in sorted(
        (
            clusters.FIGURE,
            *places.FIGURES,
            *(bars.figure(n, level) for t in TASK_FACTS.values() for level, n in t.bars.items()),
            *(gaps.figure(t.gap_figure, t.code) for t in TASK_FACTS.values() if t.gap_figure),
        ),
        key=_order,
    )
}


def record(number):
    """The PaperFigure of an id such as `4a`; InputError naming the known ones for another."""
    number = str(number).strip().lower()
    if number in FIGURES:
        return FIGURES[number]
    if number == "1":
        raise InputError(f"figure 1 of the paper is a drawing without data; known figures: {', '.join(FIGURES)}")
    panels = [n for n in FIGURES if re.fullmatch(rf"{re.escape(number)}[a-z]", n)]
    if panels:
        raise InputError(f"figure {number} has panels: {', '.join(panels)}")
    raise InputError(f"unknown figure {number!r}; known figures: {', '.join(FIGURES)}")


def figure(number, scores):
    """Draw a figure from a table of score rows: a matplotlib Figure.

    InputError for an unknown figure, or if the scores lack what it shows.
    """
    return record(number).draw(scores)


__all__ = ["ENDINGS", "FIGURES", "PaperFigure", "check", "content", "figure", "record", "save"]
