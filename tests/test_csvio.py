"""The one CSV reader and writer: text stays text, and nothing is lost."""

import os

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils.csvio import read_csv, to_csv, write_csv, write_text
from dbutils.errors import InputError

CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\0"), max_size=8) | st.sampled_from(
    ["nan", "NA", "null", "no", "yes", "True", "007", "1e5", "-", "", " ", '"', ",", "N/A", "None", "1_000"]
)


@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=6))
def test_what_is_written_is_read_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    table = pd.DataFrame(rows, columns=["a", "b", "c"], dtype=object)
    write_csv(table, path)
    assert read_csv(path).values.tolist() == [list(r) for r in rows]


def test_the_index_is_the_line_of_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"two\nlines"\n\n3,4\n')
    assert list(read_csv(path).index) == [2, 5]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["t.csv"]


def test_missing_numbers_are_empty_cells():
    assert to_csv(pd.DataFrame({"a": [1.5, None], "b": ["x", ""]})) == "a,b\n1.5,x\n,\n"


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "empty file"),
        (b"a,b\n1\n", ":2: 1 cells where the header has 2"),
        (b"a,a\n1,2\n", ":1: column 'a' stands twice"),
        (b'a,b\n1,"2\n', "unexpected end of data"),
        (b"a,b\n1,\xff\n", ":2: not UTF-8"),
    ],
)
def test_broken_files(tmp_path, content, says):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_csv(path)
    assert says in str(error.value)


def test_a_misspelt_column_names_the_nearest(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("cluster,varieti\nx,y\n")
    with pytest.raises(InputError, match="column 'variety' is missing .is 'varieti' it"):
        read_csv(path, ["cluster", "variety"])
    with pytest.raises(InputError, match="no such file"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_csv(tmp_path)
