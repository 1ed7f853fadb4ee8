"""Runs of translation on files laid out as CODET's and TIL-MT's: references, interrupted runs, sacrebleu's own numbers."""

import json
import os
import signal
import subprocess
import sys

import made_models as made
import pandas as pd
import pytest

from dbutils.errors import InputError
from dbutils.experiments import predictions, store
from dbutils.experiments.external import score
from dbutils.experiments.request import Request, make
from dbutils.models.output_cache import OutputCache
from dbutils.scores import read_scores

WORDS = (
    "the cat sat on the mat .",
    "a dog saw the cat .",
    "all birds sing !",
    "no dog sits on that mat ?",
    "she saw 12 birds .",
)


@pytest.fixture(scope="module")
def nllb(tmp_path_factory):
    return str(made.nllb(tmp_path_factory.mktemp("models") / "little"))


@pytest.fixture
def codet(corpora):
    """Two Basque towns with English and a standard (a blank line in one), Occitan with a standard only, Turkish."""
    corpora("codet/Basque/Sara.eus", "".join(f"{w} sara\n" for w in WORDS))
    corpora("codet/Basque/Azkaine.eus", "".join(f"{w} azkaine\n" if n != 2 else "\n" for n, w in enumerate(WORDS)))
    corpora("codet/Basque/Standard.eus", "".join(f"{w} eus\n" for w in WORDS))
    corpora("codet/Basque/Reference.eng", "".join(f"{w} eng\n" for w in WORDS))
    corpora("codet/French/Occitan.fra", "".join(f"{w} oci\n" for w in WORDS))
    corpora("codet/French/Standard.fra", "".join(f"{w} fra\n" for w in WORDS))
    corpora("til-mt/xwmt/test/tr-en/tr-en.tr", "".join(f"{w} tr\n" for w in WORDS))
    corpora("til-mt/xwmt/test/tr-en/tr-en.en", "".join(f"{w} en\n" for w in WORDS))
    return corpora


def run(model, setting, codes, tmp_path, **options):
    request = Request("mt", model, setting, varieties=codes, profile="paper", runs=str(tmp_path / "runs"), **options)
    (folder,) = make(request, lambda text: None)
    return folder


def table(folder, code):
    found = predictions.read(folder / predictions.file_name(code, "test"))
    columns = (found.column(name).to_pylist() for name in ("id", "gold", "prediction"))
    return {id: (json.loads(gold), json.loads(said)) for id, gold, said in zip(*columns, strict=True)}


def test_a_model_that_is_trained_already_trains_on_nothing_and_is_not_kept(codet, nllb, tmp_path):
    folder = run(nllb, "zero_shot", ("tr",), tmp_path, set={"max_length": "8"}, keep_model=True)
    manifest = store.read_manifest(folder)
    assert manifest["identity"]["train"] == {"name": "none", "kind": "paper", "parts": [], "dev": []}
    assert manifest["model_files"] == {} and not list((folder / "model").iterdir())
    assert (manifest["identity"]["hyper"]["beams"], manifest["identity"]["hyper"]["max_length"]) == (1, 8)
    entry = manifest["tests"]["tr@test"]
    assert entry["signatures"]["bleu_corpus"].startswith(
        "bleu_corpus|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:"
    )
    assert entry["notes"]["presented as"] == {"tur_Latn": 5} and entry["notes"]["translated"]["texts"] == 5
    assert [row["metric"] for row in entry["rows"]] == ["bleu", "bleu_corpus", "chrf"]
    assert {(row["cluster"], row["variety"], row["train"]) for row in entry["rows"]} == {
        ("common turkic", "turkish", "none")
    }


