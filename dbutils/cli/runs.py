"""`dbutils runs` and `dbutils compare`: what was run, how to run it again, whether results differ."""

import sys

from dbutils.cli import files

COLUMNS = (
    "run",
    "task",
    "model",
    "setting",
    "train",
    "profile",
    "split",
    "seed",
    "limit",
    "tests",
    "metric",
    "mean",
    "started",
)


def add(commands):
    """Add `runs` and `compare` to the command line."""
    p = commands.add_parser("runs", help="list, show and export runs")
    actions = p.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=type(p))
    action = actions.add_parser("list", help="all runs, one a line, as CSV")
    _add_filters(action)
    action.set_defaults(run=run_list)
    action = actions.add_parser("show", help="what made a run, its scores, and the command that makes the same run")
    action.add_argument(
        "name", metavar="RUN", type=files.Source(), help="its folder, its name, the beginning of it, or its hash"
    )
    action.add_argument("--format", choices=("text", "json"), default="text")
    _add_runs(action)
    action.set_defaults(run=run_show)
    action = actions.add_parser("export", help="the score rows of all runs, or of some, as CSV")
    action.add_argument("name", metavar="RUN", nargs="*", type=files.Source(), help="default: all")
    action.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=files.Output(".csv", ".parquet"),
        help="write them there (.csv or .parquet)",
    )
    action.add_argument(
        "--bundle",
        metavar="PATH",
        type=files.New(),
        help="write scores and manifests, without any text, as a new folder or .zip that --scores reads",
    )
    action.add_argument(
        "--statistics", action="store_true", help="with --bundle: the metrics' counts of each example too"
    )
    _add_filters(action)
    action.set_defaults(run=run_export)
    action = actions.add_parser(
        "verify",
        help="check that a run or a bundle is whole and that its scores follow from what is in it",
        description="Checks checksums, sizes, names, signatures of metrics, and that scores follow from predictions or "
        "statistics where those are there. One line per finding, and status 1 if there is one.",
    )
    action.add_argument(
        "name", metavar="BUNDLE|RUN", nargs="+", type=files.Source(), help="a bundle's path, or a run as for show"
    )
    _add_runs(action)
    action.set_defaults(run=run_verify)
    action = actions.add_parser("commands", help="the command lines of a matrix of experiments, one job a line")
    action.add_argument("matrix", metavar="FILE", type=files.Input(), help="such as notebooks/matrix/sandbox.yaml")
    _add_runs(action)
    action.set_defaults(run=run_commands)
    p = commands.add_parser(
        "rescore",
        help="compute scores of existing runs anew from their predictions",
        description="Statistics, scores, intervals and signatures are computed anew by today's metrics. Nothing is "
        "trained or predicted, and no corpus is read.",
    )
    p.add_argument("name", metavar="RUN", nargs="*", type=files.Source(), help="default: all")
    _add_filters(p)
    p.set_defaults(run=run_rescore)
    p = commands.add_parser(
        "compare",
        help="differences of two runs, or of two varieties of a run, with intervals",
        description="Differences in per cent, their 95 % intervals, and the p-value of each alone (a permutation test), "
        "with p_holm and p_bh adjusted for their number, as CSV. Paired wherever the items are the same. An interval is "
        "empty where there are too few examples to tell.",
    )
    p.add_argument(
        "name",
        metavar="RUN",
        nargs="+",
        type=files.Source(),
        help="two runs, or two configurations of several seeds each, as RUN,RUN; one run with --varieties or --gaps",
    )
    p.add_argument("--varieties", nargs=2, metavar=("CODE", "CODE"), help="compare two varieties of one run")
    p.add_argument(
        "--gaps", metavar="REFERENCE", help="dialectal gaps of the runs' varieties: english, representative, or a code"
    )
    p.add_argument("--split", default="test", metavar="S", help="with --varieties and --gaps: test (default) or dev")
    p.add_argument("--metric", default="", metavar="M", help="only this metric")
    _add_runs(p)
    p.set_defaults(run=run_compare)


def _add_runs(parser):
    parser.add_argument(
        "--runs", default="runs", metavar="DIR", type=files.Folder(), help="folder of the runs (default runs)"
    )


def _add_filters(parser):
    for name in ("task", "model", "setting", "profile", "split"):
        parser.add_argument(f"--{name}", default="", metavar=name[0].upper(), help=f"only runs of this {name}")
    _add_runs(parser)


