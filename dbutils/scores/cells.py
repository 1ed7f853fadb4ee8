"""Which rows made this number? The only chooser of score rows: tables, gaps, maxima, figures and pages ask here.

A cell is one number of the benchmark: one model in one setting, on one variety, split and metric, published or one's
own. The rules (for readers: the page *Which rows made this number?*):

1. Rows that differ only in their seed make one cell: the mean over seeds (`interval` says how its interval covers both
   the sampling of the test set and the seeds). Gaps pair by seed (`paired`).
2. Rows that differ in anything else never mix. If a cell could be made of rows of several runs (the same seed twice,
   another size, corpus, code or training), `cells` raises Mixed, an InputError that names them and how to choose (`choose`).
3. A partial row (fewer examples than the smallest recorded size of its test set, `sizes`) is marked. Beside a complete one
   of the same cell it is not used. Maxima, ranks and best and worst marks leave it out unless asked (`whole`).
   A size that is not recorded is taken as complete; the column `size` is empty then.
4. Published numbers and runs of one's own are never one cell. The authors' raw result goes before the same number in print.
5. Nothing read is lost without a word: `told` gives the reason for every row that is behind no shown cell.
"""

import functools
import math
from dataclasses import dataclass

from dbutils import registry
from dbutils.csvio import read_csv
from dbutils.errors import InputError, unknown
from dbutils.paths import data
from dbutils.scores.schema import CELL

SOURCE = ("corpus", "code", "train")  # what the rows of a cell must agree in besides
COLUMNS = (
    *CELL,
    *SOURCE,
    "value",
    "n",
    "low",
    "high",
    "seeds",
    "spread",
    "origin",
    "run",
    "own",
    "size",
    "partial",
    "flags",
    "rows",
)


class Mixed(InputError):
    """Rows of several runs, or published and own ones, could make one number: the reader must choose."""


# ---- which rows count --------------------------------------------------------------------------

SANDBOX = "scores of constructed varieties enter no table of the benchmark"
NO_VARIETY = "their code is no variety of the benchmark (a total, or one outside it)"
SIDE_RUN = "a side run of the authors, on other training data"
OTHER_SOURCE = "zero-shot here is transfer from English, and their `train` is not {}"
PRINTED = "the authors' raw result stands for the same number"
PARTIAL_BESIDE = "partial; a complete row of the same number is there"
OTHER_TASK = "of another task"
NOT_ASKED = "another run, model or training than asked for"
NO_PLACE = "no row or column for them here"
PARTIAL = "partial: fewer examples than their test set has"
REMEDIES = {
    SANDBOX: "`dbutils compare` and the notebooks show them",
    **{OTHER_SOURCE.format(f.english): "`dbutils score --train` writes it" for f in registry.TASK_FACTS.values()},
    PARTIAL: "--partial lets them take part",
}


def reasons(scores):
    """Why each row enters no table of the benchmark, "" where it does: an array of text, one for each row.

    Left out: codes that are no variety of the benchmark; the constructed varieties of the sandbox; transfer from another
    source than English (upstream tried all pairs for topics and question answering); upstream's two side runs of reading
    comprehension. Kept: the Norwegian entity rows that upstream files as zero-shot although `train` is the tested code.
    """
    import numpy as np

    source = {code: task.english for code, task in registry.TASK_FACTS.items() if task.english}
    zero = (scores.setting == "zero_shot") & scores.task.isin(list(source))
    english = scores.train.astype(object) == scores.task.astype(object).map(source)
    itself = (scores.origin != "run") & (scores.train.astype(object) == scores.code.astype(object))
    transfer = zero & ~english & ~itself
    found = [
        (SANDBOX, scores.corpus == "sandbox"),
        (NO_VARIETY, scores.variety == ""),
        (SIDE_RUN, scores.train.astype(str).str.contains(":run", regex=False)),
        (scores.task.astype(object).map({t: OTHER_SOURCE.format(code) for t, code in source.items()}), transfer),
    ]
    conditions = [np.asarray(mask, bool) for _, mask in found]
    return np.select(conditions, [np.asarray(reason, object) for reason, _ in found], np.array("", object))


