"""The one writer of tables: CSV, JSON, Markdown, HTML, plain text and labelled MyST tables for the book.

A recomputed table of the paper is laid out once (`shown`), with its marks: best and worst of a column, the print where it
differs, and the known faults of a number (`scores.flags`), each with a sign of its own and a note below the table.
"""

import json
from dataclasses import dataclass

from dbutils.csvio import to_csv
from dbutils.report.markup import html_text, md, role
from dbutils.scores import flags


def csv_text(table, raw=False):
    """The table as CSV; `raw` gives full precision.

    Tables of scores have a last column `flags` with the known faults of the row's cells, such as
    `finetune_mbert: never learnt; zeroshot_mbert: mixed test set`.
    """
    out = table.raw() if raw else table.text()
    if table.flags is not None:
        words = [{c: flags.names(f) for c, f in row.items() if f} for row in _flagged(table)]
        out = out.assign(flags=["; ".join(f"{c}: {f}" for c, f in row.items()) for row in words])
    return to_csv(out)


def json_text(table, raw=False):
    """The table as JSON: number, title, convention and a list of rows (numbers as numbers; known faults under `flags`)."""
    rows = []
    text = table.text()
    for index, flagged in zip(table.frame.index, _flagged(table)):
        row = {}
        for c in table.columns:
            value = table.frame.at[index, c]
            if c in table.decimals and not isinstance(value, str):
                row[c] = None if text.at[index, c] == "" else float(value) if raw else float(text.at[index, c])
            else:
                row[c] = text.at[index, c]
        if table.flags is not None:
            row["flags"] = {c: list(f) for c, f in flagged.items() if f}
        rows.append(row)
    return json.dumps(
        {"table": table.number, "title": table.title, "convention": table.convention, "rows": rows},
        ensure_ascii=False,
        indent=1,
    )


def _flagged(table):
    """Per row {column: flags of the cell}."""
    if table.flags is None:
        return [{} for _ in table.frame.index]
    return [dict(zip(table.columns, row)) for row in table.flags[table.columns].itertuples(index=False, name=None)]


def marks(table):
    """{(row, column): "best" | "worst"} for the ranked columns; ties are marked alike.

    Numbers that are no result (missing values, failed trainings: `flags.excluded`) or come from a part of a test set
    are neither.
    """
    out = {}
    text = table.text()
    for c in table.rank:
        values = {row: float(v) for row, v in text[c].items() if v != "" and _ranks(table, row, c)}
        if len(set(values.values())) > 1:
            for kind, extreme in (("worst", min(values.values())), ("best", max(values.values()))):
                out.update({(row, c): kind for row, v in values.items() if v == extreme})
    return out


def _ranks(table, row, column):
    partial = getattr(table, "partial", None)
    return not (table.flags is not None and flags.excluded(table.flags.at[row, column])) and not (
        partial is not None and partial.at[row, column]
    )


def notes(table):
    """What the signs of the table mean: [(sign, name, sentence)] of the flags that occur in it."""
    return notes_of(f for row in _flagged(table) for f in row.values())


def notes_of(several):
    """What the signs beside several numbers mean: [(sign, name, sentence)], each flag once."""
    have = flags.together(*several)
    return [(flags.FLAGS[f].mark, flags.FLAGS[f].name, flags.FLAGS[f].sentence) for f in have]


def differences(table):
    """{(row, column): printed text} of the cells that disagree with the print."""
    text, printed = table.text(), table.printed()
    out = {}
    for c in table.columns:
        for row, now in text[c].items():
            then = printed.at[row, c]
            if isinstance(row, str) or same(now, then):  # "new N": the print has no such row
                continue
            if c in table.frame and (then != "" or now != ""):
                out[row, c] = then
    for own in [c for c in table.columns if c not in _printed_columns(table)]:
        out = {at: then for at, then in out.items() if at[1] != own}
    return out


def _printed_columns(table):
    from dbutils.scores import printed

    return set(printed(table.number).columns)


def same(now, then):
    """Whether two cells are the same text, or the same number as far as the shorter one is printed."""
    if now == then:
        return True
    try:
        return now != "" and then != "" and float(now) == float(then)
    except ValueError:
        return False


