"""Known faults travel with the number: which score rows have which flag."""

import re
import time

import pandas as pd
import pytest

from dbutils import scores
from dbutils.errors import InputError
from dbutils.scores import benchmark, flags

MAIN = {"dep": "uas", "mt": "bleu"}


@pytest.fixture(scope="module")
def upstream():
    table = scores.load("upstream")
    return table.assign(flags=flags.of(table))


def row(**cells):
    """One score row of a run of one's own; cells: what differs."""
    plain = dict(
        task="tc", corpus="sib-200", model="m", setting="zero_shot", train="eng_Latn", cluster="anglic", variety="english",
        code="eng_Latn", split="test", metric="f1", value="50", n="100", low="", high="", seed="1", origin="run", run="r",
    )  # fmt: skip
    return plain | {k: str(v) for k, v in cells.items()}


def table(*rows):
    return scores.schema.typed(pd.DataFrame(rows, columns=list(scores.COLUMNS)))


@pytest.mark.parametrize(
    "cell, flag",
    [
        (("ner", "mbert", "zero_shot", "jam", "f1"), "missing-value"),
        (("ner", "xlmr", "in_cluster", "jam", "f1"), "missing-value"),
        (("ner", "mbert", "zero_shot", "bokmaal", "f1"), "no-zero-shot"),
        (("dep", "mbert", "zero_shot", "UD_Mbya_Guarani-Dooley", "uas"), "placeholder-text"),
        (("pos", "xlmr", "zero_shot", "UD_Mbya_Guarani-Dooley", "accuracy"), "placeholder-text"),
        (("dep", "xlmr", "in_variety", "UD_Arabic-PADT", "uas"), "never-learnt"),
        (("dep", "mbert", "in_variety", "UD_Maghrebi_Arabic_French-Arabizi", "las"), "never-learnt"),
        (("ner", "mbert", "in_cluster", "dsb", "f1"), "never-learnt"),
        (("tc", "xlmr", "in_cluster", "kmr_Latn", "f1"), "never-learnt"),
        (("did", "mbert", "in_cluster", "english:EN-GB", "f1"), "trained-on-test"),
        (("dep", "mbert", "zero_shot", "TwitterAAE", "uas"), "mixed-test-set"),
        (("mt", "nllb-1.3b", "pseudo_reference", "Suhuskune", "bleu"), "copied-column"),
        (("mt", "nllb-600m", "pseudo_reference", "BE", "bleu"), "pseudo-reference"),
        (("did", "mbert", "in_cluster", "greek:smg_fb", "f1"), "few-predictions"),
    ],
)
def test_a_known_fault_is_at_its_number(upstream, cell, flag):
    columns = ["task", "model", "setting", "code", "metric"]
    found = upstream[(upstream[columns] == list(cell)).all(axis=1)]
    assert len(found) and all(flag in f for f in found["flags"])


@pytest.mark.parametrize(
    "cell",
    [
        ("ner", "mbert", "zero_shot", "en", "f1"),  # zero-shot and in-cluster are the same by design
        ("ner", "mbert", "in_cluster", "bokmaal", "f1"),
        ("dep", "mbert", "in_variety", "UD_Arabic-PADT", "uas"),
        ("dep", "xlmr", "zero_shot", "UD_Arabic-PADT", "uas"),
        ("dep", "mbert", "zero_shot", "UD_Mbya_Guarani-Thomas", "uas"),
        ("did", "mbert", "in_cluster", "arabic:RAB", "f1"),
    ],
)
def test_a_sound_number_has_none(upstream, cell):
    columns = ["task", "model", "setting", "code", "metric"]
    found = upstream[(upstream[columns] == list(cell)).all(axis=1)]
    assert len(found) and all(f == () for f in found["flags"])


def test_every_fact_is_about_a_published_number(upstream):
    for (line, fact), (flag, hits) in zip(flags.facts().iterrows(), flags._masks(upstream)):
        assert flag == fact.flag and hits.any(), f"data/flags.csv:{line} is about no row"


def test_every_flag_occurs_and_names_a_finding(upstream):
    from dbutils.analysis.findings import FINDINGS

    assert {f for row in upstream["flags"] for f in row} == set(flags.FLAGS) - {"partial"}
    assert set(flags.facts().finding) <= {f.id for f in FINDINGS}


def test_the_evidence_of_failed_trainings_names_lines_that_exist(upstream):
    runs = set(upstream.run)
    for line, fact in flags.facts().iterrows():
        if fact.flag == "never-learnt":
            named = re.findall(r"[^\s;]+\.txt:\d+", fact.evidence)
            assert len(named) == 2 and set(named) <= runs, line


def test_no_failed_training_is_missing_from_the_list(upstream):
    """The two rules that data/README.md states, over all published scores."""
    rows = benchmark(upstream)
    rows = rows[rows.task.isin(["dep", "pos", "ner", "tc"])]
    rows = rows[[MAIN.get(t, "f1") == m for t, m in zip(rows.task, rows.metric)]]
    zero = rows[rows.setting == "zero_shot"].set_index(["task", "model", "cluster", "variety"]).value.to_dict()
    tuned = rows[rows.setting.isin(["in_variety", "in_cluster"])]
    own = tuned[tuned.code == tuned.train].set_index(["task", "model", "train"]).value.to_dict()
    for r, have in zip(tuned.itertuples(), tuned["flags"]):
        before = zero.get((r.task, r.model, r.cluster, r.variety), 0)
        failed = own.get((r.task, r.model, r.train), 100) < 25 or (r.value < 15 and before > 25)
        assert ("never-learnt" in have) == failed, r


