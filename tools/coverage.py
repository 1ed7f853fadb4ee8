"""How often intervals cover and tests reject, by simulation: data/coverage.csv, which the book shows.

    python tools/coverage.py                 all cases, about an hour on one core; writes data/coverage.csv
    python tools/coverage.py --only scores   a part (scores, differences, nulls), to the terminal only
    python tools/coverage.py --tries 100     fewer tries of each case, to the terminal only; a minute with --sizes 5 20

Each case draws test sets of n units from a population whose score is known, and asks how often the 95 % interval
holds it (`coverage`, of the sets that have an interval), how often there were too few units to tell (`too_few`), how
wide it is on average, or how often a difference that is none is called one at 5 % (`rejected`). Of hundreds of cases
some miss what is promised by chance: one that does is tried ten times as often from another seed, and that is recorded
instead.
"""

import argparse
import functools
import sys
import time
import zlib
from datetime import UTC, datetime

import numpy as np

from dbutils.metrics import attachment, bootstrap, chunks, intervals, labels, spans
from dbutils.paths import DATA

SIZES = (5, 10, 20, 50, 200, 2000)
SHARES = (0.5, 0.8, 0.95, 0.99)
COLUMNS = ("kind", "case", "n", "p", "tries", "coverage", "too_few", "width", "rejected", "seed", "date")
SEED = 20
SKEWED = (0.4, 0.3, 0.2, 0.07, 0.03)  # shares of the labels of a macro F1
RARE = {"F1 of a 10 % class": 0.1, "F1 of a 3 % class": 0.03, "F1 of a 1 % class": 0.01}


# ---- populations: random, n, p -> statistics (n, k), groups ------------------------------------


def _labelled(random, n, p, priors, right=None):
    """Statistics (n, 3 L) of one label per example, right with probability p, else any other alike."""
    count = len(priors)
    gold = random.choice(count, n, p=priors)
    right = random.random(n) < p if right is None else right
    guess = np.where(right, gold, (gold + random.integers(1, count, n)) % count)
    out = np.zeros((n, 3, count))
    at = np.arange(n)
    out[at, 0, gold] = out[at, 1, guess] = 1
    out[at, 2, gold] = right
    return out.reshape(n, -1), None


def accuracy(random, n, p):
    return _labelled(random, n, p, (0.5, 0.5))


def macro(random, n, p):
    return _labelled(random, n, p, SKEWED)


def rare(share):
    return lambda random, n, p: _labelled(random, n, p, (share, (1 - share) / 2, (1 - share) / 2))


def span(random, n, p):
    """Sentences with 0 to 5 chunks, some sentences harder than others."""
    gold = random.poisson(1.5, n)
    easy = random.beta(8 * p, 8 * (1 - p), n)
    hits = random.binomial(gold, easy)
    false = random.poisson((1 - easy) * 1.5)
    return np.stack([hits, hits + false, gold], axis=1).astype(float), None


def words(random, n, p):
    """Sentences of 1 to 60 words, some harder than others: words, right heads, right heads and relations."""
    length = np.minimum(1 + random.geometric(1 / 15, n), 60)
    right = random.binomial(length, random.beta(12 * p, 12 * (1 - p), n))
    return np.stack([length, right, right], axis=1).astype(float), None


def sentence(random, n, p):
    """Sentences with a score in 0..1 of mean p."""
    return np.stack([np.ones(n), random.beta(3 * p, 3 * (1 - p), n), np.zeros(n)], axis=1), None


def answers(random, n, p):
    """Answers right with probability p, half of the others with a share of the words."""
    q = (p - 0.2) / 0.8 if p > 0.3 else p
    value = np.where(random.random(n) < q, 1.0, np.where(random.random(n) < 0.5, random.random(n) * 0.8, 0.0))
    return np.stack([np.ones(n), value, value == 1], axis=1).astype(float), None


def passages(random, n, p):
    """n passages of 1 to 9 questions, some passages harder than others."""
    size = random.integers(1, 10, n)
    group = np.repeat(np.arange(n), size)
    easy = random.beta(4 * p, 4 * (1 - p), n)[group]
    table, _ = _labelled(random, len(group), p, (0.25,) * 4, random.random(len(group)) < easy)
    return table, group


LABEL = {count: labels.macro_f1([str(i) for i in range(count)]) for count in (2, 3, 4, 5)}
RIGHT = {count: labels.accuracy([str(i) for i in range(count)]) for count in (2, 4)}
CASES = {
    "accuracy": (RIGHT[2], accuracy),
    "accuracy by passage": (RIGHT[4], passages),
    "macro F1": (LABEL[5], macro),
    **{name: (labels.of_label(LABEL[3], 0, 3)[0], rare(share)) for name, share in RARE.items()},
    "chunk F1": (chunks.CHUNK_F1, span),
    "UAS": (attachment.UAS, words),
    "mean of sentence scores": (spans.SPAN_F1, sentence),
    "F1 of answers": (spans.SPAN_F1, answers),
}


@functools.cache
def truth(name, p):
    """The score of the population, from very many units; a mean of scores is p itself."""
    metric, draw = CASES[name]
    if draw is sentence:
        return 100 * p
    return float(metric.value(draw(np.random.default_rng(1), 2_000_000, p)[0].sum(axis=0)))


# ---- what is asked: each function gives the rows of one case with n units and score p -------------


def scores(name, n, p, tries, seed):
    """On the interval of a score."""
    metric, draw = CASES[name]
    random = _random(seed, name, n, p)
    found = [intervals.interval(metric, *draw(random, n, p))[1:] for _ in range(tries)]
    return [_covered("score", found, truth(name, p))]


