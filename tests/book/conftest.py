"""Small notebooks and a small built book to try the frame on."""

import nbformat
import pytest

from dbutils.book import parameters

# a folder that a user may have: blanks, an accent, signs of patterns and of shells, more letters than a screen has
ODD = "bk[1] *a?b {c} 'd' $e \N{LATIN SMALL LETTER E WITH ACUTE}" + "/long" * 40
BEGIN = "from dbutils.book import begin\nrun = begin(globals())"


def write_notebook(path, *sources, first=None):
    """A notebook with a parameters cell, the `begin` cell and code cells of the given sources."""
    v4 = nbformat.v4
    cells = [
        v4.new_markdown_cell("# A small notebook"),
        v4.new_code_cell(parameters.cell() if first is None else first),
    ]
    cells[1].metadata["tags"] = ["parameters"]
    cells += [v4.new_code_cell(source) for source in (BEGIN, *sources)]
    kernel = {"name": "another kernel", "display_name": "Another", "language": "python"}
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path


@pytest.fixture(scope="session")
def odd():
    """The name of a folder that a user may have and a program may trip over."""
    return ODD


@pytest.fixture(scope="session")
def writer():
    """`write_notebook`, for fixtures of more than one test."""
    return write_notebook


@pytest.fixture
def notebook(tmp_path):
    """A function that writes a notebook into the test's folder."""
    return lambda name, *sources, **options: write_notebook(tmp_path / name, *sources, **options)
