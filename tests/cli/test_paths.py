"""Every path that any command takes, and every bad thing that a path can be: one line before any work, status 2.

The commands and options are read off the parser, so that the next command is covered too.
"""

import argparse
import os
import stat
import subprocess
import sys
import threading
import unicodedata
from pathlib import Path

import pytest

from dbutils import cli, paths
from dbutils.cli import files
from dbutils.csvio import write_text
from dbutils.errors import InputError, unknown

PATH_LIKE = {"FILE", "DIR", "PATH", "SOURCE", "RUN", "BUNDLE|RUN"}  # metavars of paths; and by name:
NAMES = {"output", "log", "runs", "scores", "predictions", "html", "folder", "file", "path", "model"}
# where a model is a name in score rows or manifests, not something to load
MODEL_IN_ROWS = {"table", "figure", "gap", "utility", "audit", "score", "runs list", "runs export", "rescore"}
NO_PATH = {"of_run"}


def commands(parser=None, words=()):
    """(words, parser) of every command."""
    parser = parser or cli.parser()
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield words, parser
    for action in inner:
        for name, one in action.choices.items():
            yield from commands(one, (*words, name))


def arguments():
    """(words, parser, action) of every argument of every command."""
    for words, parser in commands():
        for action in parser._actions:
            yield words, parser, action


def of_kind(action):
    return isinstance(action.type, files.Kind)


def test_every_path_has_a_kind():
    lacking = [
        (" ".join(words), action.dest)
        for words, _, action in arguments()
        if (action.metavar in PATH_LIKE or action.dest in NAMES)
        and not of_kind(action)
        and action.dest not in NO_PATH
        and not (action.dest == "model" and " ".join(words) in MODEL_IN_ROWS)
    ]
    assert lacking == []


COVERED = [(words, action.dest) for words, _, action in arguments() if of_kind(action)]


def line(words, parser, action, value):
    """A command line that is complete but for `value` as the argument of `action`."""
    out = list(words)
    for other in parser._actions:
        given = [value] if other is action else ["x"] * (other.nargs if isinstance(other.nargs, int) else 1)
        if not other.option_strings:
            if other is action or other.nargs not in ("*", "?"):
                out += given if other is action or not of_kind(other) else [os.devnull]
        elif other is action or other.required:
            out += [other.option_strings[-1], *(given if other is action or not of_kind(other) else [os.devnull])]
    return out


def bad(kind, folder):
    """{what: path} that no argument of a kind can be."""
    (folder / "file").write_text("x")
    (folder / "loop").symlink_to("loop")
    found = {"NUL": "a\0b", "unknown home": "~nobody-of-this-name/x"}
    if isinstance(kind, files.Source):
        return found
    found |= {"loop of links": str(folder / "loop" / "x"), "too long": "x" * 300}
    if isinstance(kind, files.Folder):
        found["a file"] = str(folder / "file")
        if kind.writable:
            found |= {"below a file": str(folder / "file" / "x"), "where none can be made": "/proc/x"}
        return found
    if isinstance(kind, files.New):
        return found | {"below a file": str(folder / "file" / "x"), "where none can be made": "/proc/x"}
    found |= {"a folder": str(folder)}
    if isinstance(kind, files.Output):
        ending = kind.endings[0] if kind.endings else ".csv"
        (folder / f"dangling{ending}").symlink_to(folder / "none" / f"x{ending}")
        found["below a file"] = str(folder / "file" / f"x{ending}")
        found["where none can be made"] = f"/proc/x{ending}"
        if not kind.make:
            found |= {"no folder": str(folder / "none" / f"x{ending}"), "link": str(folder / f"dangling{ending}")}
        if kind.endings:
            found["ending"] = str(folder / "x.unknown")
    if isinstance(kind, files.Input):
        (folder / "dangling").symlink_to(folder / "none")
        found |= {"nothing": str(folder / "nothing"), "dangling link": str(folder / "dangling")}
    return found


@pytest.mark.parametrize("words, dest", COVERED, ids=[" ".join([*words, dest]) for words, dest in COVERED])
def test_a_bad_path_is_one_line_before_any_work(words, dest, capsys, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    parser, action = next((p, a) for w, p, a in arguments() if w == words and a.dest == dest)
    for what, path in bad(action.type, tmp_path).items():
        status = cli.main(line(words, parser, action, path))
        out, err = capsys.readouterr()
        assert (what, status, out) == (what, 2, "") and err.startswith("dbutils: argument "), (what, err)
        assert err.count("\n") == 1 and len(err) < 600, err
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_is_forbidden_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="no file can be made in"):
        paths.check_output(tmp_path / "x")


