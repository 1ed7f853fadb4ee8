import pytest

from dbutils.corpora import text
from dbutils.errors import InputError


def test_only_line_feeds_end_lines(trap):
    assert list(text.lines(trap("line_separator_inside.txt"))) == [(1, "one\u2028still one\x85and still"), (2, "two")]


def test_byte_order_mark_and_carriage_returns_are_dropped(trap):
    assert list(text.lines(trap("bom_and_crlf.ben"))) == [(1, "আমি"), (2, "তুমি")]


def test_missing_last_line_end_changes_nothing(trap):
    assert [line for _, line in text.lines(trap("source_with_blank_lines.eus"))] == ["", "kaixo mundua", "", "etxea"]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("lfs_pointer.txt", "a Git LFS pointer, not the data"),
        ("web_page.txt", "a web page, not the data"),
        ("login_page.txt", "a login page, not the data"),
    ],
)
def test_what_is_not_data_is_refused_and_named(trap, name, what):
    with pytest.raises(InputError, match=what):
        list(text.lines(trap(name)))


def test_bytes_that_are_not_utf8_are_named_by_line(trap):
    with pytest.raises(InputError, match=r"not_utf8.txt:2: not UTF-8"):
        list(text.lines(trap("not_utf8.txt")))


def test_missing_file_and_folder_are_input_errors(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(text.lines(tmp_path / "absent.txt"))
    with pytest.raises(InputError, match="is a folder"):
        list(text.lines(tmp_path))


def test_lines_are_read_lazily(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"fine\n\xff\n")
    assert next(text.lines(path)) == (1, "fine")
