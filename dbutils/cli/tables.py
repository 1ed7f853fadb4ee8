"""The command `table`."""

import sys

from dbutils.cli import files
from dbutils.errors import InputError


def add(commands):
    """Add `table` to the command line."""
    p = commands.add_parser(
        "table",
        help="recompute a table of the paper",
        description="Table N of the paper, recomputed from the scores given.",
    )
    p.add_argument("number", metavar="N", help="1-5 or 7-31")
    add_scores(p)
    p.add_argument("--format", choices=("csv", "md", "html", "json"), default="csv", help="output format (default csv)")
    p.add_argument("--raw", action="store_true", help="unrounded values (csv and json)")
    add_choice(p)
    p.set_defaults(run=table)


def add_scores(p):
    """The option --scores, the same for every command that computes from scores."""
    p.add_argument(
        "--scores",
        nargs="+",
        metavar="SOURCE",
        default=["upstream"],
        type=files.Source(),
        help="upstream (default), paper, or files and run folders of score rows; several are put together",
    )


def add_choice(p, model=True, partial=True):
    """The options that choose among rows of one's own, the same for every command that computes from scores."""
    p.add_argument(
        "--run",
        dest="of_run",
        default="",
        metavar="RUN",
        help="of runs only this one: the beginning of its name, or its hash",
    )
    p.add_argument("--train", default="", metavar="CODE", help="of runs only those trained on this code or mixture")
    if model:
        p.add_argument(
            "--model",
            default="",
            metavar="M",
            help="of runs only those of this model; a summary is of this model alone",
        )
    if partial:
        p.add_argument(
            "--partial",
            action="store_true",
            help="scores of a part of a test set take part in maxima, ranks, marks and utilities",
        )


def choice(arguments):
    """The `cells.Choice` of the options of `add_choice`."""
    from dbutils.scores.cells import Choice

    return Choice(arguments.of_run, arguments.model or "", arguments.train, getattr(arguments, "partial", False))


def tell(told, scores):
    """What was read and is not shown, and what is odd about the rows of one's own: a line each on stderr."""
    from dbutils.scores import cells

    for line in [*(told.lines if told else ()), *cells.hints(scores)]:
        say(line)


def say(line):
    """A line beside the result, on stderr."""
    print(f"dbutils: {line}", file=sys.stderr)


def number(text):
    """A table's number from text; InputError otherwise."""
    if not text.isdecimal():
        raise InputError(f"{text!r} is no table number; tables are 1-5 and 7-31")
    return int(text)


def table(arguments):
    from dbutils import scores
    from dbutils.analysis.tables import table as recompute
    from dbutils.report import tables

    rows = scores.load(*arguments.scores)
    result = recompute(number(arguments.number), rows, choice(arguments))
    if arguments.raw and arguments.format not in ("csv", "json"):
        raise InputError(f"--raw goes with --format csv or json, not {arguments.format}")
    render = {
        "csv": lambda: tables.csv_text(result, arguments.raw),
        "json": lambda: tables.json_text(result, arguments.raw) + "\n",
        "md": lambda: tables.markdown(result),
        "html": lambda: tables.html_page(result),
    }
    print(render[arguments.format](), end="")
    tell(result.told, rows)
    if arguments.format in ("csv", "json"):  # the other forms have them below the table
        for _, name, sentence in tables.notes(result):
            say(f"{name}: {sentence}")
