"""The dialectal gap of section 3.3: how much worse a system does on v than on the baseline u.

    G_t(u, v) = (S_t(u) - S_t(v)) / S_t(u)

in three variations: G_eng(eng, v), G_eng(rep, v) and G_t(rep, v), where rep is the cluster's
representative (Table 9) and t what the system was fine-tuned on. In-variety fine-tuning compares
two systems: S_u(u) with S_v(v). A cluster's gap is the mean over its members.

Handled on purpose:
- S(u) = 0: the relative gap has no value; the row keeps an empty gap and does not enter means.
- a cluster without a representative for the task, or whose representative has no score: no gap.
- one-member clusters: without the reference there is no gap; as defined (all members) it is 0.
- several seeds: gaps pair by seed, reference and variety of the same one; without a common seed there is no gap.
- a support of 0 (Jamaican Creole in WikiANN) is a score of 0 and so a gap of 100; `n` shows it.
- a training source outside the cluster (Tables 12, 17): `train` names the source of v's score, and
  `same_source` says whether u's score comes from the same one, as the definition wants it.
"""

import math
from dataclasses import dataclass

from dbutils import SETTINGS, registry
from dbutils.errors import InputError
from dbutils.scores import cells, flags

ENGLISH = ("anglic", "english")


def asked(task, model, setting, split="test"):
    """What a gap looks for among the score rows, as the arguments of `cells.cells`."""
    return dict(task=task, metric=registry.facts(task).metric, split=split, model=model, setting=setting)


def system(scores, task, choice):
    """(model, own) that a reader asks for: the model named, or that of the run chosen, else the task's first of the paper.

    task: None for any. own: as in `rows_of`: of a run that is named, its own rows. Raises InputError if a choice of runs has several models.
    """
    model, own = choice.model, True if choice.run else None
    if not model and own:
        models = sorted(cells.present(scores, "model", task=task, origin="run"))
        if len(models) > 1:
            raise InputError(f"these runs are of several models: choose one with --model: {', '.join(models)}")
        model = models[0] if models else ""
    return model or (registry.facts(task).maximum.models[0] if task else "mbert"), own


def rows_of(scores, task, model, setting, split="test", own=None):
    """The cells of one system: one per variety, in per cent.

    own: the measured ones (True) or the published ones (False); None: whichever there is.
    Raises InputError if there is none (saying what there is, and why rows of the model do not count), or if rows of
    several runs, or published numbers and own ones, would mix.
    """
    found = cells.cells(scores, **asked(task, model, setting, split))
    if own is not None:
        found = found[found.own == own]
    if found.empty:
        raise InputError(_nothing(scores, task, model, setting, split))
    if found.own.nunique() > 1:
        raise cells.Mixed(
            f"there are published scores and runs of {model} {setting} in task {task!r}: choose a run with --run, or name "
            "only one of them as scores"
        )
    return found


def _nothing(scores, task, model, setting, split):
    """Why there is no score of a system."""
    lines = cells.told(scores, (), [asked(task, model, setting, split)]).of(model).lines
    if lines:
        return f"no score of {model!r} in setting {setting!r} of task {task!r} counts: {'; '.join(lines)}"
    have = cells.present(scores, "model", "setting", **asked(task, None, None, split))
    have = ", ".join(sorted(" ".join(pair) for pair in have)) or "nothing"
    return f"no scores of model {model!r} in setting {setting!r} for task {task!r}; there are: {have}"


@dataclass(frozen=True)
class Gap:
    """One of the three variations: which setting, which baseline."""

    setting: str
    reference: str  # "english" or "representative"

    @property
    def symbol(self):
        t = {"zero_shot": "eng", "in_variety": "in-variety", "in_cluster": "rep"}.get(self.setting, self.setting)
        return f"G_{t}({'eng' if self.reference == 'english' else 'rep'},C)"


COLUMNS = (
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
    "seeds",
    "partial",
    "flags",
    "failed",
    "rows",
)


