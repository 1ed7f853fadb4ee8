"""Pseudo-references beside true ones: the copying model's pseudo-score is the likeness of two varieties, its true score nothing."""

from dataclasses import replace

import numpy as np
import pytest

from dbutils.book.parameters import PARAMETERS, check_values
from dbutils.errors import InputError
from dbutils.experiments import notebook, predictions, pseudo
from dbutils.metrics import intervals, translation
from dbutils.report import views
from dbutils.report.figures.references import TrueAndPseudo

CODES = ["tal", "tal-hill", "tal-isle", "mir", "mir-port"]


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    values = {parameter.name: parameter.default for parameter in PARAMETERS}
    folder = tmp_path_factory.mktemp("runs")
    values |= {
        "model": "copy",
        "settings": ["zero_shot", "pseudo_reference"],
        "varieties": CODES,
        "limit": 30,
        "runs": str(folder),
    }
    return notebook.run_all("mt", check_values(values))


def test_the_standards_are_left_out_and_both_scores_are_those_of_the_runs(mine):
    table = pseudo.compared(mine).set_index("code")
    assert list(table.index) == ["tal-hill", "tal-isle", "mir-port"]
    scores = mine.scores.set_index(["setting", "code"]).value
    for code in table.index:
        assert table.pseudo[code] == scores["pseudo_reference", code]
        assert table["true"][code] == scores["zero_shot", code]
        assert table.difference[code] == pytest.approx(table.pseudo[code] - table["true"][code])
        assert table.low[code] < table.difference[code] < table.high[code]
    assert (
        table.standard["tal-hill"] == scores["zero_shot", "tal"]
        and table.standard["mir-port"] == scores["zero_shot", "mir"]
    )


def test_a_copy_is_praised_for_the_likeness_of_the_varieties(mine):
    table = pseudo.compared(mine).set_index("code")
    assert table["true"].max() < 10 and table.pseudo["tal-hill"] > 35 > table.pseudo["tal-isle"] + 10
    assert table.distance["tal-hill"] < table.distance["tal-isle"]
    assert (table.p < 0.01).all() and pseudo.tracking(pseudo.compared(mine))["talvo"] == pytest.approx(1)


def test_the_difference_is_paired(mine):
    true, other = pseudo.pairs(mine)["tal-hill"]
    a, b = (predictions.statistics(r.table, "bleu") for r in (other, true))
    paired = intervals.difference(translation.SENTENCE_BLEU, a, b, predictions.groups(true.table))
    row = pseudo.compared(mine).set_index("code").loc["tal-hill"]
    assert (row.difference, row.low, row.high, row.p) == (paired.value, paired.low, paired.high, paired.p)


def test_sentences_that_mislead_most_come_first(mine):
    found = pseudo.most_different(mine, "tal-hill", most=4)
    true, other = pseudo.pairs(mine)["tal-hill"]
    a, b = (predictions.statistics(r.table, "bleu")[:, 1] for r in (other, true))
    order = [example.id for example, _, _ in notebook.examples(true)]
    worst = np.argsort(b - a, kind="stable")[:4]
    assert [example.id for example, _, _ in found] == [order[i] for i in worst]
    example, reference, said = found[0]
    assert said == example.source and reference != example.reference and example.reference.endswith(".")
    assert pseudo.most_different(mine, "tal-hill", over=False) == [] or b.max() > 0


def test_without_both_settings_or_with_other_translations_there_is_nothing_to_compare(mine):
    alone = replace(mine, folders={"zero_shot": mine.folders["zero_shot"]})
    with pytest.raises(InputError, match="both settings, zero_shot and pseudo_reference"):
        pseudo.compared(alone)
    with pytest.raises(InputError, match="no variety has true references and pseudo-references"):
        pseudo.compared(replace(mine, rows=mine.rows[mine.rows.code == "tal"]))
    for view in (views.both_references, views.tracking, views.misled):
        assert "Nothing to compare: both settings" in view(alone).text
    assert ":name: tab-references-both" in views.both_references(alone).data["text/markdown"]
    assert "No figure" in views.both_figure(alone).data["text/markdown"]


def test_a_constant_score_has_no_rank_correlation(mine):
    table = pseudo.compared(mine)
    table["pseudo"] = 100.0
    assert pseudo.tracking(table) == {"": None, "talvo": None, "mirun": None}


def test_views_say_what_the_tables_hold(mine):
    table = pseudo.compared(mine)
    text = views.both_references(mine).text
    assert all(name in text for name in table.variety) and f"{table.difference[0]:.1f} (" in text
    assert "Over all 3 varieties the rank correlation" in views.tracking(mine).text
    assert "tal-hill" in views.misled(mine).text or "mir-port" in views.misled(mine).text
    assert TrueAndPseudo.alt(mine).startswith(
        "Points with intervals and the line of equal scores: 3 of 3 varieties lie above it."
    )
    assert len(TrueAndPseudo.draw(mine).axes[0].containers) == 2  # clusters
