"""The result tables 10-20: one row per variety, one column per model and setting."""

import math

from dbutils import registry
from dbutils.analysis.tables.base import Table, lacking
from dbutils.scores import SCORE_TABLES, cells
from dbutils.scores.printed import translation_setting

TITLES = {
    10: "Dependency parsing, UAS, zero-shot from English and fine-tuned on the variety",
    11: "Part-of-speech tagging, F1, zero-shot from English and fine-tuned on the variety",
    12: "Named entity recognition, F1, zero-shot from English and fine-tuned in the cluster",
    13: "Natural language inference on the translate-test set, zero-shot from English",
    14: "Extractive question answering, span F1, development split of SD-QA",
    15: "Extractive question answering, span F1, test split of SD-QA",
    16: "Dialect identification, one classifier per data set",
    17: "Topic classification on SIB-200, zero-shot from English and fine-tuned in the cluster",
    18: "Sentiment analysis, one classifier per data set, and in-context learning",
    19: "Multiple-choice reading comprehension on Belebele, combined fine-tuning",
    20: "Machine translation into English, BLEU",
}
CONVENTIONS = {
    11: "F1 is chunk F1 over bare tags, not the share of words tagged right; equal neighbours merge.",
    16: "Precision, recall and support are what their headings say; the print shows recall under precision, "
    "precision under recall, and the number of mBERT's predictions under support.",
    17: "The columns headed acc hold the accuracy of the fine-tuned models; the print shows zero-shot F1 there.",
    18: "The encoders' scores are the printed ones: upstream has published no raw results of them.",
    20: "The printed scores: upstream has published no raw results of translation. BLEU is averaged over sentences.",
}


def score_table(number, scores, choice=cells.ALL):
    """One of the tables 10-20 from score rows.

    Rows are the printed ones in their order, then varieties that only the scores have. A column of
    the paper shows the scores of origin paper or upstream where the set has any, else the runs';
    runs of one's own (and every model the paper has not) get columns of their own.
    Scores of origin `paper` alone are laid out as printed, mislabelled columns included.
    Raises InputError if the scores have nothing of the task, or several runs for one cell.
    """
    import pandas as pd

    spec = SCORE_TABLES[number]
    if not cells.present(scores, "task", task=spec.task):
        raise lacking(number, spec.task, scores)
    asked = _asked(spec)
    found = cells.cells(scores, **asked)
    as_printed = set(found.origin) == {"paper"}
    base, runs = (found[~found.own], found[found.own]) if not found.own.all() else (found, found)
    columns = dict(spec.columns)
    quantities = {c: column.quantity(as_printed) for c, column in columns.items()}
    quantities |= _own_columns(spec, runs, set(quantities.values()) if base is runs else set())
    decimals = {c: columns[c].decimals if c in columns else 2 for c in quantities}

    of_base, of_runs = _by_quantity(base), _by_quantity(runs)
    count = _counts(spec, scores) if spec.count else {}
    lines, behind = [], []
    for index, key, label in _row_keys(spec, found):
        cell, origin, size = dict(label), dict.fromkeys(label, ""), dict.fromkeys(label, 0)
        part, flags = dict.fromkeys(label, False), dict.fromkeys(label, ())
        for c, q in quantities.items():
            at = (q.model, q.setting or translation_setting(key[0]), q.metric, q.split, *key)
            r = (of_base if c in columns else of_runs).get(at)
            cell[c], origin[c], part[c] = (r.value, r.origin, r.partial) if r else (math.nan, "", False)
            size[c] = int(r.n) if r and not pd.isna(r.n) else 0
            flags[c] = r.flags if r else ()
            behind.extend(r.rows if r else ())
        if spec.count:
            cell[spec.count] = count.get(key, math.nan)
        lines.append((index, key, cell, origin, size, part, flags))
    index = [line[0] for line in lines]
    frame = pd.DataFrame([line[2] for line in lines], index=index, dtype=object)
    order = list(spec.labels) + list(quantities) + (["level"] if number == 20 else [])
    if number == 20:
        frame["level"] = ["region" if registry.is_region(*line[1]) else "dialect" for line in lines]
    names = [f"{c}/{v}" for c, v in (line[1] for line in lines)]

    def beside(at, empty):
        return pd.DataFrame([[line[at].get(c, empty) for c in order] for line in lines], index, order)

    return Table(
        number,
        TITLES[number],
        CONVENTIONS.get(number, ""),
        frame[order],
        decimals | ({spec.count: 0} if spec.count else {}),
        [line[1] for line in lines],
        names,
        origins=beside(3, ""),
        sizes=beside(4, 0),
        partial=beside(5, False),
        flags=beside(6, ()),
        behind=tuple(behind),
        asked=(asked,),
        rank=tuple(quantities),
        group="cluster",
    )


def _asked(spec):
    """What the table looks for among the rows: its task, metrics and splits."""
    held = [q for c in spec.columns.values() for q in (c.holds, c.headed) if q]
    return {"task": spec.task, "split": {q.split for q in held}, "metric": {q.metric for q in held}}


def _by_quantity(found):
    """{(model, setting, metric, split, cluster, variety): cell}."""
    keys = zip(found.model, found.setting, found.metric, found.split, found.cluster, found.variety)
    return dict(zip(keys, found.itertuples()))


def _own_columns(spec, runs, taken):
    """Columns for the runs' models and settings: {name: Quantity}."""
    from dbutils.scores.printed import Quantity

    main = {(q.metric, q.split) for c in spec.columns.values() for q in (c.holds, c.headed) if q}
    out = {}
    for model, setting, metric, split in dict.fromkeys(zip(runs.model, runs.setting, runs.metric, runs.split)):
        q = Quantity(model, setting, metric, split)
        if (metric, split) in main and q not in taken and Quantity(model, "", metric, split) not in taken:
            name = f"{setting}_{model}" if len({m for m, _ in main}) == 1 else f"{setting}_{metric}_{model}"
            out[name + ("_run" if name in spec.columns else "")] = q
    return out


def _row_keys(spec, found):
    """(index, key, {label column: text}) per row: printed rows first, then varieties that only runs have."""
    known = registry.load()
    table = spec.printed()
    seen = set()
    for line, r in table.iterrows():
        key = (r.cluster_norm, r.variety_norm)
        seen.add(key)
        yield line, key, {c: r[c] for c in spec.labels}
    new = found[found.own].drop_duplicates(["cluster", "variety"])
    for number, r in enumerate((r for r in new.itertuples() if (r.cluster, r.variety) not in seen), 1):
        label = dict.fromkeys(spec.labels, "") | {
            "cluster": r.cluster,
            "variety": known.get(r.cluster, r.variety).printed,
        }
        if spec.code:
            label[spec.code] = r.code
        if spec.source:
            label[spec.source] = r.train
        yield f"new {number}", (r.cluster, r.variety), label


def _counts(spec, scores):
    """{(cluster, variety): number of gold examples} of the table's task and split, as the first rows give it."""
    split = next(iter(spec.columns.values())).holds.split
    found = cells.cells(scores, task=spec.task, split=split, metric=_asked(spec)["metric"])
    found = found[found.n.notna()].drop_duplicates(["cluster", "variety"])
    return {(r.cluster, r.variety): int(r.n) for r in found.itertuples()}
