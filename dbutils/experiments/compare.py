"""Whether two runs, or two varieties of one run, differ: intervals and tests from the stored per-example statistics."""

import functools
from dataclasses import dataclass, replace

from dbutils import registry, sandbox
from dbutils.errors import InputError, unknown
from dbutils.experiments import predictions, store
from dbutils.experiments.parts import Part, item, parallel
from dbutils.metrics import intervals, many, seeds
from dbutils.tasks import TASKS

COLUMNS = ("code", "split", "metric", "a", "b", "difference", "low", "high", "p", "p_holm", "p_bh", "n", "paired")
PAIR_COLUMNS = (
    "code_a",
    "code_b",
    "split",
    "metric",
    "a",
    "b",
    "difference",
    "low",
    "high",
    "p",
    "n_a",
    "n_b",
    "paired",
)
GAP_COLUMNS = (
    "task",
    "model",
    "setting",
    "train",
    "cluster",
    "variety",
    "code",
    "split",
    "metric",
    "reference",
    "reference_score",
    "score",
    "gap",
    "low",
    "high",
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_holm",
    "p_bh",
    "n",
    "paired",
    "run",
)
ENGLISH = ("anglic", "english")
NONE = intervals.Difference(0.0, 0.0, 0.0, 1.0)  # of a result from itself


@dataclass(frozen=True)
class Result:
    """A finished test as stored: its entry in the manifest and its table of predictions."""

    manifest: dict
    entry: dict
    folder: object

    @property
    def table(self):
        return predictions.read(self.folder / self.entry["file"])

    @property
    def metrics(self):
        identity = self.manifest["identity"]
        return TASKS[identity["task"]].metrics(identity["labels"])

    @property
    def part(self):
        return Part(self.entry["corpus"], self.entry["code"], self.entry["read"])


def results(folder):
    """{(code, split): Result} of a run folder."""
    manifest = store.read_manifest(folder)
    return {key: Result(manifest, entry, folder) for key, entry in store.tests_of(manifest).items()}


CLASSIFIED = ("did", "sa", "tc", "nli")  # tasks whose score hangs on the whole label set


def two_runs(a, b, say=print):
    """Differences a - b of two runs or configurations: one dict per shared code, split and metric, with COLUMNS.

    a, b: a run folder each, or several that differ in the seed only: then a and b are means over the seeds and the
    interval and test are of the configurations (`metrics.seeds`). With one seed each the variance of training is not
    in them, which is said. The items are the same, so they are paired. Codes whose test data differ between the runs
    (another limit, say) are told and left out. p is of each comparison alone; p_holm and p_bh are adjusted for their
    number.
    """
    sides = [list(side) if isinstance(side, list | tuple) else [side] for side in (a, b)]
    one, other = (_configuration(side) for side in sides)
    if one["task"] != other["task"]:
        raise InputError(
            f"{sides[0][0].name} is of task {one['task']}, {sides[1][0].name} of task {other['task']}: they cannot be compared"
        )
    _same_labels(sides[0][0].name, one, sides[1][0].name, other)
    mine, theirs = ([results(folder) for folder in side] for side in sides)
    shared = [key for key in mine[0] if all(key in found for found in (*mine, *theirs))]
    if not shared:
        raise InputError(f"{sides[0][0].name} and {sides[1][0].name} have no finished variety in common")
    out = []
    for code, split in sorted(shared):
        x, y = ([found[code, split] for found in side] for side in (mine, theirs))
        if len({(r.entry["sha256"], r.entry["corpus"]) for r in (*x, *y)}) > 1:
            say(f"left out: {code} {split}: the two runs were tested on different data")
            continue
        out.extend(_rows_of_runs(x, y, code, split))
    count = many.adjusted(out)
    if out and len(sides[0]) == len(sides[1]) == 1 and sides[0] != sides[1]:
        say("one seed each: how much training varies is not in these intervals and p-values; give several, as RUN,RUN")
    if count > 1:
        say(f"{count} tests were made: p_holm and p_bh are adjusted for that")
    return out


def _same_labels(name, one, other_name, other):
    """InputError if two classifiers of texts tell other labels apart: their scores answer different questions."""
    if one["task"] in CLASSIFIED and list(one["labels"]) != list(other["labels"]):
        shown = [", ".join(map(str, identity["labels"][:4])) or "none" for identity in (one, other)]
        raise InputError(
            f"{name} tells the labels {shown[0]} apart, {other_name} {shown[1]}: scores over other label sets do not compare"
        )


