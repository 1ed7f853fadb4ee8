"""Which models there are, and how what a user types becomes one."""

import re
from dataclasses import dataclass, replace
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
    """

    name: str
    kind: str
    source: str
    revision: str
    note: str


_LIST = (
    ModelRecord(
        "mbert",
        "encoder",
        "google-bert/bert-base-multilingual-cased",
        "3f076fdb1ab68d5b2880cb87a0886f315b8146f8",
        "multilingual BERT, cased, 104 languages: one of the paper's two encoders",
    ),
    ModelRecord(
        "xlmr",
        "encoder",
        "FacebookAI/xlm-roberta-base",
        "e73636d4f797dec63c3081bb6ed5c7b0bb3f2089",
        "XLM-R base, 100 languages: the other encoder of the paper",
    ),
    ModelRecord(
        "tiny",
        "encoder",
        "",
        "",
        "a tiny encoder without pre-training, its tokenizer learnt from the training texts: seconds on a CPU",
    ),
    ModelRecord(
        "mistral-7b",
        "causal",
        "mistralai/Mistral-7B-v0.1",
        "27d67f1b5f57dc0953326b2601d68371d40ea8da",
        "Mistral 7B, the base model: the paper's language model, asked in context",
    ),
    ModelRecord(
        "tiny-lm",
        "causal",
        "",
        "",
        "a tiny causal language model, trained on the spot on prompts made from the training data: a minute on a CPU",
    ),
    ModelRecord("ngram-svm", "ngram", "svm", "", "linear support vector machine on character 1- to 5-grams"),
    ModelRecord("ngram-logreg", "ngram", "logreg", "", "logistic regression on character 1- to 5-grams"),
    ModelRecord("ngram-nb", "ngram", "nb", "", "naive Bayes on character 1- to 5-grams"),
    ModelRecord("majority", "majority", "", "", "always what is most frequent in the training data"),
    ModelRecord(
        "nllb-600m",
        "translator",
        "facebook/nllb-200-distilled-600M",
        "refs/pr/45",
        "NLLB-200, 200 languages, distilled: one of the paper's two translators; the main branch has pickled weights only",
    ),
    ModelRecord(
        "nllb-1.3b",
        "translator",
        "facebook/nllb-200-1.3B",
        "main",
        "NLLB-200 with 1.3 billion parameters; whether the paper used this or the distilled one is not known",
    ),
    ModelRecord("nllb-1.3b-distilled", "translator", "facebook/nllb-200-distilled-1.3B", "main", "the distilled one"),
    ModelRecord("nllb-3.3b", "translator", "facebook/nllb-200-3.3B", "main", "NLLB-200 with 3.3 billion parameters"),
    ModelRecord(
        "tiny-mt",
        "translator",
        "",
        "",
        "a tiny translator without pre-training, its tokenizer learnt from the training texts: a minute on a CPU",
    ),
    ModelRecord("copy", "copy", "", "", "the source as it is: what a translation is worth that translates nothing"),
)
MODELS = {record.name: record for record in _LIST}

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
