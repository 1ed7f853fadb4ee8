"""What the columns of a printed table really hold, and which results it leaves out: the print against the authors' files.

These views take no scores: they compare the two published sources, whatever a notebook shows besides.
"""

from dbutils import names, registry
from dbutils.report.tables import heading
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import SCORE_TABLES, cells, raw_upstream
from dbutils.scores.printed import Quantity


def columns(table_number):
    """A table: per printed column of numbers what its heading promises, what fits best, and in how many cells each does.

    A cell fits if the authors' raw value, rounded as printed, is the printed number.
    """
    table = SCORE_TABLES[table_number]
    rows = cells.published(raw_upstream(), task=table.task)
    value = rows.set_index(["model", "setting", "metric", "split", "cluster", "variety"]).value
    value = value[~value.index.duplicated()].to_dict()
    quantities = [Quantity(*q) for q in dict.fromkeys(zip(rows.model, rows.setting, rows.metric, rows.split))]
    lines = []
    for name, column in table.columns.items():
        printed = {(r.cluster_norm, r.variety_norm): r[name] for _, r in table.printed().iterrows() if r[name] != ""}
        fits = {q: _fits(printed, value, q, column.decimals) for q in quantities}
        promised = column.headed or column.holds
        best = max(fits, key=lambda q: (fits[q], q == promised))
        lines.append(
            [
                heading(name),
                _named(promised),
                f"{fits[promised]} of {len(printed)}",
                _named(best),
                f"{fits[best]} of {len(printed)}",
            ]
        )
    return listing(
        ["printed heading", "what it promises", "cells that fit", "what fits best", "cells that fit it"],
        lines,
        f"The columns of the paper's Table {table_number} against the authors' raw files: in how many cells the raw value,"
        " rounded as printed, is the printed number.",
        f"tab-columns-{table_number}",
        ["cells that fit", "cells that fit it"],
    )


def _fits(printed, value, q, decimals):
    return sum(
        (q.model, q.setting, q.metric, q.split, *key) in value
        and float(number(value[q.model, q.setting, q.metric, q.split, *key], decimals)) == float(cell)
        for key, cell in printed.items()
    )


def _named(q):
    return names.quantity(q.model, q.setting, q.metric)


# sums over varieties in the authors' files, which are no varieties
TOTALS = (":accuracy", " avg", "-total", "all_language")


def unlisted(table_number):
    """A table: codes for which the authors' files hold results on the test set and the printed table has no row."""
    table = SCORE_TABLES[table_number]
    metric = registry.facts(table.task).metric
    listed = set(zip(table.printed().cluster_norm, table.printed().variety_norm))
    rows = raw_upstream()
    rows = rows[(rows.task == table.task) & (rows.metric == metric) & (rows.split == "test")]
    keys = zip(rows.cluster, rows.variety, rows.code)
    rows = rows[[(c, v) not in listed and not code.endswith(TOTALS) for c, v, code in keys]]
    if rows.empty:
        return paragraph(f"Every code with results of this task has its row in Table {table_number}.")
    lines = []
    for code, part in rows.groupby("code", sort=False):
        first = part.iloc[0]
        best = part.loc[part.value.idxmax()]
        size = part.n.dropna()
        lines.append(
            [
                code,
                first.variety or "not in the registry",
                f"{size.iloc[0]:,}" if len(size) else "",
                len(part),
                number(best.value, 2),
            ]
        )
    return listing(
        ["code", "variety", "n", "results", "best"],
        lines,
        f"{names.counted(len(lines), 'code')} with results in the authors' files and no row in the paper's Table {table_number}"
        f" (n: test examples; best: the highest {names.metric(metric)} of any model and setting).",
        f"tab-unlisted-{table_number}",
        ["n", "results", "best"],
    )