def benchmark(scores):
    """The rows that count in tables and aggregates (`reasons` says which do not)."""
    return scores.loc[reasons(scores) == ""]


def present(scores, *columns, **where):
    """The set of what the counting rows hold in one column, or in several (tuples). where: as in `cells`."""
    rows = _filtered(benchmark(scores), where)
    if len(columns) == 1:
        return set(rows[columns[0]].unique())
    return set(rows[list(columns)].drop_duplicates().itertuples(index=False, name=None))


@dataclass(frozen=True)
class Choice:
    """What a reader asks for among the rows of one's own ("": any).

    run: the beginning of a run's name, or its hash. model, train: as in the rows. A summary is of the model asked for,
    published or own. partial: rows of a part of a test set take part in maxima, ranks and marks.
    """

    run: str = ""
    model: str = ""
    train: str = ""
    partial: bool = False


ALL = Choice()


def choose(scores, choice):
    """The published rows, and those of one's own that the choice asks for.

    Raises InputError for a choice that fits no row, naming what there is.
    """
    import pandas as pd

    own = scores.origin == "run"
    fits = pd.Series(True, index=scores.index)
    for name in ("run", "model", "train"):
        asked = getattr(choice, name)
        if asked:
            text = scores[name].astype(str)
            here = text.str.startswith(asked) | text.str.endswith("-" + asked) if name == "run" else text == asked
            among = own if name != "model" else here | True
            if not (here & among).any():
                raise unknown(f"{name} in these scores", asked, set(text[among]) - {""})
            fits &= here
    if (choice.run or choice.train) and not (own & fits).any():
        raise InputError("no row of these scores is of the run, model and training asked for together")
    return scores[~own | fits]


def of_model(scores, model):
    """The rows of one model, published and own."""
    return scores[scores.model == model]


def _filtered(rows, where):
    """The rows with the values asked for. where: column -> a value, or a collection of values; None: any.

    `task` may say the level of translation: `mt-dialect`, `mt-region`.
    """
    level = ""
    for column, asked in where.items():
        if asked is None:
            continue
        if column == "task" and isinstance(asked, str):
            asked, _, level = asked.partition("-")
        many = isinstance(asked, (set, frozenset, tuple, list, dict))
        rows = rows[rows[column].isin(list(asked)) if many else rows[column] == asked]
    if level and len(rows):
        pairs = rows[["cluster", "variety"]].drop_duplicates()
        fits = {
            pair: registry.is_region(*pair) == (level == "region") for pair in pairs.itertuples(index=False, name=None)
        }
        rows = rows[[fits[pair] for pair in zip(rows.cluster, rows.variety)]]
    return rows


# ---- cells -------------------------------------------------------------------------------------


def cells(scores, **where):
    """The cells of a table of score rows, in the order of their first rows.

    where: what is asked for, column -> value or values (`task="tc", metric="f1"`; `mt-dialect` and `mt-region` are tasks).
    Returns a table of COLUMNS: value, low, high in per cent; n gold examples; seeds their number, spread the standard
    deviation over them (nan for one); origin, run where the number comes from; own: measured, not published; size: of the
    test set, as recorded; partial; flags: known faults; rows: the labels of the rows behind it.
    Raises Mixed if rows of several runs could make a cell.
    """
    scores = indexed(scores)
    rows = _filtered(benchmark(scores), where)
    rows = rows[_unused(rows) == ""]
    _refuse_mixed(rows)
    return _made(rows, _flags(scores, rows))


def indexed(scores):
    """The score rows with labels that name each row once."""
    return scores if scores.index.is_unique else scores.reset_index(drop=True)


def published(scores, **where):
    """The cells of the published numbers alone. where: as in `cells`."""
    return cells(scores[scores.origin != "run"], **where)


