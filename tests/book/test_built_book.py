"""A small book is built with the project's own frame; each seeded fault of it is found."""

import base64
import re
import shutil
import textwrap
from pathlib import Path

import nbformat
import pytest

from dbutils import cli
from dbutils.book import browser, build, static
from dbutils.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
PICTURE = "data:image/svg+xml;base64," + base64.b64encode(SVG).decode()
INTRO = f"""
# Introduction to varieties

Read {{numref}}`tab-small`, {{numref}}`fig-small` and [the deep page](deep/er/interactive.md#a-heading).
A {{best}}`94.2`, a {{worst}}`1.3`, a {{differs}}`55.0` and {{rep}}`Standard German`.

:::{{table}} Small table
:name: tab-small
:class: sortable filterable
:align: left

| Variety | Score | Count |
|:--|--:|--:|
| b | {{best}}`94.2` | 1,200 |
| a | {{worst}}`9.3` | 30 |
| nan |  | 7 |
| Ü | -1.5 | – |
:::

:::{{figure}} {PICTURE}
:name: fig-small
:alt: An empty square

A square.
:::

$$ \\mathrm{{gap}} = 1 - \\frac{{s(v)}}{{s(r)}} $$
"""
DEEP = """
# Interactive

## A heading

<div class="interactive-figure" aria-label="A line"><script type="application/json">
{"data": [{"x": [1, 2], "y": [1, 2], "type": "scatter"}], "layout": {"xaxis": {"title": {"text": "x"}}}}
</script></div>
"""
TOC = "format: jb-book\nroot: intro\nchapters:\n- file: deep/er/interactive\n  sections:\n  - glob: deep/parts/*\n- file: executed/small\n"
END, OUT, PAGE = "</article>", "https://example.org", "deep/er/interactive.html"

has_browser = pytest.mark.skipif(browser.find() is None, reason=browser.NOT_RUN)


def notebook(failed=False):
    """A notebook as papermill and the finishing step leave it, with a labelled table as output."""
    v4 = nbformat.v4
    table = ":::{table} From a notebook\n:name: tab-nb\n:class: sortable\n:align: left\n\n"
    table += "| A | B |\n|:--|--:|\n| x | 1 |\n:::"
    cell = v4.new_code_cell(
        "show()", outputs=[v4.new_output("display_data", {"text/markdown": table, "text/plain": "t"})]
    )
    text = v4.new_markdown_cell("# Executed\n\n{numref}`tab-nb`, {numref}`tab-small`")
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    return v4.new_notebook(
        cells=[text, cell], metadata=metadata | ({"papermill": {"exception": True}} if failed else {})
    )


def make_sources(folder):
    (folder / "book" / "deep" / "er").mkdir(parents=True)
    (folder / "book" / "executed").mkdir()
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_static"):
        shutil.copytree(
            ROOT / "book" / name, folder / "book" / name, ignore=shutil.ignore_patterns("fonts", "__pycache__")
        )
    (folder / "book" / "references.bib").write_text("")
    (folder / "book" / "intro.md").write_text(INTRO)
    (folder / "book" / "left_out.md").write_text("A page that the contents do not name\n")
    (folder / "book" / "deep" / "er" / "interactive.md").write_text(DEEP)
    (folder / "book" / "deep" / "parts").mkdir()
    (folder / "book" / "deep" / "parts" / "one.md").write_text("# One of several\n")
    (folder / "book" / "_toc.yml").write_text(TOC)
    nbformat.write(notebook(), folder / "book" / "executed" / "small.ipynb")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory, odd):
    """The sources of the small book, built, in a folder of an odd name."""
    folder = make_sources(tmp_path_factory.mktemp("project") / odd)
    assert build.main(root=folder) == 0
    return folder


def test_pages_are_those_that_the_contents_name_or_have_a_pattern_for(project):
    made = {
        path.relative_to(project / "_build" / "html").as_posix()
        for path in (project / "_build" / "html").rglob("*.html")
    }
    assert {"intro.html", "deep/er/interactive.html", "deep/parts/one.html", "executed/small.html"} <= made
    assert "left_out.html" not in made


@pytest.fixture
def html(project, tmp_path):
    """A copy of the built book that a test may spoil."""
    shutil.copytree(project / "_build" / "html", tmp_path / "html", ignore=shutil.ignore_patterns("mathjax"))
    (tmp_path / "html" / "_static" / "mathjax").symlink_to(project / "_build" / "html" / "_static" / "mathjax")
    return tmp_path / "html"


def spoil(page, old, new):
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new, 1))


def test_roles_become_spans_of_their_class(project):
    text = (project / "_build" / "html" / "intro.html").read_text()
    for mark in (
        '<span class="best">94.2',
        '<span class="worst">1.3',
        '<span class="differs">55.0',
        '<span class="rep">Standard',
    ):
        assert mark in text


