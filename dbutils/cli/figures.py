"""The command `figure`."""

import sys

from dbutils.cli import files
from dbutils.cli.tables import add_choice, add_scores, choice, tell


def add(commands):
    """Add `figure` to the command line."""
    p = commands.add_parser(
        "figure",
        help="draw a figure of the paper from scores",
        description="Figure N of the paper, drawn from the scores given: SVG to stdout, or a file.",
    )
    p.add_argument(
        "number", metavar="N", help="2, 3, 4a-4c, 5, 6, 7a-7c, 8a-8c, 9a, 9b, 10a, 10b, 11a-11c; also world, europe"
    )
    p.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=files.Output(".svg", ".png", ".pdf"),
        help="file to write: .svg, .png or .pdf (default: SVG to stdout)",
    )
    p.add_argument("--alt", action="store_true", help="print the figure's text alternative instead of drawing it")
    add_choice(p, partial=False)
    add_scores(p)
    p.set_defaults(run=figure)


def figure(arguments):
    from dbutils import scores
    from dbutils.errors import InputError
    from dbutils.report import figures
    from dbutils.scores import cells

    record = figures.record(arguments.number)
    if arguments.alt and arguments.output:
        raise InputError("--alt prints a text: leave out -o")
    read = scores.load(*arguments.scores)
    rows = chosen = cells.choose(read, choice(arguments))
    if arguments.model:
        rows = cells.of_model(chosen, arguments.model)
    if arguments.alt:
        print(record.alt(rows))
    elif arguments.output:
        figures.save(record.draw(rows), arguments.output)
        print(f"{arguments.output}: {record.title}", file=sys.stderr)
    else:
        sys.stdout.write(figures.content(record.draw(rows), "svg").decode("utf-8"))
    behind = record.behind(rows)
    if behind is not None:
        tell(cells.told(read, *behind, rows), read)
