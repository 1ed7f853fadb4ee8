"""Settings of the whole suite."""

import os

from hypothesis import settings

settings.register_profile("project", deadline=None)  # a busy machine is no failure
settings.load_profile("project")

# Side by side, each worker computes with its share of the cores: more threads than cores only wait for one another.
if "PYTEST_XDIST_WORKER_COUNT" in os.environ:
    share = (os.cpu_count() or 1) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, share)))

# The files that take longest, the longest first (pytest --durations=0 says which). They begin, so that no worker is
# left alone with one of them at the end.
SLOW = (
    "tasks/test_translators.py",
    "notebooks/test_contents.py",
    "book/test_built_book.py",
    "book/test_workflow.py",
    "tasks/test_learners.py",
    "experiments/test_notebook.py",
    "experiments/test_matrix.py",
    "experiments/test_runs.py",
    "book/test_run.py",
)


def pytest_collection_modifyitems(items):
    """The slow files first, all else in its order."""
    order = {os.path.join(os.path.dirname(__file__), *name.split("/")): at for at, name in enumerate(SLOW)}
    items.sort(key=lambda item: order.get(str(item.path), len(SLOW)))