def as_nobody(*words, **environment):
    """A command as a user who may do nothing here and has no home; whatever is imported is before."""
    drop = (
        "import os, sys, encodings.idna; from dbutils import cli; cli.parser();"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534); sys.exit(cli.main(sys.argv[1:]))"
    )
    root = str(paths.ROOT)
    return subprocess.run(
        [sys.executable, "-c", drop, *map(str, words)],
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(
    "words, says",
    [
        (["figure", "9a", "-o", "{}/x.svg"], "no file can be made in {}"),
        (["figure", "9a", "-o", "{}/own.svg"], "own.svg: cannot be written: no permission"),
        (["runs", "export", "-o", "{}/x.csv"], "no file can be made in {}"),
        (
            ["run", "tc", "--model", "majority", "--setting", "zero_shot", "--runs", "{}/runs"],
            "no file can be made in {}",
        ),
        (["table", "17", "--scores", "{}/own.csv"], "own.csv: cannot be read: no permission"),
        (["score", "tc", "--predictions", "{}/own.csv"], "own.csv: cannot be read: no permission"),
        (["runs", "list", "--runs", "{}/own"], "own: cannot be read: no permission"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_what_another_user_may_not_is_one_line(words, says):
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for file in ("own.csv", "own.svg"):
            (folder / file).write_text("x")
            (folder / file).chmod(0o600)
        (folder / "own").mkdir(mode=0o700)
        done = as_nobody(*(word.format(folder) for word in words))
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and says.format(folder) in done.stderr, done.stderr


# ---- what an output may be -----------------------------------------------------------------------


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "far").symlink_to(tmp_path / "link")
    for content in ("new", "newer"):
        paths.check_output(tmp_path / "far")
        write_text(tmp_path / "far", content)
        assert (tmp_path / "target").read_text() == content
    assert (tmp_path / "link").is_symlink() and not (tmp_path / "target").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["far", "link", "target"]


def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    paths.check_output(tmp_path / "pipe")
    write_text(tmp_path / "pipe", "results")
    reader.join(10)
    assert got == [b"results"] and stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


def test_the_mode_is_that_of_the_umask_or_of_the_file_that_is_there(tmp_path):
    before = os.umask(0o077)
    try:
        write_text(tmp_path / "new", "x")
        (tmp_path / "old").write_text("x")
        (tmp_path / "old").chmod(0o664)
        write_text(tmp_path / "old", "y")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in ("new", "old")] == [0o600, 0o664]


def test_a_file_that_cannot_be_replaced_is_written_over(tmp_path, monkeypatch):
    (tmp_path / "mounted").write_text("a longer text")

    def busy(*_):
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    write_text(tmp_path / "mounted", "new")
    assert (tmp_path / "mounted").read_text() == "new" and os.listdir(tmp_path) == ["mounted"]
    with pytest.raises(OSError):
        write_text(tmp_path / "none", "new")


def test_a_name_as_long_as_names_may_be_is_written(tmp_path):
    write_text(tmp_path / ("x" * 255), "new")
    assert [len(name) for name in os.listdir(tmp_path)] == [255]


# ---- spellings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("here, asked", [("NFC", "NFD"), ("NFD", "NFC"), ("NFD", "NFD")])
def test_files_are_found_in_either_spelling(here, asked, tmp_path):
    folder = tmp_path / unicodedata.normalize(here, "Silêmanî")
    folder.mkdir()
    (folder / unicodedata.normalize(here, "Forlì.ita")).write_text("x")
    wanted = tmp_path / unicodedata.normalize(asked, "Silêmanî") / unicodedata.normalize(asked, "Forlì.ita")
    assert paths.existing(wanted).read_text() == "x"
    assert paths.existing(tmp_path / "ü" / "x") == tmp_path / "ü" / "x"


def test_words_that_are_no_paths_are_compared_in_one_spelling():
    code = unicodedata.normalize("NFD", "Silêmanî")
    parsed = cli.parser().parse_args(["examples", "mt", "--corpus", "codet", "--code", code])
    assert code != "Silêmanî" and parsed.code == "Silêmanî"


def test_codes_and_files_of_a_corpus_are_found_in_either_spelling(tmp_path, monkeypatch):
    from dbutils.corpora import catalogue, load, store

    monkeypatch.setenv("DBUTILS_CORPORA", str(tmp_path))
    wanted = "Italian/Forl\u00ec.ita"
    there = tmp_path / "codet" / unicodedata.normalize("NFD", wanted)
    there.parent.mkdir(parents=True)
    there.write_text("x")
    assert store.find("codet", wanted) == there
    code = "Sil\u00eaman\u00ee"
    assert code in load.codes("mt", "codet")
    assert load.names("mt", "codet", unicodedata.normalize("NFD", code)) == load.names("mt", "codet", code)
    for record in catalogue.load().values():
        for codes in record.codes.values():
            assert all(unicodedata.is_normalized("NFC", code) for code in codes)


@pytest.mark.parametrize(
    "named, says",
    [("{}/file", "is a file, not a folder"), ("~nobody-of-this-name/x", "home folder"), ("x" * 300, "long")],
)
def test_a_folder_of_corpora_that_cannot_be_is_one_line(named, says, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DBUTILS_CORPORA", named.format(tmp_path))
    for words in (
        ["corpora", "list"],
        ["corpora", "get", "sib-200"],
        ["examples", "tc", "--corpus", "sib-200", "--code", "eng_Latn"],
    ):
        assert cli.main(words) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("dbutils: DBUTILS_CORPORA: ") and says in err and err.count("\n") == 1


def test_unknown_names_are_told_with_those_known():
    assert str(unknown("sign", "@", [f"n{i:02}" for i in range(16)])).endswith("n13, n14, n15")
    assert str(unknown("sign", "@", [f"n{i:03}" for i in range(99)])).endswith("n028, n029 and 69 more")


def test_an_empty_data_folder_is_none():
    code = "from dbutils import paths; print(paths.DATA == paths.ROOT / 'data')"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "DBUTILS_DATA": ""}, capture_output=True, text=True
    )
    assert done.stdout == "True\n"


@pytest.mark.parametrize("port", ["99999", "-1", "http", "٨"])
def test_a_port_is_one(port, capsys):
    assert cli.main(["book", "serve", "--port", port]) == 2
    assert "is no port" in capsys.readouterr().err or port == "-1"