def _flags(scores, rows):
    """{label: known faults} of the rows that have any."""
    from dbutils.scores import flags

    if (rows.task == "did").any():  # how often a label was predicted stands in rows of its own
        rows = scores[scores.index.isin(rows.index) | (scores.task == "did").to_numpy()]
    return {label: found for label, found in zip(rows.index, flags.of(rows)) if found}


def _groups(rows):
    """The number of the cell that each row would be part of (published and own apart), as an array."""
    keys = [rows[c] for c in CELL]
    return rows.groupby([*keys, (rows.origin == "run").rename("own")], sort=False, observed=True).ngroup()


def _unused(rows):
    """Why a counting row is not used beside another of its cell, "" where it is: an array of text."""
    import numpy as np

    out = np.full(len(rows), "", object)
    if not len(rows) or not rows.duplicated([*CELL]).any():
        return out
    group = _groups(rows)
    raw = (rows.origin == "upstream").groupby(group).transform("any")
    out[np.asarray(raw & (rows.origin == "paper"))] = PRINTED
    part = partial(rows)
    if part.any():
        complete = (~part).groupby(group).transform("any")
        out[np.asarray(part & complete)] = PARTIAL_BESIDE
    return out


def _refuse_mixed(rows):
    """Raise InputError if the rows of a cell differ in more than the seed."""
    if not rows.duplicated([*CELL]).any():
        return
    group = _groups(rows)
    rows = rows[group.duplicated(keep=False).to_numpy()]
    if rows.empty:
        return
    group = _groups(rows)
    seed, n = rows.seed.fillna(-1), rows.n.fillna(-1)
    mixed = seed.groupby(group).nunique() < group.groupby(group).size()
    mixed |= (rows.seed.isna().groupby(group).any()) | (n.groupby(group).nunique() > 1)
    for column in SOURCE:
        mixed |= rows[column].astype(object).groupby(group).nunique() > 1
    if mixed.any():
        raise Mixed(_mixture(rows[(group == mixed.idxmax()).to_numpy()]))


def _mixture(rows):
    """What to say of rows that could make one cell but differ in more than the seed."""
    first = rows.iloc[0]
    what = f"{first.model} {first.setting} of task {first.task!r} for {first.variety!r}"
    ways = [("train", "--train")] if rows.train.nunique() > 1 else []
    listed = []
    for r in rows.itertuples():
        about = [f"train {r.train!r}"] if ways else []
        about += [f"corpus {r.corpus} code {r.code}"] if rows.code.nunique() > 1 or rows.corpus.nunique() > 1 else []
        about += [f"seed {r.seed}"] if not _none(r.seed) else []
        about += [f"n {r.n}"] if not _none(r.n) else []
        listed.append(f"{r.run or 'no run named'} ({', '.join(about)})" if about else r.run or "no run named")
    names = list(dict.fromkeys(listed))
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    choice = " or ".join([*(option for _, option in ways), "--run"])
    return (
        f"several scores of {what} differ in more than the seed and are not averaged: {'; '.join(names[:4])}{more}; "
        f"choose with {choice}, or name only one of them as scores"
    )


def _none(value):
    import pandas as pd

    return pd.isna(value)


