"""`dbutils sandbox`: the constructed varieties side by side, and how a sentence comes about."""

DISTANCES = ("from_source", "from_source_romanised", "from_representative")


def add(commands):
    """Add `sandbox` to the command line."""
    p = commands.add_parser(
        "sandbox",
        help="show the constructed varieties",
        description="Without CODE: varieties, rules, distances and a sentence of each, side by side. "
        "With CODE: how that variety's sentence derives from the root variety's, rule by rule.",
    )
    p.add_argument("code", metavar="CODE", nargs="?", help="a variety, e.g. mir-port")
    p.add_argument("--cluster", metavar="C", help="only this cluster (without CODE)")
    p.add_argument("--item", metavar="ID", default="test-0010", help="which sentence (default test-0001)")
    p.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the meanings (default 0)")
    p.add_argument("--format", choices=("text", "csv"), default="text", help="of the overview (default text)")
    p.set_defaults(run=run)


def run(arguments):
    """Print the overview or one derivation."""
    from dbutils import sandbox
    from dbutils.errors import InputError

    if arguments.code is not None:
        if arguments.cluster is not None or arguments.format != "text":
            raise InputError("--cluster and --format belong to the overview: leave out CODE")
        print(sandbox.explain(arguments.code, arguments.item, arguments.seed))
        return 0
    rows = sandbox.overview(arguments.cluster, arguments.item, arguments.seed)
    if arguments.format == "csv":
        import pandas as pd

        from dbutils.csvio import to_csv
        from dbutils.sandbox.summary import COLUMNS

        print(to_csv(pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)), end="")
        return 0
    print("\n".join(lines(rows, sandbox.explain(sandbox.SOURCE, arguments.item, arguments.seed).english)))
    return 0


def lines(rows, english):
    """The overview as text, cluster by cluster."""
    from dbutils.sandbox import CLUSTERS, NOTICE, SOURCE

    yield f"Sandbox varieties ({NOTICE})."
    yield f"{SOURCE} plays English's part. * representative; distances are mean normalised edit distances:"
    yield f"from {SOURCE} as written / in one script / from the representative."
    yield f'The sentence means "{english}"'
    for cluster in dict.fromkeys(row["cluster"] for row in rows):
        members = [row for row in rows if row["cluster"] == cluster]
        yield f"\n{cluster}: {CLUSTERS[cluster].about}"
        for row in members:
            star = "*" if row["representative"] else " "
            far = " / ".join(f"{row[key]:.2f}" for key in DISTANCES)
            who = f"{row['code']:<10}{row['variety']:<31}train {row['train']:>3}"
            yield f"{star} {who}  {far}  {row['sentence']}"
        alike = {}
        for row in members:
            alike.setdefault((row["parent"], row["rules"]), []).append(row)
        for (parent, rules), group in alike.items():
            if rules:
                codes = ", ".join(row["code"] for row in group)
                dials = ", ".join(f"{row['dial']:g}" for row in group)
                yield f"  {codes} = {parent} + dial {dials} x ({rules})"
