"""Tables as text: the forms, the marks, the differences, and that a cell is never markup."""

import html.parser
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils import scores
from dbutils.analysis.tables import TABLES, table
from dbutils.analysis.tables.base import build
from dbutils.report import markup, tables
from dbutils.scores import flags


@pytest.fixture(scope="module")
def ten():
    return table(10, scores.load())


def test_csv_is_the_contract(ten):
    lines = tables.csv_text(ten).splitlines()
    assert lines[0] == "cluster,variety,ud_code,zeroshot_mbert,zeroshot_xlmr,finetune_mbert,finetune_xlmr,flags"
    assert lines[2] == "albanian,gheg albanian,UD_Gheg-GPS,38.14,43.50,,,"
    assert len(lines) == 41


def test_raw_is_full_precision():
    lines = tables.csv_text(table(13, scores.load()), raw=True).splitlines()
    assert lines[1].startswith("anglic,english,eng_Latn,eng_Latn,81.89620758483034,")


def test_json_has_numbers_and_nulls(ten):
    data = json.loads(tables.json_text(ten))
    assert data["table"] == 10
    assert data["rows"][1] == {
        "cluster": "albanian",
        "variety": "gheg albanian",
        "ud_code": "UD_Gheg-GPS",
        "zeroshot_mbert": 38.14,
        "zeroshot_xlmr": 43.5,
        "finetune_mbert": None,
        "finetune_xlmr": None,
        "flags": {},
    }


def test_best_and_worst_are_marked_once_per_column(ten):
    mark = tables.marks(ten)
    text = ten.text()
    for c in ten.rank:
        best = [float(text.at[r, k]) for (r, k), m in mark.items() if k == c and m == "best"]
        worst = [float(text.at[r, k]) for (r, k), m in mark.items() if k == c and m == "worst"]
        values = [float(v) for v, f in zip(text[c], ten.flags[c]) if v and not flags.excluded(f)]
        assert set(best) == {max(values)} and set(worst) == {min(values)}


def test_differences_to_the_print_are_shown():
    sixteen = table(16, scores.load())
    assert tables.differences(sixteen)[2, "support"] == "249"
    assert "{differs}`print 249`" in tables.myst(sixteen)
    assert '<span class="differs">print 249</span>' in tables.html_table(sixteen)
    assert "(print 249)" in tables.markdown(sixteen)
    assert tables.differences(table(10, scores.load())) == {}


@pytest.mark.parametrize("number", TABLES)
def test_every_table_in_every_form(number):
    now = table(number, scores.load())
    myst = tables.myst(now)
    assert myst.startswith(":::{table} ") and f":name: tab-{number}\n" in myst and myst.rstrip().endswith(":::")
    rows = [line for line in myst.splitlines() if line.startswith("|")]
    assert len(rows) == len(now.frame) + 2
    plain = [line.replace("\\|", "") for line in rows]
    assert len({line.count("|") for line in plain}) == 1
    assert tables.html_table(now).count("<tr>") == len(now.frame) + 1
    assert len(json.loads(tables.json_text(now))["rows"]) == len(now.frame)
    assert tables.markdown(now).count("\n|") == len(now.frame) + 2
    assert len(tables.csv_text(now).splitlines()) == len(now.frame) + 1


def test_a_page_of_its_own_needs_no_other_file():
    page = tables.html_page(table(5, scores.load()))
    assert page.startswith("<!doctype html>") and "<script>" in page and "<style>" in page
    assert "http://" not in page.replace("http://www.w3.org", "") and "src=" not in page


