"""The 281 varieties of the benchmark in their 40 clusters, with all that is known of each."""

import functools
from dataclasses import dataclass

from dbutils import TASKS
from dbutils.errors import InputError, unknown
from dbutils.paths import data, nfc
from dbutils.registry.names import Name, parse, tidy
from dbutils.registry.tasks import LEVELS, TASK_FACTS


@dataclass(frozen=True)
class Code:
    """What a corpus calls a variety. A code is a key only together with its corpus."""

    task: str
    corpus: str
    code: str
    script: str  # ISO 15924
    script_source: str  # "code" (the code says it), "text" (read off the corpus), "corpus" (its documentation)


@dataclass(frozen=True)
class Variety:
    """One row of the paper's Table 8. The key is (cluster, variety)."""

    cluster: str
    variety: str
    printed: str
    name: Name
    glottocode: str  # "" for the six without one
    mbert_seen: bool
    population: int | None
    population_plain: bool  # written with digits only: what the paper's demographic utility counts
    population_note: str
    latitude: float | None
    longitude: float | None
    level: str  # Glottolog's: language, dialect or family
    parents: tuple[tuple[str, str], ...]  # (Glottocode, name) from the nearest to the root
    codes: tuple[Code, ...]
    source: str

    @property
    def key(self):
        return self.cluster, self.variety

    @property
    def tasks(self):
        have = {code.task for code in self.codes}
        return tuple(task for task in TASKS if task in have)

    @property
    def scripts(self):
        return tuple(sorted({code.script for code in self.codes if code.script}))


# Regions are averages over the places of Switzerland and Italy; everything else is a dialect (Table 20).
REGION_CLUSTERS = {"high german": "central alemannic", "italian romance": "italian"}


def is_region(cluster, variety):
    """Whether a row of Table 20 is a region (Swiss canton, Italian region) and not a dialect."""
    base = REGION_CLUSTERS.get(cluster)
    return base is not None and variety.startswith(base + " (a:")


class Registry:
    """All varieties, in the order of Table 8; see `load`."""

    def __init__(self, varieties, representatives, aliases, glottolog, tasks):
        self.varieties = varieties
        self.clusters = tuple(dict.fromkeys(v.cluster for v in varieties))
        self.glottolog = glottolog  # table: ancestors and coordinates by Glottocode
        self.tasks = tasks  # table: name, metric and data of each task, indexed by task code
        self._by_key = {v.key: v for v in varieties}
        self._representatives = representatives
        self._cluster_names = {c.casefold(): c for c in self.clusters}
        self._cluster_names.update({tidy(a).casefold(): n for kind, _, a, n in aliases if kind == "cluster"})
        self._by_name, self._by_code = {}, {}
        for v in varieties:
            for spelling in {v.variety, tidy(v.printed)}:
                self._by_name.setdefault(spelling.casefold(), []).append(v)
            for code in v.codes:
                self._by_code.setdefault(code.code, []).append(v)
        for kind, cluster, alias, name in aliases:
            if kind == "variety":
                self._by_name.setdefault(tidy(alias).casefold(), []).append(self._by_key[cluster, name])

    def __iter__(self):
        return iter(self.varieties)

    def __len__(self):
        return len(self.varieties)

    @property
    def codes(self):
        """Every code of every corpus, as a set of strings."""
        return set(self._by_code)

    def cluster(self, name):
        """The registry's spelling of a cluster; InputError naming the nearest for an unknown one."""
        found = self._cluster_names.get(tidy(name).casefold())
        if not found:
            raise unknown("cluster", name, self.clusters)
        return found

    def of(self, cluster):
        """The varieties of a cluster."""
        return tuple(v for v in self.varieties if v.cluster == cluster)

    def get(self, cluster, variety):
        """The variety of a key as the registry spells it."""
        try:
            return self._by_key[cluster, variety]
        except KeyError:
            return self.find(variety, cluster)

    def find(self, text, cluster=None):
        """The one variety that a name of any table means.

        text: `variety`, `cluster/variety`, or the long form of the naming template.
        Raises InputError: unknown (names the nearest), or the same name in several clusters.
        """
        name = tidy(text)
        if cluster is not None:
            cluster = self.cluster(cluster)
        else:
            head, slash, rest = name.partition("/")
            if slash and head.strip().casefold() in self._cluster_names:
                cluster, name = self._cluster_names[head.strip().casefold()], rest.strip()
        found = self._lookup(name)
        if not found:
            parsed = parse(name)  # says what is wrong with the template, if anything
            found = [v for v in self.varieties if _same(v.name, parsed)]
        if cluster is not None:
            found = [v for v in found if v.cluster == cluster]
        found = list(dict.fromkeys(found))
        if not found:
            known = [v.variety for v in self.varieties if cluster in (None, v.cluster)]
            raise unknown(f"variety of cluster {cluster!r}" if cluster else "variety", name, known)
        if len(found) > 1:
            where = ", ".join(sorted(v.cluster for v in found))
            raise InputError(f"variety {name!r} stands in several clusters ({where}): write cluster/variety")
        return found[0]

    def _lookup(self, name):
        return self._by_name.get(name.casefold(), [])

    def coded(self, task, code):
        """The variety that a task's corpora give this code, or None."""
        code = nfc(code)
        for v in self._by_code.get(code, ()):
            if any(c.task == task and c.code == code for c in v.codes):
                return v
        return None

    def representative(self, level, cluster):
        """The representative of a cluster for a task (Table 9), or None.

        level: a task code, for translation `mt-dialect` or `mt-region`.
        """
        name = self._representatives.get((level, cluster))
        return self._by_key[cluster, name] if name else None

    def representatives(self, level):
        """{cluster: representative} of a task, in the order of Table 9."""
        return {c: self._by_key[c, v] for (t, c), v in self._representatives.items() if t == level}

    def tasks_in(self, table):
        """{what a summary table of the paper calls it: the task, or the level of translation}, of its tasks."""
        out = {}
        for task in TASK_FACTS.values():
            for level in (task.levels or (task.code,)) if task.stands_in(table) else ():
                out[task.printed.get((table, level)) or task.printed.get(table) or self.tasks.at[task.code, "name"]] = (
                    level
                )
        return out

    def seen_by_mbert(self, cluster):
        """Whether mBERT saw at least one variety of the cluster in pre-training (Table 8)."""
        return any(v.mbert_seen for v in self.of(cluster))


