"""Generated pages: exactly those that the generators make, untouched where they are right."""

import pytest

from dbutils.book import pages
from dbutils.errors import InputError


def test_pages_are_written_once_and_old_ones_deleted(tmp_path):
    pages.write({"a.md": "A", "deep/b.md": "B"}, tmp_path)
    time = (tmp_path / "a.md").stat().st_mtime_ns
    pages.write({"a.md": "A", "c.md": "C"}, tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.md", "c.md"]
    assert (tmp_path / "a.md").stat().st_mtime_ns == time


def test_a_changed_page_is_written(tmp_path):
    pages.write({"a.md": "A"}, tmp_path)
    pages.write({"a.md": "AA"}, tmp_path)
    assert (tmp_path / "a.md").read_text() == "AA"


def test_two_generators_cannot_make_the_same_page():
    with pytest.raises(InputError, match="'a.md' is made twice"):
        pages.collect([lambda: {"a.md": "1"}, lambda: {"a.md": "2"}])


@pytest.mark.parametrize("name", ["../intro.md", "/etc/a.md", "a/../../b.md"])
def test_a_page_stays_in_its_folder(name):
    with pytest.raises(InputError, match="lies outside"):
        pages.collect([lambda: {name: "1"}])