def by_variety(scores, task, model, setting, reference="representative", split="test", own=None, withhold=False):
    """Gap of every variety with a score.

    reference: `english` (u = English) or `representative` (u = the cluster's, Table 9). own: as in `rows_of`. withhold: no
    gap from a baseline that is no result (a missing value, a failed training: `flags.excluded`); the paper has them. A
    variety's own score that is no result keeps its gap, with its flags.
    Returns a table of COLUMNS: scores and gap in per cent, the means over the seeds that u and v both have, and
    the gaps' mean over them; gap not-a-number where it is undefined; flags: known faults of either score; failed: those for
    which the baseline's is no result (`scores.flags`), so that the gap says nothing; rows: the labels of the score rows behind it.
    """
    if reference not in ("english", "representative"):
        from dbutils.errors import unknown

        raise unknown("reference", reference, ("english", "representative"))
    import pandas as pd

    known = registry.load()
    scores = cells.indexed(scores)
    found = rows_of(scores, task, model, setting, split, own)
    score = {(r.cluster, r.variety): r for r in found.itertuples()}
    level = {"mt": "mt-dialect"}.get(task, task)
    if reference == "english" and ENGLISH not in score:
        raise InputError(
            f"task {task!r} has no score of English with {model} {setting}: use --reference representative"
        )
    out = []
    for r in found.itertuples():
        if reference == "english":
            key = ENGLISH
        else:
            representative = known.representative(level, r.cluster)
            key = representative.key if representative else None
        u = score.get(key)
        if u is None:
            continue
        pairs = cells.paired(scores, u, r)
        failed = tuple(f for f in u.flags if flags.FLAGS[f].excluded)
        in_variety = setting == "in_variety"  # S_u(u) and S_v(v): each trained on its own data
        out.append(
            dict(
                cluster=r.cluster,
                variety=r.variety,
                code=r.code,
                train=r.train,
                reference=key[1],
                reference_score=_mean([first for first, _ in pairs]),
                score=_mean([second for _, second in pairs]),
                gap=math.nan if withhold and failed else _mean([relative(*pair) for pair in pairs]),
                same_source=in_variety or u.train == r.train,
                n=r.n,
                seeds=len(pairs),
                partial=u.partial or r.partial,
                flags=flags.together(r.flags, u.flags),
                failed=failed,
                rows=tuple(dict.fromkeys((*u.rows, *r.rows))) if pairs else (),
            )
        )
    return pd.DataFrame(out, columns=list(COLUMNS))


def withheld(table):
    """A line for each kind of fault of a baseline for which `by_variety` withholds gaps."""
    found = {}
    for r in table.itertuples(index=False):
        if r.failed:
            found.setdefault((flags.names(r.failed), r.reference), []).append(r.variety)
    return [
        f"{len(names)} {'gap' if len(names) == 1 else 'gaps'} withheld, since the baseline {reference} is no result ({fault}): "
        f"{', '.join(names[:4])}{' ...' if len(names) > 4 else ''}; --as-printed shows them"
        for (fault, reference), names in found.items()
    ]


def first_setting(scores, task, model):
    """zero_shot if the model has such scores of the task, else the first setting that it has."""
    have = cells.present(scores, "setting", task=task.partition("-")[0], model=model)
    return next((s for s in SETTINGS if s in have), "zero_shot")


def relative(u, v):
    """100 (u - v) / u; not-a-number for u = 0."""
    return 100 * (u - v) / u if u else math.nan


def by_cluster(gaps):
    """Mean gap per cluster, from a table of `by_variety`.

    `gap` is the mean over the members other than the reference, as Table 4 was printed: the convention of the whole
    project; `gap_all` the mean over all members, the reference with its 0 included, as the formula has it.
    Returns a table cluster, reference, varieties, gap, gap_all, rows (labels of the score rows behind it), flags (known
    faults of any score behind it), failed (those for which the baseline's score is no result), sorted by cluster.
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
                gap=_mean(others),
                gap_all=_mean([r.gap for r in valid]),
                rows=tuple(label for r in members for label in getattr(r, "rows", ())),
                flags=flags.together(*(getattr(r, "flags", ()) for r in members)),
                failed=next((r.failed for r in members if hasattr(r, "failed")), ()),
            )
        )
    return pd.DataFrame(
        rows, columns=["cluster", "reference", "varieties", "gap", "gap_all", "rows", "flags", "failed"]
    )


def _mean(values):
    return sum(values) / len(values) if values else math.nan


# ---- Table 4 --------------------------------------------------------------------------------


def of_table4():
    """The tasks of Table 4."""
    return tuple(code for code, task in registry.TASK_FACTS.items() if task.gaps)


def of_corpora(scores, task):
    """The score rows of the corpora whose gaps the paper shows of a task: those of its first corpus family."""
    gaps = registry.facts(task).gaps
    return scores[scores.corpus.isin(gaps.corpora)] if gaps and gaps.corpora else scores


def variations(task):
    """The three gaps that Table 4 shows of a task."""
    return (
        Gap("zero_shot", "english"),
        Gap("zero_shot", "representative"),
        Gap(registry.facts(task).gaps.fine_tuned, "representative"),
    )


def table4(scores, task, model="mbert", left_out=None, own=None):
    """Cluster gaps of a task under the conventions of Table 4 (protocol, section 6).

    One common set of clusters for the three variations: those whose representative has a
    fine-tuned score and that have at least one other member with one. Means are over the members
    other than the reference. left_out: clusters to leave out (None: those that the paper must
    have left out). Returns {Gap: table of `by_cluster`}.
    """
    of_task = registry.facts(task).gaps
    scores = of_corpora(scores, task)
    fine_tuned = by_variety(scores, task, model, of_task.fine_tuned, own=own)
    others = fine_tuned[fine_tuned.variety != fine_tuned.reference]
    common = set(others.cluster).difference(of_task.left_out if left_out is None else left_out)
    out = {}
    for gap in variations(task):
        table = by_cluster(by_variety(scores, task, model, gap.setting, gap.reference, own=own))
        out[gap] = table[table.cluster.isin(common)].dropna(subset=["gap"]).reset_index(drop=True)
    return out
