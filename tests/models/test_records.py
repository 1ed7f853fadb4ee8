"""What a user types becomes a model, or one clear line; what determines a model's result."""

import json

import made_models as made
import pytest

from dbutils.errors import InputError
from dbutils.models import MODELS, identity, resolve
from dbutils.models.encoder import open_source
from dbutils.tasks.learners import LEARNERS


def test_names_are_models_and_the_paper_s_encoders_are_pinned():
    assert resolve("mbert").source == "google-bert/bert-base-multilingual-cased"
    assert [len(resolve(name).revision) for name in ("mbert", "xlmr")] == [40, 40]
    assert len(resolve("mistral-7b").revision) == 40
    assert {record.kind for record in MODELS.values()} <= set(LEARNERS)


def test_a_hub_id_may_carry_a_revision_and_its_configuration_says_its_kind(tmp_path, monkeypatch):
    asked = []

    def download(source, name, revision):
        asked.append((source, name, revision))
        (tmp_path / name).write_text(
            json.dumps({"architectures": ["QwenForCausalLM" if source == "owner/lm" else "BertModel"]})
        )
        return str(tmp_path / name)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    record = resolve("owner/model@0123abc")
    assert (record.source, record.revision, record.kind) == ("owner/model", "0123abc", "encoder")
    assert (resolve("owner/lm").revision, resolve("owner/lm").kind) == ("main", "causal")
    assert asked[0] == ("owner/model", "config.json", "0123abc")


def test_a_server_s_model_is_named_with_its_owner_and_version():
    record = resolve("endpoint:owner/model:7b@2024")
    assert (record.name, record.kind, record.source) == ("owner/model:7b@2024", "endpoint", "owner/model:7b@2024")
    assert identity(record) == {"kind": "endpoint", "name": "owner/model:7b@2024", "source": "owner/model:7b@2024"}
    with pytest.raises(InputError, match="the name of the server's model must follow"):
        resolve("endpoint:")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mbrt", "unknown model 'mbrt': did you mean 'mbert'?"),
        ("./nowhere", "no such folder"),
        ("/no/where/at/all", "no such folder"),
        ("a/b/c", "no such folder"),
        ("", "unknown model ''"),
        ("owner/model name", "unknown model"),
    ],
)
def test_anything_else_is_one_line_that_helps(name, says):
    with pytest.raises(InputError, match=says.replace("?", r"\?")) as error:
        resolve(name)
    assert "\n" not in str(error.value)


def test_a_folder_is_a_model_named_after_it(tmp_path):
    made.bert(tmp_path / "little")
    record = resolve(str(tmp_path / "little"))
    assert (record.name, record.kind, record.source) == ("little", "encoder", str(tmp_path / "little"))


@pytest.mark.parametrize(("found", "kind"), [("m2m_100", "translator"), ("marian", "translator"), ("bert", "encoder")])
def test_the_configuration_says_what_kind_of_model_a_folder_or_a_hub_id_is(tmp_path, monkeypatch, found, kind):
    made.bert(tmp_path / "some")
    config = tmp_path / "some" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"model_type": found}))
    assert resolve(str(tmp_path / "some")).kind == kind
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda *args, **names: str(config))
    assert resolve("owner/model").kind == kind


@pytest.mark.parametrize("content", ["", "[]", "{", "\udcff"])
def test_a_configuration_that_is_none_is_one_clear_line(tmp_path, content):
    made.bert(tmp_path)
    (tmp_path / "config.json").write_text(content, errors="surrogateescape")
    with pytest.raises(InputError, match="config.json: not a configuration") as error:
        resolve(str(tmp_path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["model.safetensors", "tokenizer.json"], "config.json is missing"),
        (["config.json", "tokenizer.json"], "model.safetensors is missing"),
        (["config.json", "model.safetensors"], "no tokenizer"),
        (["config.json", "tokenizer.json", "pytorch_model.bin"], "pytorch_model.bin: pickled weights can run code"),
    ],
)
def test_a_folder_that_cannot_be_loaded_says_what_it_lacks(tmp_path, files, says):
    made.bert(tmp_path / "whole")
    for name in files:
        whole = tmp_path / "whole" / name
        (tmp_path / name).write_bytes(whole.read_bytes() if whole.exists() else b"{}")
    with pytest.raises(InputError, match=says):
        resolve(str(tmp_path))


