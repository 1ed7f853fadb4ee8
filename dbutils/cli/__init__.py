"""The terminal: `dbutils COMMAND`, also `python -m dbutils`. Thin: parses, calls, prints.

Each module of this room adds the commands of one subject: `add(commands)` gets the sub-parsers
and sets, per command, `run=function(arguments) -> exit status`. Results go to stdout, messages
and progress to stderr. Exit status 0: fine; 1: a check found something; 2: bad usage or input.
"""

import argparse
import errno
import importlib
import os
import sys

from dbutils import __version__, paths
from dbutils.cli import streams
from dbutils.errors import InputError

MODULES = (
    "registry",
    "tables",
    "figures",
    "analysis",
    "corpora",
    "models",
    "sandbox",
    "run",
    "runs",
    "score",
    "translate_nli",
    "notebook",
    "book",
)


# commands that go on where they were when they are given again
RESUMING = ("run ", "translate-nli ", "corpora get ")


class _Parser(argparse.ArgumentParser):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register(
            "type", None, paths.nfc
        )  # codes and names are compared in one spelling; paths have a type (files.py)

    def error(self, message):
        raise InputError(f"{message} (see '{self.prog} --help')")


def parser():
    """The whole command line as an argparse parser."""
    top = _Parser(prog="dbutils", description="The DialectBench Compendium from a terminal.")
    top.add_argument("--version", action="version", version=f"dbutils {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for name in MODULES:
        importlib.import_module(f"dbutils.cli.{name}").add(commands)
    return top


def main(argv=None):
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if argv is None else argv
    with streams.guarded():
        try:
            _no_empty(words)
            arguments = parser().parse_args(words)
            status = arguments.run(arguments) or 0
            sys.stdout.flush()
            return status
        except InputError as error:
            return _failed(error)
        except streams.Unread:  # `dbutils table 8 | head`: who reads the results has enough of them
            return 0
        except OSError as error:
            if error.errno is None:
                raise
            return _failed(_reason(error))
        except KeyboardInterrupt:
            goes_on = f"{' '.join(words[:2])} ".startswith(RESUMING)
            if os.environ.get("RANK", "0") == "0":  # of several processes one speaks
                what = ": what is finished is kept, and the same command goes on from there" if goes_on else ""
                _failed(f"interrupted{what}")
            return 130


def _failed(what):
    print(f"dbutils: {' '.join(str(what).split())}", file=sys.stderr)
    return 2


def _reason(error):
    if error.errno == errno.ENOSPC:
        return "no space is left where the output goes: make room and give the same command again"
    if isinstance(error, BrokenPipeError):
        return "the other end of a pipe was closed before all was written"
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror}"


def _no_empty(words):
    """Raise InputError for an empty word: an option that is there and says nothing, such as an unset variable of the shell.

    The value of a notebook's parameter may be empty.
    """
    for before, word in zip(["", *words], words):
        if not word and words[0] != "notebook":
            after = f" after {before}" if before else ""
            raise InputError(f"an empty argument{after}: give a value, or leave it out")
