"""One lock: requirements.txt, environment.yml and what is installed are the same versions."""

import ast
import importlib.util
import json
import re
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("lock", ROOT / "tools" / "lock.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(text):
    return dict(re.findall(r"^\s*(?:- )?([A-Za-z0-9._-]+)==([^\s#]+)", text, flags=re.M))


def test_lock_and_environment_are_what_the_tool_writes(tool):
    requirements = tool.direct((ROOT / "requirements.in").read_text())
    assert (ROOT / "requirements.txt").read_text() == tool.lock(requirements)
    assert (ROOT / "environment.yml").read_text() == tool.environment(requirements)


def test_the_lock_is_what_is_installed():
    locked = pins((ROOT / "requirements.txt").read_text())
    assert len(locked) > 100
    wrong = {name: pin for name, pin in locked.items() if metadata.version(name).partition("+")[0] != pin}
    assert not wrong


def test_the_environment_has_the_pins_of_the_lock():
    text = (ROOT / "environment.yml").read_text()
    listed = yaml.safe_load(text)["dependencies"]
    assert listed[0] == "python=3.11"
    assert listed[1] == "pip"
    locked = pins((ROOT / "requirements.txt").read_text())
    in_environment = dict(line.split("==") for line in listed[2]["pip"])
    assert in_environment == {name: locked[name] for name in in_environment}
    assert set(in_environment) == set(pins((ROOT / "requirements.in").read_text()))


def test_the_lock_names_no_host_no_file_and_no_local_label():
    text = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"://|@ |\+cpu|--", text)


def test_a_wrong_pin_is_noticed(tool):
    with pytest.raises(SystemExit, match="numpy==0.1 is wanted"):
        tool.lock(tool.direct("numpy==0.1"))
    with pytest.raises(SystemExit, match="is not installed"):
        tool.lock(tool.direct("no-such-package-here==1"))


# what nothing imports by name, and the file that shows what uses it
RUN_OTHERWISE = {
    "accelerate": "dbutils/models/causal.py",  # device_map
    "brotli": "tests/report/test_fonts.py",
    "jupyter-book": "_config.yml",
    "myst-nb": "_config.yml",
    "myst-parser": "_config.yml",
    "protobuf": "dbutils/models/files.py",
    "pydata-sphinx-theme": "requirements.in",
    "pytest-xdist": "Makefile",
    "ruff": "Makefile",
    "snakemake": "Makefile",
    "sphinx-book-theme": "requirements.in",
    "sphinx-design": "_config.yml",
    "sphinx-mathjax-offline": "_config.yml",
    "sphinxcontrib-bibtex": "_config.yml",
}


def imported():
    """{distribution: files that import it}, of all code of the project, its notebooks too."""
    of = metadata.packages_distributions()
    found = {}
    folders = ("book/_ext", "dbutils", "notebooks", "tests", "tools")
    for path in (path for folder in folders for kind in ("*.py", "*.ipynb") for path in (ROOT / folder).rglob(kind)):
        text = path.read_text("utf-8")
        if path.suffix == ".ipynb":
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
            text = "\n".join("".join(cell["source"]) for cell in cells)
        for node in ast.walk(ast.parse(text)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module]
            for module in modules:
                for distribution in of.get(module.partition(".")[0], []):
                    found.setdefault(canonicalize_name(distribution), set()).add(path.name)
    return found


def test_what_is_imported_is_declared_and_what_is_declared_is_used(tool):
    declared = {canonicalize_name(r.name) for r in tool.direct((ROOT / "requirements.in").read_text())}
    found = imported()
    assert len(found) > 30
    undeclared = {name: sorted(files)[:3] for name, files in found.items() if name not in declared | {"dbutils"}}
    assert not undeclared
    assert declared - set(found) == set(RUN_OTHERWISE)
    assert all((ROOT / path).is_file() for path in RUN_OTHERWISE.values())
