"""The summary tables: 3 (maxima), 4 (gaps), 5 (base models), 21 (extremes), 22 (reversals), 23-31 (utilities)."""

import math

from dbutils import names, registry
from dbutils.analysis import comparison, gap, maximum, ranking, utility
from dbutils.analysis.maximum import maxima
from dbutils.analysis.rounding import half_even
from dbutils.analysis.tables.base import build, lacking
from dbutils.errors import InputError
from dbutils.scores import cells, flags, printed
from dbutils.scores.flags import LEAST_PREDICTIONS

UTILITY_TABLES = {t.utility_table: t.code for t in registry.TASK_FACTS.values() if t.utility_table}


def best_scores(scores, task, choice=cells.ALL):
    """The maxima that the summary tables aggregate (published parsing is rounded to two decimals first, own runs are not)."""
    table = maxima(scores, task, few=False, choice=choice)
    if task == "dep":
        table = table.assign(value=table.value.where(table.origin == "run", [half_even(v, 2) for v in table.value]))
    return table


def _spelled(row, column, norm, name):
    """The name as this row of the print spells it, if it means the same; else the registry's name."""
    return row[column] if row[norm] == name else name


def maxima_summary(scores, choice=cells.ALL):
    """Table 3: average, best and worst maximum obtainable score per task."""
    known = registry.load()
    tasks = known.tasks_in(3)
    out, behind = [], set()
    for line, r in printed(3).iterrows():
        task = tasks[r.task]
        table = best_scores(scores, task, choice)
        if table.empty:
            continue
        behind.update(*table.rows)
        row = dict(category=r.category, task=r.task)
        ticked = _ticked(known, task)
        row |= dict(num_clusters=len({c for c, _ in ticked}), num_varieties=len(ticked), avg_score=table.value.mean())
        faults = dict(avg_score=flags.together(*table["flags"]))
        for side, at in (("max", table.value.idxmax()), ("min", table.value.idxmin())):
            best = table.loc[at]
            faults |= {f"{side}_score": best["flags"]}
            same = (r[f"{side}_cluster_norm"], r[f"{side}_variety_norm"]) == (best.cluster, best.variety)
            row[f"{side}_cluster_variety"] = r[f"{side}_cluster_variety"] if same else f"{best.cluster}/{best.variety}"
            row[f"{side}_score"] = best.value
        out.append((line, None, r.task, row, faults))
    if not out:
        raise InputError(_needs(3, "scores of at least one task of the benchmark", scores))
    sentence = (
        "The average is over varieties, not clusters. Clusters and varieties are counted by the ticks of Table 8. "
        f"Dialect identification leaves out labels that mBERT predicts fewer than {LEAST_PREDICTIONS} times."
    )
    decimals = dict(num_clusters=0, num_varieties=0, avg_score=1, max_score=1, min_score=1)
    asked = tuple(maximum.asked(task, choice.model) for task in registry.TASK_FACTS)
    title = f"Maximum obtainable scores per task{_of(choice)}"
    return build(3, title, sentence, out, decimals, group="category", behind=tuple(behind), asked=asked)


def _of(choice):
    """`, of my-model`, where a model was asked for."""
    return f", of {choice.model}" if choice.model else ""


def _needs(number, what, scores):
    """What to say where a table has nothing to show: what it needs, and why the rows that were read do not count."""
    why = "; ".join(cells.told(scores, ()).lines)
    return f"table {number} needs {what}{'; ' if why else ''}{why}"


def _system(scores, choice):
    """(model, own) of the tables that look at one model: the one asked for, else the paper's, of which the published goes
    before a run."""
    if choice.model or choice.run:
        return gap.system(scores, None, choice)
    return "mbert", False if cells.present(scores, "task", model="mbert", origin=("upstream", "paper")) else None


def _ticked(known, task):
    base, _, level = task.partition("-")
    keys = [v.key for v in known if base in v.tasks]
    return [k for k in keys if not level or registry.is_region(*k) == (level == "region")]


