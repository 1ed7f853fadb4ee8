"""Convert the pickled weights of a downloaded model folder to model.safetensors.

    python tools/to_safetensors.py FOLDER

Reads FOLDER/pytorch_model.bin (or the parts that its index names) with torch's restricted unpickler, which takes
tensors and nothing that could run code, and writes FOLDER/model.safetensors beside it.
"""

import argparse
import json
import sys
from pathlib import Path

INDEX = "pytorch_model.bin.index.json"


def parts(folder):
    """The pickled files of a folder, in order; SystemExit if there are none."""
    index = folder / INDEX
    if index.is_file():
        return [folder / name for name in dict.fromkeys(json.loads(index.read_text("utf-8"))["weight_map"].values())]
    if (folder / "pytorch_model.bin").is_file():
        return [folder / "pytorch_model.bin"]
    raise SystemExit(f"{folder}: no pytorch_model.bin")


def convert(folder):
    """Write model.safetensors; returns its path. Tensors that share memory are written once, under their first name."""
    import torch
    from safetensors.torch import save_file

    tensors, seen = {}, {}
    for path in parts(folder):
        for name, value in torch.load(path, map_location="cpu", weights_only=True).items():
            place = value.data_ptr(), value.shape, value.stride()
            if value.numel() and seen.setdefault(place, name) != name:
                continue
            tensors[name] = value.contiguous()
    target = folder / "model.safetensors"
    temporary = folder / ".model.safetensors"
    save_file(tensors, temporary, {"format": "pt"})
    temporary.replace(target)
    return target


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    print(convert(parser.parse_args(argv).folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
