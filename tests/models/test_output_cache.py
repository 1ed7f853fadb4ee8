"""Outputs on disk: what was put is found again, also after a kill in the middle of a line."""

import os
import signal
import subprocess
import sys

import pytest

from dbutils.models.output_cache import OutputCache, key

ODD = 'a "quoted"\nline\ttab \u2028 é 漢字 \ud83d'  # with a lone surrogate, which UTF-8 cannot hold


def test_keys_depend_on_every_part_and_on_its_kind():
    assert key("a", "b") != key("ab") != key("a", "b", 1) != key("a", "b", "1")
    assert key("x", 1) == key("x", 1)


def test_what_was_put_is_found_again(tmp_path):
    path = tmp_path / "memory.jsonl"
    OutputCache(path).put({"1": ODD, "2": ""})
    again = OutputCache(path)
    again.put({"3": "three"})
    assert [OutputCache(path).get(name) for name in ("1", "2", "3", "4")] == [ODD, "", "three", None]
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("tail", [b'["2", "tw', b'{"2": "two"}\n', b"\xff\xfe\n", b'["2", 2]\n', b"\0\0\0\0", b"[]\n"])
def test_a_torn_or_damaged_line_is_passed_over_and_what_follows_is_kept(tmp_path, tail):
    path = tmp_path / "memory.jsonl"
    OutputCache(path).put({"1": "one"})
    with open(path, "ab") as file:
        file.write(tail)
    torn = OutputCache(path)
    assert (torn.get("1"), torn.get("2"), len(torn)) == ("one", None, 1)
    torn.put({"3": "three"})
    assert OutputCache(path).get("3") == "three"


def test_without_a_path_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = OutputCache()
    memory.put({"1": "one"})
    assert memory.get("1") == "one"
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_leaves_all_that_it_said_was_stored(tmp_path):
    path = tmp_path / "memory.jsonl"
    program = (
        "import sys\n"
        "from dbutils.models.output_cache import OutputCache\n"
        "memory = OutputCache(sys.argv[1])\n"
        "for n in range(10**9):\n"
        "    memory.put({str(n): 'x' * 5000})\n"
        "    print(n, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    said = [int(child.stdout.readline()) for _ in range(20)]
    os.kill(child.pid, signal.SIGKILL)
    said += [int(line) for line in child.stdout.read().split()]
    child.wait()
    found = OutputCache(path)
    assert all(found.get(str(n)) == "x" * 5000 for n in said)
    assert len(found) <= len(said) + 1