# headings as people read them
HEADINGS = {
    "glottocode": "Glottocode",
    "mbert_seen": "seen by mBERT",
    "ud_code": "code",
    "dataset_code": "code",
    "target_code": "code",
    "dialect_code": "code",
    "language_code": "code",
    "src": "source",
    "n": "n",
    "udp": "DEP",
    "pos": "POS",
    "ner": "NER",
    "sdqa": "EQA",
    "rcmc": "MRC",
    "nli": "NLI",
    "tc": "TC",
    "sc": "SA",
    "di": "DId",
    "mt": "MT",
    "num_clusters": "clusters",
    "num_varieties": "varieties",
    "avg_score": "average",
    "nllb_600m_bleu": "NLLB 600M",
    "nllb_1_3b_bleu": "NLLB 1.3B",
    "icl_mistral": "in-context Mistral",
    "mistral7b": "in-context Mistral",
    "min_variety": "worst variety",
    "min_value": "minimum",
    "num_sentences": "sentences",
    "source_dataset": "data",
}
_WORDS = {
    "mbert": "mBERT",
    "xlmr": "XLM-R",
    "zeroshot": "zero-shot",
    "finetune": "fine-tuned",
    "acc": "accuracy",
    "f1": "F1",
    "ft": "fine-tuning",
    "uas": "UAS",
    "bleu": "BLEU",
    "id": "ID",
}


def heading(column):
    """A column's name as a heading: `zeroshot_mbert` -> `zero-shot mBERT`."""
    if column in HEADINGS:
        return HEADINGS[column]
    text = (
        column.replace("zero_shot", "zero-shot").replace("in_context", "in-context").replace("in_cluster", "in-cluster")
    )
    return " ".join(_WORDS.get(word, word) for word in text.replace("in_variety", "in-variety").split("_"))


def caption(table):
    """The caption: what the table is, which one of the paper, and how its numbers were computed."""
    text = f"{table.title} (the paper's Table {table.number})."
    return f"{text} {table.convention}".strip()


@dataclass(frozen=True)
class Cell:
    """A cell as every form shows it: its text, `best`, `worst` or "", the print where it differs, the known faults."""

    text: str
    kind: str = ""
    printed: str | None = None
    flags: tuple = ()


def shown(table):
    """The cells of a table, row by row: what stands in them and how they are marked."""
    text, kind, differs = table.text(), marks(table), differences(table)
    for row, flagged in zip(table.frame.index, _flagged(table)):
        yield [
            Cell(text.at[row, c], kind.get((row, c), ""), differs.get((row, c)), flagged.get(c, ()))
            for c in table.columns
        ]


# ---- Markdown and MyST -------------------------------------------------------------------------


def myst(table, name=None, links=None):
    """The table as a labelled MyST directive: sortable, filterable; best, worst, differences and known faults marked.

    name: the label; default `tab-N`. links: {(cluster, variety): document} to link the variety to.
    """
    links = links or {}
    rows = []
    for key, cells in zip(table.keys, shown(table)):
        rows.append([myst_cell(cell) for cell in cells])
        if key in links and "variety" in table.columns:  # a table may name its varieties otherwise
            at = table.columns.index("variety")
            rows[-1][at] = flagged(f"[{md(cells[at].text)}]({links[key]})", cells[at].flags)
    numeric = [c in table.decimals for c in table.columns]
    return directive(
        [heading(c) for c in table.columns],
        rows,
        caption(table),
        name or f"tab-{table.number}",
        numeric,
        notes=notes(table),
    )


def myst_cell(cell):
    """A cell as Markdown of the book."""
    parts = [flagged(role(cell.kind, cell.text) if cell.kind else md(cell.text), cell.flags)]
    if cell.printed is not None:
        parts.append(role("differs", "print " + (cell.printed or "empty")))
    return " ".join(part for part in parts if part)


def flagged(cell, have):
    """A ready-made Markdown cell of the book with the signs of its flags, whose names are read out and shown under the pointer."""
    signs = [role("flag", f"{flags.FLAGS[f].mark} ({flags.FLAGS[f].name})") for f in have]
    return " ".join(part for part in (cell, *signs) if part)


def directive(headings, rows, caption_text, name, numeric=None, filterable=True, notes=()):
    """A labelled MyST table from headings and rows of ready-made Markdown cells; notes as `notes` gives them."""
    lines = [
        f":::{{table}} {md(caption_text)}",
        f":name: {name}",
        f":class: sortable{' filterable' if filterable else ''}",
        ":align: left",
        "",
        *_pipes(headings, rows, numeric),
        ":::",
        "",
    ]
    return "\n".join([*lines, *notes_myst(notes)])


def notes_myst(notes):
    """The notes under a table or picture of the book, as lines."""
    said = [f"{role('flag', f'{sign} ({name})')} {md(name)}: {md(sentence)}" for sign, name, sentence in notes]
    return [":::{container} flag-notes", *"\n\n".join(said).split("\n"), ":::", ""] if said else []


