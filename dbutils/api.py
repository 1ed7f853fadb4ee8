"""The public interface: what a notebook or a program of one's own needs, in about twenty names.

    import dbutils
    scores = dbutils.load_scores("upstream", "runs")
    dbutils.gap(scores, "dep", level="cluster")

Every name is an attribute of `dbutils`; tables are pandas DataFrames. Whatever is wrong with an argument is an
InputError, one line that names the value and the remedy.
"""

__all__ = [
    "audit",
    "cells",
    "compare",
    "corpora_list",
    "dataset",
    "examples",
    "figure",
    "findings",
    "flags",
    "gap",
    "load_scores",
    "maxima",
    "predictions",
    "printed",
    "run",
    "score",
    "table",
    "told",
    "utility",
    "varieties",
    "write_scores",
]


# ---- scores and what follows from them ----------------------------------------------------------


def load_scores(*sources):
    """Score rows: a DataFrame with the columns of the score row, values in per cent.

    sources: `upstream` (the default: the authors' result files), `paper` (as printed), and paths of score files, run folders
    and folders of runs; several are put together.
    """
    from dbutils import scores

    return scores.load(*sources)


def write_scores(scores, path):
    """Write score rows to a CSV or Parquet file (by its ending), whole or not at all."""
    from dbutils.scores import write_scores

    write_scores(scores, path)


def cells(scores=None, **where):
    """The numbers that score rows make, one row each: rows that differ only in their seed are averaged, different runs never.

    where: which ones, a column with a value or several: `task="tc", metric="f1", model=["mbert", "xlmr"]`.
    Columns: value, low, high (95 % interval) in per cent; n gold examples; seeds, and the spread over them; origin, run;
    partial; flags, the known faults; rows, the labels of the score rows behind the number.
    """
    from dbutils.errors import InputError, unknown
    from dbutils.scores import cells

    for column in where:
        if column not in cells.COLUMNS:
            raise unknown("column", column, cells.COLUMNS)
    found = cells.cells(_rows(scores), **where)
    if found.empty:
        asked = ", ".join(f"{column}={value!r}" for column, value in where.items())
        raise InputError(f"these scores make no number with {asked or 'a place in the benchmark'}")
    return found


def told(scores, **where):
    """One line for each reason why rows of one's own are behind none of the `cells` that are asked for; [] if all are."""
    from dbutils.scores import cells

    scores = _rows(scores)
    shown = {label for labels in cells.cells(scores, **where)["rows"] for label in labels}
    return cells.told(scores, shown, [where]).lines


def table(number, scores=None, printed=False):
    """Table `number` of the paper (1-5, 7-31), recomputed: unrounded numbers, or text as the paper prints it (`printed`)."""
    from dbutils.analysis import tables

    found = tables.table(number, _rows(scores))
    return found.text() if printed else found.frame


def printed(number):
    """Table `number` as the paper prints it, all cells as text; the registry's names in columns that end in _norm."""
    from dbutils.scores import printed

    return printed(number)


def figure(number, scores=None):
    """Figure or panel `number` of the paper ("2" to "11c", also "world" and "europe") as a matplotlib Figure."""
    from dbutils.report import figures

    return figures.figure(number, _rows(scores))


def gap(scores, task, model=None, setting=None, reference="representative", level="variety"):
    """The dialectal gap of section 3.3, in per cent of the baseline's score.

    task: a task code; for translation mt-dialect or mt-region. model: the paper's first one of the task. setting: zero_shot,
    or the first that the model has. reference: representative or english. level: variety (a row each), or cluster: the mean
    over its varieties other than the reference, with the interval low to high (other varieties, other test examples; none
    for fewer than five varieties), and in a column of its own over all.
    """
    from dbutils.analysis import gap as gaps
    from dbutils.analysis import uncertainty
    from dbutils.errors import unknown

    if level not in ("variety", "cluster"):
        raise unknown("level", level, ("variety", "cluster"))
    scores = _rows(scores)
    model = model or ("nllb-600m" if task.startswith("mt") else "mbert")
    setting = setting or gaps.first_setting(scores, task, model)
    found = gaps.by_variety(scores, task, model, setting, reference)
    return uncertainty.gaps(scores, found, task, model, setting) if level == "cluster" else found


def maxima(scores, task):
    """The maximum obtainable score of each variety in a task (section 4.1), and which model and setting it comes from."""
    from dbutils.analysis.maximum import maxima

    return maxima(_rows(scores), task)


def utility(scores, task, all_populations=False):
    """Linguistic and demographic utility, minimum, deviation and Gini coefficient of a task in each cluster.

    all_populations: also those that the registry writes with separators, which the paper's tables leave out. Columns in _low and
    _high: intervals for other varieties and other test examples, none for fewer than five varieties.
    """
    from dbutils.analysis.tables.summaries import best_scores
    from dbutils.analysis.uncertainty import utilities

    return utilities(best_scores(_rows(scores), task), as_printed=not all_populations)


def audit(scores=None, tables=None):
    """Every printed cell beside its recomputation: a row each with status and reason. tables: numbers, or "text"."""
    import pandas as pd

    from dbutils.analysis.audit import COLUMNS, audit

    return pd.DataFrame(audit(_rows(scores), tables), columns=list(COLUMNS), dtype=object)


def findings():
    """What the published numbers really are: a row for each finding, with where it shows and what proves it."""
    import pandas as pd

    from dbutils.analysis.findings import FINDINGS

    rows = [(f.id, f.title, f.text, " ".join(f.tasks), f.where, f.seen) for f in FINDINGS]
    return pd.DataFrame(rows, columns=["id", "title", "text", "tasks", "where", "seen"])


