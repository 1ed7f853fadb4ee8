"""`dbutils corpora ...` and `dbutils examples`: what there is, getting it, and looking at it."""

import sys

from dbutils.cli import files


def add(commands):
    """Add the commands to the sub-parsers."""
    corpora = commands.add_parser("corpora", help="list, get, check and count the corpora")
    actions = corpora.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=type(corpora))
    action = actions.add_parser("list", help="all corpora: task, what is on disk, size, licence")
    action.add_argument("--task", help="only corpora of this task (dep, pos ...)")
    action.add_argument("--format", choices=("text", "csv"), default="text")
    action.set_defaults(run=run_list)
    action = actions.add_parser("info", help="the record of one corpus")
    action.add_argument("corpus", metavar="ID")
    action.add_argument("--format", choices=("text", "json"), default="text")
    action.set_defaults(run=run_info)
    action = actions.add_parser("get", help="download what is missing, check everything")
    action.add_argument("corpus", metavar="ID", nargs="+")
    action.set_defaults(run=run_get)
    action = actions.add_parser("verify", help="compare what is on disk with the record; status 1 if it differs")
    action.add_argument("corpus", metavar="ID", nargs="+")
    action.add_argument("--present", action="store_true", help="do not complain about missing files")
    action.set_defaults(run=run_verify)
    action = actions.add_parser("stats", help="count examples, tokens, labels, duplicates and leaks, as CSV")
    action.add_argument("corpus", metavar="ID", nargs="*", help="default: every corpus of the catalogue")
    action.add_argument(
        "-o", "--output", metavar="FILE", type=files.Output(), help="refresh this CSV file instead of printing"
    )
    action.set_defaults(run=run_stats)
    command = commands.add_parser("examples", help="what a reader yields, one example a line")
    command.add_argument("task", help="task code (dep, pos, ner, did, sa, tc, nli, mrc, eqa, mt)")
    command.add_argument("--corpus", required=True, metavar="ID", help="corpus id, or 'sandbox'")
    command.add_argument("--code", required=True, help="code of the variety in that corpus")
    command.add_argument("--split", default="test", help="split name (default: test); also paper-... and sound-...")
    command.add_argument("--limit", type=int, default=0, metavar="N", help="stop after N examples (default: all)")
    command.add_argument("--format", choices=("jsonl",), default="jsonl")
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=files.Output(".jsonl", ".parquet"),
        help="write them there: .jsonl, or .parquet with features and licence (datasets)",
    )
    command.set_defaults(run=run_examples)


def examples(task, corpus, code, split="test"):
    """The examples of any corpus, the sandbox of constructed varieties included (see load.examples)."""
    if corpus == "sandbox":
        from dbutils import sandbox

        return sandbox.examples(task, code, split)
    from dbutils.corpora import load

    return load.examples(task, corpus, code, split)


def run_examples(arguments):
    """Print examples as JSON lines, or write them to a file."""
    import itertools

    from dbutils.corpora.examples import as_json
    from dbutils.errors import InputError, counted

    if arguments.limit < 0:
        raise InputError(f"--limit {arguments.limit}: must be 0 (all) or more")
    path = arguments.output
    if path:
        from dbutils import csvio
    if path and path.lower().endswith(".parquet"):
        from dbutils.corpora.to_dataset import parquet
        from dbutils.experiments.parts import Part, dataset

        part = Part(arguments.corpus, arguments.code, arguments.split)
        made = dataset(arguments.task, part, arguments.limit)
        csvio.write_bytes(path, parquet(made))
        _say(f"{path}: {counted(len(made), 'example')}; licence {made.info.license}")
        return 0
    found = examples(arguments.task, arguments.corpus, arguments.code, arguments.split)
    if path:
        lines = [as_json(example) + "\n" for example in itertools.islice(found, arguments.limit or None)]
        csvio.write_text(path, "".join(lines))
        _say(f"{path}: {counted(len(lines), 'example')}")
        return 0
    for example in itertools.islice(found, arguments.limit or None):
        print(as_json(example))
    sys.stdout.flush()
    return 0


def run_list(arguments):
    """Print one line per corpus."""
    from dbutils.corpora import catalogue
    from dbutils.corpora.examples import RECORDS
    from dbutils.errors import unknown

    if arguments.task and arguments.task not in RECORDS:
        raise unknown("task", arguments.task, RECORDS)
    header = ["id", "tasks", "files", "present", "bytes", "terms", "licence", "name"]
    rows = [
        _line(record) for record in catalogue.load().values() if not arguments.task or arguments.task in record.tasks
    ]
    if arguments.format == "csv":
        import pandas as pd

        from dbutils import csvio

        sys.stdout.write(csvio.to_csv(pd.DataFrame(rows, columns=header, dtype=str)))
        return 0
    shown = [[r[0], r[1], _presence(r), _size(r[4]), r[5], _short(r[6]), r[7]] for r in rows]
    for cells in [["ID", "TASKS", "ON DISK", "SIZE", "TERMS", "LICENCE", "NAME"], *shown]:
        start = f"{cells[0]:<23}{cells[1]:<9}{cells[2]:<20}{cells[3]:>9}  {cells[4]:<15}"
        print(f"{start} {cells[5]:<24} {cells[6]}")
    return 0


