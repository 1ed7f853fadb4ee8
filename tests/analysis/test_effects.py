"""The effects of the paper's splits and scores: the committed file, and the requests of the tool that writes it."""

import importlib.util

import pytest

from dbutils.analysis import effects
from dbutils.errors import InputError
from dbutils.paths import ROOT


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("effects_tool", ROOT / "tools" / "effects.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_rows_are_of_the_pairs_of_the_tool(tool):
    rows = effects.load()
    wanted = [(p.effect, p.task, code, *metrics) for p in tool.PAIRS for code in p.codes for metrics in p.metrics]
    assert [(r.effect, r.task, r.code, r.metric, r.sound_metric) for r in rows.itertuples()] == wanted
    assert set(rows.effect) == set(effects.EFFECTS)


def test_the_committed_rows_are_scores_with_intervals_of_named_runs():
    rows = effects.load()
    for kind in ("as_paper", "sound"):
        value, low, high = (rows[f"{kind}{end}"] for end in ("", "_low", "_high"))
        assert ((low >= 0) & (low <= value) & (value <= high) & (high <= 100)).all()
        assert (rows[f"{kind}_n"] >= 100).all()
        assert rows[f"{kind}_run"].str.fullmatch(r"[\w.+-]+-[0-9a-f]{10}").all()


def test_training_on_the_test_rows_looks_perfect_to_a_counter_of_letters():
    rows = effects.load()
    seen = rows[(rows.effect == "train-test") & (rows.model == "ngram-svm") & (rows.metric == "accuracy")]
    assert len(seen) == 5 and (seen.as_paper > 99).all() and (seen.sound < 95).all()


def test_a_damaged_file_is_told(tmp_path):
    path = tmp_path / "effects.csv"
    path.write_text("effect,task\nchunks,pos\n")
    with pytest.raises(InputError, match="tools/effects.py writes it"):
        effects.load(path)


def test_the_two_runs_of_a_pair_differ_in_what_they_train_or_test_on(tool):
    from dbutils.experiments.sources import plan_of

    for pair in tool.PAIRS:
        plans = []
        for options in (pair.paper, pair.sound):
            given = {k: v for k, v in (pair.more | options).items() if k not in tool.SHORT}
            (training,) = plan_of(pair.task, pair.setting, profile="paper", **given).trainings
            plans.append((training.parts, [test.part for test in training.tests]))
            assert {test.code for test in training.tests} == set(pair.codes)
        assert (plans[0] == plans[1]) == (pair.effect == "chunks")


def test_the_tool_says_what_it_needs(tool, monkeypatch, capsys):
    monkeypatch.delenv("DBUTILS_ENCODER", raising=False)
    monkeypatch.setenv("DBUTILS_CORPORA", "here")
    with pytest.raises(SystemExit):
        tool.main([])
    assert "DBUTILS_ENCODER must name a folder" in capsys.readouterr().err
