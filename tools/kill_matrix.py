"""Kill a matrix of experiments again and again at random moments; its scores must be those of one left alone.

    python tools/kill_matrix.py [--kills 20] [--seed 0] [--folder DIR]

Twenty runs on the constructed varieties (tiny encoders, n-grams, majority) go through snakemake as they do for a
user. Each time the whole process group gets SIGKILL after a random while; at the end the matrix is given once more
and left to finish. Exit 0 if every scores.csv is byte-equal to that of an undisturbed matrix, else 1.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MATRIX = """
profile: sandbox
experiments:
  - {task: [tc, sa, nli, pos, dep], model: tiny, setting: zero_shot, set: {epochs: 4}}
  - {task: [tc, pos, ner], model: tiny, setting: in_cluster, set: {epochs: 4}}
  - {task: [tc, sa, nli], model: ngram-svm, setting: zero_shot}
  - {task: [ner, mrc, eqa], model: majority, setting: zero_shot}
"""


def command(matrix, runs, logs):
    words = [
        "-m",
        "snakemake",
        "-s",
        str(ROOT / "workflow" / "experiments.smk"),
        "--directory",
        str(logs),
        "--cores",
        "2",
        "--nolock",
    ]
    return [
        sys.executable,
        *words,
        "experiments",
        "--rerun-incomplete",
        "--quiet",
        "all",
        "--config",
        f"experiments={matrix}",
        f"runs={runs}",
    ]


def scores(folder):
    """{run: bytes of its scores.csv} of a folder of runs."""
    return {path.parent.name: path.read_bytes() for path in folder.glob("*/scores.csv")}


def killed(words, seconds):
    """Start a command in a group of its own and kill it after so many seconds; whether it was still running."""
    process = subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, metavar="N", help="how often (default 20)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the moments (default 0)")
    parser.add_argument("--folder", metavar="DIR", help="where to work (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return check(Path(arguments.folder or temporary).resolve(), arguments.kills, random.Random(arguments.seed))


def check(folder, kills, moments):
    folder.mkdir(parents=True, exist_ok=True)
    matrix = folder / "matrix.yaml"
    matrix.write_text(MATRIX, encoding="utf-8")
    alone, disturbed = folder / "alone", folder / "disturbed"
    started = time.monotonic()
    subprocess.run(command(matrix, alone, folder / "work-alone"), check=True)
    takes = time.monotonic() - started
    print(f"undisturbed: {len(scores(alone))} runs in {takes:.0f} s")
    again, done = command(matrix, disturbed, folder / "work-disturbed"), 0
    while done < kills:
        seconds = moments.uniform(0.05, 0.5) * takes
        if killed(again, seconds):
            done += 1
            print(f"kill {done} after {seconds:.1f} s: {len(scores(disturbed))} runs have scores")
        else:  # all was done before the moment came: from the beginning
            disturbed = folder / f"disturbed-{done}"
            again = command(matrix, disturbed, folder / f"work-disturbed-{done}")
            print(f"finished between kills; begun anew in {disturbed.name}")
    subprocess.run(again, check=True)
    return verdict(scores(alone), [scores(path) for path in sorted(folder.glob("disturbed*"))])


def verdict(expected, found):
    wrong = [name for name in expected for one in found if one.get(name) != expected[name]]
    print(
        f"{len(expected)} runs, {len(found)} disturbed matrices: "
        + (f"{len(wrong)} differ: {wrong[:5]}" if wrong else "all scores equal")
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
