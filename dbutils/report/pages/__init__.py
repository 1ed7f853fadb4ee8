"""The pages of the book that are written from data: GENERATORS, each {path in book/generated/: text}.

Variety explorer and a page per cluster, a data card per corpus, the constructed varieties, the index of tables and figures,
how sure one can be, the colophon; and for the hand-written pages the tables and prompts that they include and the numbers that they name.
"""

from dbutils.report.pages.certainty import certainty
from dbutils.report.pages.clusters import clusters
from dbutils.report.pages.colophon import colophon
from dbutils.report.pages.constructed import constructed
from dbutils.report.pages.datacards import datacards
from dbutils.report.pages.explorer import explorer
from dbutils.report.pages.fragments import fragments, numbers
from dbutils.report.pages.prompts import prompts
from dbutils.report.pages.where import where

GENERATORS = [fragments, explorer, clusters, datacards, constructed, where, colophon, numbers, prompts, certainty]

__all__ = [
    "GENERATORS",
    "certainty",
    "clusters",
    "colophon",
    "constructed",
    "datacards",
    "explorer",
    "fragments",
    "numbers",
    "prompts",
    "where",
]