NASTY = [
    "<script>alert(1)</script>",
    "=1+1",
    "a|b",
    "`x`",
    "{raw}`y`",
    "[a](javascript:x)",
    "$x$",
    "\\",
    "*b*",
    "# h",
    "&lt;",
    "![i](x)",
    "@x",
]


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("nasty", NASTY)
def test_markup_in_a_cell_stays_text(nasty):
    now = build(10, nasty, "", [("new 1", ("a", "b"), "x", {"cluster": nasty, "variety": nasty})])
    parser = Tags()
    parser.feed(tables.html_table(now))
    assert set(parser.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "span"}
    assert nasty in parser.text
    from markdown_it import MarkdownIt

    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(tables.markdown(now))
    parser = Tags()
    parser.feed(rendered)
    assert set(parser.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert " ".join(nasty.split()) in "".join(parser.text)


@given(st.text(max_size=30))
def test_markdown_of_any_text_is_that_text(text):
    from markdown_it import MarkdownIt

    clean = " ".join(text.replace("\0", "").split())
    parser = Tags()
    parser.feed(MarkdownIt("commonmark", {"html": True}).render("x " + markup.md(clean) + " x"))
    assert set(parser.tags) <= {"p"}
    assert "".join(parser.text).strip() == f"x {clean} x".replace("  ", " ").strip() or " ".join(
        "".join(parser.text).split()
    ) == " ".join(f"x {clean} x".split())


def test_slugs():
    assert markup.slug("mbyá guaraní (a:brazil)") == "mbya-guarani-a-brazil"
    assert markup.slug("trentino-alto adige/südtirol") == "trentino-alto-adige-sudtirol"


def test_headings_are_words():
    assert [tables.heading(c) for c in ("zeroshot_mbert", "acc_xlmr", "ud_code", "zero_shot_my-model")] == [
        "zero-shot mBERT",
        "accuracy XLM-R",
        "code",
        "zero-shot my-model",
    ]


# ---- known faults --------------------------------------------------------------------------------


def flagged(**more):
    """Three scores, the highest and the lowest of which are no results."""
    rows = [
        (f"new {i}", ("a", v), v, dict(variety=v, f1_m=x, f1_n=50.0 + i))
        for i, (v, x) in enumerate((("p", 99.0), ("q", 60.0), ("r", 40.0), ("s", 0.0)))
    ]
    now = build(10, "T", "", rows, dict(f1_m=1, f1_n=1), rank=("f1_m", "f1_n"), **more)
    at = [((), ("no-zero-shot",), ()), ((), (), ()), ((), (), ("mixed-test-set", "pseudo-reference"))]
    at.append(((), ("never-learnt",), ()))
    now.flags = pd.DataFrame([list(row) for row in at], index=now.frame.index, columns=now.columns, dtype=object)
    return now


def test_what_is_no_result_is_neither_best_nor_worst():
    assert tables.marks(flagged()) == {
        ("new 1", "f1_m"): "best",
        ("new 2", "f1_m"): "worst",
        ("new 0", "f1_n"): "worst",
        ("new 3", "f1_n"): "best",
    }


def test_csv_has_the_faults_in_one_last_column():
    assert tables.csv_text(flagged()).splitlines() == [
        "variety,f1_m,f1_n,flags",
        "p,99.0,50.0,f1_m: no zero-shot",
        "q,60.0,51.0,",
        'r,40.0,52.0,"f1_n: mixed test set, pseudo-reference"',
        "s,0.0,53.0,f1_m: never learnt",
    ]
    assert tables.csv_text(flagged(), raw=True).splitlines()[4] == "s,0.0,53.0,f1_m: never learnt"
    several = flagged()
    several.flags.at["new 3", "f1_n"] = ("mixed-test-set",)
    assert tables.csv_text(several).splitlines()[4] == "s,0.0,53.0,f1_m: never learnt; f1_n: mixed test set"


def test_json_has_the_faults_of_a_row():
    rows = json.loads(tables.json_text(flagged()))["rows"]
    assert rows[3]["flags"] == {"f1_m": ["never-learnt"]} and rows[1]["flags"] == {}


def test_a_fault_is_marked_beside_its_number_and_explained_below():
    now = flagged()
    html = tables.html_table(now)
    assert (
        '<td class="number" style="text-align: right">0.0 <abbr class="flag" title="never learnt">×</abbr></td>' in html
    )
    assert html.endswith("</ul>") and html.count("<li>") == 4
    assert "never learnt: The fine-tuned model never learnt its task." in html
    text = tables.markdown(now)
    assert "| s | 0.0 × | **53.0** |" in text and "- × never learnt: The fine-tuned" in text
    book = tables.myst(now)
    assert "| s | 0.0 {flag}`× (never learnt)` | {best}`53.0` |" in book
    table_, _, below = book.partition("\n:::\n")
    assert "× (never learnt)` never learnt: The fine-tuned" in below and "The fine-tuned" not in table_
    plain = tables.plain_table(now).splitlines()
    assert plain[4].split() == ["s", "0.0", "×", "53.0"] and plain[-2].startswith("½ mixed test set: ")


def test_only_what_occurs_is_explained():
    now = flagged()
    now.flags = now.flags.map(lambda f: ())
    assert tables.notes(now) == [] and "flag" not in tables.html_table(now) + tables.myst(now) + tables.markdown(now)
    now.flags = None
    assert "flags" not in tables.csv_text(now) + tables.json_text(now)


def test_every_sign_is_markdown_that_stays_text():
    from markdown_it import MarkdownIt

    from dbutils.scores.flags import FLAGS

    now = flagged()
    now.flags.at["new 0", "f1_m"] = tuple(FLAGS)
    parser = Tags()
    parser.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(tables.markdown(now)))
    text = "".join(parser.text)
    assert all(f"{f.mark} {f.name}: {f.sentence}" in text for f in FLAGS.values())
    assert " ".join(["99.0", *(f.mark for f in FLAGS.values())]) in text


def test_a_table_without_a_column_of_varieties_is_linked_nowhere():
    from dbutils import scores
    from dbutils.analysis import tables as made
    from dbutils.report.tables import myst

    found = made.table(22, scores.load("upstream"))
    assert any(found.keys) and "variety" not in found.columns
    assert myst(found, links=dict.fromkeys(found.keys, "#there")) == myst(found)
