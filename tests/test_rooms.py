"""The rooms import only from rooms above them, and importing the package stays cheap."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dbutils

ORDER = (
    "registry",
    "metrics",
    "scores",
    "corpora",
    "sandbox",
    "models",
    "tasks",
    "experiments",
    "analysis",
    "report",
    "book",
    "cli",
)
ROOT = Path(dbutils.__file__).resolve().parent
HEAVY = ("torch", "transformers", "datasets", "pandas", "matplotlib", "seaborn", "sklearn", "papermill", "plotly")
PLAIN_ROOMS = ("registry", "metrics", "scores", "analysis", "report")


def imports(path, package):
    """Every module that a file imports, inside functions too, with relative names resolved."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def files():
    return sorted(path for path in ROOT.rglob("*.py"))


def crossings(path, root=ROOT):
    """(room, room imported) of a file where they differ."""
    parts = path.relative_to(root).parts
    if len(parts) < 2:
        return
    package = ["dbutils", *parts[:-1]]
    for name in imports(path, package):
        steps = name.split(".")
        if steps[0] == "dbutils" and len(steps) > 1 and steps[1] in ORDER and steps[1] != parts[0]:
            yield parts[0], steps[1]


def against_the_order(paths, root=ROOT):
    """Every import of a room that stands below the importing one."""
    return {
        f"{path.relative_to(root)} imports {other}"
        for path in paths
        for room, other in crossings(path, root)
        if ORDER.index(other) > ORDER.index(room)
    }


def test_every_folder_is_a_room():
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert rooms <= set(ORDER)


def test_a_room_imports_only_from_rooms_above_it():
    assert against_the_order(files()) == set()


def test_modules_beside_the_rooms_import_no_room():
    wrong = {
        f"{path.name} imports {name}"
        for path in ROOT.glob("*.py")
        if path.name not in ("__main__.py", "api.py")  # the faces of the whole
        for name in imports(path, ["dbutils"])
        if name.split(".")[0] == "dbutils" and (name.split(".") + [""])[1] in ORDER
    }
    assert not wrong


def test_an_import_against_the_order_is_seen(tmp_path):
    code = tmp_path / "registry" / "x.py"
    code.parent.mkdir()
    code.write_text(
        "def f():\n    from ..report import tables\n    import dbutils.cli\n    from dbutils import errors\n"
    )
    assert against_the_order([code], tmp_path) == {"registry/x.py imports report", "registry/x.py imports cli"}


def test_plain_rooms_never_import_torch_or_transformers():
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files()
        if path.relative_to(ROOT).parts[0] in PLAIN_ROOMS
        for name in imports(path, ["dbutils", *path.relative_to(ROOT).parts[:-1]])
        if name.split(".")[0] in ("torch", "transformers")
    }
    assert not wrong


@pytest.mark.parametrize("statement", ["import dbutils", "import dbutils.book, dbutils.cli"])
def test_importing_loads_no_heavy_library(statement):
    code = f"{statement}\nimport sys\nprint([name for name in {HEAVY} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent, check=True)
    assert said.stdout.strip() == "[]"
