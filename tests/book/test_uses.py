"""What a process reads is recorded, and a change of it, of nothing else, makes another state."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dbutils.book import uses

ROOT = Path(__file__).resolve().parents[2]
READS = """
import json, os, sys, time
from pathlib import Path
from dbutils.book import uses

started = time.time_ns()
uses.watch("log")
from dbutils import csvio, paths
import yaml
from dbutils.analysis import rounding

rows = csvio.read_csv(paths.data("registry", "varieties.csv"))
found = sorted(paths.data("scores", "paper").glob("*.csv"))
(paths.ROOT / "mine.txt").read_text()
paths.data("corpora_places.csv")  # and a library in C reads it
if not (paths.ROOT / "absent.txt").exists():
    try:
        open("absent.txt")
    except FileNotFoundError:
        pass
csvio.write_text("made.csv", "a,b")
csvio.read_csv("made.csv")
Path("runs/one").mkdir(parents=True)
Path("runs/one/scores.csv").write_text("1")
Path("own").mkdir()
Path("own/before.csv").read_text() if Path("own/before.csv").exists() else None
list(Path("runs").iterdir())
if os.fork() == 0:
    (paths.DATA / "effects.csv").read_bytes()
    os._exit(0)
os.wait()
if len(sys.argv) > 1:
    exec(sys.argv[1])
used = uses.record("log", started, runs="runs")
Path("run.json").write_text(json.dumps({"state": "handed", "uses": used}))
"""
# applies each change, prints the state, takes it back
STATES = """
import json, sys
from pathlib import Path
from dbutils.book import uses

said = {}
for name, [path, old, new] in json.loads(sys.argv[1]).items():
    path = Path(path)
    before = path.read_text() if path.exists() else None
    path.write_text(new if old is None else before.replace(old, new, 1))
    assert path.read_text() != before
    said[name] = uses.state("run.json")
    path.unlink() if before is None else path.write_text(before)
said["nothing"] = uses.state("run.json")
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project in which a small program has run and left its record."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("dbutils", "data"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "fonts"))
    (folder / "mine.txt").write_text("mine")
    python(folder, READS)
    return folder


def python(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("DBUTILS_DATA", None)
    done = subprocess.run(
        [sys.executable, "-c", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


CHANGES = {  # [file, text in it or None for a new file, what stands there instead], and whether the result changes
    "code that is used": (["dbutils/analysis/rounding.py", "import", "import os\nimport"], True),
    "a docstring of it": (["dbutils/analysis/rounding.py", '"""', '"""Another. '], False),
    "a comment in it": (["dbutils/csvio.py", "import csv", "# read\nimport csv"], False),
    "the words of an error": (["dbutils/csvio.py", "no such file", "there is no such file"], True),
    "code that is not used": (["dbutils/analysis/gap.py", "import", "import os\nimport"], False),
    "data that is read": (["data/registry/varieties.csv", "\n", "\n\n"], True),
    "data that a fork reads": (["data/effects.csv", "\n", "\n\n"], True),
    "data that a library in C reads": (["data/corpora_places.csv", "\n", "\n\n"], True),
    "data that is not read": (["data/registry/codes.csv", "\n", "\n\n"], False),
    "another file of the project": (["mine.txt", "mine", "yours"], True),
    "a new file in a folder that is listed": (["data/scores/paper/table99.csv", None, "a"], True),
    "a new file beside data that is read": (["data/registry/more.csv", None, "a"], True),
    "a new file in another folder": (["data/geo/more.csv", None, "a"], False),
    "a file that was looked for": (["absent.txt", None, "a"], True),
    "a hidden file": (["data/registry/.more.csv", None, "a"], False),
    "what it wrote itself": (["made.csv", "a", "b"], False),
    "a run": (["runs/more.csv", None, "a"], False),
}


@pytest.fixture(scope="module")
def states(project):
    return json.loads(python(project, STATES, json.dumps({name: change for name, (change, _) in CHANGES.items()})))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_what_was_read_and_of_nothing_else_makes_another_state(states, name):
    assert states["nothing"] == "handed"
    assert (states[name] != "handed") == CHANGES[name][1]


def test_what_was_read_stands_in_the_record(project):
    found = json.loads((project / "run.json").read_text())["uses"]
    assert {"dbutils/csvio.py", "dbutils/analysis/rounding.py", "dbutils/book/uses.py"} <= set(found["files"])
    assert not any(name.startswith(("/", "runs", "made", ".")) for name in (*found["files"], *found["folders"]))
    assert {"data/registry", "data/scores/paper", "data"} <= set(found["folders"])
    assert {"pandas", "PyYAML"} <= set(found["libraries"])


def test_another_version_of_a_library_makes_another_state(project):
    found = json.loads((project / "run.json").read_text())
    found["uses"]["libraries"]["pandas"] = "0.1"
    (project / "other.json").write_text(json.dumps(found))
    assert python(project, "from dbutils.book import uses; print(uses.state('other.json'))").strip() != "handed"


def test_two_changes_make_two_states(project):
    change = {"one": ["mine.txt", "mine", "one"], "two": ["mine.txt", "mine", "two"]}
    said = json.loads(python(project, STATES, json.dumps(change)))
    assert len(set(said.values())) == 3


def test_where_another_python_is_started_everything_counts(project, tmp_path):
    shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns("runs", "own", "log"))
    python(tmp_path / "copy", READS, "import subprocess; subprocess.run([sys.executable, '-c', '1'])")
    found = json.loads((tmp_path / "copy" / "run.json").read_text())["uses"]
    assert {"dbutils/analysis/gap.py", "data/registry/codes.csv"} <= set(found["files"])


def test_what_changed_while_it_was_read_is_not_taken_for_read(project, tmp_path):
    shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns("runs", "own", "log"))
    python(tmp_path / "copy", READS, "import os; os.system('echo more >> mine.txt')")
    said = json.loads(python(tmp_path / "copy", STATES, "{}"))
    assert said["nothing"] != "handed"


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", '{"state": "a"}', '{"state": "a", "uses": {"files": 3}}'])
def test_without_a_readable_record_the_state_is_new(tmp_path, text):
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    assert uses.state(tmp_path / "run.json") == uses.NEW