def test_in_the_paper_s_protocol_basque_is_scored_against_the_translation_of_the_standard(codet, nllb, tmp_path):
    folder = run(nllb, "pseudo_reference", ("Sara", "Occitan"), tmp_path, set={"max_length": "8"})
    again = run(nllb, "zero_shot", ("Sara", "tr"), tmp_path, set={"max_length": "8"}, kind="sound")
    pseudo, english = table(folder, "Sara"), table(again, "Sara")
    assert [gold for gold, _ in english.values()] == [f"{w} eng" for w in WORDS]
    assert {gold for gold, _ in pseudo.values()}.isdisjoint({f"{w} eus" for w in WORDS})
    setting = read_scores(folder / "scores.csv")
    assert set(setting.setting) == {"pseudo_reference"} and set(setting.n.astype(float)) == {5.0}
    notes = store.read_manifest(folder)["tests"]
    assert notes["Occitan@test"]["notes"]["presented as"] == {"fra_Latn": 10}
    sound = run(nllb, "pseudo_reference", ("Occitan",), tmp_path, set={"max_length": "8"}, kind="sound")
    assert store.read_manifest(sound)["tests"]["Occitan@test"]["notes"]["presented as"] == {
        "oci_Latn": 5,
        "fra_Latn": 5,
    }


def test_the_copy_of_the_standard_would_be_perfect(codet, tmp_path):
    codet("codet/French/Occitan.fra", "".join(f"{w} fra\n" for w in WORDS))
    rows = read_scores(run("copy", "pseudo_reference", ("Occitan",), tmp_path) / "scores.csv")
    assert set(rows.value) == {100.0}


def test_a_blank_line_is_left_out_and_shifts_nothing(codet, tmp_path):
    folder = run("copy", "zero_shot", ("Azkaine",), tmp_path, kind="sound")
    assert table(folder, "Azkaine") == {
        f"Azkaine:{n + 1}": (f"{w} eng", f"{w} azkaine") for n, w in enumerate(WORDS) if n != 2
    }


def test_tiny_translators_and_real_ones_stay_apart(codet, nllb, tmp_path):
    with pytest.raises(InputError, match="knows none of the sandbox's varieties: take tiny-mt"):
        make(Request("mt", nllb, "zero_shot", runs=str(tmp_path)), lambda text: None)
    with pytest.raises(InputError, match="learns from the sandbox's data"):
        run("tiny-mt", "zero_shot", ("tr",), tmp_path)
    with pytest.raises(
        InputError, match="'tiny' .encoder. cannot do task 'mt', which takes: translator, copy, causal, endpoint"
    ):
        run("tiny", "zero_shot", ("tr",), tmp_path)


def test_another_table_of_codes_is_another_run(codet, nllb, tmp_path, monkeypatch):
    before = run(nllb, "zero_shot", ("tr",), tmp_path, set={"max_length": "8"})
    from dbutils.models import records

    changed = tmp_path / "nllb_codes.csv"
    changed.write_bytes(records.data("nllb_codes.csv").read_bytes() + b"\n")
    monkeypatch.setattr(records, "data", lambda name: changed)
    assert run(nllb, "zero_shot", ("tr",), tmp_path, set={"max_length": "8"}) != before


def test_recorded_outputs_are_scored_as_the_run_scored_them(codet, nllb, tmp_path):
    folder = run(nllb, "pseudo_reference", ("Sara", "Occitan"), tmp_path, set={"max_length": "8"})
    lines = [
        {"code": code, "id": id, "prediction": said, "reference": gold}
        for code in ("Sara", "Occitan")
        for id, (gold, said) in table(folder, code).items()
    ]
    path = tmp_path / "outputs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = score("mt", path, split="paper-test")
    assert not report.problems
    key = ("cluster", "variety", "code", "metric", "value", "n", "low", "high", "setting", "split")
    mine = read_scores(folder / "scores.csv")[list(key)].itertuples(index=False, name=None)
    mine = [["None" if pd.isna(cell) else str(cell) for cell in row] for row in mine]  # few sentences: no interval
    assert sorted([str(row[k]) for k in key] for row in report.rows) == sorted(mine)


