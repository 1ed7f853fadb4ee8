"""What determines a run's result, as one dict, and the name that follows from it.

Not in it, as they change nothing or are recorded beside it: which varieties are tested, the folder of the
runs, the machine, the time, how progress is shown.
"""

import ast
import functools
import hashlib
import json
import platform
import re
import tomllib
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from dbutils.models import parallel
from dbutils.tasks import TASKS

# What turns examples into predictions and numbers. Readers are not among it: the data they yield are
# named by their sha256.
CODE = ("metrics", "models", "tasks", "experiments/learn.py", "experiments/scoring.py", "experiments/predictions.py")
NEURAL = ("torch", "transformers", "tokenizers", "safetensors")
# of a kind of model, besides numpy; none for those that are not here
LIBRARIES = {"ngram": ("scikit-learn", "scipy"), "encoder": NEURAL, "causal": NEURAL, "translator": NEURAL}


def identity(training, model, data, hyper, seed, dev=()):
    """The identity of a run as a dict of plain values.

    training: a Training. model: its `models.identity`. data: the Data it reads. hyper: a frozen dataclass.
    dev: the parts that the training looks at besides its own.
    """
    found = {
        "task": training.task,
        "profile": training.profile,
        "setting": training.setting,
        "model": model,
        "train": {
            "name": training.name,
            "kind": training.kind,
            "parts": [{**asdict(part), **data.named(part)} for part in training.parts],
            "dev": [{**asdict(part), **data.named(part)} for part in dev],
        },
        "labels": list(training.labels),
        "hyper": asdict(hyper),
        "seed": seed,
        "limit": data.limit,
        "code": code_revision(),
        "versions": versions(model["kind"]),
    }
    signatures = TASKS[training.task].signatures()
    found |= {"signatures": signatures} if signatures else {}
    return found | ({"processes": parallel.size()} if parallel.size() > 1 else {})  # each draws its own dropout


def canonical(value):
    """A dict as JSON text that depends on its content only."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def run_name(found, model):
    """The name of the run of an identity: a readable prefix and a hash of everything in it.

    model: the model's name in score rows.
    """
    train, limit = found["train"], found["limit"]
    words = [found["task"], model, found["setting"], train["name"]]
    words.append("sandbox" if found["profile"] == "sandbox" else train["kind"])
    words += [f"s{found['seed']}"] + ([f"n{limit}"] if limit else [])
    prefix = "-".join(re.sub(r"[^\w.+-]", "_", str(word), flags=re.ASCII)[:40] for word in words)
    return f"{prefix}-{hashlib.sha256(canonical(found).encode('ascii')).hexdigest()[:10]}"


def versions(kind):
    """{library: version} of what computes the results of a kind of model; Python with its minor version."""
    found = {name: metadata.version(name) for name in ("numpy", *LIBRARIES.get(kind, ()))}
    return {"python": ".".join(platform.python_version_tuple()[:2]), **found}


@functools.cache
def code_revision():
    """sha256 over the code that makes results (CODE) and the prompts, as hex; comments and docstrings do not count."""
    root, total = Path(__file__).resolve().parent.parent, hashlib.sha256()
    paths = (
        path
        for name in CODE
        for path in ([root / name] if name.endswith(".py") else (root / name).rglob("*.*"))
        if path.suffix in MEANING
    )
    for path in sorted(paths):
        said = MEANING[path.suffix](path.read_text("utf-8"))
        total.update(path.relative_to(root).as_posix().encode() + b"\0" + said.encode() + b"\0")
    return total.hexdigest()


def meaning(source):
    """Python source as the text of its syntax tree without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = body[1:]
    return ast.dump(tree)


MEANING = {
    ".py": meaning,
    ".toml": lambda text: json.dumps(tomllib.loads(text), sort_keys=True),
}  # what counts of a file
