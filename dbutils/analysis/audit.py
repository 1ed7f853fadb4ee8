"""The reproduction audit: every printed number beside its recomputation.

A status is never written down: it comes from comparing the printed cell with the recomputed one.

- `reproduced`: equal at the printed precision.
- `mislabelled`: the printed number is another quantity than its heading says, and equals that one.
- `differs`: neither; the reason says how (rounding, truncated, ...), from the numbers where they
  tell, else from `data/audit_reasons.csv`, where each reason has its evidence.
- `unverifiable`: no raw result stands behind the cell: the print could only be compared with itself, so nothing
  is recomputed.

A status says whether a number follows from the raw results, not whether it is good: known faults of the scores behind
a cell stand in `flags`.
"""

import math
from dataclasses import dataclass

from dbutils import registry
from dbutils.analysis import gap, running_text
from dbutils.analysis.rounding import half_even
from dbutils.analysis.tables import Table, show, summaries, table
from dbutils.errors import InputError
from dbutils.scores import SCORE_TABLES, cells, flags, printed
from dbutils.scores.flags import predicted
from dbutils.scores.printed import translation_setting

AUDITED = (3, 4, 5, 7, *range(10, 32))
STATUSES = ("reproduced", "mislabelled", "differs", "unverifiable")
COLUMNS = ("table", "row", "column", "printed", "recomputed", "status", "reason", "flags")


@dataclass(frozen=True)
class Cell:
    """One printed cell and what became of it; `table` is a number or `text` for the running text."""

    table: str
    row: str
    column: str
    printed: str
    recomputed: str
    status: str
    reason: str
    flags: str = ""  # known faults of the scores behind it, in words


def audit(scores, tables=None):
    """The cells of the given tables (numbers, or `text`), default all; a list of Cell in printed order.

    Raises InputError for a table that is not audited.
    """
    wanted = [str(t) for t in (tables or [*AUDITED, "text"])]
    known = [*map(str, AUDITED), "text"]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"table {name} is not audited: it holds no numbers of the paper's results; audited are {', '.join(known)}"
            )
    reasons = _reasons()
    cells = []
    for name in known:
        if name in wanted:
            cells += _text(scores) if name == "text" else _table(int(name), scores)
    return [_with_reason(cell, reasons) for cell in cells]


def counts(cells):
    """{table: {status: number of cells}} in the order of the cells."""
    out = {}
    for cell in cells:
        out.setdefault(cell.table, dict.fromkeys(STATUSES, 0))[cell.status] += 1
    return out


# ---- one table -------------------------------------------------------------------------------

# columns that name a row rather than state a result
LABELS = {
    "category",
    "task",
    "gap_metric",
    "cluster",
    "variety",
    "language_code",
    "dataset",
    "source",
    "src",
    "side",
    "print_row",
    "print_col",
    "level",
    "ud_code",
    "dataset_code",
    "target_code",
    "dialect_code",
    "high_resource_variety",
}
RESULT_NAMES = {21: ("cluster", "variety"), 22: ("high_resource_variety",)}  # tables whose names are their results
# columns of text that state how a row's scores were made: what upstream's files say of it
SOURCES = {12: "source", 13: "src", 17: "src"}
DATASETS = {11: {"ud": "ud", "singlish": "ud"}, 12: {"wikiann_og": "wikiann"}}  # corpus -> as the print calls it
OTHER_DATASET = {11: "noisy"}


def _table(number, scores):
    now = table(number, scores)
    lines = printed(number)
    text = now.text()
    label = dict(zip(now.frame.index, now.labels))
    also = _alternatives(number, scores, now)
    stated = _stated(number, scores, now)
    only = _only_without(scores, now) if number == 4 else {}
    printed_only = _printed_only(number, scores)
    cells = []
    for line, row in lines.iterrows():
        for column in now.columns:
            if (line, column) in stated:
                cells.append(_fact(number, label[line], column, row[column], stated[line, column]))
            if column in LABELS and column not in RESULT_NAMES.get(number, ()):
                continue
            then = row[column]
            here = text.at[line, column] if line in text.index else ""
            if then == "" and here == "":
                continue
            name = label.get(line) or "/".join(row[c] for c in lines.columns if c.endswith("_norm"))
            status, reason = _status(now, line, column, then, here, also.get((line, column), ()))
            if status == "reproduced" and _task_of(number, row) in printed_only:
                reason = "from the printed scores: no raw result published"
            if status == "reproduced" and (line, column) in only:
                reason = only[line, column]
            faults = now.flags.at[line, column] if now.flags is not None and line in now.frame.index else ()
            if status == "unverifiable":
                here = ""  # nothing was recomputed
                reason += f"; suspect: {flags.FLAGS[SUSPECT].name}" if SUSPECT in faults else ""
            cells.append(Cell(str(number), name, column, then, here, status, reason, flags.names(faults)))
    return cells + (_footer(scores) if number == 21 else [])


