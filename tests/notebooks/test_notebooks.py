"""The notebooks in git: no outputs, the contract's parameters, and papermill can inject into each."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
import yaml

from dbutils.book import parameters, run
from dbutils.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = (
    "varieties",
    "dependency_parsing",
    "pos_tagging",
    "named_entity_recognition",
    "dialect_identification",
    "sentiment_analysis",
    "topic_classification",
    "natural_language_inference",
    "reading_comprehension",
    "question_answering",
    "machine_translation",
    "summary",
    "gap_analysis",
    "utility_analysis",
    "reproduction_report",
    "without_references",
)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path, tag):
    return [cell for cell in nbformat.read(path, 4).cells if tag in cell.metadata.get("tags", [])]


def test_all_notebooks_of_the_contract_are_there():
    assert {path.stem for path in NOTEBOOKS} >= set(NAMES)


@each
def test_no_outputs_and_no_counts_in_git(path):
    code = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in code] == [[] for _ in code]
    assert [cell.execution_count for cell in code] == [None for _ in code]


@each
def test_the_source_was_not_written_by_papermill(path):
    text = path.read_text(encoding="utf-8")
    assert '"papermill"' not in text
    assert "injected-parameters" not in text


@each
def test_the_parameters_are_those_of_the_contract(path):
    [cell] = cells(path, "parameters")
    tree = ast.parse(cell.source)
    assert [type(node).__name__ for node in tree.body] == ["AnnAssign"] * len(parameters.PARAMETERS)
    assert [node.target.id for node in tree.body] == list(parameters.NAMES)
    for node, parameter in zip(tree.body, parameters.PARAMETERS):
        assert ast.unparse(node.annotation) == parameter.type.__name__
        assert type(ast.literal_eval(node.value)) is parameter.type
        line = cell.source.splitlines()[node.end_lineno - 1]
        assert re.search(r"  # \S", line), f"{parameter.name} has no comment"


@each
def test_the_defaults_are_good_values(path):
    values = run.defaults(path)
    expected = {parameter.name: parameter.default for parameter in parameters.PARAMETERS}
    assert {**values, "settings": None} == {**expected, "settings": None}
    assert parameters.check_values(values).profile == "sandbox"


@each
def test_the_first_code_after_the_parameters_checks_them(path):
    code = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    index = next(i for i, cell in enumerate(code) if "parameters" in cell.metadata.get("tags", []))
    assert index == 0
    assert "begin(globals())" in code[1].source


@each
def test_papermill_can_inject_parameters(path, tmp_path):
    import papermill

    output = tmp_path / "out.ipynb"
    values = {"seed": 3, "varieties": ["nan", "no", "007"], "scores": "paper"}
    papermill.execute_notebook(
        str(path), str(output), values, prepare_only=True, kernel_name="python3", progress_bar=False
    )
    [injected] = cells(output, "injected-parameters")
    found = {}
    exec(injected.source, found)
    assert {name: found[name] for name in values} == values


def test_the_matrix_names_notebooks_and_good_parameters():
    entries = yaml.safe_load((ROOT / "notebooks" / "matrix" / "book.yaml").read_text())
    assert {entry["notebook"] for entry in entries} == set(NAMES)
    for entry in entries:
        assert set(entry) <= {"notebook", "variant", "parameters"}
        values = {**run.defaults(run.find(entry["notebook"])), **entry.get("parameters", {})}
        parameters.check_names(entry.get("parameters", {}))
        parameters.check_values(values)


def test_the_canonical_cell_is_what_the_check_wants():
    tree = ast.parse(parameters.cell(settings=["combined"]))
    assert [node.target.id for node in tree.body] == list(parameters.NAMES)
    assert ast.literal_eval(tree.body[2].value) == ["combined"]
    assert parameters.cell(model='a"b').splitlines()[1].startswith('model: str = "a\\"b"')


def test_a_value_that_the_matrix_mistypes_is_found():
    with pytest.raises(InputError):
        parameters.check_values({**{p.name: p.default for p in parameters.PARAMETERS}, "varieties": [False]})
