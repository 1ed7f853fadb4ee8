"""A corpora folder of our own: small invented files in the true formats, each named after its trap."""

import gzip
import io
import shutil
import tarfile
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "files"


@pytest.fixture
def trap():
    """The path of a trap file by its name."""
    return lambda name: FILES / name


@pytest.fixture
def root(tmp_path, monkeypatch):
    """An empty corpora folder that DBUTILS_CORPORA points to."""
    folder = tmp_path / "corpora"
    folder.mkdir()
    monkeypatch.setenv("DBUTILS_CORPORA", str(folder))
    return folder


@pytest.fixture
def place(root):
    """place(trap name, "corpus/path"): lay a trap file where the corpus has its file."""

    def put(name, path):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FILES / name, target)
        return target

    return put


@pytest.fixture
def write(root):
    """write("corpus/path", text or bytes): write a file of a corpus."""

    def put(path, content):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return target

    return put


@pytest.fixture
def tar_gz():
    """tar_gz({member: bytes}): the bytes of a .tar.gz archive."""

    def make(members):
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as archive:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        return gzip.compress(raw.getvalue(), mtime=0)

    return make


@pytest.fixture
def server():
    """A local HTTP server that can misbehave (hostile.py)."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("hostile", Path(__file__).with_name("hostile.py"))
    hostile = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hostile)
    running = hostile.Server()
    running.content = hostile.CONTENT
    yield running
    running.close()
