"""`dbutils notebook NAME`: run one notebook with checked parameters."""

import sys

from dbutils.cli import files


def add(commands):
    """Add the command to the sub-parsers."""
    command = commands.add_parser(
        "notebook",
        help="run a notebook with checked parameters",
        description="Runs a notebook through papermill. Values are taken as they are written, so codes "
        "such as nan, no or 007 stay text; a parameter that is a list takes several values.",
    )
    command.add_argument("name", type=files.Source(), help="name (gap_analysis) or path of the notebook")
    command.add_argument(
        "-p",
        "--parameter",
        nargs="+",
        action="append",
        default=[],
        metavar=("KEY", "VALUE"),
        help="a parameter and its value, or values if it is a list; may be given several times",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=files.Output(".ipynb"),
        help="file for the finished notebook (default: NAME.out.ipynb)",
    )
    command.add_argument(
        "--log",
        metavar="FILE",
        type=files.Output(make=True),
        help="file for papermill's own output (default: logs/NAME.ipynb)",
    )
    command.set_defaults(run=run)


def run(arguments):
    """Exit status 0, or 1 if a cell failed."""
    from pathlib import Path

    from dbutils.book import parameters
    from dbutils.book.run import NotebookFailed, execute
    from dbutils.errors import InputError
    from dbutils.paths import check_output

    values = {}
    for key, *words in arguments.parameter:
        if key in values:
            raise InputError(f"parameter {key!r} is given twice")
        values[key] = parameters.from_text(key, words)
    stem = Path(arguments.name).name.removesuffix(".ipynb")
    output = arguments.output or f"{stem}.out.ipynb"
    log = arguments.log or f"logs/{stem}.ipynb"
    check_output(output, (".ipynb",))
    check_output(log, make=True)
    try:
        execute(arguments.name, values, output, log)
    except NotebookFailed as error:
        print(f"dbutils: {error}", file=sys.stderr)
        return 1
    print(output)
    return 0
