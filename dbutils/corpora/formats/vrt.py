"""VRT, the vertical text of Kielipankki: one token per line, structure in XML-like tags."""

import re

from dbutils.corpora.text import lines
from dbutils.errors import InputError

ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def sentences(path, columns):
    """The sentences of a file as (line number, attributes of their text, list of rows).

    columns: the least number of tab-separated cells of a token line. Tags other than text and
    sentence (clause, paragraph, comments) are passed over.
    """
    text, rows, start = {}, None, 0
    for number, line in lines(path):
        if not line.strip():
            continue
        if line.startswith("<text"):
            text = dict(ATTRIBUTE.findall(line))
        elif line.startswith("<sentence"):
            rows, start = [], number
        elif line.startswith("</sentence"):
            if rows:
                yield start, text, rows
            rows = None
        elif not line.startswith("<") and rows is not None:
            cells = line.split("\t")
            if len(cells) < columns:
                raise InputError(f"{path}:{number}: {len(cells)} columns where at least {columns} are needed")
            rows.append(cells)