def _made(rows, flagged):
    """Cells from rows that may be put together. flagged: {label: known faults}."""
    import pandas as pd

    from dbutils.scores import flags

    group = _groups(rows) if rows.duplicated([*CELL]).any() else pd.Series(range(len(rows)), index=rows.index)
    many = group.duplicated(keep=False).to_numpy()
    first = ~group.duplicated().to_numpy()
    out = rows[first].copy()
    out["seeds"], out["spread"] = 1, math.nan
    out["rows"] = [(label,) for label in out.index]
    out["run"] = out["run"].astype(object)
    if many.any():
        firsts, key = rows.index[many & first], group[many].to_numpy()
        grouped, below, above = (
            part[many].groupby(key, sort=False) for part in (rows, rows.value - rows.low, rows.high - rows.value)
        )
        value, spread, seeds = grouped.value.mean(), grouped.value.std(ddof=1), grouped.value.size()
        low, high = interval(value, below.mean(), above.mean(), spread, seeds, grouped.low.count() == seeds)
        made = {"value": value, "spread": spread, "seeds": seeds, "low": low, "high": high}
        made["rows"] = pd.Series([tuple(labels) for labels in grouped.groups.values()], index=list(grouped.groups))
        made["run"] = grouped.run.agg(lambda runs: ", ".join(dict.fromkeys(runs)))
        for name, of_cells in made.items():
            out.loc[firsts, name] = pd.Series(of_cells.loc[value.index].to_list(), index=firsts)
    out["own"] = out.origin == "run"
    out["size"] = recorded(out)
    out["partial"] = (out.own & (out.n < out["size"])).fillna(False).astype(bool)
    known = (flags.together(*(flagged.get(label, ()) for label in labels)) for labels in out["rows"])
    out["flags"] = list(known) if flagged else [()] * len(out)
    if out.partial.any():
        marked = zip(out["flags"], out.partial)
        out["flags"] = [flags.together(found, ("partial",)) if part else found for found, part in marked]
    return out[list(COLUMNS)].reset_index(drop=True)


def interval(value, below, above, spread, seeds, known):
    """The ends of the 95 % interval of means over seeds, covering the sampling of the test set and the seeds.

    value: means; below, above: mean distances of the rows' own ends (all seeds share one test set, so that this part
    does not shrink with their number); spread: standard deviation over `seeds` seeds, whose t interval is the second part.
    The two parts are independent and added in squares; known: whether every row has an interval of its own (none if not).
    Source: the sum of the variances of independent sources (Bouthillier et al. 2021, "Accounting for Variance in Machine
    Learning Benchmarks", section 2), with Student's t for the few seeds.
    """
    import numpy as np
    from scipy.stats import t

    between = t.ppf(0.975, np.maximum(seeds - 1, 1)) * spread / np.sqrt(seeds)
    low = (value - np.sqrt(below.clip(lower=0) ** 2 + between**2)).clip(lower=0)
    high = (value + np.sqrt(above.clip(lower=0) ** 2 + between**2)).clip(upper=100)
    return low.where(known), high.where(known)


def paired(scores, u, v):
    """[(score of u, score of v)] of two cells, seed by seed, over the seeds that both have; none if they share no seed.

    Published numbers stand for themselves, whatever their seed.
    """
    if not (u.own or v.own) or u.rows == v.rows and u.seeds == 1:
        return [(u.value, v.value)]
    of = [{_seed(r.seed): r.value for r in scores.loc[list(c.rows)].itertuples()} for c in (u, v)]
    return [(of[0][seed], of[1][seed]) for seed in of[0] if seed in of[1]]


def _seed(seed):
    return "" if _none(seed) else int(seed)


# ---- sizes -------------------------------------------------------------------------------------


@functools.cache
def sizes():
    """{(task, corpus, code, split): the smallest recorded number of examples of the test set}.

    From data/corpora_stats.csv (counted or published; a corpus may have the paper's and a sound split of one role; the
    labels of dialect identification one by one) and from the sizes of the published results.
    """
    from dbutils.scores.sources import raw_upstream

    out = {}

    def note(task, corpus, code, split, n):
        key = (task, corpus, code, split)
        out[key] = min(n, out.get(key, n))

    table = read_csv(data("corpora_stats.csv"), None)
    for r in table.itertuples():
        split = r.split.removeprefix("paper-").removeprefix("sound-")
        if r.examples:
            note(r.task, r.corpus, r.code, split, int(r.examples))
        if r.task == "did":
            for label, _, count in (part.rpartition("=") for part in r.labels.split(";") if part):
                note(r.task, r.corpus, f"{r.code}:{label}", split, int(count))
    raw = raw_upstream()
    raw = raw[raw.n.notna()].drop_duplicates(["task", "corpus", "code", "split", "n"])
    for r in raw.itertuples():
        note(r.task, r.corpus, r.code, r.split, int(r.n))
    return out


