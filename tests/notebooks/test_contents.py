"""What the notebooks hold: their form, that each table and figure of the paper is in one of them, that they run."""

import ast
import atexit
import functools
import importlib
import re
import tempfile
from collections import Counter
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from dbutils import api
from dbutils.analysis.findings import FINDINGS
from dbutils.book import parameters, run
from dbutils.errors import InputError
from dbutils.report import figures, views
from dbutils.report.views import View, exhibits

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = list((ROOT / "book").glob("*.md"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
# shown by pages of the book, not by notebooks
TABLES_OF_PAGES = {1, 2}
TABLES = set(range(1, 32)) - {6} - TABLES_OF_PAGES


def read(path):
    return nbformat.read(path, 4)


def markdown(path):
    return [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]


def code(path):
    """The code cells after the parameters and the set-up."""
    return [cell.source for cell in read(path).cells if cell.cell_type == "code"][2:]


@functools.cache
def calls(path):
    """[(name of the view, its literal arguments)] of a notebook."""
    found = []
    for source in code(path):
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and ast.unparse(node.func.value) == "views"
            ):
                found.append((node.func.attr, [a.value for a in node.args if isinstance(a, ast.Constant)]))
    return found


def shown(view):
    """{literal argument of a view: names of the notebooks that show it}."""
    out = {}
    for path in NOTEBOOKS:
        for name, arguments in calls(path):
            if name == view:
                out.setdefault(arguments[0], []).append(path.stem)
    return out


@functools.cache
def runs_folder():
    """A folder of runs that all notebooks of this process share, so that no model is trained twice."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


@functools.cache
def executed(path, source):
    """The views of a notebook, made in this process: with the parameters as they stand, but with a model that takes no time."""
    few = {"model": "majority", "limit": 12, "runs": runs_folder(), "scores": source}
    namespace = dict(run.defaults(path).items()) | few
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "code"][1:]
    out = []
    for source_text in cells:
        tree = ast.parse(source_text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), namespace)
        if last is not None:
            out.append(eval(compile(ast.Expression(last.value), path.name, "eval"), namespace))
    return out


def views_of(path, source):
    return [made for made in executed(path, source) if isinstance(made, View)]


# ---- form


@each
def test_a_notebook_begins_with_its_label_title_purpose_and_needs(path):
    first = markdown(path)[0]
    assert re.match(rf"\(nb-{path.stem}\)=\n# [A-Z][^\n]+\n\n\S", first)
    assert "\n**What it needs.** " in first


@each
def test_a_notebook_ends_by_saying_where_its_numbers_come_from(path):
    headings = [line for text in markdown(path) for line in text.splitlines() if line.startswith("## ")]
    assert headings[-1] == "## Where these numbers come from"
    assert calls(path)[-1] == ("versions", [])


@each
def test_only_the_first_heading_is_of_level_one(path):
    headings = [line for text in markdown(path) for line in text.splitlines() if re.match(r"#+ ", line)]
    assert [line.startswith("# ") for line in headings] == [True] + [False] * (len(headings) - 1)


@each
def test_a_notebook_uses_what_its_reader_may_use(path):
    """Views, and the public interface where something is to be learnt; no loop, and no import below the first cells."""
    for source in code(path):
        tree = ast.parse(source)
        named = {
            node.value.id: set()
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                named[node.value.id].add(node.attr)
        assert named.get("views", set()) <= set(views.__all__), source
        assert named.get("dbutils", set()) <= set(api.__all__), source
        assert len(tree.body) <= 10 and not any(
            isinstance(n, ast.For | ast.Import | ast.ImportFrom) for n in ast.walk(tree)
        ), source


@each
def test_no_result_is_typed_into_prose(path):
    for text in markdown(path):
        prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "", text, flags=re.S)
        assert re.findall(r"\d+[.,]\d|\d+ %|\d+ per cent", prose) == [], prose


@each
def test_the_two_hidden_cells_say_what_they_hide(path):
    hidden = [cell for cell in read(path).cells if cell.cell_type == "code"][:2]
    assert [cell.metadata["tags"] for cell in hidden] == [["parameters"], ["hide-input"]]
    assert all(cell.metadata["mystnb"]["code_prompt_show"].startswith("Show the ") for cell in hidden)


# ---- contents


def test_each_table_of_the_paper_is_shown_by_exactly_one_notebook_or_page():
    found = shown("table")
    assert set(found) == TABLES
    assert {number: names for number, names in found.items() if len(names) > 1} == {}
    included = Counter(
        int(n) for page in PAGES for n in re.findall(r"\{include\} generated/tab-(\d+)\.md", page.read_text("utf-8"))
    )
    assert included == dict.fromkeys(TABLES_OF_PAGES, 1)


def test_each_figure_of_the_paper_is_shown_by_exactly_one_notebook():
    found = shown("figure")
    assert set(found) == set(figures.FIGURES)
    assert {number: names for number, names in found.items() if len(names) > 1} == {}


def test_tables_and_figures_are_where_the_index_says():
    where = importlib.import_module("dbutils.report.pages.where")
    pages = {n: page.removeprefix("nb-") for n, page in where.TABLE_PAGES.items() if n not in TABLES_OF_PAGES}
    assert {number: names[0] for number, names in shown("table").items()} == pages
    paper = {n: names[0] for n, names in shown("figure").items() if n in where.FIGURES}
    assert paper == {n: page.removeprefix("nb-") for n, (_, page) in where.FIGURES.items()}


def test_every_interactive_figure_stands_below_its_static_one():
    for path in NOTEBOOKS:
        seen = [arguments[0] for name, arguments in calls(path) if name in ("figure", "interactive")]
        for name, arguments in calls(path):
            if name == "interactive":
                assert seen.count(arguments[0]) == 2, (path.stem, arguments)


def test_every_finding_has_its_section_in_the_report():
    path = ROOT / "notebooks" / "reproduction_report.ipynb"
    text = "\n".join(markdown(path))
    sections = re.findall(r"^\(finding-([a-z-]+)\)=\n### (.+)$", text, flags=re.M)
    assert sections == [(f.id, f.title) for f in FINDINGS]
    assert [arguments[0] for name, arguments in calls(path) if name == "finding"] == [f.id for f in FINDINGS]


def test_notebooks_and_views_fit_each_other():
    used = {name for path in NOTEBOOKS for name, _ in calls(path)}
    assert used == set(views.__all__) - {"View", "load"}


# ---- running


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch):
    """Cells are run without drawing: the figures have tests of their own, and drawing takes most of the time."""
    monkeypatch.setattr(exhibits, "_svg", lambda draw, rows: "<svg/>")


@pytest.mark.parametrize("source", ["upstream", "paper"])
@each
def test_every_view_of_a_notebook_can_be_made(path, source):
    made = executed(path, source)
    assert made and all(isinstance(view, View | pd.DataFrame) for view in made)
    for view in (view for view in made if isinstance(view, View)):
        assert view.text.strip()
        if "No figure: " in view.text:
            with pytest.raises(InputError):
                view.frame  # noqa: B018
        else:
            assert not view.frame.empty
        assert "Traceback" not in view.text and "nan" not in re.findall(
            r"[\w']+", view.text.replace("min nan chinese", "").replace("min-nan", "")
        )


def test_labels_are_unique_in_the_whole_book():
    labels = Counter()
    for path in NOTEBOOKS:
        for view in views_of(path, "upstream"):
            labels.update(re.findall(r"^:name: (\S+)$", view.data.get("text/markdown", ""), flags=re.M))
        labels.update(re.findall(r"^\(([a-z0-9_-]+)\)=$", "\n".join(markdown(path)), flags=re.M))
    for page in PAGES:
        labels.update(re.findall(r"^\(([a-z0-9_-]+)\)=$", page.read_text("utf-8"), flags=re.M))
    assert [label for label, n in labels.items() if n > 1] == []


def test_every_reference_of_a_notebook_leads_somewhere():
    defined, used = {"explorer", "where", "colophon", "constructed", "datacards", "interface"}, {}
    for page in PAGES:
        defined |= set(re.findall(r"^\(([a-z0-9_-]+)\)=$", page.read_text("utf-8"), flags=re.M))
    for path in NOTEBOOKS:
        texts = markdown(path) + [view.data.get("text/markdown", "") for view in views_of(path, "upstream")]
        for text in texts:
            defined |= {a or b for a, b in re.findall(r"^\(([a-z0-9_-]+)\)=$|^:name: (\S+)$", text, flags=re.M)}
            for target in re.findall(r"\{(?:ref|numref|eq)\}`(?:[^`<]*<)?([^`<>]+)>?`", text):
                used.setdefault(target, path.stem)
    assert {target: where for target, where in used.items() if target not in defined} == {}


def test_a_source_without_a_task_leaves_every_label_in_place(tmp_path):
    from dbutils import scores

    rows = scores.load("upstream")
    file = tmp_path / "mine.csv"
    scores.write_scores(rows[(rows.task == "mrc") & (rows.variety != "")], file)
    for name in ("dependency_parsing", "summary", "gap_analysis", "reproduction_report"):
        path = ROOT / "notebooks" / f"{name}.ipynb"
        labels = [
            set(re.findall(r"^:name: ((?:tab|fig)-\d+[a-c]?)$", view.data.get("text/markdown", ""), flags=re.M))
            for view in views_of(path, str(file))
        ]
        expected = {f"tab-{a[0]}" for n, a in calls(path) if n == "table"} | {
            f"fig-{a[0]}" for n, a in calls(path) if n == "figure"
        }
        assert set().union(*labels) == expected, name


def test_parameters_choose_what_the_gap_tables_show():
    path = ROOT / "notebooks" / "dependency_parsing.ipynb"
    namespace = {
        **run.defaults(path),
        "model": "xlmr",
        "settings": ["zero_shot"],
        "varieties": ["gheg albanian", "UD_Albanian-TSA"],
    }
    checked = parameters.check_values(namespace)
    rows = views.load(checked)
    text = views.gap_varieties("dep", rows, checked).text
    assert "XLM-R" in text and "fine-tuned" not in text
    assert [line.split("  ")[0] for line in text.splitlines()[2:]] == ["albanian", "gheg albanian"]


@pytest.mark.parametrize(
    ("name", "source", "leaves"), [("gap_analysis", "paper", []), ("reading_comprehension", "upstream", ["runs"])]
)
def test_papermill_runs_a_notebook_in_any_folder_and_leaves_nothing_else(name, source, leaves, tmp_path):
    """As a user of papermill would, from a folder outside the project."""
    import os
    import subprocess
    import sys

    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "papermill",
            "-k",
            "python3",
            "--no-progress-bar",
            str(ROOT / "notebooks" / f"{name}.ipynb"),
            "out.ipynb",
            "-p",
            "profile",
            "sandbox",
            "-p",
            "scores",
            source,
            "-p",
            "limit",
            "12",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.ipynb", *leaves]
    outputs = [o for cell in read(tmp_path / "out.ipynb").cells if cell.cell_type == "code" for o in cell.outputs]
    assert not [o for o in outputs if o.output_type in ("error", "stream")]
    pictures = [o for o in outputs if "image/svg+xml" in o.get("data", {})]
    assert pictures and all(
        '<img alt="' in o.data["text/html"] and 'src="data:image/svg+xml' in o.data["text/html"] for o in pictures
    )