def _chosen(arguments, names=()):
    """[(folder, manifest)] of the runs that the filters and names choose; damaged ones are told."""
    from dbutils.errors import InputError
    from dbutils.experiments import store

    folders = [store.find(name, arguments.runs) for name in names] if names else store.all_runs(arguments.runs)
    out = []
    for folder in folders:
        try:
            manifest = store.read_manifest(folder)
        except InputError as error:
            if names:
                raise
            _say(error)
            continue
        facts = _facts(manifest)
        if all(
            getattr(arguments, name) in ("", facts[name]) for name in ("task", "model", "setting", "profile", "split")
        ):
            out.append((folder, manifest))
    return out


def _facts(manifest):
    identity = manifest["identity"]
    rows = [row for entry in manifest["tests"].values() for row in entry["rows"]]
    metric = rows[0]["metric"] if rows else ""
    codes = {entry["code"] for entry in manifest["tests"].values()}
    values = [row["value"] for row in rows if row["metric"] == metric and row["code"] in codes]
    return dict(
        run=manifest["run"],
        task=identity["task"],
        model=manifest["model"],
        setting=identity["setting"],
        train=identity["train"]["name"],
        profile=identity["profile"],
        split=identity["train"]["kind"],
        seed=identity["seed"],
        limit=identity["limit"],
        tests=len(manifest["tests"]),
        metric=metric,
        mean=round(sum(values) / len(values), 2) if values else None,
        started=manifest["sessions"][0].get("started", "") if manifest["sessions"] else "",
    )


def run_list(arguments):
    chosen = _chosen(arguments)
    if not chosen:
        _say(f"no such runs in {arguments.runs} (--runs names another folder)")
    _print([_facts(manifest) for _, manifest in chosen], COLUMNS)
    return 0


def run_show(arguments):
    import json

    from dbutils.experiments import store
    from dbutils.experiments.scoring import unanswered

    folder = store.find(arguments.name, arguments.runs)
    manifest = store.read_manifest(folder)
    if arguments.format == "json":
        print(json.dumps(manifest, ensure_ascii=False, indent=1))
        return 0
    identity, fit = manifest["identity"], manifest["fit"]
    print(f"{manifest['run']}\n\nThe same run:\n  {manifest['command']}\n")
    session = manifest["sessions"][-1] if manifest["sessions"] else {}
    print(f"model      {_words(identity['model'])}")
    for kind in ("parts", "dev"):
        for part in identity["train"][kind]:
            print(f"{'train' if kind == 'parts' else 'dev':<10} {_part(part)}")
    if identity["hyper"]:
        print(f"hyper      {_words(identity['hyper'])}")
    print(f"seed       {identity['seed']}\nlimit      {identity['limit'] or 'none'}")
    print(f"code       {identity.get('code', '')[:12]}")
    print(f"versions   {_words(identity['versions'])}")
    cores = f"{session.get('cores', '')} cores"
    print(f"machine    {session.get('processor', '')}, {cores}, {_accelerators(session)}")
    print(f"commit     {session.get('commit', '') or 'not known'}")
    if fit:
        print(f"trained    {fit['started']}, {fit['seconds']} s; {_words(fit['notes'])}")
        if fit.get("threads"):
            print(f"threads    {fit['threads']}: with another number the weights differ slightly, under the same name")
    print()
    for entry in manifest["tests"].values():
        scores = [row for row in entry["rows"] if row["code"] == entry["code"]]
        text = "  ".join(f"{row['metric']} {_interval(row)}" for row in scores) or "no examples, no score"
        text += unanswered(entry["notes"], entry["examples"])
        print(f"{entry['code']:<28} {entry['split']:<5} {entry['examples']:>6}  {text}{_drawn(entry)}")
    signed = {signature for entry in manifest["tests"].values() for signature in entry.get("signatures", {}).values()}
    print(
        "\n".join(
            ["", *sorted(signed)] if signed else ["", "no signatures: 'dbutils rescore' computes the scores anew"]
        )
    )
    return 0


def _drawn(entry):
    unit = entry.get("unit", "example")
    return "" if unit == "example" else f"  (intervals by {unit})"


def _part(part):
    name = f"{part['corpus']}/{part['code']}@{part['split']}"
    return f"{name}: {part['examples']} examples, sha256 {part['sha256'][:12]}"


