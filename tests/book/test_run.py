"""Notebooks run with checked parameters; only a good run is kept, and it is the same each time."""

import json
import os

import nbformat
import pytest

from dbutils import cli
from dbutils.book import run, uses
from dbutils.errors import InputError

FIGURE = """
import sys
print("one", flush=True); print("two", flush=True)
display({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>",
         "text/markdown": ":::{figure} figures/gap.svg\\n:alt: Nothing\\n:::"}, raw=True)
display({"application/vnd.plotly.v1+json": {"data": []}, "text/html": "<div></div>"}, raw=True)
run.seed
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory, writer):
    """A folder where one notebook with a picture was run twice: source.ipynb, one/out.ipynb, two/out.ipynb."""
    folder = tmp_path_factory.mktemp("done")
    source = writer(folder / "source.ipynb", FIGURE)
    before = source.read_bytes()
    stale = folder / "two" / "figures" / "out" / "old.svg"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    for name in ("one", "two"):
        run.execute(source, {"seed": 3}, folder / name / "out.ipynb", folder / "log.ipynb")
    assert source.read_bytes() == before
    return folder


def test_the_finished_notebook_is_the_same_each_time(done):
    first, second = ((done / name / "out.ipynb").read_bytes() for name in ("one", "two"))
    assert first == second
    text = first.decode()
    assert "papermill" not in json.dumps(json.loads(text)["metadata"])
    cells = nbformat.reads(text, 4).cells
    assert [cell["id"] for cell in cells] == [f"c{i}" for i in range(len(cells))]
    hidden = [cell.source.startswith("# Parameters") for cell in cells if "hide-input" in cell.metadata.get("tags", [])]
    assert hidden == [False, True]
    streams = [output for output in cells[-1].outputs if output.output_type == "stream"]
    assert [stream["text"] for stream in streams] == ["one\ntwo\n"]
    assert cells[-1].outputs[-1]["data"]["text/plain"] == "3"


def test_pictures_are_filed_beside_the_notebook(done):
    output = done / "two" / "out.ipynb"
    assert [path.name for path in (output.parent / "figures" / "out").iterdir()] == ["gap.svg"]
    assert "<svg" in (output.parent / "figures" / "out" / "gap.svg").read_text()
    assert "figures/out/gap.svg" in output.read_text()
    outputs = nbformat.read(output, 4).cells[-1].outputs
    assert [list(item["data"]) for item in outputs if "data" in item] == [
        ["text/markdown"],
        ["text/html"],
        ["text/plain"],
    ]


def test_the_facts_of_a_run_stand_beside_the_notebook(done):
    record = done / "two" / "out.ipynb.run.json"
    facts = json.loads(record.read_text())
    assert facts["parameters"] == {"seed": 3}
    assert facts["seconds"] > 0
    used = {"dbutils/book/run.py", "dbutils/book/parameters.py", "data/scores/upstream.csv"}
    assert used <= set(facts["uses"]["files"])
    assert uses.state(record) == facts["state"] == uses.NEW
    assert facts["versions"]["papermill"] == "2.7.0"


def test_a_readers_own_scores_are_among_what_was_read(notebook, tmp_path):
    from dbutils import scores

    own = tmp_path / "own.parquet"
    scores.write_scores(scores.load("paper").head(2), own)
    source = notebook("small.ipynb", "from dbutils import scores", "len(scores.load(*scores.named(run.scores)))")
    run.execute(source, {"scores": str(own)}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    record = tmp_path / "out.ipynb.run.json"
    before = uses.state(record)
    scores.write_scores(scores.load("paper").head(3), own)
    assert uses.state(record) != before


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


STARTUP = {"00-own.py": "x_of_the_user = 5", "limit.py": "limit = 'of the user'"}


def test_a_users_own_start_up_files_and_settings_change_nothing(notebook, tmp_path, monkeypatch):
    home = tmp_path / "home"
    profile = home / ".ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True)
    for name, text in STARTUP.items():
        (profile / "startup" / name).write_text(text)
    (profile / "ipython_config.py").write_text("get_config().InteractiveShellApp.exec_lines = ['x_of_a_line = 5']\n")
    (profile / "ipython_kernel_config.py").write_text("get_config().InteractiveShellApp.exec_lines = ['y = 5']\n")
    (home / "startup.py").write_text("import sys; x_of_python = 5")
    spec = home / ".local" / "share" / "jupyter" / "kernels" / "python3"  # a user's own kernel of the same name
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text('{"argv": ["/bin/false"], "display_name": "Own", "language": "python"}')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONSTARTUP", str(home / "startup.py"))
    monkeypatch.setenv("IPYTHONDIR", str(home / ".ipython"))
    source = notebook("small.ipynb", "sorted(name for name in globals() if name.startswith(('x', 'y', 'sys')))")
    run.execute(source, {}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    assert nbformat.read(tmp_path / "out.ipynb", 4).cells[-1].outputs[0]["data"]["text/plain"] == "[]"
    assert os.environ["IPYTHONDIR"] == str(home / ".ipython")
    assert not (profile / "history.sqlite").exists()


def changed(path, change):
    text = json.loads(path.read_text())
    change(text)
    path.write_text(json.dumps(text))
    return path


@pytest.mark.parametrize("metadata", [{"kernelspec": {"name": "gone", "display_name": "Gone"}}, {}])
def test_a_notebook_that_names_no_language_or_kernel_is_run(notebook, tmp_path, metadata):
    source = changed(notebook("small.ipynb", "run.seed"), lambda text: text.update(metadata=metadata))
    run.execute(source, {"seed": 3}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    assert nbformat.read(tmp_path / "out.ipynb", 4).cells[-1].outputs[0]["data"]["text/plain"] == "3"


def test_a_notebook_in_another_language_is_one_line(notebook, tmp_path):
    kernel = {"name": "ir", "display_name": "R", "language": "R"}
    source = changed(notebook("small.ipynb"), lambda text: text["metadata"].update(kernelspec=kernel))
    with pytest.raises(InputError, match="is a notebook in R; only Python's can be run"):
        run.execute(source, {}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")


def test_a_kernel_that_dies_is_one_line(notebook, tmp_path, capsys):
    source = notebook("dead.ipynb", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    words = ["notebook", str(source), "-o", str(tmp_path / "out.ipynb"), "--log", str(tmp_path / "log.ipynb")]
    assert cli.main(words) == 1
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("dbutils:")]
    assert f"{source}: the kernel ended in cell 3: " in line
    assert not (tmp_path / "out.ipynb").exists()


CUT = [
    "",
    '{"cells": [{',
    "[]",
    "3",
    '{"cells": 3}',
    '{"cells": [3], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "\udcff",
]


@pytest.mark.parametrize("text", CUT)
def test_a_cut_notebook_is_one_line(tmp_path, text):
    source = tmp_path / "cut.ipynb"
    source.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(InputError, match="cut.ipynb: (not a notebook|has no cell)") as caught:
        run.execute(source, {}, tmp_path / "out.ipynb", tmp_path / "log.ipynb")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "log.ipynb").exists()


def test_a_folder_for_the_log_is_one_line(notebook, tmp_path, capsys):
    source = notebook("small.ipynb")
    assert cli.main(["notebook", str(source), "-o", str(tmp_path / "out.ipynb"), "--log", str(tmp_path)]) != 0
    [line] = capsys.readouterr().err.splitlines()
    assert f"{tmp_path}: is a folder" in line