def test_tables_and_figures_are_numbered_and_referred_to_across_pages(project):
    text = (project / "_build" / "html" / "executed" / "small.html").read_text()
    assert re.search(r'<table class="sortable table table-left" id="tab-nb">', text)
    assert re.search(r'href="../intro.html#tab-small"><span class="std std-numref">Table S1<', text)
    assert '<a class="reference internal" href="#fig-small"' in (project / "_build" / "html" / "intro.html").read_text()


def test_plotly_is_loaded_only_where_it_is_used(project):
    out = project / "_build" / "html"
    assert 'src="../../_static/vendor/plotly.min.js' in (out / "deep" / "er" / "interactive.html").read_text()
    assert "plotly.min.js" not in (out / "intro.html").read_text()
    assert (out / "_static" / "vendor" / "plotly.min.js").stat().st_size > 1_000_000


def test_no_page_mentions_thebe_or_a_repository(project):
    for page in static.pages(project / "_build" / "html"):
        text = (project / "_build" / "html" / page).read_text()
        assert "thebe" not in text.lower()
        assert "github.com" not in text


def test_the_good_book_has_no_static_finding(html):
    assert static.findings(html) == []


@pytest.mark.parametrize(
    "old, new, finding",
    [
        ('alt="An empty square"', 'alt=""', "picture without alt text: data:image"),
        ('alt="An empty square"', "", "picture without alt text: data:image"),
        (END, f'<script src="{OUT}/x.js"></script>{END}', f"<script> loads {OUT}/x.js from outside the book"),
        (END, f'<img alt="x" src="//a.org/x.png">{END}', "<img> loads //a.org/x.png from outside the book"),
        (END, f'<img alt="x" src="lost.png">{END}', "<img> loads lost.png, which is not there"),
        (END, f'<a href="lost.html">x</a>{END}', "link to a missing page: lost.html"),
        (END, f'<a href="#lost">x</a>{END}', "link to a missing anchor: #lost"),
        (END, f'<a href="{PAGE}#lost">x</a>{END}', f"link to a missing anchor: {PAGE}#lost"),
        (END, f"<pre>Traceback (most recent call last)</pre>{END}", "shows a Python traceback"),
        (END, f'<p id="tab-small"></p>{END}', "id stands twice: tab-small"),
        ("</head>", f"<link rel='stylesheet' href='{OUT}/x.css'></head>", f"<link> loads {OUT}/x.css from"),
    ],
)
def test_each_fault_of_a_page_is_one_finding(html, old, new, finding):
    spoil(html / "intro.html", old, new)
    [line] = static.findings(html)
    assert line.startswith(f"intro.html: {finding}")


def test_a_stylesheet_from_outside_is_found(html):
    (html / "_static" / "compendium.css").write_text("@import url('https://example.org/font.css');")
    assert static.findings(html) == ["_static/compendium.css: loads https://example.org/font.css from outside the book"]


def test_a_landing_page_that_leads_nowhere_is_found(html):
    spoil(html / "index.html", "intro.html", "gone.html")
    assert static.findings(html) == ["index.html: leads on to a missing page: gone.html"]


@has_browser
@pytest.mark.browser
def test_the_good_book_has_no_finding_in_the_browser(html):
    assert browser.findings(html, browser.find()) == []


@has_browser
@pytest.mark.browser
def test_each_fault_in_the_browser_is_found(html, project):
    script = """<script>
      console.error("loud"); fetch("https://example.org/data.json").catch(() => 0);
      setTimeout(() => { throw new Error("broken"); });
    </script><p style="width: 900px">wide</p><img alt="x" src="_static/file.png?broken"></article>"""
    spoil(html / "intro.html", "</article>", script)
    (html / "_static" / "file.png").write_text("no picture")
    spoil(html / "executed" / "small.html", "tables.js", "tables.js.off")
    (html / "_static" / "compendium.css").write_text(".best { color: #ccc; }")
    (html / "_static" / "figures.js").write_text("")
    (html / "searchindex.js").write_text(
        "Search.setIndex({docnames: [], filenames: [], titles: [], terms: {}, titleterms: {}})"
    )
    found = "\n".join(browser.findings(html, browser.find()))
    for part in (
        "intro.html: console error: loud",
        "intro.html: request leaves the book's host: https://example.org/data.json",
        "intro.html: script error: broken",
        "intro.html: picture does not load: _static/file.png?broken",
        'intro.html: scrolls sideways at 390 px: <p class="">',
        "intro.html: contrast of .best in light mode",
        "executed/small.html: request failed with 404: /_static/tables.js.off",
        "executed/small.html: tab-nb: has no sort buttons",
        "deep/er/interactive.html: interactive figure is not drawn: A line",
        "search.html: the search does not find 'Introduction'",
    ):
        assert part in found