def test_the_paper_has_the_same_flags_as_upstream(upstream):
    print_ = scores.load("paper")
    print_ = print_.assign(flags=flags.of(print_))
    cell = ["task", "model", "setting", "cluster", "variety", "split", "metric"]
    there = dict(zip(upstream[cell].itertuples(index=False, name=None), upstream["flags"]))
    for key, mine in zip(print_[cell].itertuples(index=False, name=None), print_["flags"]):
        assert mine == there.get(key, mine)


def test_a_run_of_ones_own_has_only_the_faults_of_its_text():
    from dbutils.experiments.identity import run_name

    found = dict(task="pos", setting="zero_shot", train=dict(name="en", kind="sound"), profile="real", seed=1, limit=0)
    sound = run_name(found, "m")
    got = flags.of(
        table(
            row(
                task="dep",
                corpus="ud",
                setting="in_variety",
                model="xlmr",
                train="UD_Arabic-PADT",
                code="UD_Arabic-PADT",
            ),
            row(task="ner", corpus="wikiann_og", code="jam", n=20),
            row(task="ner", corpus="wikiann_og", code="jam", n=0, run="s"),
            row(task="pos", corpus="ud", code="UD_Mbya_Guarani-Dooley", run=sound),
            row(task="pos", corpus="ud", code="UD_Mbya_Guarani-Dooley", run=sound.replace("sound", "paper")),
            row(task="mt", corpus="codet", code="BE", setting="pseudo_reference"),
        )
    )
    assert got == [(), (), ("missing-value",), (), ("placeholder-text",), ("pseudo-reference",)]


def test_few_predictions_are_counted_per_model_and_run():
    label = dict(task="did", corpus="dsl_tl", setting="in_cluster", train="english_di")
    whole = [
        row(**label, code="english:accuracy", metric="accuracy", variety="", cluster="", n=600, run=r) for r in "ab"
    ]
    rows = [
        row(**label, code="english:EN", metric=m, value=v, n=76, run=r)
        for r, share in (("a", 1.5), ("b", 9 / 6))
        for m, v in (("predicted", share), ("f1", 40))
    ]
    assert flags.of(table(*whole, *rows)) == [()] * 2 + [("few-predictions",)] * 4
    ten = [row(**label, code="english:EN", metric=m, value=v, n=76) for m, v in (("predicted", 10 / 6), ("f1", 40))]
    assert flags.of(table(*whole, *ten)) == [()] * 4


def test_no_rows_have_no_flags():
    assert flags.of(scores.empty()) == []


def test_what_is_excluded():
    out = {f.id for f in flags.FLAGS.values() if f.excluded}
    assert out == {"missing-value", "no-zero-shot", "placeholder-text", "never-learnt"}
    assert (
        flags.excluded(("pseudo-reference", "never-learnt"))
        and not flags.excluded(("pseudo-reference",))
        and not flags.excluded(())
    )


def test_marks_differ_and_are_short():
    signs = [f.mark for f in flags.FLAGS.values()]
    assert len(set(signs)) == len(signs) and all(len(s) <= 3 for s in signs)


def test_the_font_of_the_figures_has_every_sign():
    from fontTools.ttLib import TTFont

    from dbutils.paths import data

    have = TTFont(data("fonts", "NotoSans-Regular.ttf")).getBestCmap()
    assert {c for f in flags.FLAGS.values() for c in f.mark if ord(c) not in have} == set()


def test_flags_of_an_average_stand_once_and_in_order():
    got = flags.together(("pseudo-reference",), (), ("never-learnt", "pseudo-reference"))
    assert got == ("never-learnt", "pseudo-reference")
    assert flags.names(got) == "never learnt, pseudo-reference" and flags.marks(got) == "× ~"


@pytest.mark.parametrize(
    "line, message",
    [
        ("dep,,,,,,,published,broken,empty,x", "flags.csv:2: column 'flag': 'broken' is not a flag"),
        ("dep,,,,,,,run,never-learnt,empty,x", "flags.csv:2: column 'about': 'run' is not published or as-paper"),
        ("dep,,,,,,,published,never-learnt,empty,", "flags.csv:2: column 'evidence': '' is not text"),
    ],
)
def test_a_broken_fact_is_named(tmp_path, monkeypatch, line, message):
    (tmp_path / "flags.csv").write_text(
        "task,corpus,model,setting,train,split,code,about,flag,finding,evidence\n" + line + "\n"
    )
    monkeypatch.setattr("dbutils.paths.data", lambda *parts: tmp_path.joinpath(*parts))
    with pytest.raises(InputError, match=re.escape(message)):
        flags.facts.__wrapped__()


def test_many_rows_are_quick(upstream):
    many = pd.concat([upstream.drop(columns="flags")] * 38, ignore_index=True)
    start = time.process_time()
    got = flags.of(many)
    assert got[: len(upstream)] == list(upstream["flags"])
    assert time.process_time() - start < 6  # about one second on a quiet machine
