import pytest

from dbutils.corpora import load
from dbutils.errors import InputError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sa", "astdd", "arz_arab", "test"), "unknown corpus 'astdd': did you mean 'astd'"),
        (("tc", "astd", "arz_arab", "test"), "unknown task of corpus astd 'tc': known: sa"),
        (("sa", "astd", "arz_Arab", "test"), "unknown code of corpus astd 'arz_Arab': did you mean 'arz_arab'"),
        (("dep", "ud", "UD_Gheg-GSP", "test"), "did you mean 'UD_Gheg-GPS'"),
        (("did", "dmt", "mandarin_simplified:X", "dev"), "unknown code of corpus dmt"),
        (("dep", "ud", "UD_Gheg-GPS", "train"), "code 'UD_Gheg-GPS' of corpus 'ud' has no split 'train'; it has: test"),
        (("sa", "mac", "ary_arab", "tset"), "has no split 'tset'; it has: train, dev, test, paper-train, paper-test"),
    ],
)
def test_unknown_names_are_refused_before_any_reading(arguments, message):
    with pytest.raises(InputError, match=message):
        load.examples(*arguments)


def test_a_corpus_that_is_not_on_disk_says_how_to_get_it(root):
    with pytest.raises(InputError, match="run 'dbutils corpora get tsac', or set DBUTILS_CORPORA") as error:
        next(load.examples("sa", "tsac", "aeb_Arab"))
    assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="apply at https://camel.abudhabi.nyu.edu.*; put it into .*madar"):
        next(iter(load.examples("did", "madar", "arabic")))


def test_paper_and_sound_are_the_official_split_where_nothing_differs(write):
    write("noisy_occitan/test_ROci_UPOS.tsv", "Lo\tDET\n\nLo\tDET\n")
    found = {
        split: list(load.examples("pos", "noisy_occitan", "ROci", split))
        for split in ("test", "paper-test", "sound-test")
    }
    assert found["test"] == found["paper-test"] == found["sound-test"] and len(found["test"]) == 2


def test_sound_dev_leaves_out_test_and_sound_train_both(write):
    header = "index_id\tcategory\ttext\n"
    folder = "sib-200/data/annotated/oci_Latn"
    write(f"{folder}/test.tsv", header + "1\ttravel\tUn  Tren\n")
    write(f"{folder}/dev.tsv", header + "2\ttravel\tun tren\n3\ttravel\tdos\n")
    write(f"{folder}/train.tsv", header + "4\ttravel\tDOS\n5\ttravel\tun tren\n6\ttravel\ttres\n7\ttravel\ttres\n")
    ids = {
        s: [e.id for e in load.examples("tc", "sib-200", "oci_Latn", f"sound-{s}")] for s in ("train", "dev", "test")
    }
    assert ids == {"train": ["6"], "dev": ["3"], "test": ["1"]}


def test_splits_are_those_the_code_has():
    assert load.names("dep", "ud", "UD_Gheg-GPS") == ("test",)
    assert load.names("pos", "ud", "UD_North_Sami-Giella") == ("train", "test", "paper-train", "paper-test")
    assert load.names("eqa", "sd-qa", "korean") == ("train",)
    assert load.names("eqa", "sd-qa", "korean--korn") == ("dev", "test")
    assert load.names("did", "dsl_tl", "english:EN") == ("train", "dev", "test", "paper-train", "paper-test")


@pytest.mark.parametrize(
    ("task", "corpus", "code", "split", "labels"),
    [
        ("did", "dsl_tl", "spanish", "dev", ("ES", "ES-AR", "ES-ES")),
        ("did", "dsl_tl", "spanish:ES-AR", "dev", ("ES", "ES-AR", "ES-ES")),
        ("did", "swiss_did", "swiss-dialects", "test", ("BE", "BS", "LU", "ZH")),
        ("did", "swiss_did", "swiss-dialects", "2018-test-xy", ("BE", "BS", "LU", "ZH", "XY")),
        ("sa", "tunizi", "aeb_Latn", "test", ("negative", "positive")),
        ("sa", "tunizi", "aeb_Latn", "paper-test", ("negative", "neutral", "positive")),
        ("nli", "xnli-en", "en", "test", ("entailment", "neutral", "contradiction")),
        ("mt", "til-mt", "az", "test", ()),
    ],
)
def test_label_sets_are_those_of_the_code_and_split(task, corpus, code, split, labels):
    assert load.labels(task, corpus, code, split) == labels


def test_reading_is_lazy(write):
    good = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    write("ud/UD_Gheg-GPS/aln_gps-ud-test.conllu", good + "broken\n\n")
    found = load.examples("dep", "ud", "UD_Gheg-GPS")
    assert next(found).tokens == ("a",)
    with pytest.raises(InputError, match=r"aln_gps-ud-test.conllu:3: 1 columns"):
        next(found)
