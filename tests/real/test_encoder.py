"""A real encoder on real corpora, at sizes of seconds: it learns, transfers, and reads its batches without padding.

DBUTILS_ENCODER names the folder of an encoder of some 100 languages, DBUTILS_CORPORA that of the corpora. What is
asked for is far below what whole training sets give: it is missed only if something is broken.
"""

import os

import pytest

from dbutils.corpora import load, store
from dbutils.experiments.request import Request, make
from dbutils.scores import read_scores

ENCODER = os.environ.get("DBUTILS_ENCODER", "")
FAST = {"warmup": "0.1", "batch_size": "16", "max_length": "128", "predict_length": "128", "selection": "last"}

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not ENCODER, reason="DBUTILS_ENCODER names no encoder"),
    pytest.mark.skipif("DBUTILS_CORPORA" not in os.environ, reason="DBUTILS_CORPORA names no corpora folder"),
]


@pytest.fixture
def values(tmp_path, monkeypatch):
    """values(task, needs, setting, metric, limit, epochs, lr, options) -> {code: value} of a run."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    def found(task, needs, setting, metric, limit, epochs, lr="1e-4", **options):
        if not store.folder(needs).exists():
            pytest.skip(f"{needs} is not on disk")
        options = {"profile": "paper", "kind": "sound", "runs": str(tmp_path), "limit": limit} | options
        changes = FAST | {"epochs": str(epochs), "lr": lr}
        (folder,) = make(Request(task, ENCODER, setting, set=changes, **options), lambda text: None)
        rows = read_scores(folder / "scores.csv")
        rows = rows[(rows.metric == metric) & (rows.split == "test")]
        return dict(zip(rows.code, rows.value))

    return found


def test_topics_reach_languages_that_the_encoder_knows(values):
    codes = ("eng_Latn", "por_Latn", "arb_Arab", "kab_Latn")
    found = values("tc", "sib-200", "zero_shot", "accuracy", 300, 3, train="eng_Latn", varieties=codes)
    assert min(found["eng_Latn"], found["por_Latn"]) > 65 and found["arb_Arab"] > 55
    assert found["kab_Latn"] < found["arb_Arab"]


def test_tags_of_french_reach_german_of_the_swiss(values):
    codes = ("UD_French-ParTUT", "UD_Swiss_German-UZH")
    found = values("pos", "ud", "zero_shot", "accuracy", 300, 2, train=codes[0], varieties=codes)
    assert found[codes[0]] > 60 and 30 < found[codes[1]] < found[codes[0]]


def test_trees_of_french_reach_german_of_the_swiss(values):
    codes = ("UD_French-ParTUT", "UD_Swiss_German-UZH")
    found = values("dep", "ud", "zero_shot", "uas", 300, 4, "3e-4", train=codes[0], varieties=codes)
    assert found[codes[0]] > 40 and 15 < found[codes[1]] < found[codes[0]]


def test_sentiment_of_tunisian_comments(values):
    found = values("sa", "tsac", "in_cluster", "accuracy", 600, 2, train="aeb_Arab", varieties=("aeb_Arab",))
    assert found["aeb_Arab"] > 65


def test_names_of_low_saxon_reach_palatine_german(values):
    options = {"corpus": "wikiann_og", "train": "wikiann_og/nds-nl@test", "varieties": ("pfl",)}
    assert values("ner", "wikiann_og", "zero_shot", "f1", 400, 3, **options)["pfl"] > 20


def test_answers_in_american_english(values):
    options = {"kind": "paper", "varieties": ("english--usa",)}
    assert values("eqa", "sd-qa", "zero_shot", "f1", 100, 3, **options)["english--usa"] > 8


def test_vectors_without_padding_are_those_with_padding():
    import torch

    from dbutils import models
    from dbutils.models import batches
    from dbutils.models.encoder import open_source
    from dbutils.models.unpadded import unpadded

    source = open_source(models.resolve(ENCODER))
    model, tokens = source.load("AutoModel").eval(), source.tokens()
    texts = [
        e.text for code in ("eng_Latn", "arb_Arab", "zho_Hans") for e in list(load.examples("tc", "sib-200", code))[:20]
    ]
    rows = [tokens.row(found) for found in tokens.texts(texts)]
    batch = batches.collate([batches.Unit(0, [r.ids], [r.types]) for r in rows], torch.device("cpu"), tokens.pad)
    given = {"input_ids": batch.ids, "attention_mask": batch.mask}
    with torch.inference_mode():
        expected = model(**given).last_hidden_state
        with unpadded(model) as does:
            found = model(**given).last_hidden_state
    assert does
    assert (found - expected)[batch.mask.bool()].abs().max() < 1e-4 * expected.abs().max()