def _line(record):
    from dbutils import paths
    from dbutils.corpora import store, verify

    findings = list(verify.files(record.id, deep=False))
    present = [f for f in findings if f.status in verify.GOOD]
    size = sum(paths.existing(store.folder(record.id) / f.path).stat().st_size for f in present)
    if not findings:  # a corpus whose files are not recorded one by one
        size = sum(p.stat().st_size for p in store.folder(record.id).rglob("*") if p.is_file())
    counts = (str(len(findings)), str(len(present)), str(size))
    return [record.id, " ".join(record.tasks), *counts, record.terms, record.licence, record.name]


def _presence(row):
    files, present = int(row[2]), int(row[3])
    if not present:
        return "unlisted files" if not files and row[4] != "0" else "-"
    return "complete" if present == files else f"{present} of {files} files"


def _short(text, width=24):
    return text if len(text) <= width else text[: width - 3] + "..."


def _size(text):
    size = int(text)
    return f"{size / 1e6:.1f} MB" if size else ""


def run_info(arguments):
    """Print the record of a corpus."""
    import dataclasses
    import json

    from dbutils.corpora import catalogue, records, store

    record = catalogue.corpus(arguments.corpus)
    content = {**dataclasses.asdict(record), "folder": str(store.folder(record.id))}
    content["files"] = [dataclasses.asdict(file) for file in records.of(record.id)]
    if arguments.format == "json":
        print(json.dumps(content, ensure_ascii=False, indent=2))
        return 0
    content["files"] = f"{len(content['files'])} recorded (--format json lists them)"
    for name, value in content.items():
        for line in _shown(name, value):
            print(line)
    return 0


def _shown(name, value):
    if value in ("", None, (), {}):
        return
    if isinstance(value, dict):
        yield f"{name}:"
        for key, entry in value.items():
            yield f"  {key}: {' '.join(entry) if isinstance(entry, list | tuple) else entry}"
    elif name == "defects":
        yield "defects:"
        yield from (f"  - {entry}" for entry in value)
    else:
        yield f"{name}: {' '.join(value) if isinstance(value, list | tuple) else value}"


def run_get(arguments):
    """Get corpora one after the other; messages and progress go to stderr."""
    from dbutils import paths
    from dbutils.corpora import catalogue, store
    from dbutils.corpora.get import get

    for corpus in arguments.corpus:
        catalogue.corpus(corpus)
        paths.check_folder(store.folder(corpus), writable=True)
    for corpus in arguments.corpus:
        number = get(corpus, say=_say, progress=_Progress())
        _say(f"{corpus}: complete in {store.folder(corpus)} ({number} files fetched)")
    return 0


def _say(text):
    print(text, file=sys.stderr, flush=True)


class _Progress:
    """Progress on stderr: a changing line on a terminal, one line per file elsewhere."""

    def __init__(self):
        self.shown = 0.0

    def __call__(self, name, done, total):
        import time

        finished = done == total
        if sys.stderr.isatty():
            if finished or time.monotonic() - self.shown > 0.1:
                self.shown = time.monotonic()
                share = f"{100 * done / total:3.0f} %" if total > 0 else ""
                end = "\n" if finished else ""
                print(f"\r  {name[:60]:<60} {done / 1e6:9.1f} MB {share}", end=end, file=sys.stderr, flush=True)
        elif finished:
            print(f"  {name} ({done} bytes)", file=sys.stderr, flush=True)


def run_verify(arguments):
    """Print one line per file; status 1 if a file differs or is missing."""
    import itertools
    from collections import Counter

    from dbutils.corpora import catalogue, store, verify

    for corpus in arguments.corpus:
        catalogue.corpus(corpus)
    bad = 0
    for corpus in arguments.corpus:
        counts = Counter()
        for finding in itertools.chain(verify.files(corpus), verify.counts(corpus)):
            counts[finding.status] += 1
            print(f"{corpus}\t{finding.path}\t{finding.status}\t{finding.note}".rstrip())
        bad += counts["differs"]
        summary = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
        _say(f"{corpus}: {summary or 'nothing there'} in {store.folder(corpus)}")
        absent = counts["missing"] or not counts
        if absent and not arguments.present:
            bad += 1
            _say(f"  {store.how_to_get(corpus)}")
    return 1 if bad else 0


def run_stats(arguments):
    """Print or refresh the statistics."""
    import pandas as pd

    from dbutils import csvio
    from dbutils.corpora import catalogue, stats, store
    from dbutils.errors import InputError

    chosen = arguments.corpus or list(catalogue.load())
    for corpus in chosen:
        catalogue.corpus(corpus)
    if arguments.output:
        from pathlib import Path

        path = Path(arguments.output)
        empty = pd.DataFrame(columns=stats.COLUMNS, dtype=str)
        table = csvio.read_csv(path, stats.COLUMNS) if path.exists() else empty
        csvio.write_csv(stats.refreshed(table, chosen, _say), path)
        return 0
    rows = []
    for corpus in chosen:
        here = list(stats.count(corpus))
        if not here and corpus in arguments.corpus:  # asked for by name: an empty table would look like an empty corpus
            raise InputError(f"corpus {corpus!r}: nothing of it is on disk; {store.how_to_get(corpus)}")
        rows += here
    sys.stdout.write(csvio.to_csv(pd.DataFrame(rows, columns=stats.COLUMNS, dtype=str)))
    return 0
