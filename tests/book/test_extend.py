"""The page "Add a model, a corpus, a metric": its blocks, applied to a copy of the project, work, and each part is short."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "extend.md").read_text("utf-8")
MOST = 30  # lines of one part


def parts():
    """{heading of level two: [(language, file, lines)]} of the blocks that name a file."""
    found = {}
    for text in PAGE.split("\n## ")[1:]:
        blocks = re.findall(r"```\{code-block\} (\w+)\n:caption: (\S+)\n(.*?)\n```", text, flags=re.S)
        if blocks:
            found[text.splitlines()[0]] = [
                (language, file, body.strip("\n").splitlines()) for language, file, body in blocks
            ]
    return found


def apply(folder):
    """Do to the copy what the page says."""
    for blocks in parts().values():
        for language, file, lines in blocks:
            path = folder / file
            before = path.read_text("utf-8") if path.exists() else ""
            path.write_text(
                _changed(before, lines) if language == "diff" else before + "\n".join(["", *lines, ""]), "utf-8"
            )


def _changed(text, lines):
    """The text after a block in which each group of `-` lines gives way to the `+` lines behind it."""
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", "\n".join([*lines, ""]), flags=re.M):
        old, new = (re.sub(r"^[-+]", "", part, flags=re.M) for part in (old, new))
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    for name in ("dbutils", "data", "workflow"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    apply(folder)
    return folder


def dbutils(folder, *words, corpora="nowhere"):
    import os

    environment = os.environ | {"PYTHONPATH": str(folder), "DBUTILS_CORPORA": str(corpora), "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, "-m", "dbutils", *words, "--runs", str(folder / "runs")],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    header, *rows = [line.split(",") for line in result.stdout.splitlines()]
    return [dict(zip(header, row)) for row in rows]


def test_each_part_is_short():
    assert list(parts()) == ["A model", "A corpus", "A metric"]
    for heading, blocks in parts().items():
        written = [
            line
            for language, _, lines in blocks
            for line in lines
            if line.strip() and not (language == "diff" and line[0] == "-")
        ]
        assert len(written) < MOST, (heading, len(written))


def test_the_model_learns_something(copy):
    rows = dbutils(copy, "run", "tc", "--model", "nearest", "--setting", "zero_shot", "--variety", "tal", "orv")
    value = {(row["code"], row["metric"]): float(row["value"]) for row in rows}
    assert value["tal", "f1"] > 40 > 15 > value["orv", "f1"]


def test_the_metric_has_a_row_with_an_interval(copy):
    rows = dbutils(copy, "run", "tc", "--model", "nearest", "--setting", "zero_shot", "--variety", "tal")
    (kappa,) = [row for row in rows if row["metric"] == "kappa"]
    import pyarrow.parquet as pq
    from sklearn.metrics import cohen_kappa_score

    (file,) = (copy / "runs").glob("*/predictions/tal.parquet")
    gold, predicted = (
        [json.loads(x) for x in pq.read_table(file).column(name).to_pylist()] for name in ("gold", "prediction")
    )
    assert float(kappa["value"]) == pytest.approx(100 * cohen_kappa_score(gold, predicted))
    assert 0 < float(kappa["low"]) < float(kappa["value"]) < float(kappa["high"]) <= 100


def test_the_corpus_is_read_trained_on_and_tested(copy, tmp_path):
    words = {"negative": "dull long bad", "positive": "fresh bright good"}
    for code, ending in (("upland", ""), ("lowland", "o")):
        for split, n in (("train", 20), ("test", 10)):
            path = tmp_path / "reviews" / code / f"{split}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [
                f"film {i} was {' '.join(w + ending for w in words[label].split())}\t{label}"
                for i in range(n)
                for label in words
            ]
            path.write_text("\n".join(["text\tlabel", *lines, ""]), "utf-8")
    rows = dbutils(
        copy,
        "run",
        "sa",
        "--model",
        "ngram-svm",
        "--setting",
        "in_cluster",
        "--profile",
        "paper",
        "--corpus",
        "reviews",
        corpora=tmp_path,
    )
    assert {(row["code"], row["train"], row["n"], row["value"]) for row in rows if row["metric"] == "f1"} == {
        ("upland", "upland", "20", "100.0"),
        ("lowland", "lowland", "20", "100.0"),
    }
