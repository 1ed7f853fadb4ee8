"""Where a notebook's numbers come from: the sources it was given, and every file behind them."""

from dbutils.report.views.view import count, listing, paragraph, series

PACKAGES = ("dbutils", "pandas", "numpy", "matplotlib", "plotly", "papermill", "jupyter-book")
ORIGINS = {
    "paper": "the print",
    "upstream": "the authors' result files",
    "run": "a run",
}


def load(run):
    """The score rows of a notebook's parameter `scores`."""
    from dbutils import scores

    return scores.load(run.scores)


def registered(varieties):
    """The registry's varieties that the parameter names (by name or by a code of any corpus); all if it is empty."""
    from dbutils import registry

    known = registry.load()
    if not varieties:
        return tuple(known)
    keys = {known.find(name).key for name in varieties if name not in known.codes}
    return tuple(v for v in known if v.key in keys or any(c.code in varieties for c in v.codes))


def chosen(table, varieties):
    """The rows of the varieties that the parameter names (by name or by the code in the row); all rows if it is empty."""
    if not varieties:
        return table
    from dbutils import registry

    known = registry.load()
    keys = {known.find(name).key for name in varieties if name not in known.codes}
    rows = zip(table.cluster, table.variety, table.code)
    return table[[(cluster, variety) in keys or code in varieties for cluster, variety, code in rows]]


def shown(run, rows, task=None):
    """One paragraph: what the parameters of this notebook select."""
    of_task = len(rows) if task is None else int((rows.task == task).sum())
    here = "" if task is None else f", {of_task:,} of them of this task"
    return paragraph(
        f"**Shown here:** the scores of `{run.scores}` ({count(len(rows), 'row')}{here}).",
        f"Gaps are shown for {f'the model `{run.model}`' if run.model else 'the first encoder that has scores (mBERT if it has)'},"
        f" the settings {series(f'`{s}`' for s in run.settings)}"
        f" and {series(f'`{v}`' for v in run.varieties) if run.varieties else 'all varieties'}.",
        f"Not used on this page, since nothing is trained here: profile `{run.profile}`, seed {run.seed},"
        f" limit {run.limit}, runs in `{run.runs}`.",
    )


def sources(rows, task=None, name="sources"):
    """The files and tables behind the score rows, with the number of rows from each.

    name: the end of the table's label.
    """
    if task is not None:
        rows = rows[rows.task == task]
    files = rows.run.str.replace(r":\d+$", "", regex=True)
    grouped = rows.assign(file=files).groupby(["origin", "file"], sort=True)
    lines = []
    for (origin, file), part in grouped:
        where = file.replace("table", "Table ") if origin == "paper" else file
        corpora, models = (", ".join(sorted(set(part[column]))) for column in ("corpus", "model"))
        lines.append([ORIGINS[origin], where, models, corpora, f"{len(part):,}"])
    caption = f"Sources of the score rows{'' if task is None else ' of this task'}."
    return listing(["origin", "file or table", "model", "corpora", "rows"], lines, caption, f"tab-{name}", ["rows"])


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
        f"Computed with {series(found)}.",
        "What the rows are and how they were read is described in `data/README.md`; "
        "each row names its file and line in the column `run`.",
    )
