"""Checkpoints of a training: whole or not at all, without pickle, from which it goes on exactly."""

import json
import os
from pathlib import Path

from dbutils.errors import InputError

NAME = "checkpoint.safetensors"


def write(folder, tensors, facts, name=NAME):
    """Write named tensors and facts (a JSON value) into a folder as a file of that name, also if the power fails."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{name}.{os.getpid()}"
    try:
        save_file({k: v.detach().contiguous() for k, v in tensors.items()}, temporary, {"facts": json.dumps(facts)})
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, folder / name)
    except (OSError, SafetensorError) as error:
        raise InputError(f"{folder / name}: cannot be written ({error}); is the disk full?") from None
    finally:
        temporary.unlink(missing_ok=True)


def read(folder, name=NAME):
    """(tensors, facts) of the file that `write` made, or None if there is none; InputError for a broken one."""
    from safetensors import SafetensorError, safe_open

    path = Path(folder) / name
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()["facts"])  # noqa: SIM118  (not iterable itself)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: is broken ({error}); remove it to start anew") from None


def remove(folder):
    """Remove a folder's checkpoint, if there is one."""
    (Path(folder) / NAME).unlink(missing_ok=True)
