"""Commands that compute from scores: gap, utility, audit."""

from dbutils import SETTINGS
from dbutils.cli.tables import add_choice, add_scores, choice, say, tell
from dbutils.errors import unknown
from dbutils.registry import LEVELS

NO_INTERVAL = "no interval: no cluster has five varieties other than the reference whose scores have an interval or a number of examples"


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
    p.add_argument(
        "--as-printed",
        action="store_true",
        help="also gaps from and of numbers that are no results (missing values, failed trainings), as the paper has them",
    )
    add_choice(p, model=False, partial=False)
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
    add_choice(p)
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
    from dataclasses import replace

    from dbutils import scores
    from dbutils.analysis import gap as gaps
    from dbutils.csvio import to_csv
    from dbutils.scores import cells, flags

    task = level(arguments.task)
    rows = scores.load(*arguments.scores)
    chosen = cells.choose(rows, replace(choice(arguments), model=""))  # an unknown model is told with those of the task
    model, own = gaps.system(chosen, task, choice(arguments))
    setting = arguments.setting or gaps.first_setting(chosen, task, model)
    if setting not in SETTINGS:
        raise unknown("setting", setting, SETTINGS)
    table = gaps.by_variety(
        chosen, task, model, setting, arguments.reference, own=own, withhold=not arguments.as_printed
    )
    behind = {label for labels in table["rows"] for label in labels}
    told = cells.told(rows, behind, [gaps.asked(task, model, setting)], chosen)
    withheld = [] if arguments.as_printed else gaps.withheld(table)
    if arguments.level == "cluster":
        from dbutils.analysis import uncertainty

        table = uncertainty.gaps(chosen, table, task, model, setting, own=own)
        if table.low.isna().all():
            say(NO_INTERVAL)
    shown = table[[c for c in table.columns if c not in ("seeds", "partial", "flags", "failed", "rows")]]
    print(to_csv(shown.assign(flags=[flags.names(f) for f in table["flags"]])), end="")
    for line in withheld:
        say(line)
    tell(told, rows)
    _note(table["flags"])


def utility(arguments):
    from dbutils import scores
    from dbutils.analysis import maximum
    from dbutils.analysis.tables.summaries import best_scores
    from dbutils.analysis.uncertainty import utilities
    from dbutils.csvio import to_csv
    from dbutils.errors import InputError
    from dbutils.scores import cells, flags

    task = level(arguments.task)
    rows = scores.load(*arguments.scores)
    chosen = cells.choose(rows, choice(arguments))
    table = best_scores(chosen, task, choice(arguments))
    behind = {label for labels in table["rows"] for label in labels}
    told = cells.told(rows, behind, [maximum.asked(task, arguments.model)], chosen)
    if table.empty:
        raise InputError("; ".join([f"these scores have nothing of task {task!r}", *told.lines]))
    found = utilities(table, as_printed=not arguments.all_populations)
    shown = found.drop(columns=["flags", "min_flags"])
    print(to_csv(shown.assign(flags=[flags.names(f) for f in found["flags"]])), end="")
    tell(told, rows)
    _note(found["flags"])
    for line in maximum.hardly_tried(chosen, task, table, choice(arguments)):
        say(line)


def _note(several):
    """What the column `flags` means, on stderr."""
    from dbutils.report.tables import notes_of

    for _, name, sentence in notes_of(several):
        say(f"{name}: {sentence}")


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
