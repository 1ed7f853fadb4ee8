"""Write data/effects.csv: what the paper's ways of splitting and scoring do to a score, on real corpora.

    DBUTILS_CORPORA=... DBUTILS_ENCODER=... python tools/effects.py --runs runs/effects

DBUTILS_ENCODER names the folder of an encoder. The runs are made with `dbutils run` as a user would, so what is
finished is not made again. One seed each.
"""

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from dbutils.analysis.effects import COLUMNS, EFFECTS  # noqa: E402
from dbutils.csvio import write_csv  # noqa: E402
from dbutils.paths import DATA  # noqa: E402

NGRAMS = "ngram-svm"
FINE_TUNING = {
    "lr": "1e-4",
    "warmup": "0.1",
    "weight_decay": "0.01",
    "epochs": "2",
    "batch_size": "16",
    "selection": "last",
}
SHORT = {"max_length": "64", "predict_length": "64"}  # sub-words of a sentence or comment


@dataclass(frozen=True)
class Pair:
    """Two runs of one model, or two metrics of one run, that differ in the effect alone.

    paper, sound: options of the request that differ. metrics: pairs (of the paper's, of the
    sound one). codes: to be compared.
    """

    effect: str
    task: str
    setting: str
    codes: tuple[str, ...]
    paper: dict
    sound: dict
    encoder: bool = False
    more: dict = field(default_factory=dict)
    metrics: tuple[tuple[str, str], ...] = (("accuracy", "accuracy"), ("f1", "f1"))


def _seen(code, encoder=False):
    return Pair("train-test", "did", "in_cluster", (code,), {"train": code}, {"train": f"{code}@train"}, encoder, SHORT)


def _repeated(code):
    return Pair("duplicates", "sa", "in_cluster", (code,), {"kind": "paper"}, {"kind": "sound"}, more={"train": code})


TREEBANKS = ("UD_French-ParTUT", "UD_Ligurian-GLT")
TAGGING = {"train": TREEBANKS[0], "varieties": TREEBANKS}
PAIRS = (
    *(_seen(code) for code in ("english", "spanish", "portuguese", "mandarin_simplified", "mandarin_traditional")),
    _seen("english", encoder=True),
    *(_repeated(code) for code in ("aeb_Arab", "ary_arab", "arb_arab")),
    Pair("multiword", "pos", "zero_shot", TREEBANKS, {"kind": "paper"}, {"kind": "sound"}, True, TAGGING),
    Pair(
        "chunks",
        "pos",
        "zero_shot",
        TREEBANKS,
        {"kind": "sound"},
        {"kind": "sound"},
        True,
        TAGGING,
        (("f1", "accuracy"),),
    ),
)


def rows_of(pair, encoder, runs, say):
    """The rows of a pair; its runs are made if need be."""
    paper = _run(pair, pair.paper, encoder, runs, say)
    sound = paper if pair.sound == pair.paper else _run(pair, pair.sound, encoder, runs, say)
    out = []
    for code in pair.codes:
        for metric, other in pair.metrics:
            a, b = _score(paper, code, metric), _score(sound, code, other)
            out.append(
                {
                    "effect": pair.effect,
                    "task": pair.task,
                    "model": a.model,
                    "corpus": a.corpus,
                    "train": a.train,
                    "code": code,
                    "metric": metric,
                    "as_paper": a.value,
                    "as_paper_low": a.low,
                    "as_paper_high": a.high,
                    "as_paper_n": a.n,
                    "sound_metric": other,
                    "sound": b.value,
                    "sound_low": b.low,
                    "sound_high": b.high,
                    "sound_n": b.n,
                    "as_paper_run": a.run,
                    "sound_run": b.run,
                }
            )
    return out


def _run(pair, options, encoder, runs, say):
    from dbutils.experiments.request import Request, make
    from dbutils.scores import read_scores

    hyper = {name: value for name, value in pair.more.items() if name in SHORT}
    others = {name: value for name, value in pair.more.items() if name not in SHORT}
    model, changes = (encoder, FINE_TUNING | hyper) if pair.encoder else (NGRAMS, {})
    request = Request(
        pair.task, model, pair.setting, profile="paper", runs=str(runs), seed=1, set=changes, **others, **options
    )
    (folder,) = make(request, say)
    return read_scores(folder / "scores.csv")


def _score(scores, code, metric):
    """The row of a test set and metric."""
    (row,) = scores[(scores.code == code) & (scores.metric == metric) & (scores.split == "test")].itertuples()
    return row


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", default="runs/effects", metavar="DIR", help="folder of the runs (default runs/effects)"
    )
    parser.add_argument("--only", choices=EFFECTS, help="make the runs of one effect, and write nothing")
    parser.add_argument("-o", "--output", default=DATA / "effects.csv", metavar="FILE", help="default data/effects.csv")
    arguments = parser.parse_args(argv)
    missing = [name for name in ("DBUTILS_CORPORA", "DBUTILS_ENCODER") if not os.environ.get(name)]
    if missing:
        parser.error(f"{' and '.join(missing)} must name a folder")
    import pandas as pd

    rows = []
    for pair in PAIRS:
        if arguments.only in (None, pair.effect):
            rows += rows_of(
                pair, os.environ["DBUTILS_ENCODER"], arguments.runs, lambda text: print(text, file=sys.stderr)
            )
    if arguments.only is None:
        write_csv(pd.DataFrame(rows, columns=list(COLUMNS), dtype=object), arguments.output)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