def _configuration(folders):
    """The identity of runs that differ in the seed only; InputError if they differ in more or hold a seed twice."""
    found = [store.read_manifest(folder)["identity"] for folder in folders]
    for folder, identity in zip(folders, found, strict=True):
        differ = [name for name in found[0] if name != "seed" and identity.get(name) != found[0][name]]
        if differ:
            raise InputError(
                f"{folders[0].name} and {folder.name} differ in {', '.join(differ)}: one side of a comparison may hold "
                "several runs that differ in the seed only"
            )
    if len({identity["seed"] for identity in found}) < len(found):
        raise InputError(f"{', '.join(folder.name for folder in folders)}: a seed stands twice")
    return found[0]


def _rows_of_runs(x, y, code, split):
    """Rows of two lists of Results of one test, one Result per seed."""
    one, other = [r.table for r in x], [r.table for r in y]
    groups, names = predictions.groups(one[0]), {metric.name for metric in y[0].metrics}
    same = [r.folder for r in x] == [r.folder for r in y]
    for metric in x[0].metrics:
        if metric.name not in names or not len(one[0]):
            continue
        a, b = ([predictions.statistics(table, metric.name) for table in side] for side in (one, other))
        found = NONE if same else seeds.difference(metric, a, b, groups)
        yield dict(
            code=code,
            split=split,
            metric=metric.name,
            a=sum(_value(metric, table) for table in a) / len(a),
            b=sum(_value(metric, table) for table in b) / len(b),
            difference=found.value,
            low=found.low,
            high=found.high,
            p=found.p,
            n=len(a[0]),
            paired=True,
        )


def two_varieties(folder, code_a, code_b, split="test", say=print):
    """The difference of two codes of one run, one dict per metric, with the keys PAIR_COLUMNS.

    Paired where the corpus has the same items in both; else the two are drawn apart. say: told how many tests were made,
    and that two corpora compare only loosely.
    """
    found = results(folder)
    for code in (code_a, code_b):
        if (code, split) not in found:
            raise unknown(f"finished variety of {folder.name}", code, [c for c, s in found if s == split])
    x, y = found[code_a, split], found[code_b, split]
    pairing = Pairing(x, y)
    if x.entry["corpus"] != y.entry["corpus"]:
        corpora = f"{x.entry['corpus']} and {y.entry['corpus']}"
        say(
            f"{code_a} and {code_b} are of two corpora, {corpora}: other texts and annotators are in the difference too"
        )
    out = []
    for metric in x.metrics:
        difference = pairing.compare(metric)
        a, b = pairing.sides(metric)
        out.append(
            dict(
                code_a=code_a,
                code_b=code_b,
                split=split,
                metric=metric.name,
                a=_value(metric, a),
                b=_value(metric, b),
                difference=difference.value,
                low=difference.low,
                high=difference.high,
                p=difference.p,
                n_a=len(a),
                n_b=len(b),
                paired=pairing.paired,
            )
        )
    if len(out) > 1:
        say(f"{len(out)} tests were made, one for each metric; each p is of its own comparison alone")
    return out


class Pairing:
    """Two Results side by side: item by item where they hold the same items."""

    def __init__(self, x, y):
        self.one, self.other = x.table, y.table
        for result, table in ((x, self.one), (y, self.other)):
            if not len(table):
                raise InputError(f"{result.entry['code']} of {result.folder.name} has no examples to compare")
        self.groups_one, self.groups_other = predictions.groups(self.one), predictions.groups(self.other)
        known = "unit" in x.entry and "unit" in y.entry  # else their groups are older than units
        self.order = self._order(x.part, y.part, known)

    @property
    def paired(self):
        return self.order is not None

    def _order(self, one, other, known):
        """Rows of the second table in the order of the first one's items, None if they are not the same."""
        if one.corpus != other.corpus or not parallel(one.corpus):
            return None
        mine, theirs = (
            _items(part, table.column("id").to_pylist(), groups if known else None)
            for part, table, groups in ((one, self.one, self.groups_one), (other, self.other, self.groups_other))
        )
        place = {id: row for row, id in enumerate(theirs)}
        if len(place) != len(theirs) or set(mine) != set(place) or len(mine) != len(theirs):
            return None
        order = [place[id] for id in mine]
        groups = self.groups_other and [self.groups_other[row] for row in order]
        return tuple(order) if _partition(self.groups_one) == _partition(groups) else None

    def sides(self, metric):
        """The statistics of a metric on both sides, paired rows side by side."""
        a, b = predictions.statistics(self.one, metric.name), predictions.statistics(self.other, metric.name)
        return a, (b if self.order is None else b[list(self.order)])

    def compare(self, metric, function=intervals.difference):
        """The Difference of a metric, or with `intervals.gap` the gap of the second side from the first."""
        return function(metric, *self.sides(metric), self.groups_one, self.paired, self.groups_other)


def _items(part, ids, units):
    """The items of some ids; where one stands several times (a sentence that a town has twice) with its number."""
    seen, out = {}, []
    for id, unit in zip(ids, units or [""] * len(ids), strict=True):
        name = item(part, id, unit)
        seen[name] = seen.get(name, 0) + 1
        out.append((name, seen[name]))
    return out


