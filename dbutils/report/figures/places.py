"""Figures 5 and 6, BLEU by region of Switzerland and Italy; and, beyond the paper, maps of all varieties."""

from dbutils import names, registry
from dbutils.analysis.maximum import maxima
from dbutils.errors import InputError
from dbutils.report import geo, maps, style
from dbutils.report.figures.base import PaperFigure, faults, need, percent

CLUSTERS = {"switzerland": "high german", "italy": "italian romance"}
SCALE = "BLEU, best model"  # beside the colours
LABEL = "BLEU, the higher of both NLLB models"
REFERENCES = {
    "pseudo_reference": "the translation of the standard's sentence (pseudo-reference)",
    "zero_shot": "English references",
}


def regions(scores, number, which):
    """({place: BLEU}, {variety without a place on the map: BLEU}, table of maxima) of a map.

    The values are those of Figure 10a.
    """
    need(scores, number, "mt")
    table = maxima(scores, "mt-region")
    table = table[table.cluster == CLUSTERS[which]]
    if table.empty:
        raise InputError(
            f"figure {number} needs scores of the regions of {CLUSTERS[which]} in task 'mt'; these have none"
        )
    placed, rest = geo.by_place(which, dict(zip(table.variety, table.value)))
    return placed, rest, table


def _label(table):
    return LABEL if set(table.model) <= set(registry.facts("mt").maximum.models) else "BLEU, the highest of all models"


def _note(rest):
    return "; ".join(f"not on the map: {variety}, {percent(value)}" for variety, value in sorted(rest.items()))


def _region(number, which, title):
    def draw(scores):
        placed, rest, _ = regions(scores, number, which)
        with style.context({}):  # the maps bring their own style
            return maps.region_map(which, placed, SCALE, title, _note(rest))

    def alt(scores):
        placed, rest, table = regions(scores, number, which)
        text = maps.region_alt(which, placed, _label(table))
        return text + (f" {_note(rest)[0].upper()}{_note(rest)[1:]}." if rest else "")

    def caption(scores):
        placed, _, table = regions(scores, number, which)
        shape = geo.load(which)
        models = names.listed(f"{m} in {n}" for m, n in sorted(table.model.value_counts().items()))
        against = names.listed(sorted(REFERENCES[s] for s in set(table.setting)))
        return (
            f"{title}: for each region the higher BLEU of the models ({models}), its maximum "
            f"obtainable score, against {against}. "
            f"{names.counted(len(placed), 'region')} of {len(shape.places)} on the map have a score; the "
            "colours span "
            f"{percent(min(placed.values()))} to {percent(max(placed.values()))}. "
            f"Outlines: {shape.attribution.removeprefix('Source: ')} ({shape.licence})." + faults(table["flags"])
        )

    def frame(scores):
        return regions(scores, number, which)[2]

    return PaperFigure(number, title, draw, alt, caption, frame, tasks=("mt",))


def points():
    """The registry's varieties as points for the maps of `dbutils.report.maps`."""
    return [
        dict(
            lon=v.longitude,
            lat=v.latitude,
            cluster=v.cluster,
            variety=v.variety,
            n_tasks=len(v.tasks),
            tasks=v.tasks,
            glottocode=v.glottocode,
            mbert_seen=v.mbert_seen,
        )
        for v in registry.load()
    ]


def _table(rows):
    import pandas as pd

    return pd.DataFrame(rows)


def _world(number, view, title):
    def draw(scores):
        with style.context({}):
            return maps.world_map(points(), view, title)

    def caption(scores):
        shape = geo.load("world")
        return (
            f"{title}: a marker stands where Glottolog puts a variety's Glottocode, its area for the "
            "number of varieties there, "
            f"its colour and shape for the cluster. Land: {shape.attribution} ({shape.licence})."
        )

    return PaperFigure(
        number,
        title,
        draw,
        lambda scores: maps.world_alt(points(), view),
        caption,
        lambda scores: _table(points()),
        lambda scores: maps.world_map_interactive(points()),
    )


FIGURES = (
    _region("5", "switzerland", "Swiss German by canton"),
    _region("6", "italy", "Varieties of Italy by region"),
    _world("world", "world", "The varieties of the benchmark"),
    _world("europe", "europe", "The varieties in Europe and the Near East"),
)
