"""`dbutils models`: the models that have a name here."""


def add(commands):
    """Add the command to the sub-parsers."""
    command = commands.add_parser(
        "models",
        help="list the models that have a name here: source, licence, size",
        description="List the models that have a name here. Any other works by its folder or hub id (OWNER/MODEL@REVISION).",
    )
    command.add_argument("--kind", help="only models of this kind (encoder, causal, translator ...)")
    command.add_argument("--format", choices=("csv", "md", "json"), default="csv", help="output format (default csv)")
    command.set_defaults(run=run)


def run(arguments):
    """Print the models."""
    import json
    from dataclasses import asdict

    import pandas as pd

    from dbutils.csvio import to_csv
    from dbutils.errors import unknown
    from dbutils.models import MODELS
    from dbutils.report.markup import md

    kinds = dict.fromkeys(record.kind for record in MODELS.values())
    if arguments.kind is not None and arguments.kind not in kinds:
        raise unknown("kind", arguments.kind, kinds)
    rows = [asdict(record) for record in MODELS.values() if arguments.kind in (None, record.kind)]
    rows = [row | {"parameters": row["parameters"] or ""} for row in rows]
    if arguments.format == "json":
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    elif arguments.format == "csv":
        print(to_csv(pd.DataFrame(rows)), end="")
    else:
        print(f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}")
        for row in rows:
            print(f"| {' | '.join(md(value) for value in row.values())} |")
