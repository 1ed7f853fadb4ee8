"""The audit: its statuses come from comparing numbers, and an altered number changes them."""

import pytest

from dbutils import paths, scores
from dbutils.analysis import audit, running_text
from dbutils.analysis.findings import FINDINGS, of
from dbutils.analysis.tables import base
from dbutils.errors import InputError
from dbutils.scores import printed

# cells per table: reproduced, mislabelled, differs, unverifiable
COUNTS = {
    "3": (77, 0, 0, 0),
    "4": (60, 0, 0, 0),
    "5": (21, 0, 11, 0),
    "7": (38, 0, 0, 0),
    "10": (122, 0, 0, 0),
    "11": (199, 0, 0, 0),
    "12": (579, 0, 0, 0),
    "13": (175, 0, 0, 0),
    "14": (120, 0, 0, 0),
    "15": (143, 0, 1, 0),
    "16": (95, 220, 0, 0),
    "17": (102, 68, 0, 0),
    "18": (6, 0, 1, 38),
    "19": (44, 0, 0, 0),
    "20": (0, 0, 0, 228),
    "21": (371, 0, 55, 0),
    "22": (11, 0, 1, 0),
    "23": (74, 0, 0, 0),
    "24": (79, 0, 0, 0),
    "25": (133, 0, 0, 0),
    "26": (70, 0, 0, 0),
    "27": (70, 0, 0, 0),
    "28": (28, 0, 0, 0),
    "29": (5, 0, 0, 0),
    "30": (18, 0, 0, 0),
    "31": (24, 0, 0, 0),
    "text": (31, 0, 11, 0),
}


@pytest.fixture(scope="module")
def cells():
    return audit.audit(scores.load())


def test_counts_per_table(cells):
    found = {name: tuple(count[s] for s in audit.STATUSES) for name, count in audit.counts(cells).items()}
    assert found == COUNTS
    assert len(cells) >= 2900


def test_every_cell_is_named_once(cells):
    names = [(c.table, c.row, c.column) for c in cells]
    assert len(set(names)) == len(names)


def test_everything_that_is_not_reproduced_has_a_reason(cells):
    assert [c for c in cells if c.status != "reproduced" and not c.reason] == []


def test_every_handwritten_reason_is_used_and_has_evidence(cells):
    for reason in audit._reasons():
        assert any(reason.fits(c) and c.status == "differs" and c.reason == reason.reason for c in cells), reason
        assert len(reason.evidence) > 20


CELLS = [
    ("16", "anglic/english (a:uk)", "precision_mbert", "98.10", "83.13", "mislabelled", "holds recall"),
    ("16", "anglic/english (a:uk)", "support", "249", "211", "mislabelled", "number of mBERT's predictions"),
    ("16", "anglic/english (a:uk)", "f1_mbert", "90.00", "90.00", "reproduced", ""),
    ("16", "arabic/aleppo", "precision_mbert", "59.50", "59.50", "reproduced", "equal by chance"),
    ("17", "arabic/standard arabic", "acc_mbert", "85.25", "87.25", "mislabelled", "holds zero-shot f1"),
    ("15", "anglic/philippine english", "icl_mistral", "70.11", "70.12", "differs", "truncated"),
    ("18", "arabic/tunisian arabic", "mistral7b", "73.3", "73.4", "differs", "truncated"),
    ("18", "arabic/tunisian arabic", "f1_mbert", "94.56", "", "unverifiable", "no raw result"),
    ("12", "frisian/western frisian", "source", "nl", "nl", "reproduced", ""),
    ("12", "norwegian/norwegian nynorsk (m:written)", "dataset", "norwegian_ner", "norwegian_ner", "reproduced", ""),
    ("4", "POS tagging G_eng(rep,C)", "avg_value", "6.7", "6.7", "reproduced", "only without italian romance"),
    ("4", "DEP parsing G_eng(rep,C)", "avg_value", "15.7", "15.7", "reproduced", ""),
    ("21", "footer Latin", "highest_pct", "77.2", "77.1", "differs", "follows the printed marks"),
    ("21", "footer Standard", "lowest_pct", "4.5", "45.7", "differs", "a share per ten"),
    (
        "text",
        "section 4.1",
        "cluster with the largest disparity in inference",
        "kurdish",
        "common turkic",
        "differs",
        "slip",
    ),
    ("20", "arabic/sfax", "nllb_600m_bleu", None, None, "unverifiable", "no raw result"),
    ("29", "arabic", "min_value", "58.9", "58.9", "reproduced", "from the printed scores"),
    ("22", "greater panjabic", "high_script", "Devanagari", "Gurmukhi", "differs", "Gurmukhi"),
    ("4", "NER G_rep(rep,C)", "min_value", "-1162.7", "-1162.7", "reproduced", ""),
    ("text", "section 4.2", "of them with in-variety fine-tuning", "20", "20", "reproduced", ""),
    ("text", "appendix B", "varieties of the translate-test NLI set", "40", "38", "differs", "Table 7 lists 38"),
]


