"""The bibliography, the glossary and the standing pages agree with each other and with the code."""

import hashlib
import re
import unicodedata
import warnings
from collections import Counter

import pytest
import yaml

import dbutils
from dbutils.csvio import read_csv
from dbutils.paths import ROOT

BOOK = ROOT / "book"
CATALOGUE = ROOT / "data" / "corpora.toml"
CITE = re.compile(r"\{cite(?::[a-z]+)?\}`([^`]*)`")
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")
VENUES = ("booktitle", "journal", "publisher", "school", "howpublished")
STATUSES = ("reproduced", "mislabelled", "differs", "unverifiable")
APACHE_2 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


def fold(text):
    """Letters and digits only, lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain.lower() if c.isalnum() and c.isascii())


def parse(path):
    """The entries of a BibTeX file by key; a warning or a doubled key is an error."""
    from pybtex.database import parse_file

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return parse_file(str(path), bib_format="bibtex", encoding="utf-8").entries


@pytest.fixture(scope="module")
def entries():
    return parse(BOOK / "references.bib")


@pytest.fixture(scope="module")
def pages():
    """The hand-written pages and notebooks, and the code that writes pages: path -> text."""
    folders = ((BOOK, "*.md"), (ROOT / "notebooks", "*.ipynb"), (ROOT / "dbutils", "*.py"))
    paths = [path for folder, pattern in folders for path in sorted(folder.rglob(pattern))]
    own = [path for path in paths if "executed" not in path.parts]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in own}


def glossary_terms(text):
    """The terms of the one glossary directive of a page, in their order."""
    (body,) = re.findall(r"^```\{glossary\}\n(.*?)^```$", text, flags=re.S | re.M)
    return [line for line in body.splitlines() if line.strip() and not line.startswith((" ", ":"))]


@pytest.fixture(scope="module")
def terms(pages):
    return glossary_terms(pages["book/glossary.md"])


# ---- references


def test_every_entry_of_the_file_is_read(entries):
    text = (BOOK / "references.bib").read_text(encoding="utf-8")
    assert len(entries) == len(re.findall(r"^@", text, flags=re.M)) > 100


def test_a_key_given_twice_is_refused(tmp_path):
    from pybtex.exceptions import PybtexError

    path = tmp_path / "twice.bib"
    path.write_text("@misc{a2020b, title={B}}\n@misc{a2020b, title={C}}\n", encoding="utf-8")
    with pytest.raises(PybtexError, match="a2020b"):
        parse(path)


def test_every_entry_has_author_title_year_and_a_place_to_find_it(entries):
    for key, entry in entries.items():
        fields = entry.fields
        assert entry.persons.get("author"), key
        assert fields.get("title"), key
        assert re.fullmatch(r"\d{4}|n\.d\.", fields.get("year", "")), key
        assert any(fields.get(name) for name in ("doi", "url", "eprint", *VENUES)), key


def test_keys_are_author_year_and_first_word_of_the_title(entries):
    for key, entry in entries.items():
        dated = entry.fields["year"] != "n.d."
        found = re.fullmatch(r"([a-z]+)(\d{4})([a-z0-9]+)" if dated else r"([a-z]+)(nd)([a-z0-9]+)", key)
        assert found, key
        name, year, word = found.groups()
        first = entry.persons["author"][0]
        last, whole = fold("".join(first.last_names)), fold("".join(first.prelast_names + first.last_names))
        assert last.startswith(name) or whole.startswith(name), key
        title = re.sub(r"^(a|an|the) ", "", entry.fields["title"].strip("{}"), flags=re.I)
        assert fold(title).startswith(word), key
        if dated:  # a preprint may be a year older than the published version
            assert int(entry.fields["year"]) - int(year) in (0, 1), key


def test_no_title_doi_or_preprint_stands_twice(entries):
    for field in ("title", "doi", "eprint"):
        counts = Counter(fold(entry.fields[field]) for entry in entries.values() if field in entry.fields)
        assert [value for value, n in counts.items() if n > 1] == [], field


def test_identifiers_are_bare_and_addresses_are_addresses(entries):
    for key, entry in entries.items():
        fields = entry.fields
        assert re.fullmatch(r"10\.\d{4,5}/\S+", fields.get("doi", "10.1234/x")), key
        assert re.fullmatch(r"\d{4}\.\d{4,5}", fields.get("eprint", "1234.5678")), key
        assert re.fullmatch(r"https?://\S+", fields.get("url", "https://x")), key


def test_every_cited_key_exists(entries, pages):
    lists = [(path, keys) for path, text in pages.items() for keys in CITE.findall(text)]
    cited = {(path, key.strip()) for path, keys in lists for key in keys.split(",")}
    assert len(cited) > 80
    assert sorted((path, key) for path, key in cited if key not in entries) == []


def test_every_corpus_of_the_catalogue_cites_a_known_key(entries):
    if not CATALOGUE.exists():
        pytest.skip("data/corpora.toml is not there yet")
    import tomllib

    def citations(node):
        if isinstance(node, dict):
            found = node.get("citation", [])
            yield from [found] if isinstance(found, str) else found
            node = list(node.values())
        if isinstance(node, list):
            for child in node:
                yield from citations(child)

    keys = list(citations(tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))))
    assert keys
    assert sorted({key for key in keys if key not in entries}) == []


def test_there_is_one_bibliography_and_it_lists_everything(pages):
    lists = [path for path, text in pages.items() if path.startswith("book/") and "```{bibliography}" in text]
    assert lists == ["book/references.md"]
    assert ":all:" in pages["book/references.md"]


# ---- glossary and tasks


def test_glossary_terms_are_unique_and_in_alphabetical_order(terms):
    assert len(terms) > 40
    assert [term for term, n in Counter(t.lower() for t in terms).items() if n > 1] == []
    assert terms == sorted(terms, key=str.lower)


def test_every_term_has_an_explanation(pages):
    (body,) = re.findall(r"^```\{glossary\}\n(.*?)^```$", pages["book/glossary.md"], flags=re.S | re.M)
    for block in body.strip().split("\n\n"):
        head, *explanation = block.splitlines()
        assert len(explanation) == 1 and re.fullmatch(r"  \S.*\.", explanation[0]), head


def test_the_glossary_explains_every_setting_origin_and_audit_status(terms):
    settings = {setting.replace("_", "-") for setting in dbutils.SETTINGS}
    assert (settings | set(STATUSES) | {"origin"}) - set(terms) == set()


def test_every_term_that_a_page_links_is_in_the_glossary(pages, terms):
    linked = {(path, term) for path, text in pages.items() for term in TERM.findall(text)}
    assert len(linked) > 20
    assert sorted((path, term) for path, term in linked if term not in terms) == []


def test_every_task_has_its_section_under_its_name(pages):
    sections = re.findall(r"^\(task-([a-z]+)\)=\n## (.+)$", pages["book/tasks_and_data.md"], flags=re.M)
    tasks = read_csv(ROOT / "data" / "registry" / "tasks.csv")
    assert sections == list(zip(tasks.task, tasks.long_name, strict=True))
    assert list(tasks.task) == list(dbutils.TASKS)


# ---- citing and licences


def test_citation_file_names_the_software_and_the_paper(entries):
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cff)
    assert (cff["cff-version"], cff["type"], cff["title"]) == ("1.2.0", "software", "DialectBench Compendium")
    assert cff["authors"] == [{"name": "The DialectBench Compendium developers"}]
    assert (str(cff["version"]), cff["license"]) == (dbutils.__version__, "Apache-2.0")
    (paper,) = cff["references"]
    entry = entries["faisal2024dialectbench"]
    assert (paper["doi"], str(paper["year"])) == (entry.fields["doi"], entry.fields["year"])
    assert paper["title"] == entry.fields["title"].strip("{}")
    authors = [" ".join(person.last_names) for person in entry.persons["author"]]
    assert [author["family-names"] for author in paper["authors"]] == authors


def test_the_licence_of_the_code_is_apache_2_word_for_word():
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2


def test_every_data_file_is_described():
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    data = ROOT / "data"
    paths = [path for folder in ("registry", "scores") for path in sorted((data / folder).glob("*.csv"))]
    names = [path.relative_to(data).as_posix() for path in paths]
    assert [name for name in names if f"`{name}`" not in readme] == []
    folders = sorted(p.name for p in data.iterdir() if p.is_dir())
    assert [name for name in folders if f"\n{name}/" not in readme] == []
