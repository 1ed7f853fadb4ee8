"""A page per cluster: its varieties, codes, representatives, scores in every task, gaps and utilities."""

import functools

from dbutils import SETTINGS, TASKS, names
from dbutils.analysis.tables.base import show
from dbutils.registry import LEVELS
from dbutils.report.markup import md, role, slug
from dbutils.report.numbers import count, published
from dbutils.report.pages import links
from dbutils.report.tables import flagged, notes_myst, notes_of
from dbutils.scores import SCORE_TABLES, flags

# the metrics of the paper's table of each task; what else was measured is shown below it
MAIN = {
    table.task: tuple(dict.fromkeys(c.holds.metric for c in table.columns.values())) for table in SCORE_TABLES.values()
}
MAIN |= {"did": ("f1",)}
FINE_TUNED = ("in_variety", "in_cluster", "combined")
LEVEL_NAMES = {**names.TASKS, "mt-dialect": "MT, dialects", "mt-region": "MT, regions"}


def clusters():
    """{`clusters/NAME.md`: the page of a cluster}."""
    registry = published().registry
    return {f"clusters/{slug(cluster)}.md": _page(cluster) for cluster in registry.clusters}


def _page(cluster):
    members = published().registry.of(cluster)
    parts = [
        f"(cluster-{slug(cluster)})=\n# {md(links.title(cluster))}",
        _summary(cluster, members),
        "## Varieties",
        *_varieties(members),
        "## Representatives",
        *_representatives(cluster),
        "## Scores",
        *_scores(cluster, members),
        "## Gaps",
        *_gaps(cluster),
        "## Utilities",
        *_utilities(cluster),
        "[All varieties](../explorer.md)",
    ]
    return "\n\n".join(parts) + "\n"


def _table(headings, rows, numeric=(), filterable=False, have=()):
    """A sortable table without caption or number; have: the flags of its numbers, explained below it."""
    lines = [":::{table}", f":class: sortable{' filterable' if filterable else ''}", ":align: left", ""]
    lines.append("| " + " | ".join(map(md, headings)) + " |")
    lines.append("| " + " | ".join("---:" if h in numeric else ":---" for h in headings) + " |")
    lines += ["| " + " | ".join(cell or " " for cell in row) + " |" for row in rows]
    return "\n".join([*lines, ":::", "", *notes_myst(notes_of(have))]).rstrip("\n")


def _dropdown(title, inner):
    return f"::::{{dropdown}} {title}\n{inner}\n::::"


def _plural(number, noun):
    many = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count(number)} {noun if number == 1 else many}"


# ---- who ---------------------------------------------------------------------------------------


def _summary(cluster, members):
    tasks = [names.TASKS[t] for t in TASKS if any(t in v.tasks for v in members)]
    scripts = sorted({names.script(s) for v in members for s in v.scripts})
    seen = [v for v in members if v.mbert_seen]
    of = (
        "it"
        if len(members) == 1
        else "none of them"
        if not seen
        else md(seen[0].variety)
        if len(seen) == 1
        else f"{count(len(seen))} of them"
    )
    verb = "was not" if len(members) == 1 and not seen else "were" if len(seen) > 1 else "was"
    return (
        f"A cluster of {_plural(len(members), 'variety')} with data for {_plural(len(tasks), 'task')} ({', '.join(tasks)}), "
        f"written in {names.listed(scripts)}; {of} {verb} in mBERT's pre-training text."
    )


