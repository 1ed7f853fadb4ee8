import hashlib
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from dbutils import paths
from dbutils.corpora import catalogue, download, get, received, records, verify
from dbutils.errors import InputError

RECORD = """
[[corpus]]
id = "{id}"
name = "A toy"
tasks = ["tc"]
homepage = "https://example.org"
revision = "1"
{how}
licence = "CC BY-NC 4.0"
terms = "non-commercial"
redistributable = false
citation = ["toy2020"]

[corpus.splits]
test = "all"

[corpus.codes]
tc = ["a"]

[corpus.labels]
tc = ["x"]
"""


@pytest.fixture
def toy(tmp_path, root, server, monkeypatch):
    """A catalogue of our own on a local server; toy(id, how, files) adds a corpus."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "corpora.toml").write_text("")
    header = "corpus,path,code,split,bytes,sha256,address\n"
    (data / "corpora_files.csv").write_text(header)
    (data / "corpora_places.csv").write_text("corpus,code,paper_code,path,note\n")
    monkeypatch.setattr(paths, "DATA", data)
    monkeypatch.setenv("DBUTILS_DATA", str(data))

    def add(id, how, files=()):
        with open(data / "corpora.toml", "a") as file:
            file.write(RECORD.format(id=id, how=how))
        with open(data / "corpora_files.csv", "a") as file:
            for path, content, known in files:
                digest = hashlib.sha256(content).hexdigest() if known else ""
                file.write(f"{id},{path},,,{len(content) if known else ''},{digest},\n")
        catalogue.load.cache_clear()
        records.load.cache_clear()
        return root / id

    yield add
    catalogue.load.cache_clear()
    records.load.cache_clear()


def contents(number, size=60_000):
    return {f"part {i}/ñ{i}.txt": random.Random(i).randbytes(size) for i in range(number)}


def singles(toy, server, number=3, known=True, size=60_000):
    made = contents(number, size)
    for path, content in made.items():
        import urllib.parse

        server.files["/f/" + urllib.parse.quote(path)] = content
    folder = toy("toy", f'address = "{server.address("f/")}{{path}}"', [(p, c, known) for p, c in made.items()])
    return folder, made


def quiet(text):
    pass


def on_disk(folder):
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and not p.name.startswith(".")
    }


def test_missing_files_are_fetched_and_what_is_there_is_not(toy, server):
    folder, made = singles(toy, server)
    said = []
    assert get.get("toy", say=said.append) == 3
    assert on_disk(folder) == made
    assert said[0] == "A toy: licence CC BY-NC 4.0; non-commercial use only"
    hits = sum(server.hits.values())
    assert get.get("toy", say=quiet) == 0 and sum(server.hits.values()) == hits


def test_files_laid_there_by_hand_are_used_as_they_are(toy, server):
    folder, made = singles(toy, server)
    for path, content in made.items():
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_bytes(content)
    assert get.get("toy", say=quiet) == 0 and not server.hits


def test_a_file_that_differs_is_kept_aside_and_fetched(toy, server):
    folder, made = singles(toy, server)
    get.get("toy", say=quiet)
    path = folder / "part 1/ñ1.txt"
    path.write_bytes(b"mine")
    said = []
    assert get.get("toy", say=said.append) == 1
    assert path.read_bytes() == made["part 1/ñ1.txt"] and path.with_name("ñ1.txt.old").read_bytes() == b"mine"
    assert any("differs from its record" in text for text in said)


def test_one_refused_file_does_not_hold_up_the_others_and_is_named(toy, server):
    folder, made = singles(toy, server)
    del server.files["/f/part%200/%C3%B10.txt"]
    with pytest.raises(InputError, match="part%200/%C3%B10.txt: the server answered 404"):
        get.get("toy", say=quiet)
    assert len(on_disk(folder)) == 2
    assert [f.status for f in verify.files("toy")] == ["missing", "verified", "verified"]


def test_an_unreachable_server_is_tried_for_one_file_only(toy):
    tried = []

    def unreachable(address, *rest):
        tried.append(address)
        raise download.Unreachable(f"{address}: no route")

    made = contents(3)
    toy("toy", 'address = "http://127.0.0.1:9/{path}"', [(p, c, True) for p, c in made.items()])
    with pytest.raises(InputError, match="no route"):
        get.get("toy", say=quiet, fetch=unreachable)
    assert len(tried) == 1


def test_files_without_recorded_checksum_are_noted_as_received(toy, server):
    folder, made = singles(toy, server, known=False)
    get.get("toy", say=quiet)
    assert {f.status for f in verify.files("toy")} == {"as received"}
    path = folder / "part 2/ñ2.txt"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert [f.status for f in verify.files("toy")].count("differs") == 1
    assert set(received.read("toy")) == set(made)


def test_an_archive_is_unpacked_to_the_recorded_files(toy, server, tar_gz):
    made = contents(3)
    server.files["/a.tar.gz"] = tar_gz({f"repo-1/{p}": c for p, c in made.items()} | {"repo-1/README": b"no"})
    folder = toy("toy", f'archive = "{server.address("a.tar.gz")}"', [(p, c, True) for p, c in made.items()])
    assert get.get("toy", say=quiet) == 3
    assert on_disk(folder) == made and not (folder / ".archive/a.tar.gz").exists()
    assert get.get("toy", say=quiet) == 0 and server.hits["/a.tar.gz"] == 1


def test_an_archive_with_other_content_is_refused(toy, server, tar_gz):
    made = contents(2)
    wrong = dict.fromkeys(made, b"x" * 60_000)
    server.files["/a.tar.gz"] = tar_gz(wrong)
    toy("toy", f'archive = "{server.address("a.tar.gz")}"', [(p, c, True) for p, c in made.items()])
    with pytest.raises(InputError, match="is not the recorded file: sha256"):
        get.get("toy", say=quiet)
    assert {f.status for f in verify.files("toy")} == {"differs"}


def test_an_archive_that_lacks_a_file_is_refused(toy, server, tar_gz):
    made = contents(2)
    server.files["/a.tar.gz"] = tar_gz({"part 0/ñ0.txt": made["part 0/ñ0.txt"]})
    toy("toy", f'archive = "{server.address("a.tar.gz")}"', [(p, c, True) for p, c in made.items()])
    with pytest.raises(InputError, match="holds no 'part 1/ñ1.txt'"):
        get.get("toy", say=quiet)


def test_an_archive_of_unlisted_files_is_complete_only_when_all_of_it_is_noted(toy, server, tar_gz):
    made = contents(3)
    server.files["/a.tar.gz"] = tar_gz(made)
    folder = toy("toy", f'archive = "{server.address("a.tar.gz")}"')
    assert get.get("toy", say=quiet) == 3 and get.get("toy", say=quiet) == 0
    (folder / "part 0/ñ0.txt").unlink()
    assert get.get("toy", say=quiet) == 3
    assert {f.status for f in verify.files("toy")} == {"as received"}


def test_what_cannot_be_fetched_says_how_to_get_it(toy, root):
    toy("toy", 'by_hand = "ask the makers at https://example.org"', [("x.txt", b"x", True)])
    with pytest.raises(InputError, match="cannot be fetched: ask the makers at https://example.org; put it into"):
        get.get("toy", say=quiet)
    (root / "toy").mkdir(exist_ok=True)
    (root / "toy/x.txt").write_bytes(b"x")
    assert get.get("toy", say=quiet) == 0


def command(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "dbutils", *words],
        cwd=paths.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("form", ["single files", "archive"])
def test_killed_at_random_moments_and_run_again_it_ends_complete_and_verified(toy, server, tar_gz, form):
    if form == "archive":
        made = contents(4, 300_000)
        server.files["/a.tar.gz"] = tar_gz({f"r/{p}": c for p, c in made.items()})
        folder = toy("toy", f'archive = "{server.address("a.tar.gz")}"', [(p, c, True) for p, c in made.items()])
    else:
        folder, made = singles(toy, server, number=8, size=150_000)
    server.delay = 0.01
    draw = random.Random(3)
    killed = 0
    for _ in range(4):
        process = command("corpora", "get", "toy")
        deadline = time.monotonic() + 20
        begun = sum(server.hits.values())
        while sum(server.hits.values()) == begun and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.4))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()
        for path, content in on_disk(folder).items():
            assert content == made[path], f"{path} looks complete and is not"
    server.delay = 0
    process = command("corpora", "get", "toy")
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert on_disk(folder) == made
    assert {f.status for f in verify.files("toy")} == {"verified"}
    assert killed >= 2


def test_two_processes_getting_the_same_corpus_fetch_each_file_once(toy, server):
    folder, made = singles(toy, server, number=4, size=100_000)
    server.delay = 0.02
    both = [command("corpora", "get", "toy") for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert on_disk(folder) == made
    assert set(server.hits.values()) == {1}
    assert "waiting for another process that gets toy" in "".join(outputs)
