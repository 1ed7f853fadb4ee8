"""A model's files: what a folder must hold, their checksums, and the hub's answers as clear errors."""

import functools
import hashlib
import json
from pathlib import Path

from dbutils.errors import InputError

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
UNSAFE = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
TOKENIZERS = (
    "tokenizer.json",
    "vocab.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
    "source.spm",
    "target.spm",
    "vocab.json",
)
TRANSLATORS = (
    "m2m_100",
    "nllb-moe",
    "marian",
    "mbart",
    "t5",
    "mt5",
    "umt5",
    "bart",
    "fsmt",
)  # model_type in config.json


def check_folder(folder):
    """Raise InputError unless a folder holds what `AutoModel` loads safely.

    That is config.json, model.safetensors (or its index) and a tokenizer. Weights in pickled files are refused.
    """
    folder = Path(folder)
    if not (folder / "config.json").is_file():
        raise InputError(f"{folder}: config.json is missing; a model folder holds config.json and model.safetensors")
    if not any((folder / name).is_file() for name in WEIGHTS):
        unsafe = sorted(p.name for p in folder.iterdir() if p.suffix in UNSAFE)
        if unsafe:
            raise InputError(
                f"{folder / unsafe[0]}: pickled weights can run code and are not loaded; "
                "tools/to_safetensors.py converts them to model.safetensors"
            )
        raise InputError(f"{folder}: model.safetensors is missing")
    if not any((folder / name).is_file() for name in TOKENIZERS):
        raise InputError(f"{folder}: no tokenizer; save it there too (tokenizer.json)")


def kind_of_folder(folder):
    """The kind of model that a folder's config.json describes."""
    return _kind(Path(folder) / "config.json")


def kind_of_hub(source, revision):
    """The same of a hub repository; InputError if its config.json cannot be had."""
    with hub_errors(source, revision):
        from huggingface_hub import hf_hub_download  # which looks at HF_ENDPOINT at once

        return _kind(hf_hub_download(source, "config.json", revision=revision))


def _kind(path):
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        kind, names = found.get("model_type", ""), found.get("architectures") or ()
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: not a configuration ({' '.join(str(error).split())})") from None
    if kind in TRANSLATORS:
        return "translator"
    return "causal" if any(str(name).endswith("ForCausalLM") for name in names) else "encoder"


def digest(path):
    """sha256 of a file."""
    path = Path(path)
    return _sha256(path, path.stat().st_size, path.stat().st_mtime_ns)


def digests(folder):
    """{file name: sha256} of the files of a model folder that determine its result."""
    kept = (
        "config.json",
        "generation_config.json",
        "model*.safetensors*",
        "tokenizer*.json",
        "special_tokens_map.json",
        "added_tokens.json",
    )
    folder = Path(folder)
    found = {path for pattern in (*kept, *TOKENIZERS) for path in folder.glob(pattern)}
    return {path.name: digest(path) for path in sorted(found)}


@functools.lru_cache(maxsize=64)
def _sha256(path, size, changed):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def commit(record):
    """The commit of a hub model: its revision, or what that name stands for in the cache or on the hub."""
    if len(record.revision) == 40 and set(record.revision) <= set("0123456789abcdef"):
        return record.revision
    from huggingface_hub import hf_hub_download, try_to_load_from_cache

    with hub_errors(record.source, record.revision):
        path = hf_hub_download(record.source, "config.json", revision=record.revision)
        if not isinstance(path, str):
            path = try_to_load_from_cache(record.source, "config.json", revision=record.revision)
    return Path(path).parent.name


ASKING = ("httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3")  # libraries that speak with a server


class hub_errors:
    """Context in which a failure to get a hub model's files becomes one InputError line."""

    def __init__(self, source, revision):
        self.source, self.revision = source, revision

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or isinstance(error, InputError):
            return False
        where = f"model {self.source!r} at revision {self.revision!r}"
        text = str(error)
        if "safetensors" in text:
            raise InputError(
                f"{where}: it has no safetensors weights, and pickled ones are not loaded; "
                "tools/to_safetensors.py converts a downloaded folder"
            ) from None
        if kind.__name__ == "HFValidationError":
            raise InputError(f"{where}: not an id that the hub can have; check its spelling and length") from None
        if kind.__name__ in ("RepositoryNotFoundError", "GatedRepoError"):
            raise InputError(f"{where}: the hub has no such public model; check the id") from None
        if kind.__name__ == "RevisionNotFoundError":
            raise InputError(f"{where}: the hub has no such revision of it") from None
        if "trust_remote_code" in text or "custom code" in text:
            raise InputError(f"{where}: it needs code of its own, which is never run; choose another model") from None
        if isinstance(error, OSError) or "offline" in text.lower() or "OfflineMode" in kind.__name__:
            raise InputError(
                f"{where}: its files are not in the cache and the hub cannot be reached; "
                "go online once (unset HF_HUB_OFFLINE), or give a local folder"
            ) from None
        if kind.__module__.partition(".")[0] in ASKING or "SOCKS" in text or "URL" in text:
            raise InputError(
                f"{where}: the hub cannot be asked ({kind.__name__}: {' '.join(text.split())[:150]}); "
                "check HF_ENDPOINT and the proxy that the environment names"
            ) from None
        return False
