"""A recomputed table as CSV, JSON, Markdown, HTML and as a labelled MyST table for the book."""

import json

from dbutils.csvio import to_csv
from dbutils.report.markup import html_text, md, role


def csv_text(table, raw=False):
    """The table as CSV; `raw` gives full precision."""
    return to_csv(table.raw() if raw else table.text())


def json_text(table, raw=False):
    """The table as JSON: number, title, convention and a list of rows (numbers as numbers)."""
    rows = []
    text = table.text()
    for index in table.frame.index:
        row = {}
        for c in table.columns:
            value = table.frame.at[index, c]
            if c in table.decimals and not isinstance(value, str):
                row[c] = None if text.at[index, c] == "" else float(value) if raw else float(text.at[index, c])
            else:
                row[c] = text.at[index, c]
        rows.append(row)
    return json.dumps(
        {"table": table.number, "title": table.title, "convention": table.convention, "rows": rows},
        ensure_ascii=False,
        indent=1,
    )


def marks(table):
    """{(row, column): "best" | "worst"} for the ranked columns; ties are marked alike."""
    out = {}
    text = table.text()
    for c in table.rank:
        values = {row: float(v) for row, v in text[c].items() if v != ""}
        if len(set(values.values())) > 1:
            for kind, extreme in (("worst", min(values.values())), ("best", max(values.values()))):
                out.update({(row, c): kind for row, v in values.items() if v == extreme})
    return out


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


def myst(table, name=None, links=None):
    """The table as a labelled MyST directive: sortable, filterable, best and worst and differences marked.

    name: the label; default `tab-N`. links: {(cluster, variety): document} to link the variety to.
    """
    return directive(
        [heading(c) for c in table.columns],
        _myst_cells(table, links or {}),
        caption(table),
        name or f"tab-{table.number}",
        numeric=[c in table.decimals for c in table.columns],
    )


def _myst_cells(table, links):
    text, mark, differs = table.text(), marks(table), differences(table)
    for row, key in zip(table.frame.index, table.keys):
        cells = []
        for c in table.columns:
            shown = text.at[row, c]
            cell = role(mark[row, c], shown) if (row, c) in mark else md(shown)
            if c == "variety" and key in links:
                cell = f"[{md(shown)}]({links[key]})"
            if (row, c) in differs:
                cell = f"{cell} {role('differs', 'print ' + (differs[row, c] or 'empty'))}".strip()
            cells.append(cell)
        yield cells


def directive(headings, rows, caption_text, name, numeric=None, filterable=True):
    """A labelled MyST table from headings and rows of ready-made Markdown cells."""
    numeric = numeric or [False] * len(headings)
    lines = [
        f":::{{table}} {md(caption_text)}",
        f":name: {name}",
        f":class: sortable{' filterable' if filterable else ''}",
        ":align: left",
        "",
        "| " + " | ".join(md(h) for h in headings) + " |",
        "| " + " | ".join("---:" if n else ":---" for n in numeric) + " |",
    ]
    lines += ["| " + " | ".join(cell or " " for cell in row) + " |" for row in rows]
    return "\n".join([*lines, ":::", ""])


def markdown(table):
    """The table as plain Markdown: best in bold, worst in italics, the print beside a cell that differs."""
    text, mark, differs = table.text(), marks(table), differences(table)
    style = {"best": "**{}**", "worst": "*{}*"}
    lines = [
        f"Table {table.number}: {md(table.title)}",
        "",
        "| " + " | ".join(md(heading(c)) for c in table.columns) + " |",
        "| " + " | ".join("---:" if c in table.decimals else ":---" for c in table.columns) + " |",
    ]
    for row in table.frame.index:
        cells = []
        for c in table.columns:
            cell = style.get(mark.get((row, c)), "{}").format(md(text.at[row, c]))
            cells.append(cell + (f" (print {md(differs[row, c] or 'empty')})" if (row, c) in differs else ""))
        lines.append("| " + " | ".join(cells) + " |")
    if table.convention:
        lines += ["", md(table.convention)]
    return "\n".join(lines) + "\n"


def html_table(table):
    """The table as an HTML fragment; the book's script makes it sortable and filterable."""
    text, mark, differs = table.text(), marks(table), differences(table)
    head = "".join(f'<th scope="col">{html_text(heading(c))}</th>' for c in table.columns)
    body = []
    for row in table.frame.index:
        cells = []
        for c in table.columns:
            cell = html_text(text.at[row, c])
            if (row, c) in mark:
                cell = f'<span class="{mark[row, c]}">{cell}</span>'
            if (row, c) in differs:
                cell += f' <span class="differs">print {html_text(differs[row, c] or "empty")}</span>'
            number = ' class="number"' if c in table.decimals else ""
            cells.append(f"<td{number}>{cell}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<table class="sortable filterable" id="table-{table.number}"><caption>{html_text(caption(table))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


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


def show(table, name=None):
    """Display a table in a notebook: MyST for the book, HTML for a notebook editor, text for a terminal."""
    from IPython.display import display

    display(
        {
            "text/markdown": myst(table, name),
            "text/html": html_table(table),
            "text/plain": table.text().to_string(index=False),
        },
        raw=True,
    )