def recorded(rows):
    """The recorded size of the test set of each row, <NA> where none is: a Series of whole numbers."""
    import pandas as pd

    keys = rows[["task", "corpus", "code", "split"]]
    known = sizes()
    distinct = keys.drop_duplicates()
    found = {key: known.get(key) for key in distinct.itertuples(index=False, name=None)}
    return pd.Series(
        [found[key] for key in zip(keys.task, keys.corpus, keys.code, keys.split)], index=rows.index, dtype="Int64"
    )


def partial(rows):
    """Whether each row was measured on fewer examples than its test set has; published rows are taken as complete."""
    import pandas as pd

    out = pd.Series(False, index=rows.index)
    own = rows[(rows.origin == "run") & rows.n.notna()]
    if len(own):
        out.loc[own.index] = (own.n < recorded(own)).fillna(False).astype(bool)
    return out


def published_first(found):
    """The cells without one's own of the models that have published ones."""
    return found[~found.own | ~found.model.isin(set(found.model[~found.own]))]


def whole(found, partial=False):
    """The cells that may take part in maxima, ranks and marks: without partial ones, unless `partial` asks for them."""
    return found if partial else found[~found.partial]


# ---- what was read and is not shown --------------------------------------------------------------


@dataclass(frozen=True)
class Left:
    """Rows of one model that stand behind nothing shown, with one reason. own: of a run, not published."""

    count: int
    model: str
    why: str
    own: bool


@dataclass(frozen=True)
class Told:
    """What was read and is not shown: shown and read as numbers of rows, the rest as a tuple of Left."""

    read: int
    shown: int
    left: tuple[Left, ...] = ()

    def of(self, model):
        """What is told of one model, without its rows of other tasks."""
        left = tuple(left for left in self.left if left.model == model and left.why != OTHER_TASK)
        return Told(self.read, self.shown, left)

    @property
    def lines(self):
        """A line for each reason why rows of one's own are not shown (of published ones a table has always left some out)."""
        out = []
        for why, lefts in self._by_reason():
            count = sum(left.count for left in lefts)
            remedy = f"; {REMEDIES[why]}" if why in REMEDIES else ""
            out.append(f"{count} {'row' if count == 1 else 'rows'} of {_models(lefts)} not shown: {why}{remedy}")
        return out

    @property
    def sentence(self):
        """One sentence for a page, "" if every row of one's own is shown here or is of another task, which has its own page."""
        parts = [
            f"{sum(left.count for left in lefts)} of {_models(lefts)} ({why})"
            for why, lefts in self._by_reason()
            if why != OTHER_TASK
        ]
        return f"Rows read and not shown here: {'; '.join(parts)}." if parts else ""

    def _by_reason(self):
        found = {}
        for left in self.left:
            if left.own:
                found.setdefault(left.why, []).append(left)
        return found.items()


def _models(lefts):
    names = list(dict.fromkeys(left.model for left in lefts))
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])} and {len(names) - 3} more models"


def told(scores, shown, asked=(), chosen=None):
    """A Told: every row is behind a shown number, or counted here with the reason why not.

    shown: labels of the rows behind what is shown. chosen: the part of the scores that was asked for (`choose`). asked: what was looked for, a sequence of filters as in `cells`
    ({"task": ..., "metric": ...}), one per task at most.
    """
    import numpy as np

    scores = indexed(scores)
    rest = scores[~scores.index.isin(list(shown))]
    why = reasons(rest)
    if chosen is not None:
        why[(why == "") & ~rest.index.isin(chosen.index)] = NOT_ASKED
    _ask(rest, why, asked)
    counting = benchmark(scores if chosen is None else chosen)
    beside = dict(zip(counting.index, _unused(counting)))
    open_ = why == ""
    why[open_] = [beside[label] for label in rest.index[open_]]
    open_ = why == ""
    why[open_] = np.where(partial(rest[open_]), PARTIAL, NO_PLACE)
    own = (rest.origin == "run").to_numpy()
    table = {}
    for key in zip(rest.model, why, own):
        table[key] = table.get(key, 0) + 1
    left = tuple(Left(count, model, reason, bool(mine)) for (model, reason, mine), count in table.items())
    return Told(len(scores), len(scores) - len(rest), left)


