"""The hand-written pages hold no typed result: what was measured comes from data, by name."""

import re

import pytest

from dbutils.paths import ROOT
from dbutils.report.numbers import NUMBERS

BOOK = ROOT / "book"
PAGES = sorted(BOOK.glob("*.md"))
# A number that reads like a result: a share in per cent, or a score with one or two decimals.
RESULT = re.compile(r"\d+(?:\.\d+)?\s*(?:%|per cent\b)|(?<![\w.])\d{1,3}\.\d{1,2}(?![\w.])")
# Such numbers that are not results, each with what stands around it.
NO_RESULTS = (
    "middle 95 %",  # the definition of an interval
    "the 95 % interval",
    "Python 3.11",
    "release 2.12",  # of Universal Dependencies
    "Apache License 2.0",
    "CC BY 4.0",
    "a gap of 100 per cent",  # follows from the definition, for a score of 0
    "dep,ud,my-model",  # the made-up row of a reader's own scores
)
NUMBER = re.compile(r"\{number\}`([^`]*)`")


def prose(text):
    """A page's text without roles, code, mathematics and addresses."""
    text = re.sub(r"^(`{3,})(?!\{).*?^\1\s*$", " ", text, flags=re.S | re.M)
    text = re.sub(r"\$\$.*?\$\$", " ", text, flags=re.S)
    text = re.sub(r"\{[a-z:-]+\}`[^`]*`|`[^`]*`|\$[^$\n]+\$|https?://\S+", " ", text)
    return " ".join(text.split())


def typed_results(text):
    """What reads like a result in a page's prose, with the words around it."""
    text = prose(text)
    for known in NO_RESULTS:
        text = text.replace(known, " ")
    return [text[max(0, m.start() - 30) : m.end() + 10] for m in RESULT.finditer(text)]


@pytest.mark.parametrize("text", ["It reaches 94.4 here.", "a share of 12 %", "about 7 per cent of them", "| x | 3.25 |", "(0.5)"])
def test_a_typed_result_is_found(text):
    assert typed_results(text)


@pytest.mark.parametrize(
    "text", ["{number}`dep-average` and {number}`x` %", "`x = 0.5`", "$x = 0.5$", "Python 3.11", "NLLB 1.3B", "version 1.2.3",
             "2e-4", "```bash\nrun 0.5\n```", "https://doi.org/10.1/2.5"]
)  # fmt: skip
def test_a_name_of_a_number_and_code_are_no_typed_results(text):
    assert not typed_results(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_result_is_typed_into_prose(page):
    assert typed_results(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_number_that_a_page_names_is_known(page):
    assert sorted(set(NUMBER.findall(page.read_text(encoding="utf-8"))) - set(NUMBERS)) == []


def test_pages_name_many_numbers():
    assert sum(len(NUMBER.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 100


def test_every_page_begins_with_a_label_and_a_title():
    for page in PAGES:
        assert re.match(r"\([a-z-]+\)=\n# \S", page.read_text(encoding="utf-8")), page.name


def test_every_page_is_in_the_table_of_contents():
    contents = (BOOK / "_toc.yml").read_text(encoding="utf-8")
    assert [page.stem for page in PAGES if not re.search(rf"(file|root): {page.stem}$", contents, flags=re.M)] == []
