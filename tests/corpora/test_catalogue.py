import re
from pathlib import Path

import pytest

from dbutils import csvio, paths
from dbutils.corpora import catalogue, load, places, records
from dbutils.corpora.readers import READERS
from dbutils.errors import InputError

CORPORA = list(catalogue.load())
BIBLIOGRAPHY = Path(paths.ROOT) / "book" / "references.bib"


def good(**changes):
    record = {
        "id": "toy",
        "name": "Toy",
        "tasks": ["sa"],
        "homepage": "https://example.org",
        "licence": "MIT",
        "terms": "free",
        "redistributable": True,
        "citation": ["toy2020"],
        "revision": "1",
        "address": "https://example.org/{path}",
        "splits": {"test": "all"},
        "codes": {"sa": ["a"]},
        "labels": {"sa": ["no", "yes"]},
    }
    record.update(changes)
    return {"corpus": [{k: v for k, v in record.items() if v is not None}]}


def test_a_good_record_is_read():
    record = catalogue.parse(good())["toy"]
    assert record.codes == {"sa": ("a",)} and record.labels == {"sa": ("no", "yes")} and record.by_hand == ""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"licence": ""}, "record 1 .toy.: field 'licence' is missing or empty"),
        ({"citation": []}, "field 'citation' is missing or empty"),
        ({"labels": None}, "field 'labels': nothing for task 'sa'"),
        ({"codes": {"sa": []}}, "field 'codes': nothing for task 'sa'"),
        ({"codes": {"sa": ["a", "a"]}}, "field 'codes.sa': 'a' stands twice"),
        ({"codes": {"sa": [7]}}, "7 must be text"),
        ({"codes": {"sa": ["a"], "mt": ["a"]}}, "'mt' is not a task of this corpus"),
        ({"tasks": ["sentiment"]}, "field 'tasks.0.': unknown task 'sentiment'"),
        ({"terms": "fre"}, "field 'terms': unknown terms 'fre': did you mean 'free'"),
        ({"redistributable": "yes"}, "field 'redistributable': 'yes' must be true or false"),
        ({"address": None}, "one of 'address', 'archive' and 'by_hand' must say how to get it"),
        ({"homepage": "example.org"}, "'example.org' is not a web address"),
        ({"revison": "2"}, "unknown field 'revison', did you mean 'revision'"),
        ({"by_hand": "a\nb"}, r"field 'by_hand': 'a..b' must be one line"),
        ({"only": {"train": ["sa"]}}, "field 'only': 'train' is not one of its splits"),
        ({"empty": {"train": ["a"]}}, "field 'empty': 'train' is not one of its splits"),
        ({"parallel": "yes"}, "field 'parallel': 'yes' must be true or false"),
        ({"reads": ["toyy"]}, "record toy: unknown corpus 'toyy': did you mean 'toy'"),
        ({"english": "toyy/en"}, "record toy: unknown corpus 'toyy': did you mean 'toy'"),
        ({"english_for": ["ner"]}, "field 'english_for': 'ner' is not a task of this corpus"),
        ({"exemplars": "dev"}, "field 'exemplars': 'dev' must be 'train', or left out"),
        ({"splits": []}, "field 'splits': .. must be a table"),
        ({"citation": "toy2020"}, "field 'citation': 'toy2020' must be a list"),
    ],
)
def test_a_broken_record_is_named_by_record_field_and_value(changes, message):
    with pytest.raises(InputError, match=message):
        catalogue.parse(good(**changes))


def test_an_id_may_stand_once():
    twice = {"corpus": good()["corpus"] * 2}
    with pytest.raises(InputError, match="id 'toy' stands twice"):
        catalogue.parse(twice)