def _varieties(members):
    lineages = {v: _ancestors(v) for v in members if v.glottocode}
    common = _common(list(lineages.values()))
    yield _lineage(common, members)
    rows = [
        [
            md(v.variety),
            _glottocode(v),
            v.level,
            "" if v.latitude is None else f"{show(v.latitude, 2)},\u00a0{show(v.longitude, 2)}",
            "" if v.population is None else count(v.population),
            md(v.population_note),
            "yes" if v.mbert_seen else "no",
        ]
        for v in members
    ]
    headings = ["variety", "Glottocode", "level", "latitude, longitude", "speakers", "note on speakers", "seen"]
    kept = [i for i in range(len(headings)) if i < 3 or any(row[i] for row in rows)]
    yield _table(
        [headings[i] for i in kept], [[row[i] for i in kept] for row in rows], ("speakers",), filterable=len(rows) > 12
    )
    branches = _branches(lineages, common)
    if branches:
        yield _dropdown("Branches: where in the tree each of them stands", branches)
    coded = [
        [
            md(v.variety),
            names.TASKS[c.task],
            c.corpus,
            f"`{c.code}`",
            names.script(c.script),
            SCRIPT_FROM[c.script_source],
        ]
        for v in members
        for c in v.codes
    ]
    table = _table(
        ["variety", "task", "corpus", "code", "script", "script known from"], coded, filterable=len(coded) > 12
    )
    yield _dropdown("Codes: what each corpus calls them, and the script it has", table)


def _branches(lineages, common):
    """A list of the branches below the common ancestors, each with its varieties; empty if nothing branches."""
    branches = {}
    for v, lineage in lineages.items():
        branches.setdefault(tuple(name for code, name in lineage if (code, name) not in common), []).append(v)
    if set(branches) <= {()}:
        return ""
    lines = []
    for branch, varieties in sorted(branches.items(), key=lambda item: item[0]):
        path = " › ".join(map(md, branch)) or "without a further branch"
        lines.append(f"- {path}: {', '.join(md(v.variety) for v in varieties)}")
    return "\n".join(lines)


SCRIPT_FROM = {"code": "the code", "text": "the text", "corpus": "the corpus"}


def _glottocode(v):
    return f"[{v.glottocode}](https://glottolog.org/resource/languoid/id/{v.glottocode})" if v.glottocode else "none"


def _ancestors(v):
    """((Glottocode, name) ...) from the root down to the nearest ancestor of a variety's Glottocode.

    Of a dialect Glottolog's table names the language and the family only; what lies between them is
    known where the language itself is in the registry's part of Glottolog.
    """
    places = published().registry.glottolog
    if v.level != "dialect":
        return tuple(reversed(v.parents))
    language, chain = places.at[v.glottocode, "Language_ID"], []
    while language:
        known = language in places.index
        chain.append((language, places.at[language, "Name"] if known else f"the language {language}"))
        language = places.at[language, "Parent_ID"] if known else ""
    family = places.at[v.glottocode, "Family_ID"]
    if family and family != chain[-1][0]:
        chain.append((family, places.at[family, "Name"]))
    return tuple(reversed(chain))


def _common(lineages):
    """The ancestors that all lineages share, from the root down."""
    if not lineages:
        return ()
    shared = set.intersection(*(set(lineage) for lineage in lineages))
    return tuple(node for node in lineages[0] if node in shared)


def _lineage(common, members):
    one = len(members) == 1
    path = " › ".join(md(name) for _, name in common)
    if path:
        text = f"In Glottolog {{cite:p}}`hammarstrom2024glottolog` {'it belongs' if one else 'they belong'} to {path}."
    elif any(v.glottocode for v in members):
        text = "In Glottolog {cite:p}`hammarstrom2024glottolog` " + (
            "it has no ancestor." if one else "they have no ancestor in common."
        )
    else:
        text = "Glottolog {cite:p}`hammarstrom2024glottolog` has no code for " + ("it." if one else "them.")
    kinds = [(kind, sum(v.level == kind for v in members)) for kind in ("family", "dialect")]
    if any(n for _, n in kinds):
        said = names.listed([f"{count(n)} of a {kind}" for kind, n in kinds if n])
        text += f" Not every Glottocode here names a language, see the column *level*: {said}."
    without = [v for v in members if not v.glottocode]
    if without:
        text += f" Without a Glottocode: {names.listed([md(v.variety) for v in without])}."
    return text


