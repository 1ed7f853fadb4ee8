"""Finished outputs of a slow model on disk, so that a killed run loses at most one batch."""

import contextlib
import hashlib
import json
import os
from pathlib import Path


def key(*parts):
    """The key of an output: a checksum of all that determines it, given as texts and numbers."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode("ascii")).hexdigest()[:32]


class OutputCache:
    """An append-only file of outputs, one JSON list [key, text] a line; later lines win.

    path: None keeps everything in memory only. A line that is damaged, as the last one after a kill may be, is passed over.
    """

    def __init__(self, path=None):
        self.path, self._found = None if path is None else Path(path), {}
        self._torn = False
        if self.path is not None and self.path.is_file():
            content = self.path.read_bytes()
            self._torn = bool(content) and not content.endswith(b"\n")
            for line in content.split(b"\n"):
                with contextlib.suppress(ValueError, TypeError):
                    name, text = json.loads(line)
                    if isinstance(name, str) and isinstance(text, str):
                        self._found[name] = text

    def __len__(self):
        return len(self._found)

    def get(self, name):
        """The text stored under a key, or None."""
        return self._found.get(name)

    def put(self, batch):
        """Store {key: text}; it is on disk when this returns."""
        self._found.update(batch)
        if self.path is None or not batch:
            return
        lines = "".join(json.dumps([name, text]) + "\n" for name, text in batch.items())
        with open(self.path, "ab") as file:
            file.write(("\n" if self._torn else "").encode() + lines.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        self._torn = False
