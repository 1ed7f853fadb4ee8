"""The benchmarks' pieces, at tiny sizes: what they count, compare and print."""

import importlib.util
import json
from pathlib import Path

import pytest
import torch

TOOLS = Path(__file__).resolve().parent.parent / "tools"


def tool(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def models():
    return tool("bench_models")


@pytest.fixture(scope="module")
def gpu():
    return tool("bench_gpu")


@pytest.fixture(scope="module")
def record(models, tmp_path_factory):
    from dbutils.models import resolve

    return resolve(str(models.encoder(tmp_path_factory.mktemp("encoder"), hidden=64, layers=1)))


@pytest.fixture
def clock(models):
    return models.Clock(1, processor=False)


def test_the_floor_counts_matrix_products_of_real_tokens(models):
    from transformers import BertConfig

    small = BertConfig(hidden_size=384, intermediate_size=1536, num_hidden_layers=12)
    assert models.work(small, [1]) == 42_467_328 + 18_432
    assert models.work(small, [10, 10]) == 20 * 42_467_328 + 2 * 18_432 * 100


def test_the_fastest_of_several_tries_counts(models):
    clock = models.Clock(3, processor=False)
    ticks = iter([0, 5, 5, 6, 10, 12, 12, 19, 20, 24, 30, 33])
    clock.now = lambda: next(ticks)
    assert clock.best(lambda: None, lambda: None) == [2, 1]


def test_the_compared_pass_pads_and_cuts_as_told(models, record):
    from types import SimpleNamespace

    import numpy as np

    seen = []
    learner = SimpleNamespace(tokens=SimpleNamespace(pad=9), model=lambda **given: seen.append(given))
    models.forward(learner, [np.array([1, 2, 3]), np.array([4])])
    models.forward(learner, [np.array([1, 2, 3]), np.array([4])], 2)
    assert [given["input_ids"].tolist() for given in seen] == [[[1, 2, 3], [4, 9, 9]], [[1, 2], [4, 9]]]
    assert [given["attention_mask"].tolist() for given in seen] == [[[1, 1, 1], [1, 0, 0]], [[1, 1], [1, 0]]]


@pytest.mark.parametrize("task", ["tc", "pos"])
def test_prediction_is_compared_with_padding_and_with_the_floor(models, record, clock, task):
    examples = models.sandbox(task, "test")[:20]
    rows = models.prediction(task, "sandbox", examples, record, clock, {"floor": 1e9, "pad128": 1e9})
    assert [row.target for row in rows] == [None, 1e9, None, None, None, 1e9]
    assert all(row.measured > 0 for row in rows)
    assert [models.judged(row).met for row in rows] == [None, False, None, None, None, True]


def test_a_training_step_has_the_same_losses_with_all_the_savings(models, record, clock):
    examples = models.sandbox("tc", "train")
    rows = models.training("sandbox", examples, models.sandbox("tc", "test"), record, clock, steps=3, size=4)
    assert [row.unit for row in rows] == ["s", "x", "x", ""]
    assert rows[-1].measured < 1e-5


def test_the_bootstrap_is_compared_for_labels_spans_and_translations(models, clock):
    rows = models.bootstrap(clock, sizes=(12, 15, 10, 10), timed=(2, 2, 1, 1))
    assert [row.target for row in rows] == [400, None, 400, None, 1000, None, 1000, None]
    assert all(row.measured > 1 for row in rows)


def test_the_table_says_what_is_met(models):
    rows = [
        models.judged(models.Row("a", "b", 1234.5, "x", 400)),
        models.judged(models.Row("a", "c", 1.5, "x", 1.35, most=True)),
        models.judged(models.Row("a", "d", 0.00012, "s")),
    ]
    assert models.markdown(rows).splitlines()[2:] == [
        "| a | b | 1,234 x | at least 400 | yes |",
        "| a | c | 1.50 x | at most 1.35 | NO |",
        "| a | d | 0.00012 s | | |",
    ]


def test_the_command_prints_json(models, capsys):
    assert models.main(["--json", "--only", "trees", "--tries", "1", "--threads", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["what"] for row in found["rows"]] == ["random scores", "best heads are a tree"]
    assert "1 threads" in found["notes"][0]


def test_processor_time_takes_one_thread(models, capsys):
    with pytest.raises(SystemExit) as stopped:
        models.main(["--processor"])
    assert stopped.value.code == 2 and "--threads 1" in capsys.readouterr().err


def test_peaks_of_known_cards(gpu):
    assert gpu.peak("NVIDIA H200") == 989e12
    assert gpu.peak("NVIDIA H100 PCIe") == 756e12
    assert gpu.peak("NVIDIA L40S") == 362e12
    assert gpu.peak("Some Other Card") is None


def test_the_gpu_check_measures_prediction_and_training(gpu):
    sizes = gpu.Sizes(vocabulary=50, hidden=64, layers=1, units=24, longest=20, batch=8)
    assert gpu.per_token(sizes) == 2 * 12 * 64 * 64
    found = gpu.measure(sizes, torch.device("cpu"), tries=1)
    assert list(found) == ["prediction", "training"]
    for (tokens, flop), passes in zip(found.values(), (1, 3), strict=True):
        assert flop / tokens == pytest.approx(passes * gpu.per_token(sizes))


def test_without_a_gpu_one_line_and_status_2(gpu, monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert gpu.main() == 2
    out = capsys.readouterr()
    assert not out.out and out.err == "bench-gpu: there is no GPU that torch can use here; nothing was measured\n"


def test_the_growth_of_score_files_is_measured_with_time_and_memory(tmp_path):
    rows = tool("bench").growth(tmp_path, sizes=(2,), folders=3)
    assert [row[0] for row in rows] == ["table 10, 5,200 rows of 2 models", "table 10, 102 rows in 3 run folders"]
    assert all(clock > 0 and 50 < memory < 2000 for _, (clock, _), _, memory in rows)