def _pipes(headings, rows, numeric=None):
    """The lines of a Markdown table from ready-made cells."""
    numeric = numeric or [False] * len(headings)
    return [
        "| " + " | ".join(md(h) for h in headings) + " |",
        "| " + " | ".join("---:" if n else ":---" for n in numeric) + " |",
        *("| " + " | ".join(cell or " " for cell in row) + " |" for row in rows),
    ]


def markdown(table):
    """The table as plain Markdown: best in bold, worst in italics, faults with their sign, the print where it differs."""
    style = {"best": "**{}**", "worst": "*{}*", "": "{}"}
    rows = []
    for cells in shown(table):
        rows.append([])
        for cell in cells:
            parts = [style[cell.kind].format(md(cell.text)), *(md(flags.FLAGS[f].mark) for f in cell.flags)]
            parts += [f"(print {md(cell.printed or 'empty')})"] if cell.printed is not None else []
            rows[-1].append(" ".join(part for part in parts if part))
    lines = [f"Table {table.number}: {md(table.title)}", ""]
    lines += _pipes([heading(c) for c in table.columns], rows, [c in table.decimals for c in table.columns])
    lines += ["", md(table.convention)] if table.convention else []
    if notes(table):
        lines += ["", *(f"- {md(sign)} {md(name)}: {md(sentence)}" for sign, name, sentence in notes(table))]
    return "\n".join(lines) + "\n"


# ---- HTML and plain text -----------------------------------------------------------------------


def html_table(table):
    """The table as an HTML fragment; the book's script makes it sortable and filterable."""
    rows = [[html_cell(cell) for cell in cells] for cells in shown(table)]
    return html(
        [heading(c) for c in table.columns],
        rows,
        caption(table),
        [c in table.decimals for c in table.columns],
        f' class="sortable filterable" id="table-{table.number}"',
        notes(table),
    )


def html_cell(cell):
    """A cell as HTML."""
    text = html_text(cell.text)
    parts = [f'<span class="{cell.kind}">{text}</span>' if cell.kind else text]
    parts += [flag_html(flags.FLAGS[f].mark, flags.FLAGS[f].name) for f in cell.flags]
    if cell.printed is not None:
        parts.append(f'<span class="differs">print {html_text(cell.printed or "empty")}</span>')
    return " ".join(part for part in parts if part)


def flag_html(sign, name):
    """The sign of a flag in HTML; its name is read out and shown under the pointer."""
    return f'<abbr class="flag" title="{html_text(name)}">{html_text(sign)}</abbr>'


def html(headings, rows, caption_text, numeric, attributes="", notes=()):
    """A table of ready-made HTML cells, with the notes below."""
    head = "".join(f'<th scope="col">{html_text(h)}</th>' for h in headings)
    kind = [' class="number" style="text-align: right"' if n else "" for n in numeric]
    body = "".join("<tr>" + "".join(f"<td{k}>{cell}</td>" for k, cell in zip(kind, row)) + "</tr>" for row in rows)
    title = f"<caption>{html_text(caption_text)}</caption>" if caption_text else ""
    said = "".join(
        f"<li>{flag_html(sign, name)} {html_text(name)}: {html_text(text)}</li>" for sign, name, text in notes
    )
    return f"<table{attributes}>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" + (
        f'<ul class="flag-notes">{said}</ul>' if said else ""
    )


def plain_table(table):
    """The table for a terminal: signs of known faults beside the numbers, and below what they mean."""
    return plain(table.columns, [[plain_cell(c) for c in cells] for cells in shown(table)], "", notes(table))


def plain_cell(cell):
    """A cell for a terminal."""
    return " ".join(text for text in (cell.text, flags.marks(cell.flags)) if text)


def plain(headings, rows, caption_text, notes=()):
    """A table of text cells for a terminal, with the notes below."""
    widths = [max(map(len, column)) for column in zip(headings, *rows)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in (headings, *rows)]
    said = [f"{sign} {name}: {text}" for sign, name, text in notes]
    return "\n".join([*([caption_text] if caption_text else []), *lines, *said])


def html_page(table):
    """The table as a page of its own, with the book's style and script inside: no other file is needed."""
    from dbutils.paths import ROOT

    static = ROOT / "book" / "_static"
    style = (static / "compendium.css").read_text("utf-8")
    script = (static / "tables.js").read_text("utf-8")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Table {table.number}: {html_text(table.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body>{html_table(table)}<script>{script}</script></body></html>\n"
    )
