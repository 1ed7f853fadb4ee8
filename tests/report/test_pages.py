"""The generated pages: complete, in step with the tables, and quick."""

import json
import re

import pytest

from dbutils import registry, scores
from dbutils.errors import InputError
from dbutils.paths import DATA
from dbutils.report import numbers
from dbutils.report.markup import slug
from dbutils.report.pages import GENERATORS, certainty, clusters, colophon, explorer, fragments, where
from dbutils.report.pages import numbers as numbers_page
from dbutils.report.pages.clusters import _common
from dbutils.report.pages.colophon import data_files, digest, pinned


@pytest.fixture(scope="module")
def known():
    return registry.load()


@pytest.fixture(scope="module")
def cluster_pages():
    return clusters()


def table_after(text, heading):
    """Rows (lists of cells) of the first table after a heading."""
    lines = iter(text[text.index(heading) :].splitlines())
    lines = list(lines)
    start = next(i for i, line in enumerate(lines) if line.startswith("| :---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


# ---- explorer and clusters


def test_the_explorer_has_a_row_for_every_variety_that_leads_to_its_cluster(known):
    rows = table_after(explorer()["explorer.md"], "(explorer)=")
    assert len(rows) == len(known) == 281
    assert rows[0][0] == "[albanian](clusters/albanian.md)"
    assert {re.search(r"\]\((.*)\)$", row[0])[1] for row in rows} == set(clusters())


def test_the_explorer_can_be_searched_by_cluster_glottocode_task_and_script():
    rows = table_after(explorer()["explorer.md"], "(explorer)=")
    hindi = next(row for row in rows if row[0].startswith("[hindi]"))
    assert hindi[1:5] == ["hindustani", "Devanagari (Deva)", "hind1269", "yes"]
    assert hindi[-1] == "NER"


def test_the_explorer_shows_the_best_score_of_each_task():
    rows = table_after(explorer()["explorer.md"], "(explorer)=")
    portuguese = next(row for row in rows if row[0].startswith("[brazilian portuguese]"))
    assert portuguese[6] == "94.4"  # the best of Table 3


def test_every_cluster_has_one_page_with_one_title(known, cluster_pages):
    assert set(cluster_pages) == {f"clusters/{slug(c)}.md" for c in known.clusters}
    assert len(cluster_pages) == 40
    for text in cluster_pages.values():
        assert len(re.findall(r"^# ", text, flags=re.M)) == 1


def test_a_cluster_page_names_every_member_and_every_code(known, cluster_pages):
    from dbutils.report.markup import md

    for cluster in known.clusters:
        text = cluster_pages[f"clusters/{slug(cluster)}.md"]
        for v in known.of(cluster):
            assert f"| {md(v.variety)} |" in text
            assert all(f"| {c.corpus} | `{c.code}` |" in text for c in v.codes)


def test_a_cluster_page_shows_the_printed_scores(cluster_pages):
    rows = table_after(cluster_pages["clusters/norwegian.md"], "### Dependency parsing")
    # Table 10 of the paper
    assert rows == [
        ["{rep}`norwegian bokmål (m:written)`", "79.55", "82.95", "93.57", "93.49"],
        ["norwegian nynorsk (m:written)", "76.45", "76.76", "93.15", "93.14"],
        ["norwegian nynorsk (m:written, i:old)", "56.58", "56.08", "78.39", "8.25 {flag}`× (never learnt)`"],
    ]


def test_every_published_score_of_a_variety_is_on_its_page(known, cluster_pages):
    from dbutils.analysis.tables.base import show

    rows = scores.benchmark(scores.load())
    for (cluster, metric), group in rows.groupby(["cluster", "metric"]):
        text = cluster_pages[f"clusters/{slug(cluster)}.md"]
        lacking = [
            value for value in group.value if not re.search(rf"\| {re.escape(show(value, 2))} (\||{{flag}})", text)
        ]
        assert lacking == [], (cluster, metric)


def test_a_cluster_page_shows_utilities_as_printed(cluster_pages):
    rows = table_after(cluster_pages["clusters/saami.md"], "## Utilities")
    # Table 23: saami, 47.9, 67.0, (skolt saami, 28.3), 27.8
    assert rows[0][:7] == ["Dependency parsing", "2", "47.9", "67.0", "28.3", "skolt saami", "27.8"]


def test_a_cluster_page_shows_both_means_of_the_gap(cluster_pages):
    rows = table_after(cluster_pages["clusters/norwegian.md"], "## Gaps")
    within = next(
        row for row in rows if row[0] == "Dependency parsing, mBERT, zero-shot" and row[1].startswith("norwegian")
    )
    # (0 + 100 (79.55 - 76.45) / 79.55 + 100 (79.55 - 56.58) / 79.55) / 2, and over all three
    assert within[2:] == ["3", "16.4", "10.9"]


def test_a_cluster_without_a_representative_says_so(cluster_pages):
    assert "No {term}`representative` is named" in cluster_pages["clusters/yoruba.md"]
    assert "there is no {term}`dialectal gap`" in cluster_pages["clusters/yoruba.md"]


def test_a_dialect_stands_below_its_language(cluster_pages):
    text = cluster_pages["clusters/norwegian.md"]
    (line,) = [line for line in text.splitlines() if line.startswith("- Norwegian: ")]
    assert line.startswith("- Norwegian: norwegian bokmål (m:written), norwegian nynorsk (m:written)")
    assert "North Germanic › West Scandinavian" in text


def test_a_cluster_without_branches_lists_none(cluster_pages):
    assert "Branches" not in cluster_pages["clusters/mari.md"]  # both languages stand right below the root they share


def test_common_ancestors_are_those_of_all_from_the_root_down():
    assert _common([(("a", "A"), ("b", "B"), ("c", "C")), (("a", "A"), ("b", "B"), ("d", "D"))]) == (
        ("a", "A"),
        ("b", "B"),
    )
    assert _common([(("a", "A"),), ()]) == ()
    assert _common([]) == ()


# ---- index, colophon, fragments


def test_the_index_leads_to_every_table_and_figure_once():
    text = where()["where.md"]
    tables = [int(n) for n in re.findall(r"<tab-(\d+)>", text)]
    assert tables == [1, 2, 3, 4, 5, *range(7, 32)]
    figures = re.findall(r"<fig-(\w+)>", text)
    assert figures == [
        "2",
        "3",
        "4a",
        "4b",
        "4c",
        "5",
        "6",
        "7a",
        "7b",
        "7c",
        "8a",
        "8b",
        "8c",
        "9a",
        "9b",
        "10a",
        "10b",
        "11a",
        "11b",
        "11c",
    ]


def test_the_index_counts_the_audited_cells():
    from dbutils.analysis.audit import audit, counts

    text = where()["where.md"]
    row = next(row for row in table_after(text, "(where)=") if "<tab-16>" in row[0])
    of = counts(audit(scores.load(), [16]))["16"]
    assert [int(n) for n in row[2:]] == [sum(of.values()), *of.values()]
    assert of["mislabelled"] > 0  # else this test would prove little


def test_the_colophon_lists_every_data_file_and_every_pin():
    text = colophon()["colophon.md"]
    assert "`registry/varieties.csv` | 281 |" in text
    assert all(path.relative_to(DATA).as_posix() in text for path in data_files())
    assert re.search(r"^\| numpy \| \d", text, flags=re.M)


def test_the_checksum_of_the_data_changes_with_a_file(tmp_path, monkeypatch):
    from dbutils import paths

    monkeypatch.setattr(paths, "DATA", tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    before = digest([tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_text("x\n2\n")
    assert digest([tmp_path / "a.csv"]) != before


def test_only_direct_dependencies_are_listed():
    assert pinned("a-b==1.0  # direct\nc==2.0\n") == [("a-b", "1.0")]


def test_included_tables_carry_their_labels():
    made = fragments()
    assert all(f":name: tab-{n}\n" in made[f"tab-{n}.md"] for n in (1, 2))


# ---- numbers


def test_every_number_has_a_text():
    made = json.loads(numbers_page()["numbers.json"])
    assert list(made) == list(numbers.NUMBERS)
    assert [name for name, text in made.items() if not isinstance(text, str) or not text.strip()] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("varieties", "281"),
        ("clusters", "40"),
        ("tasks", "10"),
        # Table 3
        ("dep-average", "64.3"),
        ("dep-best", "brazilian portuguese"),
        ("dep-best-score", "94.4"),
        ("ner-worst-score", "0.0"),
        # Table 4
        ("gap-dep-english", "34.0"),
        ("gap-dep-fine-tuned-highest", "93.8"),
        ("gap-ner-fine-tuned-lowest-cluster", "sorbian"),
        ("gap-dep-representative-lowest", "\u22120.9"),
        # Table 5
        ("wins-fine-tuned-mbert", "6 of 8"),
        ("eqa-fine-tuned-xlmr", "67.2"),
        # the worked example, from Table 10
        ("example-baseline", "79.55"),
        ("example-gap", "3.9"),
        # the footer of Table 21, as printed
        ("latin-highest-printed", "77.2\u00a0%"),
    ],
)
def test_numbers_are_those_of_the_paper(name, text):
    assert numbers.number(name) == text


def test_the_shares_of_the_audit_are_of_all_its_cells():
    count = {
        s: int(numbers.number(f"audit-{s}").replace(",", ""))
        for s in ("reproduced", "mislabelled", "differs", "unverifiable")
    }
    assert sum(count.values()) == int(numbers.number("audit-cells").replace(",", ""))


def test_a_number_follows_the_scores(known):
    rows = scores.load()
    lower = rows.copy()
    lower.loc[(lower.task == "dep") & (lower.metric == "uas"), "value"] /= 2
    assert numbers.number("dep-best-score", numbers.Facts(known, lower)) == "47.2"


def test_an_unknown_number_names_the_nearest():
    with pytest.raises(InputError, match="unknown number 'dep-avrage': did you mean 'dep-average'"):
        numbers.number("dep-avrage")


def test_all_pages_are_made_in_a_few_seconds():
    import time

    start = time.process_time()
    for generator in GENERATORS:
        generator()
    assert time.process_time() - start < 20  # about 6 on an idle machine


def test_the_prompts_of_appendix_i_are_those_that_runs_send():
    """What the page shows is the prompt file as it is: a learner with the same data and seed makes the same text."""
    from dbutils import sandbox
    from dbutils.models import resolve
    from dbutils.report.pages.prompts import prompts, rendered
    from dbutils.tasks import hyper, learner

    page = prompts()["prompts.md"]
    for task in ("did", "sa", "tc", "nli", "mrc", "eqa"):
        assert f"```text\n{rendered(task)}\n```" in page and f"`dbutils/tasks/prompts/{task}.toml`" in page
    record = resolve("endpoint:m")
    made = learner("tc", record, sandbox.labels("tc"), hyper("tc", "sandbox", record), 0)
    made.fit(sandbox.examples("tc", "tal", "train"))
    assert made.render(next(sandbox.examples("tc", "tal", "test"))) == rendered("tc")
    assert rendered("sa").count("\nSentence: ") == 5 and rendered("sa").endswith("asked about)\nLabel:")


# ---- how sure can one be?


def test_the_page_on_certainty_shows_what_the_simulation_recorded():
    from dbutils.report.pages.certainty import load, summary

    made = certainty()
    assert set(made) == {"certainty.md", "certainty.svg"} and made["certainty.svg"].startswith("<?xml")
    text, table = made["certainty.md"], load()
    assert len(re.findall(r"\.(?=\n)", text[text.index("\n\n") : text.index("```{figure}")])) == 2  # two sentences
    rows = table_after(text, "intervals hold the true score, in per cent")
    found = {(row[0], row[1]): row for row in rows}
    kind = table[(table.kind == "score") & (table.n == 20)]
    have = kind.tries * (1 - kind.too_few)
    shown = found["interval of a score", "20"]
    assert shown[2] == f"{kind.tries.sum():,}" and shown[4] == f"{100 * (kind.coverage * have).sum() / have.sum():.1f}"
    told = kind[have >= 100]
    assert shown[5] == f"{100 * told.coverage.min():.1f}"
    assert len(rows) == sum(not row["kind"].startswith("null") for row in summary(table))


def test_the_page_on_certainty_shows_ten_seeds_as_recorded():
    from dbutils.paths import DATA
    from dbutils.report.pages.certainty import certainty
    from dbutils.scores import read_scores

    rows = read_scores(DATA / "seeds.csv")
    rows = rows[(rows.metric == "f1") & (rows.code == "tal-isle")]
    page = certainty()["certainty.md"]
    line = next(line for line in page.splitlines() if line.startswith("| tal-isle |"))
    shown = [float(cell) for cell in line.split("|")[2:6]]
    assert len(rows) == 10 and shown == [
        round(x, 1) for x in (rows.value.mean(), rows.value.std(), rows.value.min(), rows.value.max())
    ]
