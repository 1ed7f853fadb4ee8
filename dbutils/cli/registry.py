"""Commands of the registry: varieties, name."""

import json
from dataclasses import asdict

from dbutils import TASKS


def add(commands):
    """Add `varieties` and `name` to the command line."""
    p = commands.add_parser("varieties", help="list the varieties", description="List the varieties of the benchmark.")
    p.add_argument("--cluster", metavar="C", help="only this cluster")
    p.add_argument("--task", metavar="T", help=f"only varieties with data for this task ({' '.join(TASKS)})")
    p.add_argument("--format", choices=("csv", "md", "json"), default="csv", help="output format (default csv)")
    p.set_defaults(run=varieties)
    p = commands.add_parser(
        "name",
        help="parse a variety name",
        description="Parse a variety's name into the parts of the naming template, as JSON.",
    )
    p.add_argument("text", metavar="TEXT", help="e.g. 'english (a:uk)' or 'anglic/english-(a:uk,r:,m:,o:,i:)'")
    p.set_defaults(run=name)


def row(v):
    """A variety as a flat record of text and numbers."""
    return dict(
        cluster=v.cluster,
        variety=v.variety,
        glottocode=v.glottocode,
        **asdict(v.name),
        mbert_seen=int(v.mbert_seen),
        population="" if v.population is None else v.population,
        population_note=v.population_note,
        scripts=" ".join(v.scripts),
        latitude="" if v.latitude is None else v.latitude,
        longitude="" if v.longitude is None else v.longitude,
        parents=" < ".join(name for _, name in v.parents),
        tasks=" ".join(v.tasks),
        codes=" ".join(f"{c.task}:{c.corpus}:{c.code.replace(' ', '_')}" for c in v.codes),
    )


def varieties(arguments):
    import pandas as pd

    from dbutils import registry
    from dbutils.csvio import to_csv
    from dbutils.errors import unknown
    from dbutils.report.markup import md

    known = registry.load()
    chosen = list(known)
    if arguments.cluster is not None:
        chosen = list(known.of(known.cluster(arguments.cluster)))
    if arguments.task is not None:
        if arguments.task not in TASKS:
            raise unknown("task", arguments.task, TASKS)
        chosen = [v for v in chosen if arguments.task in v.tasks]
    rows = [row(v) for v in chosen]
    if arguments.format == "json":
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif arguments.format == "csv":
        print(to_csv(pd.DataFrame(rows, columns=list(row(known.varieties[0])), dtype=object)), end="")
    else:
        columns = list(row(known.varieties[0]))
        print("| " + " | ".join(map(md, columns)) + " |\n|" + " --- |" * len(columns))
        for r in rows:
            print("| " + " | ".join(md(r[c]) for c in columns) + " |")


def name(arguments):
    from dbutils import registry

    v = registry.load().find(arguments.text)
    parts = dict(
        **asdict(v.name),
        cluster=v.cluster,
        variety=v.variety,
        template=registry.write(v.name, template=True),
        glottocode=v.glottocode,
    )
    print(json.dumps(parts, ensure_ascii=False, indent=1))