def test_a_pseudo_reference_that_is_not_given_is_told(codet, tmp_path):
    path = tmp_path / "outputs.jsonl"
    lines = [{"code": "Occitan", "id": f"Occitan:{n}", "prediction": "x", "reference": "y"} for n in range(1, 6)]
    del lines[3]["reference"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match="no English reference: every line needs .* 1 have none, 'Occitan:4' for one"):
        score("mt", path)


def test_sacrebleu_s_own_command_gives_the_same_numbers_and_signatures(codet, tmp_path):
    codet(
        "codet/French/Occitan.fra",
        "the cat sat on a mat .\na dog saw that cat .\nall bird sing !\nno .\n12 birds she saw .\n",
    )
    codet("codet/French/Standard.fra", "".join(f"{w}\n" for w in WORDS))
    folder = run("copy", "pseudo_reference", ("Occitan",), tmp_path)
    (tmp_path / "hyp").write_text("".join(said + "\n" for _, said in table(folder, "Occitan").values()))
    (tmp_path / "ref").write_text("".join(gold + "\n" for gold, _ in table(folder, "Occitan").values()))
    command = [sys.executable, "-m", "sacrebleu", str(tmp_path / "ref"), "-i", str(tmp_path / "hyp")]
    command += ["-m", "bleu", "chrf", "--chrf-word-order", "2", "-w", "10"]
    theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    rows = read_scores(folder / "scores.csv").set_index("metric").value.astype(float)
    signatures = store.read_manifest(folder)["tests"]["Occitan@test"]["signatures"]
    assert 5 < rows["bleu_corpus"] < 95
    for found, name in zip(theirs, ("bleu_corpus", "chrf"), strict=True):
        assert rows[name] == pytest.approx(found["score"], abs=1e-9)
        assert f"{name}|{found['signature']}|code:" in signatures[name]


def test_a_run_killed_in_the_middle_loses_at_most_one_batch(codet, nllb, tmp_path):
    codet("til-mt/xwmt/test/tr-en/tr-en.tr", "".join(f"{w} {n}\n" for n in range(40) for w in WORDS))
    codet("til-mt/xwmt/test/tr-en/tr-en.en", "".join(f"{w} {n}\n" for n in range(40) for w in WORDS))
    options = (
        "mt",
        nllb,
        "zero_shot",
        "",
        ("tr",),
        0,
        0,
        "paper",
        "",
        "",
        str(tmp_path / "runs"),
        {"max_length": "10"},
    )
    program = (
        "import sys, time\n"
        "from dbutils.models import output_cache, translator\n"
        "from dbutils.experiments.request import Request, make\n"
        "translator.BUDGET['cpu'] = 60\n"
        "put = output_cache.OutputCache.put\n"
        "def slowly(self, batch):\n"
        "    put(self, batch)\n"
        "    print(len(batch), flush=True)\n"
        "    time.sleep(0.05)\n"
        "output_cache.OutputCache.put = slowly\n"
        f"make(Request(*{options!r}), lambda text: None)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    said = [int(child.stdout.readline()) for _ in range(4)]
    os.kill(child.pid, signal.SIGKILL)
    said += [int(line) for line in child.stdout.read().split()]
    child.wait()
    (kept,) = (tmp_path / "runs").glob("*/memory-0.jsonl")
    there = len(OutputCache(kept))
    assert 0 < sum(said) <= there <= sum(said) + max(said) < 200
    asked = []
    put = OutputCache.put
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OutputCache, "put", lambda self, batch: asked.extend(batch) or put(self, batch))
        (folder,) = make(Request(*options), lambda text: None)
    assert len(asked) == len(set(asked)) == 200 - there
    assert not kept.exists() and len(table(folder, "tr")) == 200
    clean = make(Request(*options[:-2], str(tmp_path / "clean"), options[-1]), lambda text: None)[0]
    assert table(clean, "tr") == table(folder, "tr")
