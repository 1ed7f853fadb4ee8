"""The dialectal gap of section 3.3: how much worse a system does on v than on the baseline u.

    G_t(u, v) = (S_t(u) - S_t(v)) / S_t(u)

in three variations: G_eng(eng, v), G_eng(rep, v) and G_t(rep, v), where rep is the cluster's
representative (Table 9) and t what the system was fine-tuned on. In-variety fine-tuning compares
two systems: S_u(u) with S_v(v). A cluster's gap is the mean over its members.

Handled on purpose:
- S(u) = 0: the relative gap has no value; the row keeps an empty gap and does not enter means.
- a cluster without a representative for the task, or whose representative has no score: no gap.
- one-member clusters: as defined (all members) the gap is 0; without the reference there is none.
- a support of 0 (Jamaican Creole in WikiANN) is a score of 0 and so a gap of 100; `n` shows it.
- a training source outside the cluster (Tables 12, 17): `train` names the source of v's score, and
  `same_source` says whether u's score comes from the same one, as the definition wants it.
"""

import math
from dataclasses import dataclass

from dbutils import SETTINGS, registry
from dbutils.errors import InputError
from dbutils.scores import benchmark

ENGLISH = ("anglic", "english")
METRIC = {"dep": "uas", "mt": "bleu"}


def rows_of(scores, task, model, setting, split="test"):
    """The benchmark's score rows of one system: one row per variety, in per cent.

    Raises InputError if there is none (naming what there is), or several for one variety.
    """
    base = task.partition("-")[0]
    rows = benchmark(scores)
    rows = rows[(rows.task == base) & (rows.metric == METRIC.get(base, "f1")) & (rows.split == split)]
    if base == "mt":
        from dbutils.registry import is_region

        region = [is_region(c, v) for c, v in zip(rows.cluster, rows.variety)]
        rows = rows.loc[[r == (task == "mt-region") for r in region]]
    found = rows[(rows.model == model) & (rows.setting == setting)]
    if found.empty:
        have = ", ".join(sorted({f"{m} {s}" for m, s in zip(rows.model, rows.setting)})) or "nothing"
        raise InputError(f"no scores of model {model!r} in setting {setting!r} for task {task!r}; there are: {have}")
    again = found.duplicated(["cluster", "variety", "seed"])
    if again.any():
        row = found[again].iloc[0]
        raise InputError(f"several scores of {model} {setting} for {row.variety!r}: choose one source of scores")
    return found


@dataclass(frozen=True)
class Gap:
    """One of the three variations: which setting, which baseline."""

    setting: str
    reference: str  # "english" or "representative"

    @property
    def symbol(self):
        t = {"zero_shot": "eng", "in_variety": "in-variety", "in_cluster": "rep"}.get(self.setting, self.setting)
        return f"G_{t}({'eng' if self.reference == 'english' else 'rep'},C)"


def by_variety(scores, task, model, setting, reference="representative", split="test"):
    """Gap of every variety with a score.

    reference: `english` (u = English) or `representative` (u = the cluster's, Table 9).
    Returns a table cluster, variety, code, train, reference, reference_score, score, gap, same_source,
    n (scores and gap in per cent; gap not-a-number where it is undefined).
    """
    if reference not in ("english", "representative"):
        from dbutils.errors import unknown

        raise unknown("reference", reference, ("english", "representative"))
    import pandas as pd

    known = registry.load()
    rows = rows_of(scores, task, model, setting, split)
    score = {(r.cluster, r.variety): r for r in rows.itertuples()}
    level = {"mt": "mt-dialect"}.get(task, task)
    if reference == "english" and ENGLISH not in score:
        raise InputError(
            f"task {task!r} has no score of English with {model} {setting}: use --reference representative"
        )
    out = []
    for r in rows.itertuples():
        if reference == "english":
            key = ENGLISH
        else:
            representative = known.representative(level, r.cluster)
            key = representative.key if representative else None
        u = score.get(key)
        if u is None:
            continue
        in_variety = setting == "in_variety"  # S_u(u) and S_v(v): each trained on its own data
        out.append(
            dict(
                cluster=r.cluster,
                variety=r.variety,
                code=r.code,
                train=r.train,
                reference=key[1],
                reference_score=u.value,
                score=r.value,
                gap=relative(u.value, r.value),
                same_source=in_variety or u.train == r.train,
                n=r.n,
            )
        )
    return pd.DataFrame(
        out,
        columns=[
            "cluster",
            "variety",
            "code",
            "train",
            "reference",
            "reference_score",
            "score",
            "gap",
            "same_source",
            "n",
        ],
    )


