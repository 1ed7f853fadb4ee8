"""The registry: its counts, its look-ups, and what it says of a broken file."""

import shutil

import pytest

from dbutils import paths, registry
from dbutils.csvio import read_csv
from dbutils.errors import InputError


@pytest.fixture(scope="module")
def known():
    return registry.load()


def test_counts_of_the_paper(known):
    assert (len(known), len(known.clusters)) == (281, 40)
    assert len({v.key for v in known}) == 281
    codes = [v.glottocode for v in known]
    assert codes.count("") == 6
    assert len(set(codes)) == 162  # the paper's count; the missing code is one of them
    assert sum(not v.tasks for v in known) == 4


def test_ticks_of_table_8_are_the_codes(known):
    table = read_csv(paths.data("scores", "paper", "table08.csv"))
    columns = {"udp": "dep", "sdqa": "eqa", "rcmc": "mrc", "sc": "sa", "di": "did"}
    for (_, printed), v in zip(table.iterrows(), known):
        assert (printed.cluster_norm, printed.variety_norm, printed.glottocode) == (*v.key, v.glottocode)
        assert (printed.mbert_seen == "1") == v.mbert_seen
        ticked = {columns.get(c, c) for c in table.columns[4:14] if printed[c] == "1"}
        assert ticked == set(v.tasks), v.key


def test_representatives_agree_with_table_9(known):
    assert known.representative("ner", "sinitic").variety == "mandarin chinese"
    assert known.representative("dep", "eastern-western armenian").variety == "western armenian"
    assert known.representative("mt-region", "italian romance").variety == "italian (a:umbria)"
    assert known.representative("sa", "norwegian") is None
    assert len(known.representatives("ner")) == 26


@pytest.mark.parametrize(
    "text, key",
    [
        ("sw. shifted romance/brazilian portuguese", ("southwestern shifted romance", "brazilian portuguese")),
        ("cmm. sinitic (o:traditional)", ("sinitic", "classical-middle-modern sinitic (o:traditional)")),
        ("mandarin chinese (a:taiwan, o:simp.)", ("sinitic", "mandarin chinese (a:taiwan, o:simplified)")),
        ("hame (a:tavastian)", ("neva", "häme (a:tavastian)")),
        ("bengali (a:dhaka)", ("bengali", "vanga (a:dhaka)")),
        ("levantine/south", ("arabic", "south levantine arabic")),
        ("Fiji hindi", ("hindustani", "fiji hindi")),
        ("English-(a:uk,r:,m:,o:,i:)", ("anglic", "english (a:uk)")),
        ("ta\u2019izzi-adeni arabic", ("arabic", "ta'izzi-adeni arabic")),
        ("anglic/english", ("anglic", "english")),
        ("italian (a:trentino-alto adige/südtirol)", ("italian romance", "italian (a:trentino-alto adige/südtirol)")),
    ],
)
def test_names_as_other_tables_spell_them_resolve(known, text, key):
    assert known.find(text).key == key


def test_every_name_of_every_printed_table_resolves(known):
    for path in sorted(paths.data("scores", "paper").glob("table*.csv")):
        table = read_csv(path)
        if "variety_norm" in table and "variety" in table:
            for _, r in table.iterrows():
                assert known.find(r.variety, r.cluster).key == (r.cluster_norm, r.variety_norm)


def test_unknown_names_the_nearest(known):
    with pytest.raises(
        InputError, match="unknown variety 'brazillian portuguese': did you mean 'brazilian portuguese'"
    ):
        known.find("brazillian portuguese")
    with pytest.raises(InputError, match="did you mean 'norwegian'"):
        known.cluster("norwegia")
    with pytest.raises(InputError, match="unknown variety of cluster 'anglic'"):
        known.find("french", "anglic")