SUSPECT = "copied-column"


def _stated(number, scores, now):
    """{(line, column): text}: what upstream's rows say of a printed text cell, "" where there is no raw result."""
    out = {}
    if number not in SOURCES and number not in DATASETS:
        return out
    rows = cells.published(scores, task=SCORE_TABLES[number].task, origin="upstream")
    tuned = rows[rows.setting == "in_cluster"]
    trains = {(r.cluster, r.variety): r.train for part in (rows, tuned) for r in part.itertuples()}
    corpora = {(r.cluster, r.variety): r.corpus for r in rows.itertuples()}
    for line, key in zip(now.frame.index, now.keys):
        if isinstance(line, str):  # a row that the print has not
            continue
        if number in SOURCES:
            out[line, SOURCES[number]] = trains.get(key, "")
        if number in DATASETS:
            corpus = corpora.get(key, "")
            named = DATASETS[number].get(corpus, OTHER_DATASET.get(number, corpus))
            out[line, "dataset"] = named if corpus else ""
    return out


def _fact(number, name, column, then, here):
    """The cell of a printed text that states how a row's scores were made."""
    status, reason = ("reproduced", "") if then == here else ("differs", "")
    if not here:
        status, reason = "unverifiable", "no raw result published"
    return Cell(str(number), name, column, then, here, status, reason)


def _only_without(scores, now):
    """{(line, column): reason}: cells of Table 4 that come out as printed only without a cluster (`registry.tasks.Gaps`)."""
    out = {}
    tasks = registry.load().tasks_in(4)
    for task in gap.of_table4():
        clusters = registry.facts(task).gaps.left_out
        if not clusters:
            continue
        try:
            kept, full = gap.table4(scores, task), gap.table4(scores, task, left_out=())
        except InputError:  # the scores lack the task
            continue
        reason = f"convention: only without {', '.join(sorted(clusters))}"
        for line, r in now.frame.iterrows():
            for g in kept:
                if (tasks[r.task], r.gap_metric) == (task, g.symbol):
                    one, other = _gap_cells(kept[g], now), _gap_cells(full[g], now)
                    out |= {(line, c): reason for c in one if one[c] != other[c]}
    return out


def _gap_cells(table, now):
    """What Table 4 shows of the cluster gaps of one variation, as text."""
    values = table.set_index("cluster").gap
    high, low = values.idxmax(), values.idxmin()
    numbers = dict(avg_value=values.mean(), max_value=values[high], min_value=values[low])
    return dict(max_cluster=high, min_cluster=low) | {c: show(v, now.decimals[c]) for c, v in numbers.items()}


def _printed_only(number, scores):
    """The tasks of a summary table whose best scores are all known from the print alone."""
    tasks = registry.load().tasks_in(number).values() if number in (3, 5) else ()
    if number in summaries.UTILITY_TABLES:
        tasks = (summaries.UTILITY_TABLES[number],)
    return {t for t in tasks if set(summaries.best_scores(scores, t).origin) == {"paper"}}


def _task_of(number, row):
    """The task that a row of a summary table is about, or None."""
    if number in summaries.UTILITY_TABLES:
        return summaries.UTILITY_TABLES[number]
    return registry.load().tasks_in(number).get(row.get("task")) if number in (3, 5) else None


def _status(now: Table, line, column, then, here, alternatives):
    """Status and reason of a cell; alternatives: [(value, decimals, reason)] of what else it could hold."""
    if now.origins is not None and now.origins.at[line, column] == "paper":
        return "unverifiable", "no raw result published"
    decimals = now.decimals.get(column)
    if here == "" and (decimals is not None or line not in now.frame.index):
        return "unverifiable", "missing run"
    value = now.frame.at[line, column] if decimals is not None else None
    if decimals is None or isinstance(value, str):
        return ("reproduced", "") if then == here else ("differs", "")
    if then == "":
        return "differs", "missing in print"
    same = [reason for other, places, reason in alternatives if equal(then, other, places)]
    if equal(then, value, decimals):
        return "reproduced", f"equal by chance: {same[0]}" if same else ""
    if same:
        return "mislabelled", same[0]
    return "differs", _by_numbers(then, value, decimals)


def equal(then, value, decimals):
    """Whether a printed number is `value` rounded half to even to `decimals`."""
    return not math.isnan(value) and abs(float(then) - half_even(float(value), decimals)) < 10 ** -(decimals + 6)


