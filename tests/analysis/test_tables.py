"""Every table against the print: which cells reproduce is written here, cell by cell where it matters."""

import math

import pandas as pd
import pytest

from dbutils import scores
from dbutils.analysis.tables import TABLES, table
from dbutils.errors import InputError
from dbutils.scores import SCORE_TABLES, printed

SUMMARIES = (3, 4, *range(23, 32))


def differing(number, source):
    """(printed row, column) of the numeric and text cells that are not equal to the print."""
    from dbutils.report.tables import same

    now = table(number, scores.load(source))
    text, print_ = now.text(), now.printed()
    return [(row, c) for c in now.columns for row in text.index if not same(text.at[row, c], print_.at[row, c])]


@pytest.mark.parametrize("number", TABLES)
def test_columns_and_row_order_are_the_contract(number):
    now = table(number, scores.load())
    print_ = printed(number)
    assert now.columns == [c for c in print_.columns if not c.endswith("_norm")]
    assert list(now.frame.index) == list(print_.index)


@pytest.mark.parametrize("number", SCORE_TABLES)
def test_score_tables_from_the_paper_are_the_print(number):
    assert differing(number, "paper") == []


@pytest.mark.parametrize("number", [1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 19])
def test_tables_that_come_out_of_the_raw_scores_as_printed(number):
    assert differing(number, "upstream") == []


@pytest.mark.parametrize("number", SUMMARIES)
def test_summaries_are_reproduced_in_every_cell(number):
    assert differing(number, "upstream") == []


def test_table_15_but_for_one_truncated_cell():
    assert differing(15, "upstream") == [(8, "icl_mistral")]
    assert table(15, scores.load()).frame.at[8, "icl_mistral"] == 70.11511573775137


def test_table_17_f1_columns_are_printed_and_accuracy_columns_are_not():
    columns = {c for _, c in differing(17, "upstream")}
    assert columns == {"acc_mbert", "acc_xlmr"}


def test_table_16_f1_columns_are_printed():
    columns = {c for _, c in differing(16, "upstream")}
    assert columns == {"support", "precision_mbert", "precision_xlmr", "recall_mbert", "recall_xlmr"}
    row = table(16, scores.load()).text().loc[2]  # english (a:uk)
    assert (row.support, row.precision_mbert, row.recall_mbert) == ("211", "83.13", "98.10")


def test_table_5_where_its_rows_are_known():
    rows = {r for r, _ in differing(5, "upstream")}
    names = {printed(5).task[r] for r in rows}
    assert names == {"NER", "NLI", "TC", "DId"}


def test_table_21_ranks_are_all_printed():
    assert {c for _, c in differing(21, "upstream")} == {"standard_marker", "mixed_or_nonlatin_marker"}


# one literal row of each summary table, as the paper prints it
LITERAL = [
    (
        3,
        2,
        [
            "Structured prediction",
            "DEP parsing",
            "16",
            "40",
            "64.3",
            "sw. shifted romance/brazilian portuguese",
            "94.4",
            "tupi-guarani sg./mbyá guaraní (a:brazil)",
            "9.0",
        ],
    ),
    (
        3,
        7,
        [
            "Sequence classification",
            "DId",
            "6",
            "49",
            "67.0",
            "sinitic/mandarin chinese (a:taiwan, o:simp.)",
            "98.6",
            "sw. shifted romance/portuguese (m:written)",
            "17.4",
        ],
    ),
    (4, 10, ["NER", "G_rep(rep,C)", "-28.6", "kurdish", "91.5", "sorbian", "-1162.7"]),
    (4, 7, ["POS tagging", "G_in-variety(rep,C)", "6.2", "arabic", "29.1", "neva", "-0.5"]),
    (5, 11, ["win", "4/6", "2/6", "6/8", "2/8"]),
    (23, 3, ["anglic", "75.5", "90.7", "african american vernacular english", "52.5", "20.4"]),
    (28, 4, ["greek", "64.6", "", "cypriot greek (r:casual, m:written, i:twitter)", "56.8", "6.8"]),
    (29, 2, ["arabic", "80.3", "81.4", "levantine/south", "58.9", "10.7"]),
    (31, 4, ["bengali", "73.8", "", "vanga (a:west bengal)", "73.3", "0.7"]),
]


@pytest.mark.parametrize("number, row, cells", LITERAL)
def test_literal_rows(number, row, cells):
    assert list(table(number, scores.load()).text().loc[row]) == cells


def test_labels_name_every_row_once():
    for number in TABLES:
        labels = table(number, scores.load()).labels
        assert len(set(labels)) == len(labels), number


def test_unknown_tables_and_missing_scores_are_said():
    for number, says in [(6, "table of contents"), (0, "no table 0"), (32, "no table 32")]:
        with pytest.raises(InputError, match=says):
            table(number, scores.load())
    nothing = scores.empty()
    for number in (3, 4, 5, 10, 20, 21, 22, 25):
        with pytest.raises(InputError, match="needs"):
            table(number, nothing)


def own_run(**changes):
    row = dict(
        task="tc",
        corpus="sib-200",
        model="my-model",
        setting="zero_shot",
        train="eng_Latn",
        cluster="anglic",
        variety="english",
        code="eng_Latn",
        split="test",
        metric="f1",
        value=99.5,
        n=204,
        low=None,
        high=None,
        seed=1,
        origin="run",
        run="r1",
    )
    return pd.DataFrame([row | changes]).astype(scores.schema.NUMBERS)


def together(*parts):
    return pd.concat(parts, ignore_index=True)


def test_a_run_of_ones_own_gets_a_column_beside_the_papers():
    both = together(scores.load(), own_run(cluster="arabic", variety="standard arabic", code="arb_Arab"))
    now = table(17, both)
    assert "zero_shot_f1_my-model" in now.columns
    assert now.frame.at[2, "zero_shot_f1_my-model"] == 99.5
    assert now.frame.at[2, "f1_mbert"] == table(17, scores.load()).frame.at[2, "f1_mbert"]


def test_a_variety_that_only_a_run_has_gets_a_row_of_its_own():
    now = table(17, together(scores.load(), own_run()))
    assert now.text().loc["new 1", "variety"] == "english"
    assert len(now.frame) == len(printed(17)) + 1


def test_a_rerun_of_a_papers_model_does_not_replace_the_papers_number():
    again = own_run(
        model="mbert",
        cluster="arabic",
        variety="standard arabic",
        code="arb_Arab",
        metric="f1",
        setting="in_cluster",
        train="arb_Arab",
    )
    now = table(17, together(scores.load(), again))
    assert now.text().at[2, "f1_mbert"] == "86.71"
    assert now.text().at[2, "in_cluster_f1_mbert"] == "99.50"


def test_runs_alone_fill_the_papers_columns():
    again = own_run(
        model="mbert",
        cluster="arabic",
        variety="standard arabic",
        code="arb_Arab",
        setting="in_cluster",
        train="arb_Arab",
    )
    now = table(17, again)
    assert now.text().at[2, "f1_mbert"] == "99.50"
    assert math.isnan(now.frame.at[3, "f1_mbert"])


def test_seeds_of_one_run_are_averaged():
    two = together(own_run(value=90.0), own_run(value=80.0, seed=2))
    assert table(17, two).frame.loc["new 1", "zero_shot_f1_my-model"] == 85.0


def test_a_run_enters_maxima_and_summaries():
    now = table(27, together(scores.load(), own_run()))
    anglic = now.text().loc[2]
    assert (anglic.cluster, anglic.linguistic_utility) == ("anglic", "99.5")
