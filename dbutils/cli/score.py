"""`dbutils score`: scores of predictions made elsewhere."""

import sys

from dbutils import SETTINGS
from dbutils.cli import files
from dbutils.errors import unknown


def add(commands):
    """Add `score` to the command line."""
    p = commands.add_parser(
        "score",
        help="score predictions made elsewhere",
        description="FILE has one JSON object a line: code, id (as 'dbutils examples' gives them) and "
        'prediction: a label; a list of tags; {"heads": [...], "relations": [...]}; the 0-based number of a '
        "choice; an answer; a translation, and where there is no English reference the system's translation of the "
        "standard's sentence as reference. Prints score rows as CSV. What is missing or malformed counts as wrong and is "
        "told, as is what is surplus; status 1 then.",
    )
    p.add_argument("task", metavar="TASK", help="dep pos ner did sa tc nli mrc eqa mt")
    p.add_argument(
        "--predictions", required=True, metavar="FILE", type=files.Input(), help="the predictions (JSON lines)"
    )
    p.add_argument(
        "--corpus", default="", metavar="ID", help="corpus id or sandbox (default: the benchmark's corpus of each code)"
    )
    p.add_argument("--split", default="test", metavar="S", help="the split that was predicted (default test)")
    p.add_argument(
        "--model", default="", metavar="NAME", help="model name for the score rows (default: the file's name)"
    )
    p.add_argument("--setting", default="zero_shot", metavar="S", help="setting for the score rows (default zero_shot)")
    p.add_argument(
        "--train",
        default="",
        metavar="CODE",
        help="what the system was trained on, a code or mixture, for the score rows (needed where the setting leaves it open)",
    )
    p.set_defaults(run=run)


def run(arguments):
    """Print the score rows; status 1 if anything was wrong with the predictions."""
    import pandas as pd

    from dbutils.cli.tables import tell
    from dbutils.csvio import to_csv
    from dbutils.experiments.external import score
    from dbutils.scores import COLUMNS, cells

    if arguments.setting not in SETTINGS:
        raise unknown("setting", arguments.setting, SETTINGS)
    report = score(
        arguments.task,
        arguments.predictions,
        arguments.corpus,
        arguments.split,
        arguments.model,
        arguments.setting,
        arguments.train,
    )
    rows = pd.DataFrame(report.rows, columns=list(COLUMNS), dtype=object)
    print(to_csv(rows), end="")
    rows = cells.measured(rows)
    if arguments.corpus != "sandbox":
        tell(cells.told(rows, rows.index[cells.reasons(rows) == ""]), rows)
    for line in report.problems:
        print(line, file=sys.stderr)
    return 1 if report.problems else 0
