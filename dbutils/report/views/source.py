"""Where a notebook's numbers come from: the sources it was given, and every file behind them."""

from dbutils import TASKS, names
from dbutils.experiments.request import default_model
from dbutils.report.views.view import paragraph, unnumbered

PACKAGES = ("dbutils", "pandas", "numpy", "matplotlib", "plotly", "papermill", "jupyter-book")
ORIGINS = {"paper": "the print", "upstream": "authors' files", "run": "a run"}


def load(run):
    """The score rows of a notebook's parameter `scores`."""
    from dbutils import scores

    return scores.load(*scores.named(run.scores))


def registered(varieties):
    """The registry's varieties that the parameter names (by name or by a code of any corpus); all if it is empty."""
    from dbutils import registry

    known, varieties = registry.load(), _of_the_benchmark(varieties)
    if not varieties:
        return tuple(known)
    keys = {known.find(name).key for name in varieties if name not in known.codes}
    return tuple(v for v in known if v.key in keys or any(c.code in varieties for c in v.codes))


def chosen(table, varieties):
    """The rows of the varieties that the parameter names (by name or by the code in the row); all rows if it is empty."""
    from dbutils import registry

    known, varieties = registry.load(), _of_the_benchmark(varieties)
    if not varieties:
        return table
    keys = {known.find(name).key for name in varieties if name not in known.codes}
    rows = zip(table.cluster, table.variety, table.code)
    return table[[(cluster, variety) in keys or code in varieties for cluster, variety, code in rows]]


def _of_the_benchmark(varieties):
    """The names without those of constructed varieties, which stand in no published score."""
    from dbutils import registry, sandbox

    known = registry.load()
    return tuple(name for name in varieties if name in known.codes or name not in sandbox.names())


def shown(run, rows, task=None, gaps=True):
    """One paragraph: what the parameters of this notebook select, and which of them it does not use.

    gaps: whether the notebook has tables of gaps, which `model`, `settings` and `varieties` choose from.
    """
    here = "" if task is None else f", {int((rows.task == task).sum()):,} of them of this task"
    model = "the first model that has scores (mBERT, if it has any)"
    if run.model:
        model = f"the model `{run.model}`" if run.model in set(rows.model) else f"{model}, as `{run.model}` has none"
    settings = names.listed(f"`{s}`" for s in run.settings)
    varieties = names.listed(f"`{v}`" for v in run.varieties) if run.varieties else "all varieties"
    unused = [f"profile `{run.profile}`", f"seed {run.seed}", f"limit {run.limit}", f"runs in `{run.runs}`"]
    chooses = f"The tables of gaps are for {model}, in {settings}, and {varieties}."
    if not gaps:
        chooses = ""
        unused = [f"model {f'`{run.model}`' if run.model else '(none named)'}", f"settings {settings}", *unused]
    if task in TASKS:
        model_run = run.model or default_model(task, run.profile)
        also = (
            f"What is run in {{ref}}`run-{task}` is chosen by profile `{run.profile}`, model `{model_run}`,"
            f" seed {run.seed}, limit {run.limit} and, too, settings and varieties; the runs lie in `{run.runs}`."
        )
    else:
        also = f"Not used on this page, on which nothing is trained: {names.listed(unused)}."
    return paragraph(
        f"**Shown here:** the scores of `{run.scores}` ({names.counted(len(rows), 'row')}{here}).", chooses, also
    )


def sources(rows, task=None):
    """A table: the files and tables behind the score rows of a task, with the number of rows from each.

    Without a task: per task and origin the number of files or tables and of rows.
    """
    return _of_task(rows[rows.task == task]) if task else _of_all(rows)


def _files(rows):
    """What each row was read from: a file, a table of the paper (`table10`), a run."""
    return rows.run.str.replace(r":\d+$", "", regex=True).where(rows.origin != "run", rows.run)


def _of_task(rows):
    if rows.empty:
        return paragraph("The score rows hold none of this task.")
    lines = []
    for (origin, file), part in rows.assign(file=_files(rows)).groupby(["origin", "file"], sort=True):
        where = file.replace("table", "Table ") if origin == "paper" else file
        models, corpora = (", ".join(sorted(set(part[column]))) for column in ("model", "corpus"))
        lines.append([where, ORIGINS[origin], f"{len(part):,}", models, corpora])
    return unnumbered(["file or table", "origin", "rows", "model", "corpora"], lines, ["rows"])


def _of_all(rows):
    from dbutils import registry

    titles = registry.load().tasks["name"]
    lines = []
    for (task, origin), part in rows.assign(file=_files(rows)).groupby(["task", "origin"], sort=True):
        files = sorted(set(part.file))
        such = files[0].replace("table", "Table ") if origin == "paper" else files[0]
        lines.append([titles[task], ORIGINS[origin], len(files), f"{len(part):,}", such])
    lines.append(["all", "", "", f"{len(rows):,}", ""])
    return unnumbered(["task", "origin", "files", "rows", "such as"], lines, ["files", "rows"])


def versions():
    """One sentence: what computed this page, and where the authors' files are."""
    import platform
    from importlib import metadata

    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return paragraph(
        f"Computed with {names.listed(found)}.",
        "What the rows are and how they were read is described in `data/README.md`; "
        "each row names its file and line in the column `run`.",
    )