def _representatives(cluster):
    registry = published().registry
    found = {}
    for level in LEVELS:
        v = registry.representative(level, cluster)
        if v is not None:
            found.setdefault(v.variety, []).append(LEVEL_NAMES[level])
    if not found:
        yield f"No {{term}}`representative` is named for this cluster in {links.table(9)}, so it has no gap within the cluster."
        return
    yield f"The {{term}}`representative` for each task ({links.table(9)}); in the tables of scores it has a mark."
    yield "\n".join(f"- {md(name)}: {', '.join(tasks)}" for name, tasks in found.items())


# ---- how well ----------------------------------------------------------------------------------


@functools.cache
def _rows():
    """{(task, cluster): score rows that count, with their flags}."""
    rows = published().benchmark
    rows = rows.assign(flags=flags.of(rows))
    return dict(iter(rows.groupby(["task", "cluster"], sort=False)))  # dict(groupby) asks for keys()


def _scores(cluster, members):
    yield "In per cent. An empty cell means that the benchmark has no such score; *n* is the number of gold examples where it is known. A sign beside a number is a {ref}`known fault <marks>`."
    for task in TASKS:
        rows = _rows().get((task, cluster))
        if rows is None:
            continue
        yield f"### {published().registry.tasks.at[task, 'long_name']}"
        main = rows[rows.metric.isin(MAIN[task])]
        yield f"{names.listed([names.metric(m) for m in MAIN[task]])}; all clusters: {links.sources(task)}."
        yield _score_table(task, cluster, members, main)
        more = rows[~rows.metric.isin(MAIN[task])]
        if len(more):
            inner = _score_table(task, cluster, members, more, sizes=False)
            metrics = ", ".join(names.metric(m) for m in dict.fromkeys(more.metric))
            yield _dropdown(f"Further scores: {metrics}", inner)


def _score_table(task, cluster, members, rows, sizes=True):
    systems = sorted(set(zip(rows.metric, rows.setting, rows.model, rows.split)), key=_place)
    several = {i: len({s[i] for s in systems}) > 1 for i in (0, 3)}
    value = {(r.variety, r.code, r.metric, r.setting, r.model, r.split): r.value for r in rows.itertuples()}
    keys = zip(rows.variety, rows.code, rows.metric, rows.setting, rows.model, rows.split)
    have = dict(zip(keys, rows["flags"]))
    n = {(r.variety, r.code): r.n for r in rows[rows.split == "test"].itertuples()}
    train = {
        (r.variety, r.code): r.train for r in rows.itertuples() if r.setting == "in_cluster" and task in ("ner", "tc")
    }
    best = {_representative(task, cluster, region) for region in (False, True)}
    columns = [_heading(system, several) for system in systems]
    lines = []
    for v in members:
        codes = dict.fromkeys(c for variety, c, *_ in value if variety == v.variety)
        for code in codes:
            name = role("rep", v.variety) if v.key in best else md(v.variety)
            keys = [(v.variety, code, *system) for system in systems]
            cells = [flagged(show(value.get(key), 2), have.get(key, ())) for key in keys]
            size = n.get((v.variety, code)) if sizes else None
            source = train.get((v.variety, code), "") if sizes else ""
            lines.append(
                [name, md(code) if len(codes) > 1 else "", *cells, md(source), count(size) if _known(size) else ""]
            )
    headings = ["variety", "code", *columns, "trained on", "n"]
    kept = [i for i, h in enumerate(headings) if h in columns or any(line[i] for line in lines)]
    return _table(
        [headings[i] for i in kept],
        [[line[i] for i in kept] for line in lines],
        {*columns, "n"},
        filterable=len(lines) > 12,
        have=have.values(),
    )


def _known(size):
    import pandas as pd

    return size is not None and not pd.isna(size)


def _representative(task, cluster, region):
    level = task if task != "mt" else "mt-region" if region else "mt-dialect"
    v = published().registry.representative(level, cluster)
    return v.key if v else None


def _place(system):
    metric, setting, model, split = system
    return list(names.METRICS).index(metric), split != "dev", SETTINGS.index(setting), list(names.MODELS).index(model)


