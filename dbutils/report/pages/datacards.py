"""The data cards: a page per corpus of the catalogue, from its record and the committed statistics.

No corpus text stands on them. Names, licences and notes of the catalogue are escaped like any other text.
"""

import collections

from dbutils import names, registry
from dbutils.corpora import catalogue, records, stats
from dbutils.report.markup import md, slug
from dbutils.report.numbers import count, published
from dbutils.report.tables import directive

MOST_LABELS = 40  # of an open label set (relations with subtypes) the commonest are shown

HEAD = """(datacards)=
# Data cards

A card for every corpus of the catalogue: what it is, its licence, its varieties and sizes, how its labels are spread, what is
doubled or leaks from training to test, what to know before believing a score, and how to get it. Counts were made from the
files themselves where they could be had, and are upstream's published ones elsewhere; each row says which.

The constructed varieties of the {term}`sandbox` have no card: they are made in memory and nothing is downloaded.

"""
LICENCE_ADVICE = {
    "free": "free to use with attribution",
    "share alike": "free to use; changed versions under the same terms",
    **{term: text for term, text in catalogue.TERMS.items() if text},
}


def datacards():
    """{`datacards.md`: the index, `datacards/ID.md`: a card per corpus}."""
    table = stats.committed()
    found = {}
    for row in table.to_dict("records"):
        found.setdefault(row["corpus"], []).append(row)
    pages = {f"datacards/{slug(c.id)}.md": _card(c, found.get(c.id, [])) for c in catalogue.load().values()}
    return {"datacards.md": HEAD + _index(found)} | pages


def _index(found):
    rows = []
    for c in catalogue.load().values():
        tests = [r for r in found.get(c.id, []) if _is_test(r["split"])]
        rows.append(
            [
                f"[{md(c.name)}](datacards/{slug(c.id)}.md)",
                f"`{c.id}`",
                " ".join(names.TASKS[t] for t in c.tasks),
                count(len({code for codes in c.codes.values() for code in codes})),
                count(sum(int(r["examples"]) for r in tests)) if tests else "",
                md(c.licence),
                c.terms,
            ]
        )
    headings = ["corpus", "id", "tasks", "codes", "test examples", "licence", "terms"]
    return directive(
        headings, rows, "The corpora of the catalogue", "tab-datacards", [False] * 3 + [True] * 2 + [False] * 2
    )


def _is_test(split):
    return split == "test"


def _card(c, rows):
    parts = [
        f"(datacard-{slug(c.id)})=\n# {md(c.name)}\n",
        _facts(c),
        _varieties(c),
        _sizes(c, rows),
        _labels(c, rows),
        _defects(c),
        _how_to_get(c),
        "## Citation\n\n" + ", ".join(f"{{cite:t}}`{key}`" for key in c.citation) + ".\n",
    ]
    return "\n".join(part for part in parts if part)


def _facts(c):
    lines = [
        ("Corpus id", f"`{c.id}`"),
        ("Tasks", ", ".join(md(registry.load().tasks.at[t, "long_name"]).lower() for t in c.tasks)),
        ("Made by", ", ".join(f"{{cite:t}}`{key}`" for key in c.citation)),
        ("Home page", f"<{c.homepage}>"),
        ("Revision", md(c.revision)),
        ("Licence", f"{md(c.licence)} ({LICENCE_ADVICE[c.terms]})"),
        ("Text may be passed on", "yes, under its licence" if c.redistributable else "no"),
    ]
    return "\n".join(f"- **{name}**: {text}" for name, text in lines) + "\n"


def _varieties(c):
    known = registry.load()
    rows = []
    for task in c.tasks:
        for code in c.codes[task]:
            v = _variety(known, task, c.id, code)
            if v is not None:
                page = f"../clusters/{slug(v.cluster)}.md"
                script = next(x.script for x in v.codes if (x.task, x.corpus, x.code) == (task, c.id, code))
                rows.append(
                    [names.TASKS[task], md(code), f"[{md(v.variety)}]({page})", md(v.cluster), names.script(script)]
                )
    others = sum(len(codes) for codes in c.codes.values()) - len(rows)
    also = (
        f"\n{count(others)} further codes belong to no variety of the benchmark or to whole groups of them.\n"
        if others
        else ""
    )
    if not rows:
        return f"## Varieties\n\nNo code of this corpus stands for a variety of the benchmark by itself.\n{also}"
    table = directive(
        ["task", "code", "variety", "cluster", "script"],
        rows,
        f"Varieties of {c.name}",
        f"tab-datacard-{slug(c.id)}-varieties",
    )
    return f"## Varieties\n\n{table}{also}"