def differences(name, n, p, tries, seed):
    """On the intervals of a difference and a gap: two systems, or two varieties, of which one is worse by a fifth."""
    metric, draw = CASES[name]
    random = _random(seed, name, n, p)
    u, v = truth(name, p), truth(name, 0.8 * p)
    found = {"difference": [], "gap": []}
    for _ in range(tries):
        a, b = draw(random, n, p), draw(random, max(n // 2, 5), 0.8 * p)
        sides = dict(groups=a[1], paired=False, test=False)
        found["difference"].append(intervals.difference(metric, a[0], b[0], groups_b=b[1], **sides))
        found["gap"].append(intervals.gap(metric, a[0], b[0], groups_v=b[1], **sides))
    true = {"difference": u - v, "gap": 100 * (u - v) / u}
    return [_covered(kind, [(d.low, d.high) for d in of], true[kind]) for kind, of in found.items()]


def nulls(name, n, p, tries, seed):
    """On tests where there is nothing to find: on the same units, on others, and a gap from a larger reference.

    Of two systems on the same units the second has the first one's output on about half of them.
    """
    metric, draw = CASES[name]
    random = _random(seed, name, n, p)
    found = {"paired": [], "unpaired": [], "gap": []}
    for _ in range(tries):
        one, other, large = (bootstrap.grouped(*draw(random, k, p)) for k in (n, n, 5 * n))
        same = np.where(random.random((n, 1)) < 0.5, one, other)
        found["paired"].append(intervals.p_value(metric, one, same))
        found["unpaired"].append(intervals.p_value(metric, one, other, paired=False))
        found["gap"].append(intervals.p_value(metric, large, one, paired=False))
    return [
        dict(kind=f"null, {kind}", rejected=round(float(np.mean(np.array(values) <= 0.05)), 4))
        for kind, values in found.items()
    ]


def _random(seed, name, n, p):
    return np.random.default_rng([seed, zlib.crc32(name.encode()), n, int(100 * p)])


def _covered(kind, found, true):
    have = [ends for ends in found if ends[0] is not None]
    held = [low - 1e-9 <= true <= high + 1e-9 for low, high in have]
    return dict(
        kind=kind,
        coverage=round(float(np.mean(held)), 4) if have else "",
        too_few=round(1 - len(have) / len(found), 4),
        width=round(float(np.mean([high - low for low, high in have])), 3) if have else "",
    )


# part: (its rows, {units: tries})
PARTS = {
    "scores": (scores, dict.fromkeys(SIZES, 400)),
    "differences": (differences, dict.fromkeys(SIZES, 200)),
    "nulls": (nulls, {5: 200, 10: 200, 20: 200, 50: 100, 200: 100}),  # a permutation test of many units takes seconds
}
AGAIN = 10  # as many tries of a doubtful case
FLOOR = 0.93  # of coverage


def measure(part, names=tuple(CASES), sizes=(), shares=SHARES, tries=0, again=False, seed=SEED):
    """The rows of a part. sizes, tries: numbers of units, and tries of each case (default: the part's own).

    again: try doubtful cases AGAIN times as often, with the next seed.
    """
    ask, usual = PARTS[part]
    out = []
    for name in names:
        for p in shares:
            for n in sizes or usual:
                count, own = tries or usual[n], seed
                rows = ask(name, n, p, count, own)
                if again and any(doubtful(row, count) for row in rows):
                    count, own = AGAIN * count, seed + 1
                    rows = ask(name, n, p, count, own)
                out += [dict(case=name, n=n, p=p, tries=count, seed=own) | row for row in rows]
    return out


def missed(row, tries):
    """Whether a row fails what is promised, beyond what so many tries may miss it by (two standard errors)."""
    slack = 2 * (0.05 * 0.95 / max(tries * (1 - (row.get("too_few") or 0)), 1)) ** 0.5
    if row.get("rejected", "") != "":
        return row["rejected"] > 0.05 + slack
    return row["coverage"] != "" and row["too_few"] < 0.95 and row["coverage"] < 0.95 - slack


def doubtful(row, tries):
    """Whether a row is worth more tries: coverage below the FLOOR, or rejection that `missed`."""
    return (row.get("coverage", "") != "" and row["coverage"] < FLOOR) or missed(row, tries)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="these parts")
    parser.add_argument("--case", nargs="+", choices=CASES, default=list(CASES), help="these cases")
    parser.add_argument("--tries", type=int, default=0, help="of each case")
    parser.add_argument("--sizes", type=int, nargs="+", default=(), help="numbers of units")
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES, help="true scores")
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args(argv)
    some = {name for name, value in vars(arguments).items() if value != parser.get_default(name)}
    begun, rows = time.perf_counter(), []
    for part in arguments.only:
        rows += measure(
            part,
            arguments.case,
            arguments.sizes,
            arguments.shares,
            arguments.tries,
            again=not some,
            seed=arguments.seed,
        )
        print(f"{part}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    import pandas as pd

    from dbutils.csvio import to_csv, write_text

    date = datetime.now(UTC).date().isoformat()
    table = pd.DataFrame([row | {"date": date} for row in rows], columns=list(COLUMNS), dtype=object).fillna("")
    if some:
        print(to_csv(table), end="")
    else:
        write_text(DATA / "coverage.csv", to_csv(table))
    bad = [row for row in rows if missed(row, row["tries"])]
    for row in bad:
        print("missed:", *(f"{k}={v}" for k, v in row.items()), file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
