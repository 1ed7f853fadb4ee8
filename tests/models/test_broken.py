"""Model folders that cannot work: each is one clear line before any training."""

import json
from dataclasses import replace

import made_models as made
import pytest

from dbutils.corpora.examples import TextExample
from dbutils.errors import InputError
from dbutils.models import resolve, training
from dbutils.models.encoder import open_source
from dbutils.tasks import hyper, learner

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 471\n"


def halved(folder, name):
    path = folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def pointer(folder, name):
    (folder / name).write_bytes(POINTER)


def changed(folder, **values):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def without(folder, part):
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    save_file({k: v for k, v in load_file(path).items() if part not in k}, path, {"format": "pt"})


def shards(folder, content):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(content)


def vocabulary(folder, texts):
    made.wordpiece(texts).save_pretrained(folder)


BROKEN = {
    "weights are a pointer": (lambda f: pointer(f, "model.safetensors"), "model.safetensors: a pointer of Git LFS"),
    "the tokenizer is a pointer": (lambda f: pointer(f, "tokenizer.json"), "tokenizer.json: a pointer of Git LFS"),
    "cut weights": (lambda f: halved(f, "model.safetensors"), "model.safetensors: cut or broken weights"),
    "no weights": (lambda f: (f / "model.safetensors").write_bytes(b""), "cut or broken weights"),
    "a cut tokenizer": (lambda f: halved(f, "tokenizer.json"), "cannot be loaded"),
    "a cut configuration": (lambda f: halved(f, "config.json"), "config.json: not a configuration"),
    "an unknown type": (lambda f: changed(f, model_type="strange"), "does not know its model_type"),
    "another type": (lambda f: changed(f, model_type="distilbert"), "its weights lack .* another model's file"),
    "another width": (lambda f: changed(f, hidden_size=64), "cannot be loaded"),
    "a layer is missing": (lambda f: without(f, "layer.1."), "its weights lack 16 of"),
    "no embeddings": (lambda f: without(f, "word_embeddings"), "its weights lack 1 of"),
    "a shard is missing": (lambda f: shards(f, '{"weight_map": {"x": "a.safetensors"}}'), "a.safetensors: is missing"),
    "an index of nothing": (lambda f: shards(f, "[]"), "index.json: not a configuration"),
    "a larger vocabulary": (
        lambda f: vocabulary(f, [chr(i) * 2 for i in range(0x4E00, 0x4F00)]),
        "sub-word number .* do not belong together",
    ),
    "a vocabulary of another script": (lambda f: vocabulary(f, ["ሰላም"]), "knows 0 of the [0-9]+ sub-words"),
    "an empty vocabulary": (lambda f: vocabulary(f, []), "knows 0 of the [0-9]+ sub-words"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_folder_that_cannot_work_is_one_line_before_training(tmp_path, monkeypatch, what):
    monkeypatch.setattr(training.Training, "run", lambda *_: pytest.fail("training began"))
    folder = made.bert(tmp_path / "model")
    breaks, says = BROKEN[what]
    breaks(folder)
    texts = ["the cat sat", "a dog saw"] if "larger" not in what else ["\u4eff\u4efe", "\u4efd"]
    with pytest.raises(InputError, match=says) as error:
        record = resolve(str(folder), "tc")
        chosen = replace(hyper("tc", "sandbox", record), max_length=64, predict_length=64)
        learner("tc", record, ("x", "y"), chosen, 0).fit(
            [TextExample(str(i), text, "xy"[i % 2]) for i, text in enumerate(texts)]
        )
    assert "\n" not in str(error.value)


def test_a_tokenizer_of_bytes_or_characters_needs_no_vocabulary_file(tmp_path):
    for form in ("byt5", "canine"):
        folder = made.encoder(tmp_path / form, form)
        assert not (folder / "tokenizer.json").exists()
        assert resolve(str(folder), "pos").kind == "encoder"
        (folder / "tokenizer_config.json").unlink()
        with pytest.raises(InputError, match="no tokenizer"):
            resolve(str(folder), "pos")


def test_a_model_with_encoder_and_decoder_translates_and_its_encoder_does_the_rest(tmp_path):
    folder = str(made.encoder(tmp_path / "mt5", "mt5"))
    assert (resolve(folder, "mt").kind, resolve(folder, "pos").kind, resolve("nllb-600m", "dep").kind) == (
        "translator",
        "encoder",
        "encoder",
    )
    assert resolve("tiny-mt", "pos").kind == "translator"  # it is made of pairs, and has no weights yet


@pytest.mark.parametrize(("form", "name"), [("mt5", "spiece.model"), ("deberta-v2", "spm.model")])
def test_a_sentencepiece_tokenizer_is_read_or_says_what_it_needs(tmp_path, form, name):
    import importlib.util
    import io

    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(made.SENTENCES), model_writer=written, vocab_size=60, hard_vocab_limit=False,
        pad_id=0, eos_id=1, unk_id=2, bos_id=-1, minloglevel=2,
    )  # fmt: skip
    folder = made.encoder(tmp_path / form, form)
    (folder / "tokenizer.json").unlink()
    (folder / name).write_bytes(written.getvalue())
    kind = {"mt5": "T5Tokenizer", "deberta-v2": "DebertaV2Tokenizer"}[form]
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": kind, "extra_ids": 0}))
    if importlib.util.find_spec("google") and importlib.util.find_spec("google.protobuf"):
        tokens = open_source(resolve(str(folder), "tc")).tokens()
        assert len(tokens.texts(["the cat"])[0]) > 1
    else:
        with pytest.raises(InputError, match="SentencePiece file, which is read with the library protobuf"):
            open_source(resolve(str(folder), "tc"))
