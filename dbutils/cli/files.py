"""The kinds of paths that commands take, as `type=` of an argument: a path that cannot be used is told before any work.

Every argument that is a path has one (tests/cli/test_paths.py walks all commands): Output, New, Folder, Input or Source.
Such an argument's text is kept as it is written, but for `~`; all other words are compared in Unicode's composed form.
"""

import argparse
import os
from pathlib import Path

from dbutils import paths
from dbutils.errors import InputError


class Kind:
    """A path argument; `check(path)` raises InputError for one that cannot be used."""

    def __call__(self, text):
        try:
            return self.checked(text) if text else text
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    def checked(self, text):
        path = paths.expand(text)
        self.check(path)
        return str(path) if str(text).startswith("~") else text

    def check(self, path):
        raise NotImplementedError


class Output(Kind):
    """A file to write. endings: those that it may have; make: its folder is made where it is not there."""

    def __init__(self, *endings, make=False):
        self.endings, self.make = endings, make

    def check(self, path):
        paths.check_output(path, self.endings, self.make)


class New(Kind):
    """A file or folder to make, in a folder that is there."""

    def check(self, path):
        if not os.path.isdir(path):  # what is there already is told by the command
            paths.check_output(path)


class Folder(Kind):
    """A folder to read, which need not be there; writable: to fill."""

    def __init__(self, writable=False):
        self.writable = writable

    def check(self, path):
        paths.check_folder(path, self.writable)


class Input(Kind):
    """A file to read; it is found in either Unicode spelling."""

    def checked(self, text):
        path = paths.existing(paths.expand(text))
        self.check(path)
        return str(path)

    def check(self, path):
        paths.check_input(path)


class Source(Kind):
    """A name of something (scores, a model, a run, a notebook), or the path of a file or folder: a path only if it is there."""

    def checked(self, text):
        path = paths.existing(paths.expand(text)) if _is_path(text) else Path(text)
        try:
            there = path.exists()
        except OSError:  # longer than a path may be: then it is a name, and an unknown one
            there = False
        if there:
            self.check(path)
            return str(path) if str(path) != str(Path(text)) else text
        return paths.nfc(text)

    def check(self, path):
        if path.is_dir():
            paths.check_folder(path)
        else:
            paths.check_input(path)


def _is_path(text):
    return text.startswith("~") or "\0" in text or not text.isascii()


def port(text):
    """A port number: 0 (a free one) to 65535."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 0 (a free one) to 65535")
    return int(text)