def _ask(rest, why, asked):
    """Write into `why` what a row differs in from what was looked for, where it has no reason yet."""
    import numpy as np

    asked = [{k: v for k, v in one.items() if v is not None} for one in asked]
    if not asked:
        return
    tasks = {str(one["task"]).partition("-")[0]: one for one in asked if "task" in one}
    if tasks:
        why[(why == "") & ~rest.task.isin(list(tasks)).to_numpy()] = OTHER_TASK
    for one in asked:
        base, _, level = str(one.get("task", "")).partition("-")
        of = (rest.task == base).to_numpy() if base else np.full(len(rest), True)
        for column, value in one.items():
            todo = np.flatnonzero((why == "") & of)
            values = rest[column].to_numpy()
            if column == "task":
                for i in todo if level else ():
                    if registry.is_region(rest.cluster.iloc[i], rest.variety.iloc[i]) != (level == "region"):
                        why[i] = f"of another level than {level}s"
                continue
            wanted = {value} if isinstance(value, str) else set(value)
            for i in todo:
                if values[i] not in wanted:
                    why[i] = f"{column} {values[i]!r} is not shown here"


def measured(rows):
    """Rows as they come from scoring, with the types of a score table."""
    from dbutils.scores.schema import NUMBERS

    return rows.astype(NUMBERS).reset_index(drop=True)


def training(task, setting, code):
    """What scores of a code in a setting say to be trained on (`train`) where there is one possibility, else None.

    "" where nothing is trained (translation).
    """
    if setting == "in_variety" or (setting == "in_cluster" and task in ("did", "sa")):  # one classifier per data set
        return code
    if setting in ("zero_shot", "pseudo_reference"):
        return registry.facts(task).english if setting == "zero_shot" else ""
    return "all" if setting == "combined" else None


# ---- hints ---------------------------------------------------------------------------------------


def hints(scores):
    """Lines that warn of scores of one's own that are probably not what they seem.

    Values that all lie in 0..1 are probably no per cent; a training whose score on its own training variety is not above
    the majority baseline, by its interval, has probably failed.
    """
    own = scores[scores.origin == "run"]
    out = []
    for model, rows in own.groupby("model", sort=False, observed=True):
        if len(rows) > 1 and rows.value.max() <= 1 and rows.value.max() > 0:
            out.append(
                f"all {len(rows)} values of {model} lie between 0 and 1: score rows are in per cent, multiply by 100"
            )
    at_home = own[own.train.astype(object) == own.code.astype(object)]
    at_home = at_home.assign(partial=partial(at_home))
    for r in at_home.itertuples():
        chance = majority().get((r.task, r.corpus, r.code, r.split))
        if chance is None or r.metric != "accuracy" or not r.n:
            continue
        part = ", on a part of the test set," if r.partial else ""
        if (r.value if _none(r.low) else r.low) <= chance:
            interval_ = "" if _none(r.low) else f" (95 % interval from {r.low:.1f})"
            out.append(
                f"{r.model} {r.setting} trained on {r.train}: accuracy {r.value:.1f}{interval_} there{part} is not above "
                f"{chance:.1f}, what the most frequent label gets: the training has probably failed"
            )
    return list(dict.fromkeys(out))


@functools.cache
def majority():
    """{(task, corpus, code, split): accuracy in per cent of always saying the test set's most frequent label}.

    From the labels counted in data/corpora_stats.csv, for the tasks with one label for each example or word.
    """
    out = {}
    for r in read_csv(data("corpora_stats.csv"), None).itertuples():
        counts = [int(part.rpartition("=")[2]) for part in r.labels.split(";") if part]
        if r.task in ("sa", "tc", "nli", "pos") and len(counts) > 1:
            split = r.split.removeprefix("paper-").removeprefix("sound-")
            key = (r.task, r.corpus, r.code, split)
            out[key] = max(out.get(key, 0.0), 100 * max(counts) / sum(counts))
    return out
