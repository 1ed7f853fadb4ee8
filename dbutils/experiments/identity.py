"""What makes a run: three keys, of which the first two follow from one dict.

The **fit** key says what shapes the model: data, model files, hyperparameters, seed, and the code that this learner
reaches when it learns. The **predictions** key adds what shapes the outputs: the tested data, and the hyperparameters
and code of prediction. A metric has a **signature** (`signatures`): what it is and which code computes it. The name of
a run follows from the dict, so from the fit and the hyperparameters of prediction: a change of prediction code makes new
predictions in the same folder, one of a metric makes new scores from the same predictions, and no other change does anything.

Not in it, as they change nothing or are recorded beside it: which varieties are tested, the folder of the
runs, the machine and its threads, the time, how progress is shown.
"""

import hashlib
import json
import platform
import re
from dataclasses import asdict
from importlib import metadata
from types import SimpleNamespace

from dbutils import models, tasks
from dbutils.experiments import code
from dbutils.metrics import intervals
from dbutils.metrics.labels import of_label
from dbutils.models import parallel
from dbutils.tasks import TASKS, learners
from dbutils.tasks.heads import head_class

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
        "code": fitting_code(training.task, model["kind"], hyper),
        "versions": versions(model["kind"]),
    }
    return found | ({"processes": parallel.size()} if parallel.size() > 1 else {})  # each draws its own dropout


def identified(training, model, hyper, seed, data):
    """(identity, name) of a run. model: a ModelRecord. hyper: of `tasks.hyper`. data: the Data it reads."""
    found = identity(training, models.identity(model), data, hyper, seed, training.dev if selects(hyper) else ())
    return found, run_name(found, model.name)


def selects(hyper):
    """Whether training looks at dev data."""
    return getattr(hyper, "selection", "last") != "last"


def fitting_code(task, kind, hyper):
    """sha256 of the code that a learner reaches when it learns; of the metrics too where one selects the model."""
    metric = selecting_metric(hyper)
    return code.digest(_roots(task, kind, frequent=True, metrics=metric), task, kind, predicts=metric)


def predicting_code(task, kind):
    """sha256 of the code that a learner reaches when it predicts, and of the form in which predictions are kept."""
    return code.digest(_roots(task, kind, frequent=False, metrics=False), task, kind)


def selecting_metric(hyper):
    """Whether the kept state of a model is what a metric says of predictions on dev data."""
    return getattr(hyper, "selection", "last") not in ("last", "loss")


def _roots(task, kind, frequent, metrics):
    record = TASKS[task]
    used = [learners.learner_class(task, kind)]
    if kind == "majority":
        used.append(record.frequent if frequent else record.repeat)
    if kind == "encoder":
        used.append(head_class(record))
    if not frequent:
        used += [record.to_json, record.gold, record.group]
    if metrics:
        used.append(record.metrics)
    return tuple(code.of(one) for one in used)


def fit_key(found):
    """What shapes the model of an identity, as a short sha256: all but the hyperparameters of prediction alone."""
    hyper = found["hyper"]
    if not selecting_metric(SimpleNamespace(**hyper)):
        hyper = {name: value for name, value in hyper.items() if name not in tasks.PREDICTING}
    return _short(found | {"hyper": hyper})


def predictions_key(found, named):
    """What shapes the predictions on data of these names ({examples, sha256}) under an identity, as a short sha256."""
    made = predicting_code(found["task"], found["model"]["kind"])
    return _short({"fit": fit_key(found), "hyper": found["hyper"], "code": made, "data": named["sha256"]})


def signatures(task, labels=()):
    """{metric: its signature} of a task, in sacrebleu's manner: name, options, version.

    The version is a checksum of the code that computes the metric, or its interval (`interval`): two scores with one
    signature were computed in one way.
    """
    record, out = TASKS[task], {}
    metrics, others = record.metrics(tuple(labels) or ("x",)), record.metrics(("x", "y", "z"))
    roots = code.parts(record.metrics)
    if len(roots) != len(metrics):
        roots = [(code.of(record.metrics),)] * len(metrics)
    drawn = code.digest((code.of(intervals.interval), code.of(of_label)), task)[:8]
    given = record.signatures()
    for metric, other, root in zip(metrics, others, roots, strict=True):
        options = [*([given[metric.name]] if metric.name in given else [])]
        options += [f"labels:{len(labels)}"] if metric is not other else []
        out[metric.name] = "|".join([metric.name, *options, f"code:{code.digest(root, task)[:8]}", f"interval:{drawn}"])
    return out


def _short(value):
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()[:16]


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
    return f"{prefix}-{_short(found)[:10]}"


def versions(kind):
    """{library: version} of what computes the results of a kind of model; Python with its minor version."""
    found = {name: metadata.version(name) for name in ("numpy", *LIBRARIES.get(kind, ()))}
    return {"python": ".".join(platform.python_version_tuple()[:2]), **found}
