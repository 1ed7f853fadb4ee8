"""English sentences with labels, written for this project: exemplars for corpora whose task has no English training data.

They are a corpus of their own, `written`, outside the catalogue, that is only read as exemplars: nothing is tested on it. Its
codes are those of the corpora that it serves, each with just the labels that the corpus knows.
"""

import functools

from dbutils import csvio, paths
from dbutils.corpora import catalogue
from dbutils.corpora.examples import TextExample
from dbutils.errors import InputError, unknown

CORPUS = "written"
COLUMNS = ("id", "task", "language", "label", "text")


def labels(task, code):
    """The label set of the corpus that has a code."""
    served = _served(task)
    if code not in served:
        raise unknown(f"code of task {task}", code, served)
    return served[code]


@functools.cache
def _served(task):
    """{code: labels} of the corpora of a task."""
    return {code: r.labels[task] for r in catalogue.load().values() if task in r.labels for code in r.codes[task]}


def examples(task, code):
    """The sentences whose label the corpus of a code knows, in the file's order."""
    known = labels(task, code)
    return tuple(example for example in _all(task) if example.label in known)


@functools.cache
def _all(task):
    path = paths.data("corpora_written.csv")
    table = csvio.read_csv(path, COLUMNS)
    for line, text in zip(table.index, table.text, strict=True):
        if not text.strip():
            raise InputError(f"{path}:{line}: an empty text")
    mine = table[table.task == task]
    return tuple(TextExample(r.id, r.text, r.label) for r in mine.itertuples())