@pytest.mark.parametrize("table, row, column, then, now, status, reason", CELLS)
def test_single_cells(cells, table, row, column, then, now, status, reason):
    cell = next(c for c in cells if (c.table, c.row, c.column) == (table, row, column))
    assert cell.status == status and reason in cell.reason
    if then is not None:
        assert (cell.printed, cell.recomputed) == (then, now)


def test_nothing_is_recomputed_where_no_raw_result_stands_behind(cells):
    assert {c.recomputed for c in cells if c.status == "unverifiable"} == {""}
    told = [c for c in cells if not c.column.endswith("_marker")]  # an absent mark of Table 21 is a result
    assert [c for c in told if c.status != "unverifiable" and c.recomputed == "" and c.printed != ""] == []


def test_seven_cells_of_table_4_need_a_cluster_left_out(cells):
    assert sum("only without italian romance" in c.reason for c in cells if c.table == "4") == 7


def test_a_printed_source_that_upstream_did_not_use_is_found(monkeypatch):
    line = next(i for i, r in printed(12).iterrows() if r.target_code == "fy")
    changed(monkeypatch, 12, line, "source", "de")
    cell = next(
        c for c in audit.audit(scores.load(), [12]) if c.row == "frisian/western frisian" and c.column == "source"
    )
    assert (cell.printed, cell.recomputed, cell.status) == ("de", "nl", "differs")


def changed(monkeypatch, number, line, column, value):
    altered = printed(number).copy()
    altered.at[line, column] = value
    for module in (audit, base):
        monkeypatch.setattr(module, "printed", lambda n: altered if n == number else printed(n))


@pytest.mark.parametrize(
    "number, line, column, value, status",
    [
        (10, 3, "zeroshot_mbert", "38.15", "differs"),
        (23, 3, "linguistic_utility", "75.6", "differs"),
        (12, 3, "support", "10001", "differs"),
        (25, 2, "min_variety", "english", "differs"),
        (16, 2, "precision_mbert", "83.13", "reproduced"),
        (16, 2, "precision_mbert", "83.14", "differs"),
        (4, 2, "max_cluster", "anglic", "differs"),
        (3, 2, "num_varieties", "41", "differs"),
    ],
)
def test_an_altered_printed_cell_changes_its_status(monkeypatch, number, line, column, value, status):
    before = audit.audit(scores.load(), [number])
    changed(monkeypatch, number, line, column, value)
    after = audit.audit(scores.load(), [number])
    different = [(a, b) for a, b in zip(before, after) if a != b]
    assert len(different) == 1
    assert different[0][1].status == status and different[0][1].printed == value


def test_an_altered_raw_score_is_found():
    table = scores.load().copy()
    at = (
        (table.task == "dep")
        & (table.code == "UD_Gheg-GPS")
        & (table.metric == "uas")
        & (table.model == "mbert")
        & (table.origin == "upstream")
    )
    table.loc[at, "value"] = 39.5
    cells = {(c.row, c.column): c for c in audit.audit(table, [10])}
    assert cells["albanian/gheg albanian", "zeroshot_mbert"].status == "differs"


