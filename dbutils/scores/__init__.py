"""How much? The score row, its readers for the three origins, and where each number comes from."""

from dbutils.scores.cells import benchmark
from dbutils.scores.paper import paper_scores
from dbutils.scores.printed import SCORE_TABLES, printed
from dbutils.scores.reading import read_scores
from dbutils.scores.schema import COLUMNS, FILES, KEY, ORIGINS, empty, write_scores
from dbutils.scores.sources import load, named, raw_upstream, upstream_scores

__all__ = [
    "COLUMNS",
    "FILES",
    "KEY",
    "ORIGINS",
    "SCORE_TABLES",
    "benchmark",
    "empty",
    "load",
    "named",
    "paper_scores",
    "printed",
    "raw_upstream",
    "read_scores",
    "upstream_scores",
    "write_scores",
]
