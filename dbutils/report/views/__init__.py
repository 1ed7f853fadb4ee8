"""What a notebook shows: each function takes score rows or a notebook's parameters and returns one View.

A cell calls one of them in its last line. Where the scores lack what a view needs, it says so in a sentence.
"""

from dbutils.report.views.checks import cluster, foreign_sources, fractions, metrics_apart, smallest, worse_when_trained
from dbutils.report.views.data import clusters, size
from dbutils.report.views.effects import effects
from dbutils.report.views.exhibits import figure, interactive, table, utility_figure
from dbutils.report.views.findings import finding
from dbutils.report.views.gap_overview import clusters as gap_overview_clusters
from dbutils.report.views.gap_overview import conventions as gap_conventions
from dbutils.report.views.gap_overview import special_cases as gap_special_cases
from dbutils.report.views.gap_overview import varieties as gap_overview_varieties
from dbutils.report.views.gaps import clusters as gap_clusters
from dbutils.report.views.gaps import varieties as gap_varieties
from dbutils.report.views.identification import halves, labels, rare_labels, test_sets
from dbutils.report.views.maxima import best
from dbutils.report.views.names import attributes, codes, found, parsed, registry_size
from dbutils.report.views.own import answers as own_answers
from dbutils.report.views.own import beside as own_beside
from dbutils.report.views.own import conduct, plan
from dbutils.report.views.own import errors as own_errors
from dbutils.report.views.own import examples as own_examples
from dbutils.report.views.own import gaps as own_gaps
from dbutils.report.views.own import scores as own_scores
from dbutils.report.views.printed import columns, unlisted
from dbutils.report.views.reading import chance, side_runs, single_source, sizes
from dbutils.report.views.reproduction import audit, listed, per_table, reasons, verdict
from dbutils.report.views.source import load, shown, sources, versions
from dbutils.report.views.summary import (
    fine_tuning,
    in_context,
    latin_and_others,
    latin_share,
    representatives_and_others,
    seen_and_unseen,
)
from dbutils.report.views.translation import both_figure, both_references, misled, references, tracking
from dbutils.report.views.utilities import clusters as utility_clusters
from dbutils.report.views.utilities import summary as utility
from dbutils.report.views.utilities import tasks as utility_tasks
from dbutils.report.views.utilities import unread_populations
from dbutils.report.views.view import View

__all__ = [
    "View",
    "attributes",
    "audit",
    "best",
    "both_figure",
    "both_references",
    "chance",
    "cluster",
    "clusters",
    "codes",
    "columns",
    "conduct",
    "effects",
    "figure",
    "finding",
    "fine_tuning",
    "foreign_sources",
    "found",
    "fractions",
    "gap_clusters",
    "gap_conventions",
    "gap_overview_clusters",
    "gap_overview_varieties",
    "gap_special_cases",
    "gap_varieties",
    "halves",
    "in_context",
    "interactive",
    "labels",
    "latin_and_others",
    "latin_share",
    "listed",
    "load",
    "metrics_apart",
    "misled",
    "own_answers",
    "own_beside",
    "own_errors",
    "own_examples",
    "own_gaps",
    "own_scores",
    "parsed",
    "per_table",
    "plan",
    "rare_labels",
    "reasons",
    "references",
    "registry_size",
    "representatives_and_others",
    "seen_and_unseen",
    "shown",
    "side_runs",
    "single_source",
    "size",
    "sizes",
    "smallest",
    "sources",
    "table",
    "test_sets",
    "tracking",
    "unlisted",
    "unread_populations",
    "utility",
    "utility_clusters",
    "utility_figure",
    "utility_tasks",
    "verdict",
    "versions",
    "worse_when_trained",
]
