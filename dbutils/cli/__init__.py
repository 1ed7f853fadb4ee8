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

from dbutils import __version__
from dbutils.errors import InputError

MODULES = (
    "registry",
    "tables",
    "figures",
    "analysis",
    "corpora",
    "sandbox",
    "run",
    "runs",
    "score",
    "translate_nli",
    "notebook",
    "book",
)


class _Parser(argparse.ArgumentParser):
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
    try:
        _no_empty(sys.argv[1:] if argv is None else argv)
        arguments = parser().parse_args(argv)
        status = arguments.run(arguments) or 0
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"dbutils: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `dbutils table 8 | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(
            "dbutils: no space is left where the output goes: make room and give the same command again",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        return 130


def _no_empty(words):
    """Raise InputError for an empty word: an option that is there and says nothing, such as an unset variable of the shell.

    The value of a notebook's parameter may be empty.
    """
    for before, word in zip(["", *words], words):
        if not word and words[0] != "notebook":
            after = f" after {before}" if before else ""
            raise InputError(f"an empty argument{after}: give a value, or leave it out")