def _words(values):
    return " ".join(f"{name}={value}" for name, value in values.items())


def _accelerators(session):
    return ", ".join(session.get("accelerators", [])) or "no accelerator"


def _interval(row):
    shown = f"{row['value']:.2f}"
    return shown if row["low"] is None else f"{shown} [{row['low']:.2f}, {row['high']:.2f}]"


def run_export(arguments):
    import pandas as pd

    from dbutils.errors import InputError, counted
    from dbutils.scores import COLUMNS as ROW
    from dbutils.scores import write_scores

    if arguments.statistics and not arguments.bundle:
        raise InputError("--statistics: goes with --bundle PATH")
    if arguments.bundle and arguments.output:
        raise InputError("-o and --bundle: give one of them")
    chosen = _chosen(arguments, arguments.name)
    if arguments.bundle:
        from dbutils.experiments import bundle

        number = bundle.write(arguments.bundle, [folder for folder, _ in chosen], arguments.statistics)
        _say(f"{arguments.bundle}: {counted(number, 'row')} of {counted(len(chosen), 'run')}")
        return 0
    rows = [row for _, manifest in chosen for _, entry in sorted(manifest["tests"].items()) for row in entry["rows"]]
    if arguments.output:
        write_scores(pd.DataFrame(rows, columns=list(ROW), dtype=object), arguments.output)
        _say(f"{arguments.output}: {counted(len(rows), 'row')} of {counted(len(chosen), 'run')}")
    else:
        _print(rows, ROW)
    return 0


def run_verify(arguments):
    """Print what is wrong with bundles and runs; status 1 if anything is."""
    from dbutils.experiments import bundle, store

    status = 0
    for name in arguments.name:
        path = name if bundle.is_bundle(name) else store.find(name, arguments.runs)
        findings = bundle.verify(path)
        for finding in findings:
            print(f"{name}: {finding}")
        status |= bool(findings)
        if not findings:
            _say(f"{name}: nothing wrong")
    return status


def run_rescore(arguments):
    """Compute the scores of runs anew; status 1 if some of several could not be."""
    from dbutils.errors import InputError
    from dbutils.experiments import rescore

    chosen, status = _chosen(arguments, arguments.name), 0
    if not chosen:
        _say(f"no such runs in {arguments.runs} (--runs names another folder)")
    for folder, _ in chosen:
        try:
            rescore.folder(folder, _say)
        except InputError as error:
            if len(chosen) == 1:
                raise
            _say(error)
            status = 1
    return status


def run_compare(arguments):
    from dbutils.errors import InputError, counted, unknown
    from dbutils.experiments import compare, store

    sides = [[store.find(part, arguments.runs) for part in name.split(",") if part] for name in arguments.name]
    folders = [folder for side in sides for folder in side]
    if arguments.gaps:
        table = compare.gaps_with_intervals(folders, arguments.gaps, arguments.metric, arguments.split, _say)
        _print(table.to_dict("records"), compare.GAP_COLUMNS)
        return 0
    needed = 1 if arguments.varieties else 2
    if len(folders if arguments.varieties else sides) != needed:
        raise InputError(f"{counted(len(folders), 'run')} given, {needed} needed (see 'dbutils compare --help')")
    if arguments.varieties:
        columns, rows = (
            compare.PAIR_COLUMNS,
            compare.two_varieties(*folders, *arguments.varieties, arguments.split, _say),
        )
    else:
        columns, rows = compare.COLUMNS, compare.two_runs(*sides, say=_say)
    names = {row["metric"] for row in rows}
    if arguments.metric and arguments.metric not in names:
        raise unknown("metric", arguments.metric, names)
    _print([row for row in rows if arguments.metric in ("", row["metric"])], columns)
    return 0


def _print(rows, columns):
    import pandas as pd

    from dbutils.csvio import to_csv

    print(to_csv(pd.DataFrame(rows, columns=list(columns), dtype=object)), end="")


def _say(text):
    print(text, file=sys.stderr, flush=True)


def run_commands(arguments):
    """Print the jobs of a matrix as command lines."""
    import shlex

    from dbutils.experiments import matrix

    for job in matrix.jobs(arguments.matrix).values():
        print(shlex.join(["dbutils", *job.words, "--runs", arguments.runs]))
    return 0
