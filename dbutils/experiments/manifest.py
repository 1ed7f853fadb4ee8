"""What manifest.json of a run must hold for those that read it; whatever else stands there stays as it is.

Imported only where a manifest is read, as pydantic is.
"""

from typing import Literal, NotRequired

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

FORMS = (1, 2)  # of manifests that can be read; the last is written

_open = with_config(ConfigDict(extra="allow", strict=True))


@_open
class Row(TypedDict):
    code: str
    split: str
    metric: str
    value: float
    low: float | None
    high: float | None


@_open
class Part(TypedDict):
    corpus: str
    code: str
    split: str
    examples: int
    sha256: str


@_open
class Train(TypedDict):
    name: str
    kind: str
    parts: list[Part]
    dev: list[Part]


@_open
class Identity(TypedDict):
    task: str
    profile: str
    setting: str
    model: dict
    train: Train
    labels: list[str]
    hyper: dict
    seed: int
    limit: int
    versions: dict


@_open
class Session(TypedDict):
    started: NotRequired[str]


@_open
class Fit(TypedDict):
    started: str
    seconds: float
    notes: dict


@_open
class Test(TypedDict):
    corpus: str
    code: str
    split: str
    read: str
    cluster: str
    variety: str
    examples: int
    sha256: str
    file: str
    file_sha256: str
    file_sha256_next: NotRequired[str]
    key: NotRequired[str]  # of the predictions; not in form 1
    signatures: NotRequired[dict[str, str]]  # {metric: how it was computed}; not in form 1 until it is rescored
    unit: NotRequired[str]  # what its intervals draw; without it lines and examples
    rows: list[Row]


@_open
class Manifest(TypedDict):
    form: Literal[FORMS]
    run: str
    model: str
    command: str
    identity: Identity
    sessions: list[Session]
    fit: Fit | None
    model_files: dict[str, str] | None
    tests: dict[str, Test]


FORM = TypeAdapter(Manifest)
