"""The hand-written pages hold no typed result: what was measured comes from data, by name."""

import re
import shlex

import pytest

import dbutils
from dbutils import cli, registry
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


@pytest.mark.parametrize(
    "text", ["It reaches 94.4 here.", "a share of 12 %", "about 7 per cent of them", "| x | 3.25 |", "(0.5)"]
)
def test_a_typed_result_is_found(text):
    assert typed_results(text)


@pytest.mark.parametrize(
    "text",
    [
        "{number}`dep-average` and {number}`x` %",
        "`x = 0.5`",
        "$x = 0.5$",
        "Python 3.11",
        "NLLB 1.3B",
        "version 1.2.3",
        "2e-4",
        "```bash\nrun 0.5\n```",
        "https://doi.org/10.1/2.5",
    ],
)
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


# ---- the extension


@pytest.fixture(scope="module")
def extension():
    import importlib.util

    spec = importlib.util.spec_from_file_location("numbers_of_the_book", BOOK / "_ext" / "numbers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_and_figures_of_the_paper_keep_their_numbers_and_others_are_counted(extension):
    given = {
        "b": {"table": {"tab-12": (3,), "tab-gaps": (4,)}, "figure": {"fig-11c": (1,)}},
        "a": {"table": {"tab-cards": (1,), "id1": (2,)}, "figure": {"fig-world": (2,)}},
    }
    extension.renumber(given, ["a", "b", "without-tables"])
    assert given == {
        "b": {"table": {"tab-12": ("12",), "tab-gaps": ("S3",)}, "figure": {"fig-11c": ("11c",)}},
        "a": {"table": {"tab-cards": ("S1",), "id1": ("S2",)}, "figure": {"fig-world": ("S1",)}},
    }


def test_only_pages_with_a_changed_number_are_read_again(extension):
    from types import SimpleNamespace

    app = SimpleNamespace(config=SimpleNamespace(numbers_known={"a": "1", "b": "3"}))
    env = SimpleNamespace(found_docs={"x", "y", "z"})
    env.numbers_used = {"x": {"a": "1"}, "y": {"a": "1", "b": "2"}, "z": {"gone": "1"}, "deleted": {"b": "2"}}
    assert extension._outdated(app, env, set(), set(), set()) == ["y", "z"]


def test_an_unknown_number_is_named_with_the_nearest_and_a_missing_file_with_the_remedy(extension):
    assert "did you mean 'dep-average'" in str(extension._unknown("dep-avrage", {"dep-average": "64.3"}))
    assert str(extension._unknown("x", {})) == "number 'x': generated/numbers.json is not there; run make book"


# ---- what pages say of the project is so


def commands():
    """Every `dbutils` command line in a block of code of the pages and the README."""
    for page in [*PAGES, ROOT / "README.md"]:
        for block in re.findall(r"^```bash\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.S | re.M):
            yield from (
                re.split(r" #| > ", line)[0].strip() for line in block.splitlines() if line.startswith("dbutils ")
            )


def test_every_command_that_a_page_shows_is_accepted(tmp_path, monkeypatch):
    shown = sorted(set(commands()))
    assert len(shown) > 15
    monkeypatch.chdir(tmp_path)
    for line in shown:
        words = shlex.split(line)[1:]
        for word in words:  # the files that a command reads are there
            made, file = tmp_path / word, re.fullmatch(r"[\w./-]+\.\w{2,7}", word)
            if (file or word == "runs") and not made.exists():
                (made.parent if file else made).mkdir(parents=True, exist_ok=True)
                if file:
                    made.touch()
        cli.parser().parse_args(words)  # raises InputError for a wrong one


def test_every_make_target_that_a_page_shows_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in [*PAGES, ROOT / "README.md"]:
        for target in re.findall(r"^make (\w+)|`make (\w+)`", page.read_text(encoding="utf-8"), flags=re.M):
            assert re.search(rf"^{''.join(target)}:", makefile, flags=re.M), (page.name, target)


def test_the_page_on_the_rooms_lists_them_all_in_order():
    text = (BOOK / "architecture.md").read_text(encoding="utf-8")
    section = text[text.index("## The rooms") : text.index("## Where things are")]
    listed = re.findall(r"^\| \*\*(\w+)\*\* \|", section, flags=re.M)
    folders = {path.parent.name for path in (ROOT / "dbutils").glob("*/__init__.py")}
    assert set(listed) == folders
    order = [
        "registry",
        "metrics",
        "scores",
        "corpora",
        "sandbox",
        "models",
        "tasks",
        "experiments",
        "analysis",
        "report",
        "book",
        "cli",
    ]
    assert listed == [room for room in order if room in folders]


def test_the_page_on_the_rooms_names_every_column_of_a_score_row():
    from dbutils.scores import COLUMNS

    assert f"`{', '.join(COLUMNS)}`" in (BOOK / "architecture.md").read_text(encoding="utf-8")


def test_the_readme_states_the_sizes_of_the_registry():
    known = registry.load()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    stated = re.search(r"(\d+) varieties of language, in (\d+) clusters and (\d+) tasks", " ".join(text.split()))
    assert [int(n) for n in stated.groups()] == [len(known), len(known.clusters), len(dbutils.TASKS)]


def test_the_readme_begins_with_the_two_commands_and_shows_a_small_picture():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("make book") < text.index("make test") < 250
    name = re.search(r"!\[[^\]]+\]\(([^)]+)\)", text)[1]
    assert (ROOT / name).stat().st_size < 200_000


def test_example_score_rows_are_read(tmp_path):
    from dbutils.scores import read_scores

    for page in (BOOK / "reexecute.md", ROOT / "README.md"):
        rows = re.search(r"^```text\n(task,corpus.*?)^```", page.read_text(encoding="utf-8"), flags=re.S | re.M)[1]
        (tmp_path / "scores.csv").write_text(rows, encoding="utf-8")
        assert len(read_scores(tmp_path / "scores.csv"))
