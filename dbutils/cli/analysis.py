"""Commands that compute from scores: gap, utility, audit."""

from dbutils import SETTINGS
from dbutils.cli.tables import add_scores
from dbutils.errors import unknown

LEVELS = ("dep", "pos", "ner", "did", "sa", "tc", "nli", "mrc", "eqa", "mt-dialect", "mt-region")


def add(commands):
    """Add `gap` and `utility` to the command line."""
    p = commands.add_parser(
        "gap",
        help="dialectal gaps of a task",
        description="The dialectal gap of section 3.3, in per cent of the baseline's score, as CSV.",
    )
    p.add_argument("--task", required=True, metavar="T", help=f"one of {' '.join(LEVELS)} (mt: mt-dialect)")
    p.add_argument("--model", metavar="M", help="default: mbert; for translation nllb-600m")
    p.add_argument("--setting", metavar="S", help="default: zero_shot, or the first that the task's scores have")
    p.add_argument(
        "--reference", metavar="R", default="representative", help="baseline: representative (default) or english"
    )
    p.add_argument(
        "--level", choices=("variety", "cluster"), default="variety", help="one row per variety (default) or cluster"
    )
    add_scores(p)
    p.set_defaults(run=gap)
    p = commands.add_parser(
        "utility",
        help="utilities per cluster",
        description="Linguistic and demographic utility, minimum, deviation and Gini coefficient of a task per cluster, as CSV.",
    )
    p.add_argument("--task", required=True, metavar="T", help=f"one of {' '.join(LEVELS)} (mt: mt-dialect)")
    p.add_argument(
        "--all-populations", action="store_true", help="also count populations that the registry writes with separators"
    )
    add_scores(p)
    p.set_defaults(run=utility)
    p = commands.add_parser(
        "audit",
        help="compare every printed cell with its recomputation",
        description="One line per printed cell: status reproduced, mislabelled, differs or unverifiable, and the reason.",
    )
    p.add_argument("--table", nargs="+", metavar="N", help="only these tables (numbers, or text for the running text)")
    p.add_argument(
        "--format", choices=("csv", "counts"), default="csv", help="csv: every cell (default); counts: per table"
    )
    add_scores(p)
    p.set_defaults(run=audit)


def level(task):
    """A task code, translation with its level; InputError for an unknown one."""
    task = "mt-dialect" if task == "mt" else task
    if task not in LEVELS:
        raise unknown("task", task, LEVELS)
    return task


def gap(arguments):
    from dbutils import scores
    from dbutils.analysis import gap as gaps
    from dbutils.csvio import to_csv

    task = level(arguments.task)
    rows = scores.load(*arguments.scores)
    model = arguments.model or ("nllb-600m" if task.startswith("mt") else "mbert")
    setting = arguments.setting or gaps.first_setting(rows, task, model)
    if setting not in SETTINGS:
        raise unknown("setting", setting, SETTINGS)
    table = gaps.by_variety(rows, task, model, setting, arguments.reference)
    if arguments.level == "cluster":
        table = gaps.by_cluster(table)
    print(to_csv(table), end="")


def utility(arguments):
    from dbutils import scores
    from dbutils.analysis.tables.summaries import best_scores
    from dbutils.analysis.utility import by_cluster
    from dbutils.csvio import to_csv
    from dbutils.errors import InputError

    task = level(arguments.task)
    table = best_scores(scores.load(*arguments.scores), task)
    if table.empty:
        raise InputError(f"these scores have nothing of task {task!r}")
    print(to_csv(by_cluster(table, as_printed=not arguments.all_populations)), end="")


def audit(arguments):
    import pandas as pd

    from dbutils import scores
    from dbutils.analysis import audit as audits
    from dbutils.csvio import to_csv

    cells = audits.audit(scores.load(*arguments.scores), arguments.table)
    if arguments.format == "csv":
        print(to_csv(pd.DataFrame(cells, columns=list(audits.COLUMNS), dtype=object)), end="")
    else:
        print(f"{'table':>6}" + "".join(f"{s:>14}" for s in audits.STATUSES) + f"{'cells':>8}")
        total = dict.fromkeys(audits.STATUSES, 0)
        for name, count in audits.counts(cells).items():
            print(f"{name:>6}" + "".join(f"{count[s]:>14}" for s in audits.STATUSES) + f"{sum(count.values()):>8}")
            total = {s: total[s] + count[s] for s in audits.STATUSES}
        print(f"{'all':>6}" + "".join(f"{total[s]:>14}" for s in audits.STATUSES) + f"{sum(total.values()):>8}")
