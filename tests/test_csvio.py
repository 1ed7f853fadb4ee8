"""The one CSV reader and writer: text stays text, and nothing is lost."""

import os

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils.csvio import NeedsCare, arrow_blocks, read_csv, to_csv, write_csv, write_text
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


PIECES = [
    "a",
    "b,",
    ",",
    '"',
    '""',
    '","',
    "\n",
    "\r\n",
    "\r",
    " ",
    "nan",
    "007",
    "\ufeff",
    "\x00",
    "é",
    "\u2028",
    "1.0",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", "\ufeff"]), st.sampled_from([4, 1 << 22]))
def test_the_quick_reader_reads_as_the_careful_one_or_not_at_all(tmp_path_factory, pieces, bom, size):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text(bom + "x,y\n" + "".join(pieces), encoding="utf-8", newline="")
    try:
        rows = [list(row.values()) for t in arrow_blocks([path], ["x", "y"], ["y"], size) for row in t.to_pylist()]
    except NeedsCare:
        return
    table = read_csv(path)
    assert rows == table.values.tolist() and list(table.index) == list(range(2, len(table) + 2))


def test_the_quick_reader_reads_plain_files_whatever_their_number_and_size(tmp_path):
    paths = [tmp_path / name for name in "abc"]
    for path, end in zip(paths, ("\n", "", "\r\n")):
        path.write_bytes(b"x,y\n" + end.encode().join(b'%d,"q, ""%d"""' % (i, i) for i in range(50)) + end.encode())
    paths[1].write_bytes(b"\xef\xbb\xbfx,y\r\n1,2")
    found = [
        row for size in (10, 1000, 1 << 22) for t in arrow_blocks(paths, ["x", "y"], (), size) for row in t.to_pylist()
    ]
    one = [{"x": str(i), "y": f'q, "{i}"'} for i in range(50)]
    assert found == 3 * [*one, {"x": "1", "y": "2"}, *one]
