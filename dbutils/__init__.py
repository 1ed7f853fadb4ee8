"""DialectBench Compendium: the paper's numbers recomputed, its experiments re-runnable.

The rooms, in the order in which they may import: registry, metrics, scores, corpora, sandbox,
models, tasks, experiments, analysis, report, book, cli. Importing `dbutils` itself is cheap:
every heavy library is imported where it is used. The names of the public interface (`dbutils.api`) are
attributes of the package.
"""

import importlib

__version__ = "0.1.0"

TASKS = ("dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa", "mt")
SETTINGS = ("zero_shot", "in_variety", "in_cluster", "combined", "in_context", "pseudo_reference")


def __getattr__(name):
    api = importlib.import_module("dbutils.api")  # not `from dbutils import`, which asks for this attribute again

    if name in api.__all__:
        return getattr(api, name)
    raise AttributeError(f"dbutils has no {name!r}; it has: {', '.join(api.__all__)}")


def __dir__():
    api = importlib.import_module("dbutils.api")

    return sorted([*globals(), *api.__all__])
