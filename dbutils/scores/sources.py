"""Score tables by name: `upstream`, `paper`, a file, a run folder."""

import functools
import shlex
import tempfile
import zipfile
from pathlib import Path

from dbutils.errors import InputError
from dbutils.paths import data
from dbutils.scores.paper import paper_scores
from dbutils.scores.reading import read_all, read_scores
from dbutils.scores.schema import CELL, KEY


@functools.cache
def raw_upstream():
    """Upstream's result files as score rows, at full precision (only what upstream published)."""
    return read_scores(data("scores", "upstream.csv"))


@functools.cache
def upstream_scores():
    """Upstream's raw results, and the paper's print where upstream published none.

    There are no raw results of sentiment analysis with the encoders nor of translation; those
    rows keep the origin `paper`.
    """
    import pandas as pd

    raw = raw_upstream()
    have = set(raw[list(CELL)].itertuples(index=False, name=None))
    paper = paper_scores()
    lacking = [key not in have for key in paper[list(CELL)].itertuples(index=False, name=None)]
    return pd.concat([raw, paper[lacking]], ignore_index=True)


def load(*sources):
    """The score rows of one or more sources, together.

    sources: `upstream`, `paper`, or paths: a CSV or Parquet file of score rows, a run folder (its
    scores.csv), a folder of runs, or a bundle of runs (`dbutils runs export --bundle`: a folder or .zip).
    Default: upstream.
    Raises InputError for what is none of these, or for a row that two files share.
    """
    import pandas as pd

    parts = []
    for source in sources or ("upstream",):
        if source == "upstream":
            parts.append(upstream_scores())
        elif source == "paper":
            parts.append(paper_scores())
        else:
            parts.extend(read_all(_files(source)))
    if len(parts) == 1:
        return parts[0]
    table = pd.concat(parts, ignore_index=True)
    again = table.duplicated(list(KEY)) & (table.origin == "run")
    if again.any():
        row = table[again].iloc[0]
        raise InputError(
            f"the same row in two score files: {row.task} {row.model} {row.setting} {row.code} of run {row.run!r}"
        )
    return table.drop_duplicates(list(KEY), ignore_index=True)


def named(text):
    """The sources in a text, with spaces between; a path with a space stands in quotes. InputError for an open quote."""
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise InputError(f"sources of scores {text!r}: a quote is not closed") from None


def _files(source):
    path = Path(source)
    if path.is_file() and zipfile.is_zipfile(path) and path.suffix.lower() == ".zip":
        return [_unpacked(path)]
    if path.is_file():
        return [path]
    if path.is_dir():
        found = [path / "scores.csv"] if (path / "scores.csv").is_file() else sorted(path.glob("*/scores.csv"))
        if found:
            return found
        raise InputError(f"{path}: no scores.csv in this folder or one below it")
    raise InputError(f"unknown score source {str(source)!r}: give upstream, paper, or the path of a file or run folder")


_UNPACKED = []  # temporary folders, which go when the process ends


def _unpacked(path):
    """The scores.csv of a bundle of runs in a .zip, as a file."""
    folder = tempfile.TemporaryDirectory()
    _UNPACKED.append(folder)
    target = Path(folder.name) / path.name / "scores.csv"
    target.parent.mkdir()
    try:
        with zipfile.ZipFile(path) as archive:
            target.write_bytes(archive.read("scores.csv"))
    except (KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: no bundle of runs ({' '.join(str(error).split())})") from None
    return target
