"""Closed pipes, closed and narrow standard streams, interruptions: the work goes on, and the status tells the truth."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbutils import cli, paths

DBUTILS = f"{sys.executable} -m dbutils"
RUN = "run tc --model majority --setting zero_shot --limit 5"


def shell(command, folder, **environment):
    """A line for bash, in a folder of its own."""
    known = {**os.environ, "PYTHONPATH": str(paths.ROOT)}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**known, **environment}, capture_output=True, text=True, timeout=120
    )


def finished(folder):
    from dbutils.experiments import store

    return [len(store.read_manifest(found)["tests"]) for found in store.all_runs(folder / "r")]


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_run_goes_on_when_nobody_reads_its_messages(reader, tmp_path):
    done = shell(f"{DBUTILS} {RUN} --runs r 2>&1 | {reader}; echo status ${{PIPESTATUS[0]}}", tmp_path)
    assert "status 0" in done.stdout and finished(tmp_path) == [17]


def test_a_run_goes_on_when_its_messages_were_closed_from_the_start(tmp_path):
    done = shell(f"{DBUTILS} {RUN} --runs r 2>&- >rows.csv; echo status $?", tmp_path)
    assert done.stdout == "status 0\n" and finished(tmp_path) == [17]
    with open(tmp_path / "rows.csv", encoding="utf-8") as file:
        assert {row["task"] for row in csv.DictReader(file)} == {"tc"}


def test_a_full_disk_for_messages_stops_no_run(tmp_path):
    done = shell(f"{DBUTILS} {RUN} --runs r 2>/dev/full >rows.csv; echo status $?", tmp_path)
    assert done.stdout == "status 0\n" and finished(tmp_path) == [17]


def test_a_file_is_written_though_nobody_reads_the_messages(tmp_path):
    done = shell(f"{DBUTILS} figure 9a -o x.svg 2>&1 | true; echo ${{PIPESTATUS[0]}}", tmp_path)
    assert done.stdout == "0\n" and (tmp_path / "x.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("command", ["table 8", "varieties", "figure 9a"])
def test_results_that_nobody_reads_any_more_end_quietly(command, tmp_path):
    done = shell(f"{DBUTILS} {command} | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_closed_standard_output_is_told(tmp_path):
    done = shell(f"{DBUTILS} table 4 >&-", tmp_path)
    assert (
        done.returncode == 2
        and done.stderr.startswith("dbutils: standard output is closed")
        and done.stderr.count("\n") == 1
    )
    assert shell(f"{DBUTILS} figure 9a -o x.svg >&-", tmp_path).returncode == 0


def test_a_pipe_as_output_whose_reader_goes_is_no_success(tmp_path, monkeypatch, capsys):
    import threading

    from dbutils.csvio import write_bytes

    os.mkfifo(tmp_path / "pipe")
    reader = threading.Thread(target=lambda: open(tmp_path / "pipe", "rb").close())
    reader.start()
    monkeypatch.setattr("dbutils.cli.corpora.run_list", lambda _: write_bytes(tmp_path / "pipe", bytes(1 << 22)))
    assert cli.main(["corpora", "list"]) == 2
    assert capsys.readouterr().err == "dbutils: the other end of a pipe was closed before all was written\n"
    reader.join(10)


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "POSIX"}]
)
def test_what_is_piped_is_utf_8_whatever_the_locale(locale, tmp_path):
    done = shell(f"{DBUTILS} corpora info codet --format json > c.json", tmp_path, **locale)
    assert done.returncode == 0 and "Sil\u00eaman\u00ee" in (tmp_path / "c.json").read_bytes().decode("utf-8")


def test_an_encoding_that_lacks_a_sign_is_one_line(tmp_path):
    done = shell(f"{DBUTILS} corpora info codet --format json", tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 2 and done.stderr.startswith("dbutils: standard output takes only ascii")
    assert done.stderr.count("\n") == 1


def test_an_interruption_says_whether_the_same_command_goes_on(monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    for words, says in [
        (["corpora", "get", "sib-200"], "dbutils: interrupted: what is finished is kept, and the same command goes on"),
        (["corpora", "list"], "dbutils: interrupted\n"),
    ]:
        monkeypatch.setattr(f"dbutils.cli.corpora.run_{words[1]}", stopped)
        assert cli.main(words) == 130
        assert capsys.readouterr().err.startswith(says)


def test_an_error_of_the_system_is_one_line_with_the_file(monkeypatch, capsys):
    def failing(*_):
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr("dbutils.cli.corpora.run_list", failing)
    assert cli.main(["corpora", "list"]) == 2
    assert capsys.readouterr().err == "dbutils: /some/file: Permission denied\n"


def test_no_home_is_one_line(tmp_path):
    code = (
        "import os, sys, pwd; from dbutils import cli; cli.parser(); import dbutils.corpora.catalogue, platformdirs;"
        "os.environ.pop('HOME', None); os.environ.pop('DBUTILS_CORPORA', None); os.environ.pop('XDG_CACHE_HOME', None);"
        "pwd.getpwuid = lambda uid: (_ for _ in ()).throw(KeyError(uid)); sys.exit(cli.main(['corpora', 'list']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 2 and "set DBUTILS_CORPORA" in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert list(Path(tmp_path).iterdir()) == []


def test_lines_of_progress_where_there_is_no_terminal(capsys, monkeypatch):
    from dbutils.models import progress

    times = iter([0, 10, 40, 50, 75, 90, 100])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(times))
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    bar = progress.Bar()
    for done in (1, 4, 5, 8, 9, 10):
        bar(done, 10, "training")
    assert capsys.readouterr().err == (
        "training: 4 of 10 after 40 s, about 60 s to go\ntraining: 8 of 10 after 75 s, about 19 s to go\n"
    )