def gap_summary(scores, choice=cells.ALL):
    """Table 4: the three dialectal gaps per task, averaged over clusters."""
    model, own = _system(scores, choice)
    tasks = registry.load().tasks_in(4)
    out, tables, behind = [], {}, set()
    for line, r in printed(4).iterrows():
        task = tasks[r.task]
        if task not in tables:
            tables[task] = _table4(scores, task, model, own)
        table = tables[task].get(r.gap_metric)
        if table is None or table.empty:
            continue
        behind.update(*table.rows)
        table = table.set_index("cluster")
        values, have = table.gap, table["flags"]
        high, low = values.idxmax(), values.idxmin()
        row = dict(
            task=r.task,
            gap_metric=r.gap_metric,
            avg_value=values.mean(),
            max_cluster=_spelled(r, "max_cluster", "max_cluster_norm", high),
            max_value=values[high],
            min_cluster=_spelled(r, "min_cluster", "min_cluster_norm", low),
            min_value=values[low],
        )
        faults = dict(avg_value=flags.together(*have), max_value=have[high], min_value=have[low])
        out.append((line, None, f"{r.task} {r.gap_metric}", row, faults))
    if not out:
        name = "mBERT" if model == "mbert" else model
        what = f"{name} scores, zero-shot and fine-tuned, of parsing, tagging, entities or topics"
        raise InputError(_needs(4, what, scores))
    sentence = (
        f"{'mBERT' if model == 'mbert' else model} only. A cluster's gap is the mean over its members other than the reference; the average is over clusters "
        "whose representative and at least one other member have a fine-tuned score. Tagging: treebank rows, without italian "
        "romance; entities: WikiANN rows."
    )
    return build(
        4,
        "Dialectal gap per cluster, in per cent",
        sentence,
        out,
        dict(avg_value=1, max_value=1, min_value=1),
        group="task",
        behind=tuple(behind),
        asked=tuple(
            gap.asked(task, model, ("zero_shot", registry.facts(task).gaps.fine_tuned)) for task in gap.of_table4()
        ),
    )


def _table4(scores, task, model, own):
    """{symbol of the gap: table of clusters} of a task, none if the model lacks a score that all of them need."""
    try:
        return {g.symbol: t for g, t in gap.table4(scores, task, model, own=own).items()}
    except cells.Mixed:
        raise
    except InputError:
        return {}


def base_models(scores, choice=cells.ALL):
    """Table 5: the two encoders side by side, and the model asked for."""
    models = comparison.MODELS + ((choice.model,) if choice.model and choice.model not in comparison.MODELS else ())
    columns = {f"{name}_{m}": (m, stage) for stage, name in enumerate(("zero_shot", "finetune")) for m in models}
    tasks = registry.load().tasks_in(5)
    out, table, behind = [], {}, set()
    for line, r in printed(5).iterrows():
        if r.task == "win":
            break
        task = tasks[r.task]
        found = comparison.compared(scores, task, models, comparison.printed_keys(task))
        means = comparison.means(found, task, models)
        if all(math.isnan(v) for v in means.values()):
            continue
        table[task] = means
        behind.update(*found.rows)
        row = dict(task=r.task) | {name: means[k] for name, k in columns.items()}
        faults = {name: comparison.faults(found, task, *k) for name, k in columns.items()}
        out.append((line, None, r.task, row, faults))
    if not out:
        raise InputError(_needs(5, "scores of mbert and xlmr", scores))
    won = comparison.wins(table, models)
    last = dict(task="win") | {name: "/".join(map(str, won[k])) for name, k in columns.items()}
    out.append((printed(5).index[-1], None, "win", last, {}))
    sentence = (
        "Unweighted means over the varieties of the task's result table: parsing, tagging and entities over those with a "
        "fine-tuned score, sentiment by accuracy, the rest by F1. The last row counts wins over the rounded averages."
    )
    asked = tuple(comparison.asked(task, models) for task in comparison.tasks())
    return build(5, "Base models compared", sentence, out, dict.fromkeys(columns, 1), behind=tuple(behind), asked=asked)


def extremes(scores, choice=cells.ALL):
    """Table 21: the ten best and ten worst varieties of seven tasks."""
    known = registry.load()
    model, own = _system(scores, choice)
    tasks = known.tasks_in(21)
    ranked, behind = {}, set()
    out = []
    for line, r in printed(21).iterrows():
        task = tasks[r.task]
        if task not in ranked:
            asked = gap.asked(task, model, registry.facts(task).ranking)
            if cells.present(scores, "task", **asked):
                ranked[task] = ranking.extremes(scores, task, model, own=own, partial=choice.partial)
            else:
                ranked[task] = {side: [] for side in ranking.SIDES}
        best = ranking.place(r.side, int(r.print_row), int(r.print_col), ranked[task][r.side])
        if best is None:
            continue
        behind.update(best.rows)
        v = known.get(best.cluster, best.variety)
        script = next((c.script for c in v.codes if c.task == task), "")
        standard = known.representative(task, v.cluster) is v
        out.append(
            (
                line,
                v.key,
                f"{r.task} {r.side} {r.print_row}.{r.print_col}",
                dict(
                    task=r.task,
                    dataset=r.dataset,
                    side=r.side,
                    print_row=r.print_row,
                    print_col=r.print_col,
                    cluster=v.cluster,
                    variety=v.printed,
                    standard_marker="1" if standard else "",
                    mixed_or_nonlatin_marker="1" if script not in ("Latn", "") else "",
                ),
                dict(variety=best.flags),
            )
        )
    name = "mBERT" if model == "mbert" else model
    if not out:
        raise InputError(_needs(21, f"zero-shot scores of {name}", scores))
    sentence = (
        f"Ranked by {name} zero-shot (reading comprehension: combined fine-tuning), clusters with a representative only. "
        "Standard: the representative of its cluster for the task (Table 9). Non-Latin: by the script of the task's corpus."
    )
    asked = tuple(gap.asked(task, model, registry.facts(task).ranking) for task in tasks.values())
    title = "Varieties with the highest and lowest scores"
    return build(21, title, sentence, out, group="task", behind=tuple(behind), asked=asked)


