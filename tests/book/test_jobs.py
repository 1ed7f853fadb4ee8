"""The list of the book's notebooks is read strictly."""

from pathlib import Path

import pytest

from dbutils.book.jobs import jobs, words
from dbutils.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


def test_the_books_list_can_be_read():
    found = jobs(ROOT / "notebooks" / "matrix" / "book.yaml")
    assert "summary" in found and all((ROOT / "notebooks" / f"{e.notebook}.ipynb").is_file() for e in found.values())


def test_parameters_become_words_and_codes_stay_text(tmp_path):
    path = tmp_path / "b.yaml"
    path.write_text("- {notebook: summary, variant: own, parameters: {varieties: [no, nan, '1'], limit: 5, x: true}}\n")
    (entry,) = jobs(path).values()
    assert entry.name == "summary-own"
    assert words(entry) == ["-p", "varieties", "no", "nan", "1", "-p", "limit", "5", "-p", "x", "true"]


@pytest.mark.parametrize(
    "text, says",
    [
        ("- notebook: summary\n- notebook: summary\n", "b.yaml:2: summary stands twice; give one of them a variant"),
        ("- notebook: summary\n  notebook: gaps\n", "b.yaml:2: 'notebook' stands twice"),
        ("- notebok: summary\n", "b.yaml:1: entry 1: .*'notebo"),
        (
            "- notebook: summary\n  parameter: {}\n",
            "b.yaml:2: entry 1: unknown field 'parameter': did you mean 'parameters'",
        ),
        ("- notebook: summary\n  variant: 1\n", "b.yaml:2: entry 1: variant 1 is not text"),
        ("- notebook: summary\n  parameters: [x]\n", "b.yaml:2: entry 1: parameters .* is not a table of parameters"),
        ("notebook: summary\n", "is not a notebook; write a list"),
        ("- summary\n", "b.yaml:1: entry 1: 'summary' is not a notebook"),
    ],
)
def test_a_broken_list_names_line_and_value(tmp_path, text, says):
    path = tmp_path / "b.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        jobs(path)
    assert "\n" not in str(caught.value)
