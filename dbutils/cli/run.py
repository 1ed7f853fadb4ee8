"""`dbutils run`: train, predict, score; or with --plan only say what that would be."""

import sys

from dbutils.cli import files
from dbutils.errors import InputError, counted


def add(commands):
    """Add `run` to the command line."""
    p = commands.add_parser(
        "run",
        help="train a model, test it on varieties, record scores with intervals",
        description="Runs what is missing of an experiment: a finished one returns at once, a killed one "
        "goes on. Prints its score rows as CSV. The sandbox needs no data; --profile paper takes real corpora.",
    )
    p.add_argument("task", metavar="TASK", help="dep pos ner did sa tc nli mrc eqa mt")
    p.add_argument(
        "--model",
        default="",
        metavar="M",
        type=files.Source(),
        help="the profile's default, or a name (tiny, mbert, xlmr, ngram-svm, mistral-7b, tiny-mt, nllb-600m ...), a folder, a hub id, endpoint:MODEL",
    )
    p.add_argument(
        "--setting",
        default="",
        metavar="S",
        help="zero_shot (the default where the task has it), in_variety, in_cluster, combined, in_context or pseudo_reference",
    )
    p.add_argument(
        "--train",
        default="",
        metavar="CODE",
        help="train on this only (default: what the setting says); also CORPUS/CODE@SPLIT",
    )
    p.add_argument(
        "--variety", nargs="+", action="extend", default=[], metavar="CODE", help="test on these only: codes or names"
    )
    p.add_argument("--seed", type=int, default=0, metavar="N", help="of everything random (default 0)")
    p.add_argument(
        "--limit", type=int, default=0, metavar="N", help="at most N examples per part, training too (default: all)"
    )
    p.add_argument(
        "--profile",
        choices=("sandbox", "paper"),
        default="sandbox",
        help="constructed varieties (default) or real corpora",
    )
    p.add_argument(
        "--split", choices=("paper", "sound"), default="", help="the paper's splits (default) or ones without leaks"
    )
    p.add_argument("--corpus", default="", metavar="ID", help="test sets of this corpus only")
    p.add_argument(
        "--runs",
        default="runs",
        metavar="DIR",
        type=files.Folder(writable=True),
        help="folder of the runs (default runs)",
    )
    p.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=VALUE",
        help="other hyperparameters, such as epochs=1",
    )
    p.add_argument(
        "--plan", action="store_true", help="only print what would be trained and tested, its cost and what is done"
    )
    p.add_argument("--present", action="store_true", help="leave out what is not on disk")
    p.add_argument("--keep-model", action="store_true", help="keep the trained model when all varieties are done")
    p.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=files.Output(".csv", ".parquet"),
        help="write the score rows there (.csv or .parquet) instead of printing them",
    )
    p.set_defaults(run=run)


def run(arguments):
    """Make the runs and print their score rows, or the plan."""
    from dbutils.csvio import to_csv
    from dbutils.experiments.request import Request, asked_rows, default_model, default_setting, make
    from dbutils.models import parallel
    from dbutils.scores import write_scores

    setting = arguments.setting or default_setting(arguments.task, arguments.profile)
    model = arguments.model or default_model(arguments.task, arguments.profile, setting == "in_context")
    first = parallel.rank() == 0  # of several processes one speaks
    request = Request(
        arguments.task,
        model,
        setting,
        arguments.train,
        tuple(arguments.variety),
        arguments.seed,
        arguments.limit,
        arguments.profile,
        arguments.split,
        arguments.corpus,
        arguments.runs,
        pairs(arguments.set),
        arguments.present,
        arguments.keep_model,
    )
    chosen = request.prepared and not (arguments.model and arguments.setting)  # a bad request ends here
    if first and chosen:
        _say(f"model {model}, setting {setting}, profile {arguments.profile}")
    if arguments.plan:
        return _print_plan(request)
    folders = make(request, say=_say if first else lambda text: None)
    if first:
        table = asked_rows(request, folders)
        if arguments.output:
            write_scores(table, arguments.output)
        else:
            print(to_csv(table), end="")
    return 0


def _print_plan(request):
    import pandas as pd

    from dbutils.csvio import to_csv
    from dbutils.experiments.plan import COLUMNS
    from dbutils.experiments.request import plan_table

    rows, left_out = plan_table(request)
    print(to_csv(pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)), end="")
    for what, why in left_out.items():
        _say(f"left out: {what}: {why}")
    tests, done = sum(row["tests"] for row in rows), sum(row["done"] for row in rows)
    words = [row["words_to_train"] for row in rows]
    known = sum(word for word in words if word is not None)
    cost = f"{known} words to train on, epochs counted" if None not in words else f"at least {known} words to train on"
    lacking = sum(1 for row in rows if row["lacking"])
    _say(
        f"{counted(len(rows), 'training')}, {counted(tests, 'test')}, {done} of them done; {cost}"
        + (f"; {counted(lacking, 'lacks', 'lack')} data" if lacking else "")
    )
    return 0


def pairs(words):
    """{name: value as text} of words like NAME=VALUE."""
    out = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise InputError(f"--set {word}: write it as NAME=VALUE")
        out[name] = value
    return out


def _say(text):
    print(text, file=sys.stderr, flush=True)