def _variety(known, task, corpus, code):
    v = known.coded(task, code)
    return v if v is not None and any((x.task, x.corpus, x.code) == (task, corpus, code) for x in v.codes) else None


def _sizes(c, rows):
    if not rows:
        return "## Sizes\n\nNothing was counted: the files could not be had and upstream publishes no sizes.\n"
    paper = _paper_sizes(c.id)
    cells = []
    for r in rows:
        tokens, examples = r["tokens"], int(r["examples"])
        mean = f"{int(tokens) / examples:.1f}" if tokens and examples else ""
        cells.append(
            [
                names.TASKS[r["task"]],
                md(r["code"]),
                r["split"],
                count(examples),
                count(int(tokens)) if tokens else "",
                mean,
                count(int(r["duplicates"])) if r["duplicates"] else "",
                count(int(r["overlap"])) if r["overlap"] else "",
                paper.get((r["task"], r["code"]), "") if _is_test(r["split"]) else "",
                r["source"],
            ]
        )
    headings = [
        "task",
        "code",
        "split",
        "examples",
        "tokens",
        "mean length",
        "duplicates",
        "also in train",
        "paper's test size",
        "source",
    ]
    numeric = [False] * 3 + [True] * 6 + [False]
    return "## Sizes\n\n" + directive(
        headings, cells, f"Sizes of {c.name}", f"tab-datacard-{slug(c.id)}-sizes", numeric
    )


def _paper_sizes(corpus):
    """{(task, code): test size that upstream's results give}."""
    scores = published().scores
    rows = scores[(scores.corpus == corpus) & (scores.split == "test") & scores.n.notna()]
    return {(r.task, r.code): count(int(r.n)) for r in rows.itertuples()}


def _labels(c, rows):
    sections = []
    for task in c.tasks:
        if task not in c.labels:
            continue
        splits = [r for r in rows if r["task"] == task and r["labels"] and not r["split"].startswith("paper")]
        totals, by_split = collections.Counter(), {}
        for r in splits:
            counts = {k: int(n) for k, _, n in (pair.rpartition("=") for pair in r["labels"].split(";"))}
            totals.update(counts)
            by_split.setdefault(r["split"], collections.Counter()).update(counts)
        if not totals:
            text = ", ".join(f"`{label}`" for label in c.labels[task][:MOST_LABELS])
            sections.append(f"Label set of {names.TASKS[task]}: {text}.\n")
            continue
        order = list(by_split)
        shown = [label for label, _ in totals.most_common(MOST_LABELS)]
        cells = [
            [md(label), *(count(by_split[s][label]) for s in order), f"{100 * totals[label] / totals.total():.1f}"]
            for label in shown
        ]
        headings = ["label", *order, "per cent of all"]
        caption = f"Labels of {c.name}, {names.TASKS[task]}, over all codes that were counted"
        sections.append(
            directive(
                headings,
                cells,
                caption,
                f"tab-datacard-{slug(c.id)}-{task}",
                [False] + [True] * (len(order) + 1),
                filterable=False,
            )
        )
    return "## Labels\n\n" + "\n".join(sections) if sections else ""


def _defects(c):
    if not c.defects:
        return ""
    return "## What to know before using it\n\n" + "\n".join(f"- {md(text)}" for text in c.defects) + "\n"


def _how_to_get(c):
    lines = []
    if c.by_hand:
        lines.append(f"It cannot be fetched by a program: {md(c.by_hand)}.")
    else:
        lines.append("The command shows the licence, fetches the files, checks them and puts them in place:")
        lines.append(f"```\ndbutils corpora get {c.id}\n```")
    files = records.of(c.id)
    with_sum = sum(bool(f.sha256) for f in files)
    if files:
        lines.append(f"The catalogue lists {count(len(files))} files, {count(with_sum)} of them with a checksum.")
    lines.append(
        f"What lies under `$DBUTILS_CORPORA/{c.id}/` in upstream's layout is used as it is; `dbutils corpora verify {c.id}` checks it."
    )
    splits = "\n".join(f"- `{name}`: {md(text)}" for name, text in c.splits.items())
    return "## How to get it\n\n" + "\n\n".join(lines) + f"\n\nIts splits:\n\n{splits}\n"
