"""The translate-test set made anew: shards, kills, the reader's format, what the checks see."""

import json

import made_models as made
import pytest

from dbutils import csvio
from dbutils.corpora import load
from dbutils.csvio import read_csv
from dbutils.errors import InputError
from dbutils.experiments import translation_checks as checks
from dbutils.experiments.translate_test import Job, codes, shard
from dbutils.models import MODELS, resolve
from dbutils.models.output_cache import OutputCache
from dbutils.models.translator import Output
from dbutils.paths import data
from dbutils.tasks.hyper import NoHyper, Translation

PREMISES = ("the cat sat on the mat .", "a dog saw the cat .")
PAIRS = [
    (premise, hypothesis)
    for premise in PREMISES
    for hypothesis in ("all birds sing !", "no dog sits .", "she saw 12 birds .")
]


@pytest.fixture
def xnli(corpora):
    corpora("xnli-en/data/xnli/test-en.tsv", "".join(f"{p}\t{h}\n" for p, h in PAIRS))
    labels = ("entailment", "neutral", "contradiction") * 2
    lines = [f'"{n + 1}","x","y","{label}"' for n, label in enumerate(labels)]
    corpora("c-xnli/data/xnli.test.hr.csv", "pairID,premise,hypo,label\n" + "\n".join(lines) + "\n")
    return corpora


@pytest.fixture(scope="module")
def nllb(tmp_path_factory):
    return resolve(str(made.nllb(tmp_path_factory.mktemp("models") / "little")))


def job(model, folder, wanted=("eng_Latn", "lmo_Latn", "arz_Arab"), said=None, **changes):
    hyper = NoHyper() if model.kind == "copy" else Translation(**{"max_length": 12} | changes)
    return Job(model, hyper, wanted, folder=folder, say=(said if said is not None else []).append)


def test_the_varieties_are_those_of_table_7():
    assert (
        sorted(codes()) == sorted(read_csv(data("scores", "paper", "table07.csv")).language_code) and len(codes()) == 38
    )


def test_the_set_is_read_by_the_corpus_s_own_reader(xnli, nllb, tmp_path, monkeypatch):
    folder = job(nllb, tmp_path / "out").run()
    assert folder == tmp_path / "out" / "dialect_nli"
    monkeypatch.setenv("DBUTILS_CORPORA", str(tmp_path / "out"))
    english, lombard, egyptian = (
        list(load.examples("nli", "dialect_nli", c, "test")) for c in ("eng_Latn", "lmo_Latn", "arz_Arab")
    )
    assert [(e.premise, e.hypothesis) for e in english] == PAIRS
    assert (
        [(e.id, e.label) for e in english] == [(e.id, e.label) for e in lombard] == [(e.id, e.label) for e in egyptian]
    )
    assert [e.label for e in english[:3]] == ["entailment", "neutral", "contradiction"]
    assert lombard[0].premise == lombard[2].premise  # translated once
    assert [e.premise for e in lombard] != [e.premise for e in egyptian]


def test_the_target_s_code_is_the_first_word_of_each_translation(xnli, nllb, tmp_path, monkeypatch):
    asked = []
    from dbutils.models.translator import Translator

    generate = Translator.generate
    monkeypatch.setattr(
        Translator, "generate", lambda self, rows, target: asked.append(target) or generate(self, rows, target)
    )
    job(nllb, tmp_path).run()
    assert set(asked) == {"lmo_Latn", "arz_Arab"}


def test_shards_together_make_what_one_process_makes(xnli, nllb, tmp_path):
    said = []
    assert job(nllb, tmp_path / "a", said=said).run(1, 2) is None
    assert said[-1] == "4 translations of 2 varieties are still to come from other shards"
    sharded = job(nllb, tmp_path / "a").run(2, 2)
    whole = job(nllb, tmp_path / "b").run()
    assert (sharded / "test.tsv").read_bytes() == (whole / "test.tsv").read_bytes()
    assert (sharded / "quality.csv").read_bytes() == (whole / "quality.csv").read_bytes()


def test_a_finished_translation_is_not_made_again_and_other_settings_start_anew(xnli, nllb, tmp_path, monkeypatch):
    first = job(nllb, tmp_path)
    first.run()
    monkeypatch.setattr(OutputCache, "put", None)
    assert job(nllb, tmp_path).run() is not None
    assert job(nllb, tmp_path, max_length=9).work != first.work


def test_a_damaged_line_is_translated_again(xnli, nllb, tmp_path):
    before = job(nllb, tmp_path).run().joinpath("test.tsv").read_bytes()
    (path,) = job(nllb, tmp_path).work.glob("lmo_Latn.*")
    path.write_bytes(path.read_bytes()[:-20])
    said = []
    assert job(nllb, tmp_path, said=said).run().joinpath("test.tsv").read_bytes() == before
    assert said == ["lmo_Latn: 1 texts to translate"]


