"""Which models there are, and how what a user types becomes one."""

import re
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

from dbutils.corpora.languages import FILE
from dbutils.errors import InputError, unknown
from dbutils.paths import data

PRETRAINED = ("encoder", "causal", "translator")  # kinds with weights, from a hub, in a folder, or made on the spot
ENDPOINT = "endpoint:"  # before the name of a model that a server has


@dataclass(frozen=True)
class ModelRecord:
    """A model.

    name: as in score rows. kind: which learner it has (`tasks.learners.LEARNERS`). source: a neural model's hub id, its
    folder, or "" for one that is made on the spot; an n-gram model's classifier; the name that an endpoint's server has for
    its model. revision: of the hub repository, best a commit ("" if not from there). note: one sentence for the reader.
    licence, parameters (millions, 0 if not known), evidence (address of a page that says so): facts for the reader.
    """

    name: str
    kind: str
    source: str = ""
    revision: str = ""
    note: str = ""
    licence: str = ""
    parameters: int = 0
    evidence: str = ""


def read(path):
    """{name: ModelRecord} of a TOML file with [[model]] records, in its order; InputError names record and field."""
    try:
        raw = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("model", [])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    types, found = {field.name: field.type for field in fields(ModelRecord)}, {}
    for number, record in enumerate(raw, 1):
        where = f"{path}: model {number} ({record.get('name', 'no name')})"
        for name, value in record.items():
            if name not in types:
                raise InputError(f"{where}: {unknown('field', name, types)}")
            if type(value) is not types[name]:
                raise InputError(
                    f"{where}: field {name!r}: {value!r} is not {'text' if types[name] is str else 'a number'}"
                )
        if not record.get("name") or not record.get("kind") or record["name"] in found:
            raise InputError(f"{where}: needs a kind, and a name that no other model has")
        found[record["name"]] = ModelRecord(**record)
    return found


MODELS = read(data("models.toml"))

# {beginning of a model's old name of one word on the hub: who owns it now}
_OWNERS = {
    "albert-": "albert",
    "bert-": "google-bert",
    "camembert-": "almanach",
    "distilbert-": "distilbert",
    "distilgpt2": "distilbert",
    "distilroberta-": "distilbert",
    "gpt2": "openai-community",
    "roberta-": "FacebookAI",
    "t5-": "google-t5",
    "xlm-clm-": "FacebookAI",
    "xlm-mlm-": "FacebookAI",
    "xlm-roberta-": "FacebookAI",
}
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+(@[\w.-]+)?")


def resolve(name, task="mt"):
    """The ModelRecord of a name, of a local folder, of a hub id with a slash (`owner/model@revision`), or of `endpoint:MODEL`.

    The old names of one word (`xlm-roberta-base`) are hub ids too. Whatever exists as a folder is one; a hub id without
    revision means the newest. What kind of model it is says its config.json; of a model with encoder and decoder (T5,
    NLLB) every task but translation takes the encoder. Raises InputError for anything else (naming the nearest model),
    for a folder that cannot be loaded, and for a hub id whose config.json cannot be had.
    """
    record = _resolved(name)
    if task != "mt" and record.kind == "translator" and record.source:
        return replace(record, kind="encoder")
    return record


def _resolved(name):
    if name in MODELS:
        return MODELS[name]
    if name.startswith(ENDPOINT):
        return _endpoint(name.removeprefix(ENDPOINT))
    if name and is_folder(name):
        from dbutils.models.files import check_folder, kind_of_folder

        path = Path(name).expanduser()
        check_folder(path)
        kind = kind_of_folder(path)
        return ModelRecord(path.resolve().name, kind, str(path.resolve()), "", f"{kind} of a local folder")
    if _looks_local(name):
        raise InputError(f"model {name!r}: no such folder; it must hold config.json and model.safetensors")
    name = with_owner(name)
    if _HUB_ID.fullmatch(name):
        from dbutils.models.files import kind_of_hub

        source, _, revision = name.partition("@")
        kind = kind_of_hub(source, revision or "main")
        return ModelRecord(source, kind, source, revision or "main", f"{kind} of the hub")
    raise unknown("model", name, MODELS)


def with_owner(name):
    """A hub id with its owner: `xlm-roberta-base` is FacebookAI/xlm-roberta-base. Other names stay what they are."""
    owner = next((owner for start, owner in _OWNERS.items() if name.startswith(start)), "")
    return f"{owner}/{name}" if owner and re.fullmatch(r"[\w.-]+(@[\w.-]+)?", name, re.ASCII) else name


def is_folder(name):
    """Whether what a user typed is the path of a folder."""
    try:
        return Path(name).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):  # too long, or ~ of nobody
        return False


def _endpoint(model):
    if not model or model != model.strip() or "\n" in model:
        raise InputError(
            f"model {ENDPOINT + model!r}: the name of the server's model must follow, as in {ENDPOINT}my-model"
        )
    return ModelRecord(model, "endpoint", model, "", "language model behind a server")


def _looks_local(name):
    return name.startswith(("/", "./", "../", "~")) or name.count("/") > 1 or name in (".", "..")


def identity(record):
    """What determines a model's result, as a dict that goes into a run's identity.

    For the hub its id and commit, for a folder the sha256 of its weights, configuration and tokenizer, for
    what is made on the spot its recipe. What an endpoint's server does with its model nobody can name.
    """
    out = {"kind": record.kind, "name": record.name}
    if record.kind == "ngram":
        from dbutils.models.ngram import RECIPE

        return out | {"recipe": RECIPE | {"classifier": record.source}}
    if record.kind not in PRETRAINED:
        return out | {"source": record.source}
    if not record.source:
        return out | {"recipe": dict(_recipe(record.kind))}
    from dbutils.models import files

    out = {"kind": record.kind} | ({"language_codes": files.digest(data(FILE))} if record.kind == "translator" else {})
    if Path(record.source).is_dir():
        return out | {"files": files.digests(record.source)}
    return out | {"source": record.source, "revision": files.commit(record)}


def _recipe(kind):
    if kind == "causal":
        from dbutils.models.tiny_lm import RECIPE
    elif kind == "translator":
        from dbutils.models.tiny_translator import RECIPE
    else:
        from dbutils.models.tiny import RECIPE
    return RECIPE
