"""Facts of the machine and of what is installed, for a run's record; they are no part of its identity."""

import os
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from dbutils.models.records import PRETRAINED
from dbutils.paths import ROOT


def machine():
    """Facts of the machine and of everything installed that a run may depend on, for the record only."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": _cores(),
        "memory_gib": _memory(),
        "accelerators": _accelerators(),
        "python": platform.python_version(),
        "libraries": _installed(),
        "commit": commit(),
    }


def threads(model):
    """How many threads torch computes with for a model (a ModelRecord), None for one that needs no torch.

    Sums are rounded in another order with another number, so a training on two threads ends with other weights than
    one on one thread. Models made on the spot always take one.
    """
    torch = sys.modules.get("torch")
    if model.kind not in PRETRAINED or torch is None:
        return None
    return torch.get_num_threads() if model.source else 1


def _installed():
    names = (
        "numpy",
        "scipy",
        "pandas",
        "pyarrow",
        "scikit-learn",
        "torch",
        "transformers",
        "tokenizers",
        "safetensors",
        "sentencepiece",
        "sacrebleu",
    )
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _processor():
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return platform.processor()
    match = re.search(r"model name\s*:\s*(.+)", text)
    return match[1].strip() if match else platform.machine()


def _memory():
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def _accelerators():
    torch = sys.modules.get("torch")  # only where the model has loaded it
    if torch is None or not torch.cuda.is_available():
        return []
    return [torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]


def commit(root=ROOT):
    """The commit of the project's own checkout, "" if it is none: an outer repository's says nothing of the code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(root), "rev-parse", "--show-toplevel", "HEAD"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True, env=environment)
        top, commit = said.stdout.splitlines()
        return commit if os.path.samefile(top, root) else ""
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