def reversals(scores, choice=cells.ALL):
    """Table 22: clusters where another variety does better zero-shot than the representative (entities)."""
    model, own = _system(scores, choice)
    name = "mBERT" if model == "mbert" else model
    asked = gap.asked("ner", model, "zero_shot")
    if not cells.present(scores, "task", **asked):
        raise InputError(_needs(22, f"zero-shot scores of {name} for task 'ner'", scores))
    found = cells.whole(gap.rows_of(scores, "ner", model, "zero_shot", own=own), choice.partial)
    known = registry.load()
    value = {(r.cluster, r.variety): r.value for r in found.itertuples()}
    have = {(r.cluster, r.variety): r.flags for r in found.itertuples()}
    out = []
    for line, r in printed(22).iterrows():
        high = known.get(r.cluster_norm, r.high_variety_norm)
        low = known.get(r.cluster_norm, r.low_variety_norm)
        if not value.get(low.key, 0) > value.get(high.key, 100):
            continue
        row = dict(
            cluster=r.cluster,
            high_resource_variety=r.high_resource_variety,
            high_script=_script(high),
            low_resource_variety=r.low_resource_variety,
            low_script=_script(low),
        )
        faults = dict(high_resource_variety=have[high.key], low_resource_variety=have[low.key])
        out.append((line, low.key, r.cluster_norm, row, faults))
    sentence = (
        f"The printed pairs for which {name}'s zero-shot F1 of the lower-resourced variety is the higher one; scripts by the "
        "text of the corpus."
    )
    behind = tuple(label for labels in found.rows for label in labels)
    return build(22, "Lower-resourced varieties that do better zero-shot", sentence, out, behind=behind, asked=(asked,))


def _script(variety):
    script = next(c.script for c in variety.codes if c.task == "ner")
    return names.SCRIPTS[
        "Hani" if script in ("Hans", "Hant") else script
    ]  # the print tells no simplified from traditional


def utilities(number, scores, choice=cells.ALL):
    """Tables 23-31: utilities of the maxima of a task, per cluster."""
    task = UTILITY_TABLES[number]
    best = best_scores(scores, task, choice)
    if best.empty:
        raise lacking(number, task, scores)
    table = utility.by_cluster(best).set_index("cluster")
    out, seen = [], set()
    for line, r in printed(number).iterrows():
        if r.cluster_norm in table.index:
            seen.add(r.cluster_norm)
            u = table.loc[r.cluster_norm]
            out.append(
                (
                    line,
                    None,
                    r.cluster_norm,
                    _utility_row(r.cluster, u, _spelled(r, "min_variety", "min_variety_norm", u.min_variety)),
                    _utility_faults(u),
                )
            )
    for new, cluster in enumerate((c for c in table.index if c not in seen), 1):
        u = table.loc[cluster]
        out.append((f"new {new}", None, cluster, _utility_row(cluster, u, u.min_variety), _utility_faults(u)))
    sentence = (
        f"Of the maximum obtainable score ({registry.facts(task).maximum.sentence}). Demographic utility weighs by speakers and leaves out "
        "varieties whose population the registry does not write in plain digits. Sample standard deviation."
    )
    name = registry.load().tasks.at[task, "long_name"]
    columns = ("linguistic_utility", "demographic_utility", "min_value", "standard_deviation")
    return build(
        number,
        f"{name}: utilities per cluster{_of(choice)}",
        sentence,
        out,
        dict.fromkeys(columns, 1),
        behind=tuple(label for labels in best.rows for label in labels),
        asked=(maximum.asked(task, choice.model),),
        rank=("linguistic_utility", "demographic_utility", "min_value"),
    )


def _utility_faults(u):
    """The flags of the cells of a cluster: of all its scores, and of the lowest."""
    of_all = dict.fromkeys(("linguistic_utility", "demographic_utility", "standard_deviation"), u["flags"])
    return of_all | dict(min_value=u.min_flags)


def _utility_row(cluster, u, worst):
    return dict(
        cluster=cluster,
        linguistic_utility=u.linguistic_utility,
        demographic_utility=u.demographic_utility,
        min_variety=worst,
        min_value=u.min_value,
        standard_deviation=u.standard_deviation,
    )
