"""The command `table`."""

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
    p.set_defaults(run=table)


def add_scores(p):
    """The option --scores, the same for every command that computes from scores."""
    p.add_argument(
        "--scores",
        nargs="+",
        metavar="SOURCE",
        default=["upstream"],
        help="upstream (default), paper, or files and run folders of score rows; several are put together",
    )


def number(text):
    """A table's number from text; InputError otherwise."""
    if not text.isdecimal():
        raise InputError(f"{text!r} is no table number; tables are 1-5 and 7-31")
    return int(text)


def table(arguments):
    from dbutils import scores
    from dbutils.analysis.tables import table as recompute
    from dbutils.report import tables

    result = recompute(number(arguments.number), scores.load(*arguments.scores))
    if arguments.raw and arguments.format not in ("csv", "json"):
        raise InputError(f"--raw goes with --format csv or json, not {arguments.format}")
    render = {
        "csv": lambda: tables.csv_text(result, arguments.raw),
        "json": lambda: tables.json_text(result, arguments.raw) + "\n",
        "md": lambda: tables.markdown(result),
        "html": lambda: tables.html_page(result),
    }
    print(render[arguments.format](), end="")
