"""How long things take: import, all tables, all figures, many models' scores, the book in full and after one change.

    python tools/bench.py            everything (the book must have been made: make book)
    python tools/bench.py --no-book  without building the book

Prints a table: seconds by the clock and of processor time, the limit by the clock where the project
sets one, and the share of it that was used; for scores also the memory of the process at its largest. Import times are the smallest of several tries; the
rest is measured once. On a machine that does other things, look at the processor time.
"""

import argparse
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = 2600  # of one model in the score files that are made
TABLES = [*range(1, 6), *range(7, 32)]


def seconds(function, tries=1):
    """(clock, processor) seconds of a call, child processes included: the try with the least clock time."""
    times = []
    for _ in range(tries):
        start, before = time.perf_counter(), os.times()
        function()
        after = os.times()
        times.append((time.perf_counter() - start, sum(after[:4]) - sum(before[:4])))
    return min(times)


def run(*words):
    """Run a program from the project's folder, its output thrown away; fails if it fails."""
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)


def python(code):
    """A call that runs code in a fresh interpreter."""
    return lambda: run(sys.executable, "-c", code)


def command(*words):
    """A call of the terminal's main function with its output thrown away; fails if it fails."""
    from dbutils import cli

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        status = cli.main([str(word) for word in words])
    if status != 0:
        raise SystemExit(f"dbutils {' '.join(map(str, words))}: {said.getvalue().strip()}")


def figures(folder):
    """Draw every figure and panel of the paper into a folder."""
    from dbutils.report.figures import FIGURES

    for number in FIGURES:
        command("figure", number, "-o", Path(folder) / f"{number}.svg")


def copy(folder):
    """A copy of the book's sources with what was executed and generated."""
    shutil.copytree(ROOT / "book", folder / "book", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def build(folder):
    """Build the book below `folder` in a process of its own."""
    code = f"from dbutils.book import build; raise SystemExit(build.main(root={str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the book does not build:\n{done.stderr[-2000:]}")


def many_scores(models, seed=0):
    """Score rows of that many models, 2,600 each: on the published varieties, with random values at full precision."""
    import numpy as np
    import pandas as pd

    from dbutils import scores

    same = [name for name in scores.KEY if name not in ("model", "seed", "origin", "run")]
    rows = scores.load()
    rows = rows[rows.task.isin(["dep", "pos", "tc"]) & (rows.variety != "")].sort_values("task").drop_duplicates(same)
    rows = pd.concat([rows.assign(seed=i) for i in range(-(-ROWS // len(rows)))]).iloc[:ROWS]
    table = pd.concat([rows.assign(model=f"model-{i}", origin="run", run=f"run-{i}") for i in range(models)])
    random = np.random.default_rng(seed)
    value, width = random.uniform(20, 80, len(table)), random.uniform(0, 10, (2, len(table)))
    return table.assign(value=value, low=value - width[0], high=value + width[1])


def growth(folder, sizes=(10, 100, 400), folders=1000):
    """[(what, times, limit, memory in MB)] of Table 10 from score files of many models, and from many run folders."""
    from dbutils import scores

    out = []
    for models in sizes:
        table = many_scores(models)
        scores.write_scores(table, folder / "scores.csv")
        out.append(
            table_10(f"{len(table):,} rows of {models} models", folder / "scores.csv", 2.5 if models <= 100 else None)
        )
    table = many_scores(1)
    for i in range(folders):
        (folder / "runs" / f"run-{i}").mkdir(parents=True)
        rows = table.iloc[:34].assign(run=f"run-{i}", seed=i)
        scores.write_scores(rows, folder / "runs" / f"run-{i}" / "scores.csv")
    return [*out, table_10(f"{34 * folders:,} rows in {folders} run folders", folder / "runs", 3.0)]


def table_10(what, path, limit):
    """Table 10 of the scores at `path`, in a process of its own: (what, times, limit, memory in MB)."""
    # VmHWM, not ru_maxrss: that begins with what the process that starts this one had in memory
    code = (
        "import sys\nfrom dbutils.cli import main\nstatus = main(sys.argv[1:])\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(peak.split()[1], file=sys.stderr)\nraise SystemExit(status)"
    )
    said = []

    def once():
        words = [sys.executable, "-c", code, "table", "10", "--scores", str(path)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"dbutils table 10: {done.stderr}")
        said.append(int(done.stderr.split()[-1]) // 1024)

    return f"table 10, {what}", seconds(once, tries=2), limit, max(said)


def measure(book):
    """[(what, (clock, processor) seconds, limit or None, and for scores the memory in MB)]."""
    bare = seconds(python("pass"), tries=5)
    own = seconds(python("import dbutils"), tries=5)
    everything = lambda: [command("table", n) for n in TABLES]  # noqa: E731
    rows = [
        ("start of Python alone", bare, None),
        ("import dbutils", tuple(max(0.0, a - b) for a, b in zip(own, bare)), 0.3),
        ("dbutils --help", seconds(lambda: run(sys.executable, "-m", "dbutils", "--help"), tries=3), None),
        ("all tables, one process, first time", seconds(everything), 5.0),
        ("all tables, again", seconds(everything), 5.0),
    ]
    with tempfile.TemporaryDirectory() as folder:
        rows.append(("all figures, one process", seconds(lambda: figures(folder)), None))
    with tempfile.TemporaryDirectory() as folder:
        rows += growth(Path(folder))
    return rows + (measure_book() if book else [])


def measure_book():
    """The rows of the book: built in a copy, so that the sources stay as they are."""
    with tempfile.TemporaryDirectory() as name:
        folder = copy(Path(name))
        full = seconds(lambda: build(folder))
        page = folder / "book" / "intro.md"
        page.write_text(page.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
        one, none = seconds(lambda: build(folder)), seconds(lambda: build(folder))
    snakemake = (sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "host")
    run(*snakemake)
    return [
        ("book, every page", full, None),
        ("book, one page changed", one, None),
        ("book, nothing changed", none, None),
        ("make book, nothing changed", seconds(lambda: run(*snakemake)), 10.0),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-book", action="store_true", help="leave the book out")
    rows = measure(book=not parser.parse_args().no_book)
    width = max(len(what) for what, *_ in rows)
    print(f"{'what':{width}}    clock  processor  limit  share  memory")
    for what, (clock, processor), limit, *memory in rows:
        share = f"{clock / limit:.0%}" if limit else ""
        used = f"{memory[0]} MB" if memory else ""
        print(f"{what:{width}}  {clock:7.2f}  {processor:9.2f}  {limit or '':>5}  {share:>5}  {used:>6}".rstrip())
    times = {what: processor for what, (_, processor), *_ in rows}
    if "book, every page" in times:
        share = times["book, one page changed"] / times["book, every page"]
        print(f"one page changed takes {share:.0%} of every page")
    over = [what for what, (clock, _), limit, *_ in rows if limit and clock > limit]
    if over:
        print(f"over the limit: {', '.join(over)}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
