"""The dialectal gap of one task, per cluster and per variety, for the model and settings that a notebook's parameters choose."""

from dbutils import names
from dbutils.analysis import gap
from dbutils.errors import InputError
from dbutils.report.tables import Cell
from dbutils.report.views.source import chosen
from dbutils.report.views.view import listing, number, paragraph
from dbutils.scores import cells

PREFERRED = ("mbert", "xlmr", "nllb-600m")


def model_of(task, rows, model):
    """The model to show: the one asked for if it has scores, else the first encoder that has scores of the task, else any model.

    InputError if there are no scores of the task.
    """
    if model in set(rows.model):
        return model
    have = sorted(cells.present(rows, "model", task=task.partition("-")[0]))
    if not have:
        raise InputError("these scores hold none of this task")
    return next((m for m in PREFERRED if m in have), have[0])


def gaps(task, rows, model, settings):
    """[(heading, table of `gap.by_variety`)] of the variations that the settings allow, and why others are missing.

    Zero-shot: from English and from the representative; other settings: from the representative. In context, which is for
    language models, is passed over for a model that has no such scores.
    """
    found, lacking = [], []
    asked = ((rows.task == task) & (rows.model == model) & (rows.setting == "in_context")).any()
    for setting in settings:
        if setting == "in_context" and not asked:
            continue
        for reference in ("english", "representative") if setting == "zero_shot" else ("representative",):
            try:
                table = gap.by_variety(rows, task, model, setting, reference)
            except InputError as error:
                lacking.append(_lacking(error, setting))
                continue
            if len(table):
                found.append((_heading(setting, reference), table))
    return found, list(dict.fromkeys(lacking))


def _lacking(error, setting):
    if "no score of English" in str(error):
        return f"the gap from English, which has no {names.setting(setting)} score in this task"
    return str(error).partition(";")[0]


def _heading(setting, reference):
    to = "English" if reference == "english" else "representative"
    return f"from {to}, {names.setting(setting)}"


def _setting(heading):
    return heading.partition(", ")[2]


def clusters(task, rows, run):
    """A table: the gap of each cluster, the mean over its members with a score other than the reference."""
    return _shown(task, rows, run, _clusters)


def varieties(task, rows, run):
    """A table: score and gap of each variety that the parameter `varieties` names (all if it is empty)."""
    return _shown(task, rows, run, _varieties)


def _shown(task, rows, run, draw):
    try:
        model = model_of(task, rows, run.model)
    except InputError as error:
        return paragraph(f"No gap can be shown: {error}.")
    found, lacking = gaps(task, rows, model, run.settings)
    if not found:
        return paragraph(
            f"No gap can be shown: {'; '.join(lacking) or 'no cluster has a representative with a score'}."
        )
    return draw(task, run, model, found, f" Left out: {'; '.join(lacking)}." if lacking else "")


WITHHELD = " Withheld: gaps from a baseline whose score is no result; the mean is without them."


def shown(gaps, value="gap"):
    """The cell of each row of a table of gaps: the gap with its known faults, withheld where the baseline's score is no result.

    gaps: table of `gap.by_variety` or `gap.by_cluster`; value: its column.
    """
    return [
        Cell("withheld", flags=r["failed"]) if r["failed"] else Cell(number(r[value]), flags=r["flags"])
        for _, r in gaps.iterrows()
    ]


def _clusters(task, run, model, found, left_out):
    tables = [(heading, gap.by_cluster(table).set_index("cluster")) for heading, table in found]
    counts = {}
    for heading, table in tables:
        counts.setdefault(f"varieties, {_setting(heading)}", {}).update(table.varieties.to_dict())
    lines = []
    cell = [dict(zip(table.index, shown(table))) for _, table in tables]
    sound = [table[[not f for f in table["failed"]]] for _, table in tables]
    for cluster in sorted({cluster for _, table in tables for cluster in table.index}):
        cells = [of.get(cluster, "") for of in cell]
        lines.append([cluster, *cells, *(of.get(cluster, "") for of in counts.values())])
    lines.append(["mean of the clusters", *(number(table.gap.mean()) for table in sound), *("" for _ in counts)])
    headings = ["cluster", *(heading for heading, _ in tables), *counts]
    caption = (
        f"Gap of each cluster in per cent, {names.model(model)}: the mean over its varieties with a score other than"
        f" the one measured from, as in Table 4. The last row is the mean over clusters.{left_out}"
    )
    caption += WITHHELD if any(len(a) < len(b) for a, (_, b) in zip(sound, tables)) else ""
    return listing(headings, lines, caption, f"tab-{task}-gap-clusters", headings[1:])


def _varieties(task, run, model, found, left_out):
    scores, gap_of, order = {}, {}, []
    for heading, table in found:
        part = chosen(table, run.varieties)
        for r, cell in zip(part.itertuples(), shown(part)):
            key = (r.cluster, r.variety, r.code)
            setting = _setting(heading)
            if key not in gap_of:
                order.append(key)
            gap_of.setdefault(key, {})[heading] = cell
            scores.setdefault(key, {})[setting] = r.score
    if not order:
        return paragraph("None of the chosen varieties has a gap in this task.")
    settings = list(dict.fromkeys(_setting(heading) for heading, _ in found))
    headings = ["variety", "cluster", "code", *(f"score, {s}" for s in settings), *(h for h, _ in found)]
    lines = []
    for key in sorted(order):
        line = [key[1], key[0], key[2], *(number(scores[key].get(s), 2) for s in settings)]
        lines.append(line + [gap_of[key].get(h, "") for h, _ in found])
    caption = f"Score and gap of each variety in per cent, {names.model(model)}. A negative gap: better than the variety measured from.{left_out}"
    return listing(headings, lines, caption, f"tab-{task}-gap-varieties", headings[3:], filterable=True)