def test_rounding_and_truncation_are_told_apart_by_the_numbers():
    assert audit._by_numbers("70.11", 70.1151, 2) == "truncated"
    assert audit._by_numbers("70.13", 70.1249, 2) == "rounding"
    assert audit._by_numbers("70.2", 70.11, 1) == "rounding"
    assert audit._by_numbers("71.2", 70.11, 1) == ""


def test_scores_of_the_paper_alone_verify_nothing():
    cells = audit.audit(scores.load("paper"), [10])
    assert {c.status for c in cells} == {"unverifiable"}


def test_a_table_without_results_is_refused():
    for name in ("6", 8, "x"):
        with pytest.raises(InputError, match=f"table {name} is not audited"):
            audit.audit(scores.load(), [name])


def test_a_broken_reason_is_reported(tmp_path, monkeypatch):
    (tmp_path / "audit_reasons.csv").write_text("table,row,column,reason,evidence\n99,*,*,because,x\n")
    monkeypatch.setattr(paths, "DATA", tmp_path)
    with pytest.raises(InputError, match="audit_reasons.csv:2: column 'table': '99' is not an audited table"):
        audit._reasons()


def test_statements_of_the_text_name_their_place():
    assert len({(s.where, s.what) for s in running_text.STATEMENTS}) == len(running_text.STATEMENTS)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.id)
def test_every_finding_shows_evidence(finding):
    evidence = finding.evidence(scores.load())
    assert len(evidence) and len(evidence.columns) >= 2
    assert finding in of(finding.tasks[0])


def test_findings_numbers():
    by_id = {f.id: f.evidence(scores.load()) for f in FINDINGS}
    uk = by_id["precision"].iloc[0]
    assert (uk["right / gold"], uk["right / predicted"], uk["printed support"], uk["predictions"]) == (
        "207/211",
        "207/249",
        249,
        249,
    )
    assert (by_id["precision"]["printed support"] == by_id["precision"]["predictions"]).sum() == 45
    accuracy = by_id["accuracy"]
    assert (abs(accuracy["printed under accuracy"] - accuracy["zero-shot F1"]) < 0.011).all()
    assert by_id["copied-column"].set_index("cluster").loc["arabic"].tolist() == [25, 25]
    assert set(by_id["twins"].variety) == {"basque (a:uharte)", "basque (a:suhuskune)"}
    assert by_id["separators"].values.tolist() == [
        ["Table 31", "bengali", "", 73.6],
        ["Table 31", "korean", 64.6, 65.6],
    ]
    assert (by_id["combined"].gain > 0).all() and set(by_id["combined"].cluster) >= {"anglic", "korean"}
    assert by_id["most-unequal"].cluster.tolist()[:2] == ["common turkic", "kurdish"]
    assert by_id["zero-shot-gaps"]["as the text says"].tolist() == ["yes", "no", "yes", "no"]
    korean = by_id["in-context"].set_index("cluster").loc["korean"]
    assert korean.tolist() == [65.21, 10.03, 31.46]


def test_failed_trainings_of_the_finding_are_the_flagged_ones():
    from dbutils.scores import flags

    evidence = next(f for f in FINDINGS if f.id == "collapsed").evidence(scores.load())
    table = scores.load()
    main = table.metric.isin(["uas"]) | (table.metric.eq("f1") & table.task.isin(["pos", "ner", "tc"]))
    failed = table.index.isin([i for i, f in zip(table.index, flags.of(table)) if "never-learnt" in f])
    assert len(evidence) == sum(main & failed & (table.variety != "")) > 20
    arabic = evidence[evidence["fine-tuned on"] == "UD_Arabic-PADT"]
    assert arabic["fine-tuned"].tolist() == [2.48]
