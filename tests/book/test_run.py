"""Notebooks run with checked parameters; only a good run is kept, and it is the same each time."""

import json

import nbformat
import pytest

from dbutils import cli
from dbutils.book import run
from dbutils.errors import InputError

FIGURE = """
import sys
print("one", flush=True); print("two", flush=True)
display({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>",
         "text/markdown": ":::{figure} figures/gap.svg\\n:alt: Nothing\\n:::"}, raw=True)
run.seed
"""


def test_the_finished_notebook_is_the_same_each_time(notebook, tmp_path):
    source = notebook("small.ipynb", FIGURE)
    before = source.read_bytes()
    for name in ("first", "second"):
        run.execute(source, {"seed": 3}, tmp_path / name / "out.ipynb", tmp_path / "log.ipynb")
    first, second = ((tmp_path / name / "out.ipynb").read_bytes() for name in ("first", "second"))
    assert first == second
    assert source.read_bytes() == before
    text = first.decode()
    assert "papermill" not in json.dumps(json.loads(text)["metadata"])
    done = nbformat.reads(text, 4)
    assert [cell["id"] for cell in done.cells] == [f"c{i}" for i in range(len(done.cells))]
    hidden = [
        cell.source.startswith("# Parameters") for cell in done.cells if "hide-input" in cell.metadata.get("tags", [])
    ]
    assert hidden == [False, True]
    streams = [output for output in done.cells[-1].outputs if output.output_type == "stream"]
    assert [stream["text"] for stream in streams] == ["one\ntwo\n"]
    assert done.cells[-1].outputs[-1]["data"]["text/plain"] == "3"


def test_pictures_are_filed_beside_the_notebook(notebook, tmp_path):
    output = tmp_path / "out" / "small-paper.ipynb"
    stale = output.parent / "figures" / "small-paper" / "old.svg"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    run.execute(notebook("small.ipynb", FIGURE), {}, output, tmp_path / "log.ipynb")
    assert "<svg" in (stale.parent / "gap.svg").read_text()
    assert not stale.exists()
    assert "figures/small-paper/gap.svg" in output.read_text()
    outputs = nbformat.read(output, 4).cells[-1].outputs
    assert [list(item["data"]) for item in outputs if "data" in item] == [["text/markdown"], ["text/plain"]]


def test_the_facts_of_a_run_stand_beside_the_notebook(notebook, tmp_path):
    run.execute(notebook("small.ipynb"), {"seed": 3}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    facts = json.loads((tmp_path / "out.ipynb.run.json").read_text())
    assert facts["parameters"] == {"seed": 3}
    assert facts["seconds"] > 0
    assert facts["code_and_data_sha256"] == run.fingerprint()
    assert facts["versions"]["papermill"] == "2.7.0"


def test_a_failing_notebook_leaves_its_log_and_the_good_output(notebook, tmp_path, capsys):
    source = notebook("bad.ipynb", "x = 1", "raise ValueError('no such\\nthing')")
    output = tmp_path / "out.ipynb"
    output.write_text("the good one")
    status = cli.main(["notebook", str(source), "-o", str(output), "--log", str(tmp_path / "log.ipynb")])
    said = capsys.readouterr()
    assert status == 1
    assert said.out == ""
    [line] = [line for line in said.err.splitlines() if line.startswith("dbutils:")]
    assert f"{source}: cell 4 failed: ValueError: no such thing (see {tmp_path / 'log.ipynb'})" in line
    assert output.read_text() == "the good one"
    assert run.failed(tmp_path / "log.ipynb")


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"sed": 3}, "unknown parameter 'sed': did you mean 'seed'"),
        ({"seed": "3"}, "'seed' must be a whole number"),
        ({"varieties": ["ripuarian"]}, "unknown variety 'ripuarian'"),
        ({"scores": "nothing.csv"}, "nothing.csv"),
    ],
)
def test_bad_parameters_are_found_before_any_work(notebook, tmp_path, parameters, message):
    source = notebook("small.ipynb", "open('touched', 'w')")
    with pytest.raises(InputError, match=message):
        run.execute(source, parameters, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.ipynb"]


def test_plain_papermill_stops_at_the_first_cell(notebook, tmp_path):
    import papermill

    source = notebook("small.ipynb", "raise SystemError('work was done')")
    with pytest.raises(papermill.PapermillExecutionError, match="unknown parameter 'sed'") as caught:
        papermill.execute_notebook(
            str(source), str(tmp_path / "o.ipynb"), {"sed": 3}, kernel_name="python3", progress_bar=False
        )
    assert caught.value.ename == "InputError"


@pytest.mark.parametrize(
    "first, message", [("a: int = 1\nb = a + 1", "'b' is not a plain literal"), ("# nothing", "has no cell")]
)
def test_a_parameters_cell_holds_plain_literals(notebook, tmp_path, first, message):
    with pytest.raises(InputError, match=message):
        run.execute(notebook("small.ipynb", first=first), {}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")


def test_the_source_is_never_written_over(notebook, tmp_path):
    source = notebook("small.ipynb")
    with pytest.raises(InputError, match="would be written over"):
        run.execute(source, {}, source, tmp_path / "log.ipynb")


def test_an_unknown_notebook_is_named_with_the_nearest(tmp_path):
    with pytest.raises(InputError, match="nothing.ipynb: no such notebook"):
        run.find(tmp_path / "nothing.ipynb")
    with pytest.raises(InputError, match="unknown notebook 'gap_analisis'"):
        run.find("gap_analisis")


def test_what_is_no_notebook_is_said_so(tmp_path):
    (tmp_path / "a.ipynb").write_text("{}")
    with pytest.raises(InputError, match="a.ipynb: not a notebook"):
        run.failed(tmp_path / "a.ipynb")


def test_the_fingerprint_follows_code_that_notebooks_use():
    assert run.fingerprint() == run.fingerprint()
    assert set(run.CODE_OF_BOOK) == {"book/__init__.py", "book/parameters.py", "book/run.py"}
