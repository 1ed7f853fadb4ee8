"""A model's files: what a folder must hold, their checksums, and the hub's answers as clear errors."""

import functools
import hashlib
import json
from importlib import metadata
from pathlib import Path

from dbutils.errors import InputError

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
UNSAFE = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
TOKENIZERS = (
    "tokenizer.json",
    "vocab.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
    "spm.model",
    "sentencepiece.model",
    "tokenizer.model",
    "source.spm",
    "target.spm",
    "vocab.json",
    "bpe.codes",
)
WITHOUT_VOCABULARY = ("CanineTokenizer", "ByT5Tokenizer")  # tokenizers that need no file but their settings
POINTER = b"version https://git-lfs"  # what Git LFS leaves in place of a large file
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

    That is config.json, whole model.safetensors (or its index and the files it names) and a tokenizer. Weights in pickled
    files are refused.
    """
    folder = Path(folder)
    for path in sorted(folder.iterdir()):
        if path.is_file() and _begins(path, POINTER):
            raise InputError(f"{path}: a pointer of Git LFS, not the file itself: fetch it (git lfs pull)")
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
    for path in _shards(folder):
        _check_weights(path)
    if not any((folder / name).is_file() for name in TOKENIZERS) and not _needs_no_vocabulary(folder):
        raise InputError(f"{folder}: no tokenizer; save it there too (tokenizer.json)")


def _begins(path, content):
    try:
        with open(path, "rb") as file:
            return file.read(len(content)) == content
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _shards(folder):
    """The files with a folder's weights."""
    if (folder / WEIGHTS[0]).is_file():
        return [folder / WEIGHTS[0]]
    index = folder / WEIGHTS[1]
    try:
        names = sorted(set(_read(index)["weight_map"].values()))
        return [folder / name for name in names]
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{index}: not an index of weights (no weight_map from tensors to files)") from None


def _check_weights(path):
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np"):
            pass
    except (OSError, SafetensorError) as error:
        if not path.is_file():
            raise InputError(f"{path}: is missing, though the index of weights names it") from None
        raise InputError(f"{path}: cut or broken weights ({_one_line(error)}); copy the file again") from None


def _needs_no_vocabulary(folder):
    """Whether a folder's settings name a tokenizer of bytes or characters, which has no vocabulary."""
    settings = folder / "tokenizer_config.json"
    if not settings.is_file():
        return False
    named = _read(settings).get("tokenizer_class")
    return named in WITHOUT_VOCABULARY or (
        named is None and _read(folder / "config.json").get("model_type") == "canine"
    )


def _read(path):
    """A JSON file that holds an object; InputError for any other."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
        error = "not an object"
    except (OSError, ValueError, RecursionError) as broken:
        error = broken
    raise InputError(f"{path}: not a configuration ({_one_line(error)})")


def _one_line(error):
    """The first sentences of an error, as one line."""
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else text[:200].rsplit(" ", 1)[0] + " ..."


def kind_of_folder(folder):
    """The kind of model that a folder's config.json describes."""
    return _kind(Path(folder) / "config.json")


def kind_of_hub(source, revision):
    """The same of a hub repository; InputError if its config.json cannot be had."""
    with hub_errors(source, revision):
        from huggingface_hub import hf_hub_download  # which looks at HF_ENDPOINT at once

        return _kind(hf_hub_download(source, "config.json", revision=revision))


def _kind(path):
    found = _read(Path(path))
    kind, names = found.get("model_type"), found.get("architectures")
    if kind in TRANSLATORS:
        return "translator"
    names = names if isinstance(names, list) else ()
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
    """Context in which a failure to get or to load a model's files, from the hub or a folder, becomes one InputError line."""

    def __init__(self, source, revision):
        self.source, self.revision = source, revision

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or isinstance(error, (InputError, MemoryError)) or not isinstance(error, Exception):
            return False
        local = Path(self.source).is_dir()
        where = f"model {self.source!r}" + ("" if local else f" at revision {self.revision!r}")
        text = str(error)
        if "safetensors" in text and not local:
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
        if "protobuf" in text or "tiktoken" in text:
            raise InputError(
                f"{where}: its tokenizer is a SentencePiece file, which is read with the library protobuf: install it, "
                "or take a folder with tokenizer.json"
            ) from None
        if "does not recognize this architecture" in text or "Unrecognized model" in text:
            raise InputError(
                f"{where}: transformers {metadata.version('transformers')} does not know its model_type; "
                "choose another model, or a newer transformers"
            ) from None
        if not local and isinstance(error, OSError) or "offline" in text.lower() or "OfflineMode" in kind.__name__:
            raise InputError(
                f"{where}: its files are not in the cache and the hub cannot be reached; "
                "go online once (unset HF_HUB_OFFLINE), or give a local folder"
            ) from None
        if kind.__module__.partition(".")[0] in ASKING or "SOCKS" in text or "URL" in text:
            raise InputError(
                f"{where}: the hub cannot be asked ({kind.__name__}: {' '.join(text.split())[:150]}); "
                "check HF_ENDPOINT and the proxy that the environment names"
            ) from None
        if local:  # whose files nobody has checked; what fails with those of the hub is a fault of the program
            raise InputError(f"{where}: cannot be loaded ({_one_line(text) or kind.__name__})") from None
        return False
