"""The registry in sentences, and the naming template at work."""

from collections import Counter

from dbutils import names, registry
from dbutils.errors import InputError
from dbutils.registry import names as template
from dbutils.report.views.source import registered
from dbutils.report.views.view import bullets, listing


def registry_size():
    """A list of sentences: how many varieties, clusters, Glottocodes, populations, scripts, places."""
    known = registry.load()
    sizes = Counter(v.cluster for v in known)
    largest, n = sizes.most_common(1)[0]
    codes = Counter(v.glottocode for v in known if v.glottocode)
    shared, times = codes.most_common(1)[0]
    scripts = Counter(names.SCRIPTS[s] for v in known for s in v.scripts)
    without_task = [v.variety for v in known if not v.tasks]
    return bullets(
        [
            f"{names.counted(len(known), 'variety', 'varieties')} in {names.counted(len(known.clusters), 'cluster')}; the largest cluster is {largest} with {n},"
            f" and {sum(size == 1 for size in sizes.values())} clusters have a single variety.",
            f"{len(codes)} different Glottocodes; {sum(not v.glottocode for v in known)} varieties have none, and `{shared}` stands for {times} varieties:"
            " a Glottocode names a language or dialect, while the varieties are finer.",
            f"{sum(v.mbert_seen for v in known)} varieties were in the pre-training data of mBERT; {sum(known.seen_by_mbert(c) for c in known.clusters)}"
            " clusters have at least one of them.",
            f"The number of speakers is known of {sum(v.population is not None for v in known)} varieties, a place of"
            f" {sum(v.latitude is not None for v in known)}.",
            f"Scripts of the corpora: {names.listed(f'{name} ({n})' for name, n in scripts.most_common())}. A variety can have several.",
            f"{names.counted(len(without_task), 'variety', 'varieties')} {'has' if len(without_task) == 1 else 'have'} no data in any task:"
            f" {names.listed(without_task)}."
            if without_task
            else "Every variety has data in some task.",
        ]
    )


def attributes():
    """A table: the attributes of the template, how many varieties use each, and its most frequent values."""
    known = registry.load()
    lines = []
    for letter, part in template.ATTRIBUTES.items():
        values = Counter(value for v in known if (value := getattr(v.name, part)))
        top = ", ".join(f"{value} ({n})" for value, n in values.most_common(4))
        lines.append([letter, part, sum(values.values()), len(values), top])
    caption = "The attributes of a variety's name: how many varieties have one, how many different values it takes, and the most frequent values."
    return listing(
        ["letter", "attribute", "varieties", "values", "most frequent"],
        lines,
        caption,
        "tab-attributes",
        ["varieties", "values"],
    )


def parsed(*texts):
    """A table: names taken apart by the template and written again, or what is wrong with them."""
    lines = []
    for text in texts:
        try:
            name = template.parse(text)
        except InputError as error:
            lines.append([text, "", "", str(error)])
            continue
        parts = {part: getattr(name, part) for part in template.ATTRIBUTES.values()}
        given = ", ".join(f"{part} {value}" for part, value in parts.items() if value) or "none"
        lines.append([text, name.base, given, template.write(name, template=True)])
    caption = "Names read and written by the template: what was written, its Glottocode name and attributes, and its full form or what is wrong with it."
    return listing(
        ["as written", "Glottocode name", "attributes", "full form, or the fault"], lines, caption, "tab-parsed"
    )


def found(*texts):
    """A table: what the registry makes of a name: the one variety that it means, or why it means none."""
    known = registry.load()
    lines = []
    for text in texts:
        try:
            v = known.find(text)
        except InputError as error:
            lines.append([text, "", str(error)])
        else:
            lines.append([text, f"{v.cluster}/{v.variety}", v.glottocode or "no Glottocode"])
    caption = "Names looked up in the registry: other spellings lead to the same variety, and an unknown or ambiguous name says what is near it."
    return listing(["as written", "cluster/variety", "Glottocode, or the answer"], lines, caption, "tab-found")


def codes(run):
    """A table: the codes of the varieties that the parameter names; if it names none, how each corpus writes its codes."""
    varieties = registered(run.varieties)
    if run.varieties:
        lines = [
            [v.variety, v.cluster, c.task, c.corpus, c.code, names.SCRIPTS[c.script]]
            for v in varieties
            for c in v.codes
        ]
        return listing(
            ["variety", "cluster", "task", "corpus", "code", "script"],
            lines,
            "The codes of the chosen varieties in the corpora.",
            "tab-codes",
            filterable=True,
        )
    corpora = {}
    for v in varieties:
        for c in v.codes:
            tasks, written = corpora.setdefault(c.corpus, (set(), []))
            tasks.add(c.task)
            written.append(c.code)
    lines = [
        [corpus, ", ".join(sorted(tasks)), len(set(written)), ", ".join(sorted(set(written))[:3])]
        for corpus, (tasks, written) in sorted(corpora.items())
    ]
    caption = "How each corpus names varieties. Every corpus has codes of its own, so a code counts only together with its corpus."
    return listing(["corpus", "tasks", "codes", "such as"], lines, caption, "tab-codes", ["codes"])