def test_the_copy_is_seen_through(xnli, tmp_path):
    folder = job(MODELS["copy"], tmp_path, ("eng_Latn", "ita_Latn", "arz_Arab")).run()
    rows = {row["code"]: row for row in csvio.read_csv(folder / "quality.csv").to_dict("records")}
    assert (rows["eng_Latn"]["copied"], rows["eng_Latn"]["flagged"]) == ("0", "0")
    assert (rows["ita_Latn"]["texts"], rows["ita_Latn"]["copied"], rows["ita_Latn"]["flagged"]) == ("5", "5", "5")
    assert rows["arz_Arab"]["wrong_script"] == "5" and rows["ita_Latn"]["wrong_script"] == "0"
    card = (folder / "README.md").read_text()
    assert "6 pairs, 5 different texts" in card and "| egyptian arabic | arz_Arab | 5 |" in card and "CC BY-NC" in card
    flagged = (folder / "flagged.tsv").read_text().splitlines()
    assert len(flagged) == 11 and flagged[1].startswith("arz_Arab\tcopied,english,wrong_script\t")
    assert json.loads((folder / "manifest.json").read_text())["model"]["kind"] == "copy"


def checked(outputs, code, sources=None):
    sources = sources or ["the cat sat on the mat today"] * len(outputs)
    return checks.checked([(s, Output(o, True)) for s, o in zip(sources, outputs, strict=True)], code)


def test_what_each_check_sees():
    plain = ["il gatto era seduto sul tappeto oggi"] * 4
    bad = [
        "",
        "The cat  sat on the MAT today",
        "кот сидел на коврике сегодня",
        "sì",
        "e poi e poi e poi e poi e poi e poi e poi e",
    ]
    failed, identified, ratio = checked(plain + bad, "ita_Latn")
    assert failed[:4] == [set()] * 4 and identified[:4] == ["it"] * 4 and ratio == pytest.approx(36 / 28)
    assert failed[4] == {"empty"} and failed[5] >= {"copied", "english"} and failed[6] >= {"wrong_script"}
    assert failed[7] >= {"odd_length"} and failed[8] >= {"repeated"}
    row = checks.report("ita_Latn", failed, identified, ratio)
    assert (row["texts"], row["empty"], row["copied"], row["wrong_script"], row["flagged"]) == (9, 1, 1, 1, 5)
    assert 50 <= row["language_agreement"] < 100


def test_a_translation_that_ran_into_the_greatest_length_is_cut():
    failed, *_ = checks.checked(
        [("one two", Output("uno due", True)), ("one two", Output("uno due e", False))], "ita_Latn"
    )
    assert [found & {"cut"} for found in failed] == [set(), {"cut"}]


def test_chinese_is_looked_at_by_letters():
    assert checks.repeats("我们去吃饭我们去吃饭我们去吃饭", "zho_Hans") and not checks.repeats("我们去吃饭", "zho_Hans")
    assert checks.script_share("我们去吃饭 OK", "zho_Hans") == pytest.approx(5 / 7)
    assert checks.script_share("123 .", "zho_Hans") is None
    failed, identified, ratio = checked(["猫今天坐在垫子上面睡觉"] * 3, "zho_Hans")
    assert failed == [set()] * 3 and set(identified) == {"zh"} and ratio < 0.5


def test_a_variety_that_the_identifier_does_not_know_has_no_agreement():
    for code in ("lmo_Latn", "azb_Arab", "fur_Latn"):
        assert checks.report(code, [set()], ["it"], 1.0)["language_agreement"] is None
    assert checks.report("apc_Arab", [set()] * 2, ["ar", "fa"], 1.0)["language_agreement"] == 50.0


def test_a_set_without_any_translation_is_written_and_told():
    failed, identified, ratio = checked(["", ""], "ita_Latn")
    assert checks.report("ita_Latn", failed, identified, ratio) == {
        "code": "ita_Latn",
        "texts": 2,
        "empty": 2,
        "copied": 0,
        "cut": 0,
        "wrong_script": 0,
        "odd_length": 0,
        "repeated": 0,
        "english": 0,
        "language_agreement": None,
        "length_ratio": None,
        "flagged": 2,
    }


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1/ 2"])
def test_a_shard_that_is_none_is_one_clear_line(text):
    with pytest.raises(InputError, match="write it as I/N"):
        shard(text)
    assert shard("2/3") == (2, 3)


def test_models_and_varieties_that_cannot_be_are_one_clear_line(xnli, nllb, tmp_path):
    for name in ("tiny-mt", "mbert", "majority"):
        with pytest.raises(InputError, match="cannot translate English"):
            job(MODELS[name], tmp_path)
    with pytest.raises(InputError, match="unknown variety of the translate-test set 'lmo': did you mean"):
        job(nllb, tmp_path, ("lmo",))
