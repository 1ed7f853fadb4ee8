"""The data cards: one per corpus, from the catalogue and the counts, and nothing in them is markup."""

from dataclasses import replace

import pytest

from dbutils.corpora import catalogue, stats
from dbutils.report.markup import slug
from dbutils.report.pages.datacards import _defects, _facts, _how_to_get, datacards


@pytest.fixture(scope="module")
def pages():
    return datacards()


def test_every_corpus_has_a_card_that_the_index_names(pages):
    assert len(pages) == len(catalogue.load()) + 1
    for c in catalogue.load().values():
        path = f"datacards/{slug(c.id)}.md"
        assert f"({path})" in pages["datacards.md"]
        card = pages[path]
        assert f"`{c.id}`" in card and "**Licence**" in card and "## How to get it" in card
        assert all(f"{{cite:t}}`{key}`" in card for key in c.citation)


def test_counts_are_the_committed_ones(pages):
    rows = stats.committed()
    row = rows[(rows.corpus == "dsl_tl") & (rows.code == "english") & (rows.split == "paper-test")].iloc[0]
    assert (row.examples, row.overlap) == ("599", "599")  # the paper trained on what it tested on
    assert (
        "| DId | english | paper-test | 599 | 18,219 | 30.4 | 0 | 599 |   | counted |" in pages["datacards/dsl-tl.md"]
    )
    assert "| ES-ES | 1,485 | 444 | 16.6 |" in pages["datacards/dsl-tl.md"]


def test_counts_stand_beside_the_papers(pages):
    line = next(x for x in pages["datacards/sib-200.md"].splitlines() if x.startswith("| TC | arb\\_Arab | test"))
    assert line.split("|")[4].strip() == line.split("|")[9].strip() == "204"


def test_labels_are_unique_and_tables_regular(pages):
    names = [line for page in pages.values() for line in page.splitlines() if line.startswith(":name: ")]
    assert len(set(names)) == len(names)
    for page in pages.values():
        for table in page.split(":::{table}")[1:]:
            rows = [x.replace("\\|", "") for x in table.split("\n:::")[0].splitlines() if x.startswith("|")]
            assert len({x.count("|") for x in rows}) == 1


NASTY = "<script>x</script> {raw}`y` $a$ | *b* =1+1"


def test_markup_in_a_record_stays_text():
    from markdown_it import MarkdownIt

    c = next(iter(catalogue.load().values()))
    bad = replace(c, name=NASTY, licence=NASTY, defects=(NASTY,), by_hand=NASTY, revision=NASTY)
    bad = replace(bad, splits=dict.fromkeys(c.splits, NASTY))
    for part in (_facts(bad), _defects(bad), _how_to_get(bad)):
        shown = MarkdownIt("commonmark", {"html": True}).render(part)
        assert "<script" not in shown and "<em>" not in shown
        assert "{raw}`" not in part.replace("\\{raw\\}\\`", "")