def first_setting(scores, task, model):
    """zero_shot if the model has such scores of the task, else the first setting that it has."""
    rows = benchmark(scores)
    have = set(rows[(rows.task == task.partition("-")[0]) & (rows.model == model)].setting)
    return next((s for s in SETTINGS if s in have), "zero_shot")


def relative(u, v):
    """100 (u - v) / u; not-a-number for u = 0."""
    return 100 * (u - v) / u if u else math.nan


def by_cluster(gaps):
    """Mean gap per cluster, from a table of `by_variety`.

    `gap` is the mean over all members, the reference with its 0 included, as the formula has it;
    `gap_others` the mean over the members other than the reference, as Table 4 was printed.
    Returns a table cluster, reference, varieties, gap, gap_others, sorted by cluster.
    """
    import pandas as pd

    groups = {}
    for r in gaps.itertuples():
        groups.setdefault(r.cluster, []).append(r)
    rows = []
    for cluster, members in sorted(groups.items()):
        valid = [r for r in members if not math.isnan(r.gap)]
        others = [r.gap for r in valid if r.variety != r.reference]
        rows.append(
            dict(
                cluster=cluster,
                reference=members[0].reference,
                varieties=len(valid),
                gap=_mean([r.gap for r in valid]),
                gap_others=_mean(others),
            )
        )
    return pd.DataFrame(rows, columns=["cluster", "reference", "varieties", "gap", "gap_others"])


def _mean(values):
    return sum(values) / len(values) if values else math.nan


# ---- Table 4 --------------------------------------------------------------------------------

FINE_TUNED = {"dep": "in_variety", "pos": "in_variety", "ner": "in_cluster", "tc": "in_cluster"}
# Table 4 looks at the rows of the task's first corpus family only
TABLE4_CORPORA = {"dep": None, "pos": {"ud", "singlish"}, "ner": {"wikiann", "wikiann_og"}, "tc": None}
# the printed values of tagging come out only without this cluster (protocol, section 6)
TABLE4_LEFT_OUT = {"pos": {"italian romance"}}


def variations(task):
    """The three gaps that Table 4 shows of a task."""
    return (Gap("zero_shot", "english"), Gap("zero_shot", "representative"), Gap(FINE_TUNED[task], "representative"))


def table4(scores, task, model="mbert", left_out=TABLE4_LEFT_OUT):
    """Cluster gaps of a task under the conventions of Table 4 (protocol, section 6).

    One common set of clusters for the three variations: those whose representative has a
    fine-tuned score and that have at least one other member with one. Means are over the members
    other than the reference. Returns {Gap: table of `by_cluster`}.
    """
    corpora = TABLE4_CORPORA[task]
    if corpora is not None:
        scores = scores[scores.corpus.isin(corpora) | (scores.task != task)]
    fine_tuned = by_variety(scores, task, model, FINE_TUNED[task])
    others = fine_tuned[fine_tuned.variety != fine_tuned.reference]
    common = set(others.cluster) - left_out.get(task, set())
    out = {}
    for gap in variations(task):
        table = by_cluster(by_variety(scores, task, model, gap.setting, gap.reference))
        out[gap] = table[table.cluster.isin(common)].dropna(subset=["gap_others"]).reset_index(drop=True)
    return out