def _by_numbers(then, value, decimals):
    """What the numbers themselves tell of a difference: truncated, rounding, or nothing."""
    unit = 10.0**-decimals
    difference = float(then) - float(value)
    if abs(difference) >= unit:
        return ""
    cut = math.trunc(float(value) / unit) * unit
    return "truncated" if abs(cut - float(then)) < unit / 1e3 else "rounding"


def _alternatives(number, scores, now):
    """{(line, column): [(value, decimals, reason)]}: what a mislabelled column may hold instead."""
    spec = SCORE_TABLES.get(number)
    out = {}
    if spec is None:
        return out
    rows = cells.published(scores, task=spec.task)
    value = {(r.model, r.setting, r.metric, r.split, r.cluster, r.variety): r.value for r in rows.itertuples()}
    for line, key in zip(now.frame.index, now.keys):
        for name, column in spec.columns.items():
            if column.headed is not None:
                q = column.holds
                other = value.get((q.model, q.setting or translation_setting(key[0]), q.metric, q.split, *key))
                if other is not None:
                    out[line, name] = [
                        (other, column.decimals, f"mislabelled column: holds {_words(q, column.headed)}")
                    ]
    if number == 16:
        hits = predicted(scores[(scores.task == "did") & (scores.origin == "upstream")])
        code = {(r.cluster, r.variety): r.code for r in rows.itertuples()}
        for line, key in zip(now.frame.index, now.keys):
            if ("mbert", code.get(key)) in hits.index:
                out[line, "support"] = [
                    (float(hits["mbert", code[key]]), 0, "wrong support: number of mBERT's predictions")
                ]
    return out


def _words(holds, headed):
    setting = f"{holds.setting.replace('_', '-')} " if holds.setting != headed.setting else ""
    return f"{setting}{holds.metric}"


def _text(scores):
    """The cells of the running text."""
    cells = []
    for s, here, same in running_text.statements(scores):
        status, reason = ("reproduced", "") if same else ("differs", "")
        if here == "":
            status, reason = "unverifiable", "missing run"
        cells.append(Cell("text", s.where, s.what, s.printed, here, status, reason))
    return cells


def _footer(scores):
    """The two rows of percentages under Table 21, from the marks of its 140 printed entries.

    The marks themselves are audited one by one; the footer counts what is printed, right or wrong.
    """
    entries = printed(21)
    cells = []
    for _line, row in printed_footer().iterrows():
        for side in ("highest", "lowest"):
            share = running_text.marked_share(entries, side, row.value)
            then = row[f"{side}_pct"]
            here = f"{half_even(share, 1):.1f}"
            right = equal(then, share, len(then.partition(".")[2]))
            status, reason = ("reproduced", "") if right else ("differs", _by_numbers(then, share, 1))
            cells.append(Cell("21", f"footer {row.value}", f"{side}_pct", then, here, status, reason))
    return cells


def printed_footer():
    """The footer of Table 21 as printed."""
    from dbutils.csvio import read_csv
    from dbutils.paths import data

    return read_csv(data("scores", "paper", "table21_footer.csv"))


# ---- reasons ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reason:
    """A hand-written reason for cells that differ, with the evidence a reader can check."""

    table: str
    row: str  # shell pattern
    column: str  # shell pattern
    reason: str
    evidence: str

    def fits(self, cell):
        from fnmatch import fnmatchcase

        return cell.table == self.table and fnmatchcase(cell.row, self.row) and fnmatchcase(cell.column, self.column)


def _reasons():
    """The reasons of data/audit_reasons.csv, checked."""
    import pandera.pandas as pa

    from dbutils.paths import data
    from dbutils.schema import column, read_checked

    kinds = {
        "rounding",
        "truncated",
        "mislabelled column",
        "wrong support",
        "missing run",
        "swapped model",
        "convention",
        "slip",
    }
    table = read_checked(
        data("audit_reasons.csv"),
        pa.DataFrameSchema(
            {
                "table": column("an audited table", among={*map(str, AUDITED), "text"}),
                "row": column("a pattern"),
                "column": column("a pattern"),
                "reason": column("a known kind of reason, then details", test=lambda x: x.split(":")[0] in kinds),
                "evidence": column("text"),
            }
        ),
        unique=("table", "row", "column"),
    )
    return [Reason(*r) for r in table.itertuples(index=False, name=None)]


def _with_reason(cell, reasons):
    """The cell with a hand-written reason, if it differs and the numbers did not tell why."""
    if cell.status != "differs":
        return cell
    for reason in reasons:
        if reason.fits(cell):
            from dataclasses import replace

            return replace(cell, reason=reason.reason)
    return cell


def evidence(cell):
    """The evidence behind the reason of a cell that differs, or ""."""
    return next((r.evidence for r in _reasons() if r.fits(cell) and cell.status == "differs"), "")