def test_codes_are_text_and_belong_to_a_corpus(known):
    assert known.coded("ner", "no") is None  # Norwegian of WikiANN is no variety of the benchmark
    assert known.coded("ner", "zh-min-nan").variety == "min nan chinese"
    assert known.coded("ner", "als").variety == "central alemannic"
    assert known.coded("ner", "simple").variety == "english (o:controlled)"
    norwegian = known.coded("dep", "UD_Norwegian-NynorskLIA")
    assert [c.corpus for c in norwegian.codes if c.task == "dep"] == ["ud"]


def test_scripts_places_and_parents(known):
    assert known.find("standard arabic").scripts == ("Arab",)
    assert known.find("min nan chinese").scripts == ("Latn",)
    assert known.find("eastern panjabi").scripts == ("Guru",)
    gheg = known.find("gheg albanian")
    assert (gheg.latitude, gheg.longitude, gheg.level) == (42.317, 21.3837, "language")
    assert gheg.parents[-1] == ("indo1319", "Indo-European")
    assert known.find("arabic (a:bahrain)").latitude is None
    scripts = {s for v in known for s in v.scripts}
    assert {
        "Arab",
        "Armn",
        "Beng",
        "Cyrl",
        "Deva",
        "Ethi",
        "Grek",
        "Guru",
        "Hang",
        "Hani",
        "Hans",
        "Hant",
        "Latn",
    } == scripts


def test_population_written_with_separators_is_known_but_not_plain(known):
    seoul = known.find("seoul (m:spoken)")
    assert (seoul.population, seoul.population_plain) == (51757637, False)
    assert known.find("old english (ca. 450-1100)").population is None
    assert known.find("old english (ca. 450-1100)").population_note == "antiquated"


def test_clusters_unseen_by_mbert(known):
    unseen = {c for c in known.clusters if not known.seen_by_mbert(c)}
    assert {"komi", "saami", "circassian", "kurdish"} <= unseen
    assert "norwegian" not in unseen


BROKEN = [
    ("varieties.csv", "gheg1238", "gheg123", "'glottocode': 'gheg123' is not a Glottocode"),
    ("varieties.csv", "gheg1238", "gheg9999", "unknown Glottocode 'gheg9999': did you mean"),
    ("varieties.csv", ",4100000,4100000,", ",many,4100000,", "'population': 'many' is not a whole number"),
    (
        "varieties.csv",
        "albanian,gheg albanian,gheg albanian",
        "albanian,albanian,gheg albanian",
        "the same row as line 2",
    ),
    (
        "varieties.csv",
        "albanian,gheg albanian,",
        "albanian,gheg albanian (z:x),",
        "'variety': 'gheg albanian (z:x)' is not a name",
    ),
    ("codes.csv", ",dep,ud,UD_Gheg-GPS,", ",parsing,ud,UD_Gheg-GPS,", "'task': 'parsing' is not a task code"),
    (
        "codes.csv",
        "albanian,gheg albanian,dep",
        "albanian,geg albanian,dep",
        "unknown variety 'geg albanian': did you mean 'gheg albanian'",
    ),
    ("representatives.csv", "dep,albanian,albanian", "dep,albania,albanian", "'cluster': 'albania' is not a cluster"),
    ("glottolog.csv", ",42.317,", ",142.317,", "'Latitude': '142.317' is not degrees"),
    ("tasks.csv", ",uas,", ",las,", "'score': 'las' is not a metric"),
]


@pytest.mark.parametrize("name, old, new, says", BROKEN)
def test_a_broken_row_is_reported_with_file_line_column_and_value(tmp_path, monkeypatch, name, old, new, says):
    folder = tmp_path / "registry"
    shutil.copytree(paths.data("registry"), folder)
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(paths, "DATA", tmp_path)
    with pytest.raises(InputError) as error:
        registry.load.__wrapped__()
    message = str(error.value)
    assert says in message and "\n" not in message
    line = text[: text.index(old)].count("\n") + 1
    assert f"{name}:{line}:" in message
