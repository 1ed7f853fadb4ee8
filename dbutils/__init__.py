"""DialectBench Compendium: the paper's numbers recomputed, its experiments re-runnable.

The rooms, in the order in which they may import: registry, metrics, scores, corpora, sandbox,
models, tasks, experiments, analysis, report, book, cli. Importing `dbutils` itself is cheap:
every heavy library is imported where it is used.
"""

__version__ = "0.1.0"

TASKS = ("dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa", "mt")
SETTINGS = ("zero_shot", "in_variety", "in_cluster", "combined", "in_context", "pseudo_reference")
