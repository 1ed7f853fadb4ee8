import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import get_entities

from dbutils.corpora import load
from dbutils.corpora.formats import iob
from dbutils.errors import InputError


def read(corpus, code, split="test"):
    return list(load.examples("ner", corpus, code, split))


def test_token_comes_first_tag_last_whatever_stands_between(place, write, trap, tar_gz):
    bio = trap("one_to_five_fields_between.bio").read_bytes()
    write("wikiann_og/ady.tar.gz", tar_gz({"README.txt": b"x", "wikiann-ady.bio": bio}))
    first, second = read("wikiann_og", "ady")
    assert first.tokens == ("Miru", "nan", "flows") and first.tags == ("B-LOC", "I-LOC", "O")
    assert second.tokens == ("NA", "no") and second.tags == ("B-ORG", "B-PER")


def test_empty_file_of_jamaican_creole_yields_nothing(write, tar_gz):
    write("wikiann_og/jam.tar.gz", tar_gz({"README.txt": b"x", "wikiann-jam.bio": b""}))
    assert read("wikiann_og", "jam") == []


def test_code_ends_at_the_first_colon(write, trap, tar_gz):
    content = trap("tokens_that_are_colons.txt").read_bytes()
    write("wikiann/ang.tar.gz", tar_gz({"train": b"", "dev": b"", "test": content}))
    first, second = read("wikiann", "ang")
    assert first.tokens == (":", "a:b", "Nord") and first.tags == ("O", "B-LOC", "I-LOC")
    assert second.tags == ("B-PER",)  # an I- without B- begins an entity
    with pytest.raises(load.NoExamples, match="corpus 'wikiann', ang train: there is no example in it"):
        read("wikiann", "ang", "train")


def test_samples_are_read_inside_their_zip(write, trap):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("dummy_data/ang.tar.gz/test", trap("tokens_that_are_colons.txt").read_bytes())
    write("wikiann_sample/datasets/wikiann/dummy/ang/1.1.0/dummy_data.zip", raw.getvalue())
    assert len(read("wikiann_sample", "ang")) == 2


def test_damaged_archive_is_said(write, tar_gz):
    write("wikiann_og/ady.tar.gz", tar_gz({"wikiann-ady.bio": b"a b O\n" * 999})[:60])
    with pytest.raises(InputError, match="ady.tar.gz: damaged archive"):
        read("wikiann_og", "ady")


def test_pointer_in_place_of_an_archive_is_said(place):
    place("lfs_pointer.txt", "wikiann_og/ady.tar.gz")
    with pytest.raises(InputError, match="a Git LFS pointer"):
        read("wikiann_og", "ady")


def test_bioes_becomes_iob2_despite_stray_carriage_returns(place):
    place("bioes_with_prs_and_stray_cr.bioes", "norwegian_ner/bokmaal/no_bokmaal-ud-test.bioes")
    first, second = read("norwegian_ner", "bokmaal")
    assert first.tokens == ("Ola", "Nor", "bor", "i", "Oslo", "#")
    assert first.tags == ("B-PRS", "I-PRS", "O", "O", "B-GEO", "O")
    assert second.tags == ("B-OTH", "I-OTH", "I-OTH")


def test_pointer_file_of_git_lfs_is_refused(place):
    place("lfs_pointer.txt", "norwegian_ner/nynorsk/no_nynorsk-ud-train.bioes")
    with pytest.raises(InputError, match="a Git LFS pointer, not the data"):
        read("norwegian_ner", "nynorsk", "train")


def test_sound_samnorsk_joins_the_standards_and_keeps_dev_out_of_train(write):
    line = "1\t{}\t_\tX\tO\n\n"
    for standard in ("bokmaal", "nynorsk"):
        for split in ("train", "dev", "test"):
            words = [f"{standard}-{split}"] + (["nynorsk-dev"] if (standard, split) == ("bokmaal", "train") else [])
            write(f"norwegian_ner/{standard}/no_{standard}-ud-{split}.bioes", "".join(map(line.format, words)))
    splits = ("train", "dev")
    found = {s: [e.tokens[0] for e in read("norwegian_ner", "samnorsk", f"sound-{s}")] for s in splits}
    assert found == {"train": ["bokmaal-train", "nynorsk-train"], "dev": ["bokmaal-dev", "nynorsk-dev"]}


def test_tag_of_another_scheme_is_named_by_line(write):
    write("norwegian_ner/bokmaal/no_bokmaal-ud-dev.bioes", "1\ta\ta\tX\tO\n2\tb\tb\tX\tL-PRS\n")
    with pytest.raises(InputError, match=r"dev.bioes:2: 'L-PRS' is not a BIOES tag"):
        read("norwegian_ner", "bokmaal", "dev")


def test_repair_is_explicit():
    assert iob.repair(["I-PER", "I-PER", "O", "I-LOC", "I-ORG", "B-ORG", "I-ORG"]) == (
        ["B-PER", "I-PER", "O", "B-LOC", "B-ORG", "B-ORG", "I-ORG"],
        3,
    )


TAGS = st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), max_size=12)


@given(TAGS)
def test_repair_keeps_the_entities_and_is_valid_and_idempotent(tags):
    fixed, changed = iob.repair(tags)
    assert iob.entities(fixed) == iob.entities(tags)
    assert iob.repair(fixed) == (fixed, 0)
    assert changed == sum(a != b for a, b in zip(tags, fixed, strict=True))
    for before, tag in zip(["O", *fixed], fixed):
        assert not tag.startswith("I-") or before[1:] == tag[1:]


@given(TAGS)
def test_entities_agree_with_seqeval_by_conlleval_rules(tags):
    assert [(kind, start, end - 1) for kind, start, end in iob.entities(tags)] == get_entities(tags)