def _same(a, b):
    fold = lambda n: tuple(str(x).casefold() for x in (n.base, n.area, n.register, n.mode, n.orthography, n.identifier))  # noqa: E731
    return fold(a) == fold(b)


@functools.cache
def load():
    """Read and check `data/registry/*.csv`.

    Raises InputError naming file, line, column and value of the first broken cell.
    """
    import pandera.pandas as pa

    from dbutils.schema import column, in_range, read_checked

    text = column("text")
    any_text = column("text", empty=True)
    folder = data("registry")
    varieties = read_checked(
        folder / "varieties.csv",
        pa.DataFrameSchema(
            {
                "cluster": text,
                "variety": column("a name of the template in its short form", test=_round_trips),
                "printed": text,
                "glottocode": column("a Glottocode", r"[a-z]{4}[0-9]{4}", empty=True),
                "mbert_seen": column("1 or empty", "1", empty=True),
                "population": column("a whole number of speakers", r"[0-9]+", empty=True),
                "population_as_written": any_text,
                "population_note": any_text,
                "source": text,
            }
        ),
        unique=("cluster", "variety"),
    )
    keys = set(zip(varieties.cluster, varieties.variety))
    clusters = {c for c, _ in keys}
    in_cluster = column("a cluster of varieties.csv", among=clusters)
    codes = read_checked(
        folder / "codes.csv",
        pa.DataFrameSchema(
            {
                "cluster": in_cluster,
                "variety": text,
                "task": column("a task code", among=set(TASKS)),
                "corpus": text,
                "code": text,
                "script": column("an ISO 15924 code", r"[A-Z][a-z]{3}"),
                "script_source": column("code, text or corpus", among={"code", "text", "corpus"}),
                "source": text,
            }
        ),
        unique=("task", "corpus", "code"),
    )
    representatives = read_checked(
        folder / "representatives.csv",
        pa.DataFrameSchema(
            {"task": column("a task code", among=set(LEVELS)), "cluster": in_cluster, "variety": text, "source": text}
        ),
        unique=("task", "cluster"),
    )
    aliases = read_checked(
        folder / "aliases.csv",
        pa.DataFrameSchema(
            {
                "kind": column("cluster or variety", among={"cluster", "variety"}),
                "cluster": any_text,
                "alias": text,
                "name": text,
                "source": text,
            }
        ),
        unique=("kind", "cluster", "alias"),
    )
    latitude, longitude = (
        column("degrees", test=in_range(-90, 90), empty=True),
        column("degrees", test=in_range(-180, 180), empty=True),
    )
    glottolog = read_checked(
        folder / "glottolog.csv",
        pa.DataFrameSchema(
            {
                "ID": column("a Glottocode", r"[a-z]{4}[0-9]{4}"),
                "Name": text,
                "Latitude": latitude,
                "Longitude": longitude,
                "Level": column("a Glottolog level", among={"language", "dialect", "family"}),
                "ISO639P3code": any_text,
                "Closest_ISO369P3code": any_text,
                "Family_ID": any_text,
                "Language_ID": any_text,
                "Parent_ID": any_text,
                "Macroarea": any_text,
                "Countries": any_text,
                "In_Table8": column("0 or 1", "[01]"),
                "Paper_names": any_text,
            }
        ),
        unique=("ID",),
    )
    tasks = read_checked(
        folder / "tasks.csv",
        pa.DataFrameSchema(
            {
                "task": column("a task code", among=set(TASKS)),
                "name": text,
                "long_name": text,
                "category": text,
                "metric": text,
                "score": column("a metric", among={"uas", "f1", "bleu"}),
                "source_dataset": text,
            }
        ),
        unique=("task",),
    )
    for path, table in (("codes.csv", codes), ("representatives.csv", representatives)):
        _check_keys(folder / path, table, keys)
    _check_keys(
        folder / "aliases.csv",
        aliases[aliases.kind == "variety"].drop(columns="variety", errors="ignore").rename(columns={"name": "variety"}),
        keys,
    )
    _check_glottocodes(folder / "varieties.csv", varieties, set(glottolog.ID))
    return Registry(
        _varieties(varieties, codes, glottolog.set_index("ID")),
        {(r.task, r.cluster): r.variety for r in representatives.itertuples()},
        list(aliases[["kind", "cluster", "alias", "name"]].itertuples(index=False, name=None)),
        glottolog.set_index("ID"),
        tasks.set_index("task"),
    )