def test_a_pickle_is_never_opened(tmp_path):
    made.bert(tmp_path)
    (tmp_path / "model.safetensors").unlink()

    class Bomb:
        def __reduce__(self):
            return (tmp_path.joinpath("exploded").write_text, ("x",))

    import torch

    torch.save({"x": Bomb()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(InputError, match="not loaded"):
        open_source(MODELS["tiny"].__class__("x", "encoder", str(tmp_path), "", ""))
    assert not (tmp_path / "exploded").exists()


def test_code_of_a_model_s_own_is_refused_in_one_line(tmp_path):
    made.bert(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config |= {"model_type": "strange", "auto_map": {"AutoConfig": "code.C", "AutoModel": "code.M"}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(InputError, match="code of its own") as error:
        open_source(resolve(str(tmp_path)))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "ran").exists()


def test_a_hub_model_that_is_not_in_the_cache_is_one_line_while_offline(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="go online once .* or give a local folder") as error:
        open_source(resolve("owner/no-such-model"))
    assert "\n" not in str(error.value)


def test_the_identity_of_a_folder_is_its_content(tmp_path):
    first, copy, other = (tmp_path / name for name in ("a", "b", "c"))
    made.bert(first), made.bert(copy), made.bert(other, seed=1)
    one, two, three = (identity(resolve(str(folder))) for folder in (first, copy, other))
    assert one == two
    assert one["files"].keys() == three["files"].keys() and one != three
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(one["files"])


def test_the_identity_of_a_pinned_model_needs_no_network():
    assert identity(MODELS["xlmr"])["revision"] == MODELS["xlmr"].revision
    assert json.dumps([identity(MODELS[name]) for name in ("tiny", "ngram-nb", "majority")])


@pytest.mark.parametrize(
    "old, new",
    [
        ("xlm-roberta-base", "FacebookAI/xlm-roberta-base"),
        ("bert-base-multilingual-cased", "google-bert/bert-base-multilingual-cased"),
        ("roberta-large@abc", "FacebookAI/roberta-large@abc"),
        ("distilbert-base-multilingual-cased", "distilbert/distilbert-base-multilingual-cased"),
        ("gpt2", "openai-community/gpt2"),
        ("t5-small", "google-t5/t5-small"),
        ("google/mt5-small", "google/mt5-small"),
        ("mbrt", "mbrt"),
    ],
)
def test_old_names_of_one_word_have_an_owner(old, new):
    from dbutils.models.records import with_owner

    assert with_owner(old) == new


def test_an_old_name_resolves_like_its_new_one(monkeypatch):
    monkeypatch.setattr("dbutils.models.files.kind_of_hub", lambda source, revision: "encoder")
    record = resolve("xlm-roberta-base@v1")
    assert (record.name, record.source, record.revision) == (*("FacebookAI/xlm-roberta-base",) * 2, "v1")


@pytest.mark.parametrize(
    "error",
    [
        ImportError("Using SOCKS proxy, but the 'socksio' package is not installed."),
        ValueError("Invalid IPv6 URL"),
        type("UnsupportedProtocol", (Exception,), {"__module__": "httpx"})("Request is missing a protocol."),
    ],
)
def test_an_address_or_proxy_that_cannot_be_used_is_one_line(error):
    from dbutils.models.files import hub_errors

    with (
        pytest.raises(InputError, match="model 'o/n' at .*: the hub cannot be asked .*check HF_ENDPOINT and the proxy"),
        hub_errors("o/n", "main"),
    ):
        raise error
    with pytest.raises(KeyError), hub_errors("o/n", "main"):
        raise KeyError("a fault of the program")
