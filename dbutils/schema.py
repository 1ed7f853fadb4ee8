"""Checking a CSV table against a pandera schema, so that a broken cell is named by file, line and column."""

import pandas as pd

from dbutils.csvio import read_csv
from dbutils.errors import InputError


def read_checked(path, schema, unique=()):
    """Read a CSV file and check every cell.

    schema: pandera DataFrameSchema over text columns; its columns are the file's, all of them.
    unique: columns that together identify a row.
    Raises InputError naming file, line, column and value of the first broken cell.
    """
    return check(read_csv(path, list(schema.columns)), schema, path, unique)


def check(table, schema, path, unique=()):
    """Check a table of text indexed by line; returns it, or raises InputError for its first broken cell."""
    import pandera.errors

    try:
        schema.validate(table, lazy=True)
    except pandera.errors.SchemaErrors as error:
        first = error.failure_cases.dropna(subset=["index"]).sort_values("index", kind="stable").iloc[0]
        more = len(error.failure_cases) - 1
        also = f" ({more} more)" if more else ""
        raise InputError(
            f"{path}:{first['index']}: column {first['column']!r}: {first['failure_case']!r} is not {first['check']}{also}"
        ) from None
    if unique:
        again = table.duplicated(list(unique))
        if again.any():
            line = again.idxmax()
            key = tuple(table.loc[line, list(unique)])
            earlier = table.index[(table[list(unique)] == pd.Series(dict(zip(unique, key)))).all(axis=1)][0]
            raise InputError(f"{path}:{line}: the same row as line {earlier}: {' / '.join(map(str, key))}")
    return table


class Cell:
    """What a cell of a text column should be: `cell(text)` says whether it is that."""

    def __init__(self, what, pattern=None, among=None, empty=False, test=None):
        """what: how an error says it. pattern: regular expression for the whole cell; among: allowed values; test:
        predicate on a cell; empty: the cell may be empty."""
        import re

        self.what, self.among, self.empty, self.test = what, among, empty, test
        self.pattern = re.compile(pattern) if pattern else None

    def __call__(self, text):
        if text == "":
            return self.empty
        return (
            (self.pattern is None or self.pattern.fullmatch(text) is not None)
            and (self.among is None or text in self.among)
            and (self.test is None or self.test(text))
        )

    def column(self):
        """The pandera column of such cells."""
        import pandera.pandas as pa

        return pa.Column(None, pa.Check(self.__call__, element_wise=True, error=self.what))


def column(what, pattern=None, **rule):
    """A pandera text column; `what` is how an error says what a cell should be, the rest what it may be (see Cell)."""
    return Cell(what, pattern, **rule).column()


NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"  # float() takes more: 8_1, other scripts' digits


def in_range(low=None, high=None):
    """A predicate: the cell is a finite decimal number within the bounds."""
    import math
    import re

    form = re.compile(NUMBER)

    def good(value):
        if not form.fullmatch(value):
            return False
        x = float(value)
        return math.isfinite(x) and (low is None or x >= low) and (high is None or x <= high)

    return good