def flags():
    """The known faults that travel with a number: a row for each kind, with its mark and its sentence."""
    import pandas as pd

    from dbutils.scores.flags import FLAGS

    return pd.DataFrame([vars(kind) for kind in FLAGS.values()])


# ---- varieties, corpora, examples ----------------------------------------------------------------


def varieties(cluster=None, task=None):
    """The registry: a row for each variety, of one cluster, of one task, or all.

    Columns: cluster, variety, glottocode, scripts, tasks, population (None where it is not known), latitude, longitude,
    mbert_seen.
    """
    import pandas as pd

    from dbutils import TASKS, registry
    from dbutils.errors import unknown

    known = registry.load()
    if task is not None and task not in TASKS:
        raise unknown("task", task, TASKS)
    if cluster is not None and cluster not in known.clusters:
        raise unknown("cluster", cluster, known.clusters)
    wanted = [v for v in (known.of(cluster) if cluster else known) if task is None or task in v.tasks]
    names = (
        "cluster",
        "variety",
        "glottocode",
        "scripts",
        "tasks",
        "population",
        "latitude",
        "longitude",
        "mbert_seen",
    )
    return pd.DataFrame([[getattr(v, name) for name in names] for v in wanted], columns=list(names))


def corpora_list():
    """The catalogue of corpora: a row for each, with id, name, tasks and licence."""
    import pandas as pd

    from dbutils.corpora import catalogue

    rows = [(c.id, c.name, " ".join(c.tasks), c.licence) for c in catalogue.load().values()]
    return pd.DataFrame(rows, columns=["id", "name", "tasks", "licence"])


def examples(task, corpus, code, split="test"):
    """The examples that a reader yields, a row each; `sandbox` is a corpus too and needs no download."""
    import json

    import pandas as pd

    from dbutils.corpora.examples import as_json
    from dbutils.experiments import parts

    found = parts.read(task, parts.Part(corpus, code, split))
    return pd.DataFrame([json.loads(as_json(example)) for example in found])


def dataset(task, corpus, code, split="test"):
    """The same as a `datasets.Dataset`: features, with labels as classes in their fixed order, licence and citation."""
    from dbutils.experiments import parts

    return parts.dataset(task, parts.Part(corpus, code, split))


# ---- experiments ---------------------------------------------------------------------------------


def run(task, model=None, setting=None, say=print, **options):
    """Train, predict and score, or what is missing of it; returns the score rows.

    The options are those of `dbutils run`: varieties, train, seed, limit, profile (`sandbox`, the default, or `paper`), runs
    (the folder, "runs"), set ({hyperparameter: value as text}). say: called with lines that tell what is done.
    """
    from dbutils.errors import InputError
    from dbutils.experiments.request import Request, asked_rows, default_model, default_setting, make

    for name in ("seed", "limit"):
        if not isinstance(options.get(name, 0), int):
            raise InputError(f"{name} {options[name]!r}: must be a whole number")
    if isinstance(options.get("varieties", ()), str):
        options["varieties"] = (options["varieties"],)
    profile = options.get("profile", "sandbox")
    model = model or default_model(task, profile, setting == "in_context")
    request = Request(task, model, setting or default_setting(task, profile), **options)
    return asked_rows(request, make(request, say=say))


def predictions(run, runs="runs"):
    """What a run predicted: code, split, id, gold, prediction, a row for each example.

    run: a run's folder, name, the beginning of it or its hash, in the folder `runs`.
    """
    import json

    import pandas as pd

    from dbutils.experiments.compare import results
    from dbutils.experiments.store import find

    rows = []
    for (code, split), result in results(find(str(run), runs)).items():
        columns = (result.table.column(name).to_pylist() for name in ("id", "gold", "prediction"))
        rows += [(code, split, id, json.loads(gold), json.loads(made)) for id, gold, made in zip(*columns)]
    return pd.DataFrame(rows, columns=["code", "split", "id", "gold", "prediction"])


def score(task, predictions, corpus="", split="test", model="", setting="zero_shot", train="", say=print):
    """Score rows of predictions made elsewhere.

    predictions: a file of JSON lines with code, id and prediction, as `dbutils score` takes it. say: called with a line
    for each thing that was wrong with them; what is missing or malformed counts as wrong.
    """
    import pandas as pd

    from dbutils.experiments.external import score
    from dbutils.scores import COLUMNS

    report = score(task, predictions, corpus, split, model, setting, train)
    for line in report.problems:
        say(line)
    return pd.DataFrame(report.rows, columns=list(COLUMNS))


def compare(a, b, runs="runs", say=print):
    """Differences a - b of two runs on the varieties that both were tested on, with intervals and p-values."""
    import pandas as pd

    from dbutils.experiments.compare import two_runs
    from dbutils.experiments.store import find

    return pd.DataFrame(two_runs(find(str(a), runs), find(str(b), runs), say))


def _rows(scores):
    """Score rows as they are given, checked to be such; None: the published ones."""
    from dbutils.errors import InputError
    from dbutils.scores import COLUMNS

    if scores is None:
        return load_scores()
    columns = getattr(scores, "columns", ())
    lost = [name for name in COLUMNS if name not in columns]
    if lost:
        raise InputError(
            f"{type(scores).__name__} without the column {lost[0]!r}: score rows come from dbutils.load_scores(...)"
        )
    empty = scores.value.isna()
    if empty.any():
        raise InputError(f"score row {scores.index[empty][0]!r}: no value; drop it, or give its value in per cent")
    return scores