def _partition(groups):
    """Groups as numbers in order of first appearance, so that two namings of the same groups are equal."""
    if groups is None:
        return None
    numbers = {}
    return [numbers.setdefault(group, len(numbers)) for group in groups]


def gaps_with_intervals(folders, reference="representative", metric="", split="test", say=lambda text: None):
    """The dialectal gap of every variety of one or more runs, with its interval, as a table with GAP_COLUMNS.

    folders: run folders of one task, model, setting and seed (in-variety training has one run per variety).
    reference: `english` (the sandbox's source), `representative` of the cluster (Table 9), or a code.
    metric: by name (default: the task's first). gap in per cent of the reference's score, empty where that
    is 0; difference: of the two scores, reference minus variety, whose p it is; p_holm and p_bh adjusted for the
    number of varieties, the reference itself (gap 0) not counted, which `say` is told. Paired with the reference where the items are the
    same. Varieties whose reference has no score are left out.
    """
    import pandas as pd

    found = {}
    for folder in [folders] if isinstance(folders, str) or hasattr(folders, "joinpath") else folders:
        for (code, role), result in results(_path(folder)).items():
            if role == split and result.entry["cluster"]:
                if code in found:
                    raise InputError(
                        f"{code} is in {found[code].folder.name} and {_path(folder).name}: give one of them"
                    )
                found[code] = result
    _same_system(found)
    rows = [row for row in (_gap_row(result, found, reference, metric) for result in found.values()) if row]
    count = many.adjusted(rows)
    if count > 1:
        say(f"{count} tests were made: p_holm and p_bh are adjusted for that")
    return pd.DataFrame(rows, columns=list(GAP_COLUMNS))


def _path(folder):
    from pathlib import Path

    return Path(folder)


def _same_system(found):
    systems = {
        tuple(r.manifest["identity"][k] for k in ("task", "setting", "seed")) + (r.manifest["model"],)
        for r in found.values()
    }
    if len(systems) > 1:
        one, other = sorted(systems)[:2]
        raise InputError(
            f"gaps need runs of one system: {' '.join(map(str, one))} and {' '.join(map(str, other))} differ"
        )


def _gap_row(result, found, reference, metric):
    identity = result.manifest["identity"]
    code = reference_code(identity, result.entry, reference, found)
    if code is None or code not in found:
        return None
    if found[code].folder != result.folder:
        other = found[code]
        _same_labels(other.folder.name, other.manifest["identity"], result.folder.name, identity)
    metrics = {m.name: m for m in result.metrics}
    name = metric or result.metrics[0].name
    if name not in metrics:
        raise unknown(f"metric of task {identity['task']}", name, metrics)
    pairing = Pairing(found[code], result)
    u, v = pairing.sides(metrics[name])
    if found[code] is result:
        difference = gap = replace(NONE, p=None)
    else:
        difference = pairing.compare(metrics[name], functools.partial(intervals.difference, test=False))
        gap = pairing.compare(metrics[name], intervals.gap)
    return dict(
        task=identity["task"],
        model=result.manifest["model"],
        setting=identity["setting"],
        train=identity["train"]["name"],
        cluster=result.entry["cluster"],
        variety=result.entry["variety"],
        code=result.entry["code"],
        split=result.entry["split"],
        metric=name,
        reference=code,
        reference_score=_value(metrics[name], u),
        score=_value(metrics[name], v),
        gap=gap.value if gap.value == gap.value else None,
        low=gap.low,
        high=gap.high,
        difference=difference.value,
        difference_low=difference.low,
        difference_high=difference.high,
        p=gap.p,
        n=len(v),
        paired=pairing.paired,
        run=result.manifest["run"],
    )


def reference_code(identity, entry, reference, codes):
    """The code that a variety is compared with, or None if its cluster has none for the task."""
    if reference in ("english", "representative"):
        if entry["corpus"] == sandbox.CORPUS:
            return sandbox.SOURCE if reference == "english" else sandbox.CLUSTERS[entry["cluster"]].representative
        known = registry.load()
        if reference == "english":
            variety = known.get(*ENGLISH)
        else:
            variety = known.representative(_level(identity["task"], entry), entry["cluster"])
        mine = [c.code for c in variety.codes if c.task == identity["task"]] if variety else []
        return next((code for code in mine if code in codes), None)
    if reference not in codes:
        raise unknown("reference", reference, ["english", "representative", *codes])
    return reference


def _level(task, entry):
    if task != "mt":
        return task
    return "mt-region" if registry.is_region(entry["cluster"], entry["variety"]) else "mt-dialect"


def _value(metric, statistics):
    return float(metric.value(statistics.sum(axis=0)))