def _round_trips(text):
    from dbutils.registry.names import write

    try:
        return write(parse(text)) == text
    except InputError:
        return False


def _check_keys(path, table, keys):
    for line, row in table.iterrows():
        if (row.cluster, row.variety) not in keys:
            close = unknown("variety", row.variety, [v for c, v in keys if c == row.cluster])
            raise InputError(f"{path}:{line}: column 'variety': {close}")


def _check_glottocodes(path, table, known):
    for line, row in table.iterrows():
        if row.glottocode and row.glottocode not in known:
            raise InputError(f"{path}:{line}: column 'glottocode': {unknown('Glottocode', row.glottocode, known)}")


def _varieties(table, codes, glottolog):
    of = {}
    for c in codes.itertuples():
        of.setdefault((c.cluster, c.variety), []).append(Code(c.task, c.corpus, c.code, c.script, c.script_source))
    places = glottolog.to_dict("index")
    out = []
    for v in table.itertuples():
        place = places.get(v.glottocode, {})
        out.append(
            Variety(
                cluster=v.cluster,
                variety=v.variety,
                printed=v.printed,
                name=parse(v.variety),
                glottocode=v.glottocode,
                mbert_seen=v.mbert_seen == "1",
                population=int(v.population) if v.population else None,
                population_plain=v.population_as_written.isdigit(),
                population_note=v.population_note,
                latitude=float(place["Latitude"]) if place.get("Latitude") else None,
                longitude=float(place["Longitude"]) if place.get("Longitude") else None,
                level=place.get("Level", ""),
                parents=_parents(v.glottocode, places),
                codes=tuple(of.get((v.cluster, v.variety), ())),
                source=v.source,
            )
        )
    return tuple(out)


def _parents(glottocode, places):
    out, code = [], places.get(glottocode, {}).get("Parent_ID", "")
    while code:
        out.append((code, places[code]["Name"]))
        code = places[code]["Parent_ID"]
    return tuple(out)
