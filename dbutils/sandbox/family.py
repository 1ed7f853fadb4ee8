"""The constructed clusters and varieties: a cluster is one record and its varieties, one record each.

They are inventions of this project, not human languages, and never enter the registry or the
benchmark's aggregates. Names follow the template of the paper, Glottocode name (a:, r:, m:, o:, i:).

`talvo` plays English's part: the variety to train on for zero-shot transfer, and the one from
which all others derive.
"""

from dataclasses import dataclass
from functools import cache

from dbutils.errors import unknown
from dbutils.sandbox import rules as r

NOTICE = "constructed: invented by this project, no human language; not part of the benchmark"
CORPUS = "sandbox"
SOURCE = "tal"


@dataclass(frozen=True, slots=True)
class Variety:
    """A variety and how it derives.

    parent: code of the variety it derives from ("" for the root). rules: (rule, strength 0..1), on
    top of the parent's. dial: 0..1, multiplies these strengths. train: number of training examples.
    """

    code: str
    name: str
    cluster: str
    parent: str
    dial: float
    train: int
    rules: tuple[tuple[r.Rule, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group of related varieties. representative: the code that stands for it, as in Table 9 of the
    paper; it need not be the one with most training data. about: one sentence for readers."""

    code: str
    representative: str
    about: str


CLUSTERS = {
    c.code: c
    for c in (
        Cluster("talvo", "tal", "A chain of Latin-script varieties; the first plays English's part."),
        Cluster("mirun", "mir", "Latin script with nasal vowels; the port, not the standard, has most data."),
        Cluster("orvek", "orv", "Verb-last varieties in Armenian letters; in chats also in Latin ones."),
    )
}

_TALVO = (
    (r.sounds("voicing"), 1.0),
    (r.sounds("raising"), 0.7),
    (r.sounds("loss of final vowels"), 0.6),
    (r.new_words("talvo hills"), 0.4),
    (r.new_function_words("talvo hills"), 0.5),
    (r.new_endings("talvo", PST="et", PL="s"), 1.0),
    (r.adjective_after_noun, 0.9),
    (r.no_articles, 0.4),
)
_MIRUN = (
    (r.sounds("palatals"), 1.0),
    (r.sounds("nasal vowels"), 1.0),
    (r.sounds("breaking"), 0.6),
    (r.new_words("mirun"), 0.35),
    (r.new_function_words("mirun"), 0.6),
    (r.article_as_suffix, 1.0),
    (r.second_negation, 0.9),
    (r.new_endings("mirun", PST="ou", FUT="ra", PL="i", DEF="le"), 0.8),
)
_ORVEK = (
    (r.verb_last, 1.0),
    (r.postpositions, 1.0),
    (r.object_case, 0.9),
    (r.no_articles, 0.6),
    (r.new_words("orvek"), 0.35),
    (r.new_function_words("orvek"), 0.6),
    (r.sounds("palatals"), 0.8),
    (r.sounds("v to f"), 0.8),
)
_SCRIPT = ((r.armenian_letters, 1.0),)

_CHAT = ((r.small_letters, 1.0), (r.typos, 0.12), (r.sounds("spelling with c and w"), 0.3))
_PORT = ((r.sounds("softening"), 0.6), (r.new_words("sea trade"), 0.1), (r.time_first, 0.8))
_LAKE = ((r.sounds("s to r"), 1.0), (r.sounds("raising"), 0.8), (r.past_auxiliary, 0.9), (r.new_words("lake"), 0.2))
_HIGH = ((r.sounds("a to o"), 0.8), (r.sounds("r to l"), 1.0), (r.verb_first, 0.9), (r.new_words("highland"), 0.3))
_EAST = ((r.sounds("voicing"), 1.0), (r.new_words("orvek east"), 0.3), (r.adjective_after_noun, 0.8))
_WEST = (
    (r.sounds("loss of final vowels"), 0.9),
    (r.new_endings("west", PST="om", ACC="k"), 1.0),
    (r.new_words("orvek west"), 0.15),
)
_LATIN = ((r.chat_letters, 1.0), (r.small_letters, 0.7), (r.typos, 0.03))
_FORUM = ((r.chat_letters, 0.5), (r.typos, 0.05))

VARIETIES = {
    v.code: v
    for v in (
        Variety("tal", "talvo", "talvo", "", 0.0, 400),
        Variety("tal-hill", "upland talvo", "talvo", "tal", 0.25, 200, _TALVO),
        Variety("tal-low", "lowland talvo", "talvo", "tal", 0.5, 150, _TALVO),
        Variety("tal-coast", "lowland talvo (a:coast)", "talvo", "tal", 0.75, 100, _TALVO),
        Variety("tal-isle", "island talvo", "talvo", "tal", 1.0, 60, _TALVO),
        Variety("tal-chat", "talvo (r:casual, m:written)", "talvo", "tal", 1.0, 200, _CHAT),
        Variety("mir", "mirun", "mirun", "tal", 1.0, 120, _MIRUN),
        Variety("mir-old", "old mirun", "mirun", "tal", 0.6, 80, _MIRUN),
        Variety("mir-port", "mirun (a:port)", "mirun", "mir", 1.0, 400, _PORT),
        Variety("mir-lake", "lake mirun", "mirun", "mir", 1.0, 100, _LAKE),
        Variety("mir-high", "highland mirun", "mirun", "mir", 1.0, 60, _HIGH),
        Variety("orv", "orvek", "orvek", "tal", 1.0, 350, _ORVEK + _SCRIPT),
        Variety("orv-east", "eastern orvek", "orvek", "orv", 0.5, 120, _EAST),
        Variety("orv-far", "eastern orvek (a:far-east)", "orvek", "orv", 1.0, 60, _EAST),
        Variety("orv-west", "western orvek", "orvek", "orv", 1.0, 100, _WEST),
        Variety("orv-chat", "orvek (r:casual, o:latin)", "orvek", "orv", 1.0, 150, _LATIN),
        Variety("orv-forum", "orvek (m:written, i:forum)", "orvek", "orv", 1.0, 100, _FORUM),
    )
}


def variety(code):
    """The record of a variety; InputError names the nearest code if there is none."""
    try:
        return VARIETIES[code]
    except KeyError:
        raise unknown("sandbox variety", code, VARIETIES) from None


def varieties(cluster=None):
    """All varieties in order, or those of one cluster."""
    if cluster is not None and cluster not in CLUSTERS:
        raise unknown("sandbox cluster", cluster, CLUSTERS)
    return tuple(v for v in VARIETIES.values() if cluster in (None, v.cluster))


def train_code(setting, code):
    """What to train on to test a variety in a setting: a code that `examples` reads.

    zero_shot, pseudo_reference and in_context: the source. in_variety: the variety itself. in_cluster: the
    representative of its cluster. combined: all varieties together ("sandbox").
    """
    by_setting = {
        "zero_shot": SOURCE,
        "in_context": SOURCE,
        "pseudo_reference": SOURCE,
        "in_variety": code,
        "in_cluster": CLUSTERS[variety(code).cluster].representative,
        "combined": CORPUS,
    }
    if setting not in by_setting:
        raise unknown("setting with training data", setting, by_setting)
    return by_setting[setting]


@cache
def steps(record):
    """The (rule, strength) that lead from the root to a variety, its ancestors' first, by stage.

    record: a Variety, from the table or made with `dataclasses.replace` (another dial, more rules).
    """
    inherited = steps(variety(record.parent)) if record.parent else ()
    own = tuple((rule, strength * record.dial) for rule, strength in record.rules)
    return tuple(sorted((*inherited, *own), key=lambda step: r.STAGES.index(step[0].stage)))
