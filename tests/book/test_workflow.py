"""The Snakefile does what changed and no more: run on two small notebooks in a folder of their own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MATRIX = """
- notebook: one
- notebook: two
- notebook: two
  variant: seeds
  parameters: {seed: 3, varieties: ["sicilian", "UD_Albanian-TSA"]}
"""


@pytest.fixture
def project(tmp_path, notebook, odd):
    top, tmp_path = tmp_path, tmp_path / odd
    notebook("one.ipynb", "from dbutils.report.views import best", "run.seed")
    notebook("two.ipynb", "(run.seed, run.varieties)")
    (tmp_path / "notebooks").mkdir(parents=True)
    for name in ("one", "two"):
        (top / f"{name}.ipynb").rename(tmp_path / "notebooks" / f"{name}.ipynb")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "intro.md").write_text("# Title\n")
    (tmp_path / "_config.yml").write_text("title: x\n")
    shutil.copy(ROOT / "Snakefile", tmp_path)
    (tmp_path / "notebooks" / "matrix").mkdir()
    shutil.copy(ROOT / "notebooks" / "matrix" / "sandbox.yaml", tmp_path / "notebooks" / "matrix")
    for name in ("dbutils", "data", "workflow"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "matrix.yaml").write_text(MATRIX)
    return tmp_path


def snakemake(folder, target, *words):
    command = [sys.executable, "-m", "snakemake", target, "--cores", "2", "--config", "matrix=matrix.yaml", *words]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)


def ran(result):
    """What was run, or would be, in the order of the messages' text."""
    found = re.findall(r"^Job \d+: (?:Running the notebook )?(.*)", result.stdout + result.stderr, flags=re.M)
    return sorted(set(found))


def test_only_what_changed_runs_again(project):
    first = snakemake(project, "notebooks")
    assert first.returncode == 0, first.stderr
    assert ran(first) == ["one", "two", "two-seeds"]
    assert "(3, ('sicilian', 'UD_Albanian-TSA'))" in (project / "book/executed/two-seeds.ipynb").read_text()

    (project / "notebooks" / "one.ipynb").touch()
    errors, maxima, serve = (
        project / "dbutils" / name for name in ("errors.py", "report/views/maxima.py", "book/serve.py")
    )
    errors.write_text("# a comment\n" + errors.read_text().replace('"""', '"""Said otherwise: ', 1))
    serve.write_text(serve.read_text() + "\nNOBODY_USES = True\n")
    assert ran(snakemake(project, "notebooks", "-n")) == []

    maxima.write_text(maxima.read_text() + "\nONE_USES = True\n")
    assert ran(snakemake(project, "notebooks")) == ["one"]

    (project / "matrix.yaml").write_text(MATRIX.replace("seed: 3", "seed: 4"))
    one = project / "notebooks" / "one.ipynb"
    one.write_text(one.read_text().replace("run.seed", "run.seed + 1"))
    everything = ["Building the book", "Writing the generated pages", "one", "two-seeds"]
    assert ran(snakemake(project, "book", "-n")) == everything

    errors.write_text(errors.read_text() + "\nALL_USE = True\n")
    assert ran(snakemake(project, "notebooks", "-n")) == ["one", "two", "two-seeds"]


def test_a_failing_notebook_stops_the_book_and_leaves_its_log(project):
    one = project / "notebooks" / "one.ipynb"
    one.write_text(one.read_text().replace("run.seed", "1 / 0"))
    done = snakemake(project, "notebooks", "--keep-going")
    assert done.returncode == 1
    assert (
        "dbutils: notebooks/one.ipynb: cell 4 failed: ZeroDivisionError: division by zero"
        " (see logs/one.ipynb)" in done.stderr
    )
    assert not (project / "book/executed/one.ipynb").exists()
    assert (project / "logs/one.ipynb").exists()
    assert (project / "book/executed/two.ipynb").exists()


def test_a_bad_parameter_in_the_matrix_stops_before_any_work(project):
    (project / "matrix.yaml").write_text("- notebook: one\n  parameters: {settings: [zeroshot]}\n")
    done = snakemake(project, "notebooks")
    assert done.returncode == 1
    assert "dbutils: unknown setting 'zeroshot': did you mean 'zero_shot'?" in done.stderr
    assert (project / "logs/one.ipynb").read_text() == ""  # papermill was never started


def test_a_notebook_listed_twice_needs_a_variant(project):
    (project / "matrix.yaml").write_text("- notebook: one\n- notebook: one\n")
    done = snakemake(project, "notebooks")
    assert done.returncode == 1
    assert "one stands twice; give one of them a variant" in done.stderr


@pytest.fixture
def locked(project):
    """A folder with Snakemake's lock, the note of whose holder a test writes."""
    locks = project / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("book/executed/one.ipynb\n")
    (project / "matrix.yaml").write_text("- notebook: one\n")
    return locks


def hold(locks, **changes):
    said = {"process": 2**22 + 1, "host": socket.gethostname(), "folder": locks.stat().st_ino, **changes}
    (locks / "holder-1.json").write_text(json.dumps(said))


def unlock(folder):
    command = [sys.executable, "-m", "dbutils.book.lock"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_a_run_that_is_killed_leaves_a_lock_that_the_next_removes(project):
    command = [sys.executable, "-m", "snakemake", "notebooks", "--cores", "1", "--config", "matrix=matrix.yaml"]
    one = project / "notebooks" / "one.ipynb"
    good = one.read_text()
    one.write_text(good.replace("run.seed", "import time; time.sleep(999)"))
    with subprocess.Popen(
        command,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        start_new_session=True,
        stderr=subprocess.PIPE,
    ) as process:
        until = time.monotonic() + 100
        while not list(project.glob(".snakemake/locks/holder-*.json")) and time.monotonic() < until:
            time.sleep(0.1)
        status, said = unlock(project)
        assert (status, said) == (1, f"dbutils: process {process.pid} is at work in this folder; end it first\n")
        assert "LockException" in snakemake(project, "notebooks").stderr
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert list(project.glob(".snakemake/locks/*.lock"))
    one.write_text(good)
    (project / "matrix.yaml").write_text("- notebook: one\n")
    done = snakemake(project, "notebooks", "--rerun-incomplete")
    assert "The lock of a run that was ended from outside is removed." in done.stderr
    assert (done.returncode, ran(done)) == (0, ["one"])
    assert not list(project.glob(".snakemake/locks/*"))


@pytest.mark.parametrize(
    "note", [{}, {"host": "elsewhere", "folder": 0}, {"process": os.getpid()}, {"process": "x"}, None]
)
def test_a_lock_whose_holder_is_gone_is_removed(locked, note):
    if note is not None:
        hold(locked, **note)
    assert unlock(locked.parents[1]) == (0, "The lock of a run that was ended from outside is removed.\n")
    assert unlock(locked.parents[1]) == (0, "Nothing is locked.\n")


def test_a_lock_held_on_another_machine_is_left_until_it_is_asked_to_go(locked):
    hold(locked, host="elsewhere", process=7)
    assert "LockException" in snakemake(locked.parents[1], "notebooks").stderr
    status, said = unlock(locked.parents[1])
    assert (status, said) == (0, "The lock of process 7 on the machine elsewhere is removed.\n")
    assert not locked.exists()