def test_every_corpus_of_table_1_is_there():
    assert set(CORPORA) >= {
        "ud",
        "singlish",
        "twitteraae",
        "noisy_dialects",
        "noisy_occitan",
        "murre",
        "wikiann",
        "wikiann_og",
        "norwegian_ner",
        "madar",
        "dmt",
        "greek_did",
        "dsl_tl",
        "swiss_did",
        "tsac",
        "tunizi",
        "dzsentia",
        "saudibank",
        "mac",
        "astd",
        "ajgt",
        "oclar",
        "sib-200",
        "xnli",
        "dialect_nli",
        "belebele",
        "race",
        "sciq",
        "multirc",
        "mctest",
        "mcscript2",
        "reclor",
        "sd-qa",
        "tydiqa-goldp",
        "codet",
        "til-mt",
    }


def test_every_corpus_has_a_reader_and_every_reader_a_corpus():
    assert set(READERS) == set(CORPORA)


@pytest.mark.parametrize("corpus", CORPORA)
def test_citations_stand_in_the_bibliography(corpus):
    known = set(re.findall(r"^@\w+\{([^,\s]+)", BIBLIOGRAPHY.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(catalogue.corpus(corpus).citation) <= known


@pytest.mark.parametrize("corpus", CORPORA)
def test_what_cannot_be_fetched_says_how_to_get_it_and_all_else_has_addresses(corpus):
    record = catalogue.corpus(corpus)
    if record.by_hand:
        assert "\n" not in record.by_hand and not (record.address or record.archive)
    elif record.archive:
        assert record.archive.startswith("http")
    else:
        assert records.of(corpus), "single files must be recorded"


@pytest.mark.parametrize("corpus", CORPORA)
def test_files_are_recorded_for_known_codes_and_splits(corpus):
    record = catalogue.corpus(corpus)
    codes = {code for values in record.codes.values() for code in values}
    for file in records.of(corpus):
        assert not file.code or file.code in codes, file
        assert not file.split or file.split in record.splits, file
    assert set(record.licences) <= codes
    assert all(set(tasks) <= set(record.tasks) for tasks in record.only.values())


def test_every_code_of_the_registry_is_one_of_its_corpus():
    table = csvio.read_csv(paths.data("registry", "codes.csv"))
    missing = [
        (row.task, row.corpus, row.code)
        for row in table.itertuples()
        if row.code not in load.codes(row.task, row.corpus)
    ]
    assert missing == []


def test_codes_of_translation_corpora_are_those_of_their_places():
    for corpus in ("codet", "codet-arabic", "til-mt"):
        assert load.codes("mt", corpus) == places.codes(corpus)


def test_every_place_is_a_recorded_file():
    for place in places.load():
        assert place.path in {file.path for file in records.of(place.corpus)}


def test_each_ud_treebank_states_its_own_licence():
    record = catalogue.corpus("ud")
    assert set(record.licences) == set(record.codes["dep"]) and len(record.licences) == 43
    assert record.licences["UD_Portuguese-CINTIL"] == "CC BY-NC-ND 4.0"


@pytest.mark.parametrize(
    ("corpus", "task", "labels"),
    [
        ("dmt", "did", ("M", "T")),
        ("mac", "sa", ("negative", "neutral", "positive", "mixed")),
        ("oclar", "sa", ("1", "2", "3", "4", "5")),
        ("c-xnli", "nli", ("entailment", "neutral", "contradiction")),
    ],
)
def test_label_sets_have_a_fixed_order(corpus, task, labels):
    assert catalogue.corpus(corpus).labels[task] == labels


def test_binding_terms_are_in_the_notice():
    assert catalogue.notice(catalogue.corpus("xnli-en")).endswith("licence CC BY-NC 4.0; non-commercial use only")
    assert "research use only" in catalogue.notice(catalogue.corpus("twitteraae"))
    assert catalogue.notice(catalogue.corpus("tunizi")).endswith("licence MIT")


def test_unknown_corpus_names_the_nearest():
    with pytest.raises(InputError, match="unknown corpus 'sib200': did you mean 'sib-200'"):
        catalogue.corpus("sib200")


@pytest.mark.parametrize("task", ["dep", "pos", "ner", "tc", "nli", "eqa"])
def test_english_training_data_stand_in_one_corpus(task):
    holding = [record for record in catalogue.load().values() if task in record.english_for]
    assert [record.id for record in holding] == [catalogue.english_corpus(task)]
    assert catalogue.english_corpus("mt") == ""