def _heading(system, several):
    metric, setting, model, split = system
    words = [names.metric(metric)] if several[0] else []
    words += [f"{split}:"] if several[3] else []
    return " ".join([*words, names.setting(setting), names.model(model)])


# ---- how equally -------------------------------------------------------------------------------


@functools.cache
def _cluster_gaps(level, model, setting, reference):
    """{cluster: row of the cluster gaps of one system}, empty where the system has no scores."""
    from dbutils.analysis.gap import by_cluster, by_variety
    from dbutils.errors import InputError

    try:
        table = by_cluster(by_variety(published().scores, level, model, setting, reference))
    except InputError:  # this task has no such system, or no English to compare with
        return {}
    return {r.cluster: r for r in table.itertuples()}


def _gaps(cluster):
    rows, have = [], []
    for level in LEVELS:
        base = level.partition("-")[0]
        for model in ("nllb-600m", "nllb-1.3b") if base == "mt" else ("mbert", "xlmr"):
            for setting in SETTINGS:
                for reference in (
                    ("english", "representative") if setting == "zero_shot" and base != "mt" else ("representative",)
                ):
                    gap = _cluster_gaps(level, model, setting, reference).get(cluster)
                    if gap is not None and (gap.varieties > 1 or reference == "english"):
                        have.append(gap.flags)
                        values = ["withheld"] * 2 if gap.failed else [show(gap.gap, 1), show(gap.gap_all, 1)]
                        rows.append(
                            [
                                f"{_task(level)}, {names.model(model)}, {names.setting(setting)}",
                                md(gap.reference),
                                count(gap.varieties),
                                *(flagged(value, gap.failed or gap.flags) for value in values),
                            ]
                        )
    if not rows:
        yield "No task has scores of a representative and of another variety of this cluster, so there is no {term}`dialectal gap`."
        return
    yield (
        "The mean {term}`dialectal gap` of the cluster, in per cent of the baseline's score: without the baseline itself, as "
        f"{links.table(4)} does, and over all varieties, as the definition has it. A negative gap means that the varieties do better than "
        "the baseline. A gap from a baseline whose score is no result is withheld. See {ref}`nb-gap_analysis`."
    )
    headings = ["task, model, setting", "baseline", "varieties", "gap", "gap, baseline included"]
    yield _table(headings, rows, headings[2:], filterable=len(rows) > 12, have=have)


def _task(level):
    """The long name of a task, of translation with its level."""
    task, _, part = level.partition("-")
    return published().registry.tasks.at[task, "long_name"] + (f" ({part}s)" if part else "")


@functools.cache
def _utility_tables():
    from dbutils.analysis.utility import by_cluster

    return {level: {r.cluster: r for r in by_cluster(published().maxima(level)).itertuples()} for level in LEVELS}


def _utilities(cluster):
    rows, have = [], []
    for level in LEVELS:
        u = _utility_tables()[level].get(cluster)
        if u is not None:
            have.append(u.flags)
            rows.append(
                [
                    _task(level),
                    count(u.varieties),
                    flagged(show(u.linguistic_utility, 1), u.flags),
                    show(u.demographic_utility, 1),
                    flagged(show(u.min_value, 1), u.min_flags),
                    md(u.min_variety),
                    show(u.standard_deviation, 1),
                    "" if u.varieties < 2 else show(u.gini, 3),
                ]
            )
    yield (
        "Of the {term}`maximum obtainable scores <maximum obtainable score>`: {term}`linguistic utility`, {term}`demographic utility`, "
        "the {term}`minimum <Rawlsian score>`, the standard deviation, and the {term}`Gini coefficient`. "
        "See {ref}`nb-utility_analysis`."
    )
    headings = ["task", "varieties", "linguistic", "demographic", "minimum", "worst variety", "deviation", "Gini"]
    yield _table(headings, rows, set(headings) - {"task", "worst variety"}, have=have)