@has_browser
@pytest.mark.browser
def test_tables_sort_and_filter_as_a_reader_expects(html):
    from playwright.sync_api import sync_playwright

    from dbutils.book.serve import serving

    with serving(html) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser.find(), args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(f"{address}/intro.html")
        cells = "#tab-small tbody tr td:nth-child"
        column = lambda i: page.locator(f"{cells}({i})").all_inner_texts()  # noqa: E731
        heading = lambda name: page.locator("#tab-small th").filter(has_text=name)  # noqa: E731
        heading("Score").get_by_role("button").click()
        assert column(1) == ["Ü", "a", "b", "nan"]  # -1.5, 9.3, 94.2, none
        assert heading("Score").get_attribute("aria-sort") == "ascending"
        page.keyboard.press("Enter")
        assert column(1) == ["b", "a", "Ü", "nan"]  # empty last either way
        page.keyboard.press("Enter")
        assert column(1) == ["b", "a", "nan", "Ü"]  # as printed
        assert heading("Score").get_attribute("aria-sort") == "none"
        heading("Count").get_by_role("button").click()
        assert column(3) == ["7", "30", "1,200", "–"]
        heading("Variety").get_by_role("button").click()
        assert column(1) == ["a", "b", "nan", "Ü"]
        assert heading("Count").get_attribute("aria-sort") == "none"
        page.get_by_label("Filter rows").fill("u")
        assert page.locator("#tab-small tbody tr:visible").all_inner_texts()[0].startswith("Ü")
        assert page.get_by_text("1 of 4 rows").is_visible()
        chromium.close()


@has_browser
@pytest.mark.browser
def test_the_command_ends_with_status_1_and_one_line_per_finding(html, capsys):
    spoil(html / "intro.html", 'alt="An empty square"', 'alt=""')
    assert cli.main(["book", "check", "--html", str(html)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert re.search(r"\d pages checked, in \S+: desktop and phone width, light and dark; 1 findings", said.err)


def test_without_a_browser_the_command_says_so(html, capsys, monkeypatch):
    monkeypatch.setenv("DBUTILS_CHROMIUM", "/nowhere/chromium")
    assert cli.main(["book", "check", "--html", str(html)]) == 0
    assert "the browser checks were NOT run" in capsys.readouterr().err
    assert cli.main(["book", "check", "--html", str(html), "--browser", "required"]) == 1
    assert "the browser checks were NOT run" in capsys.readouterr().out
    assert browser.main() == 1


def test_a_folder_without_a_book_is_an_input_error(tmp_path, capsys):
    assert cli.main(["book", "check", "--html", str(tmp_path)]) == 2
    assert "no built book here; run 'make book' first" in capsys.readouterr().err


def test_a_failed_notebook_is_never_rendered(project, tmp_path, capfd):
    shutil.copytree(project / "book", tmp_path / "book")
    shutil.copy(project / "_config.yml", tmp_path)
    nbformat.write(notebook(failed=True), tmp_path / "book" / "executed" / "small.ipynb")
    assert build.main(root=tmp_path) == 1
    assert (
        "book/executed/small.ipynb: this notebook failed when it was run; it is not rendered" in capfd.readouterr().err
    )
    assert not (tmp_path / "_build").exists()


def test_a_page_that_was_not_made_yet_is_named(tmp_path):
    folder = make_sources(tmp_path)
    (folder / "book" / "executed" / "small.ipynb").unlink()
    with pytest.raises(InputError, match="^book/executed/small.ipynb is not there; 'make book'"):
        build.main(root=folder)


def test_warnings_fail_the_build_each_time(tmp_path):
    folder = make_sources(tmp_path)
    page = folder / "book" / "intro.md"
    page.write_text(textwrap.dedent(INTRO) + "\n{numref}`tab-lost`\n")
    assert build.main(root=folder) == 1
    assert build.main(root=folder) == 1


def test_a_page_that_left_the_book_is_deleted_and_titles_stay_fresh(tmp_path):
    folder = make_sources(tmp_path)
    assert build.main(root=folder) == 0
    out = folder / "_build" / "html"
    assert (out / "executed" / "small.html").exists()
    (folder / "book" / "_toc.yml").write_text(TOC.replace("- file: executed/small\n", ""))
    (folder / "book" / "deep" / "er" / "interactive.md").write_text(DEEP.replace("# Interactive", "# A new title"))
    assert build.main(root=folder) == 0
    assert not (out / "executed" / "small.html").exists()
    assert "A new title" in (out / "intro.html").read_text()


def test_launch_buttons_point_at_the_sources_of_notebooks(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/compendium")
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    folder = make_sources(tmp_path)
    assert build.main(root=folder) == 0
    text = (folder / "_build" / "html" / "executed" / "small.html").read_text()
    assert "https://github.com/someone/compendium" in text
    assert "blob/main/notebooks/small.ipynb" in text or "main/notebooks/small.ipynb" in text
    assert "book/executed" not in text.replace("_sources", "")
