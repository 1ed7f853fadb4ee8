from collections import Counter

import pytest

from dbutils.corpora import load
from dbutils.corpora.formats import conllu, ud1

EWT = "ud/UD_English-EWT/en_ewt-ud-{}.conllu"


def read(task, corpus, code, split="test"):
    return list(load.examples(task, corpus, code, split))


def test_trees_hold_syntactic_words_only(place):
    place("range_rows_and_empty_nodes.conllu", EWT.format("test"))
    first, second = read("dep", "ud", "UD_English-EWT")
    assert first.tokens == ("Mira", "'s", "boat", "sank", ".")
    assert first.heads == (3, 1, 4, 0, 4)
    assert first.relations == ("nmod", "case", "nsubj", "root", "punct")
    assert (first.id, second.id) == ("one", "two")


def test_the_papers_tagging_counts_ranges_and_empty_nodes(place):
    place("range_rows_and_empty_nodes.conllu", EWT.format("test"))
    ours, _ = read("pos", "ud", "UD_English-EWT")
    papers, _ = read("pos", "ud", "UD_English-EWT", "paper-test")
    assert ours.tags == ("PROPN", "PART", "NOUN", "VERB", "PUNCT")
    assert papers.tags == ("_", "PROPN", "PART", "NOUN", "VERB", "VERB", "PUNCT")


def test_withheld_words_are_not_scored_in_the_treebank_that_withholds_them(place):
    place("withheld_forms.conllu", "ud/UD_Mbya_Guarani-Dooley/gun_dooley-ud-test.conllu")
    (tree,) = read("dep", "ud", "UD_Mbya_Guarani-Dooley")
    assert tree.tokens == ("_", "_", ".") and tree.scored == (False, False, True)
    (tagged,) = read("pos", "ud", "UD_Mbya_Guarani-Dooley")
    assert tagged.scored == (False, False, True)


def test_underscores_elsewhere_are_words(place):
    place("real_underscores.conllu", "ud/UD_Portuguese-GSD/pt_gsd-ud-test.conllu")
    (tree,) = read("dep", "ud", "UD_Portuguese-GSD")
    assert tree.tokens == ("a", "_") and tree.scored == (True, True)


def test_file_stems_come_from_the_records_not_from_folder_names(place):
    place("relation_subtypes.conllu", "ud/UD_North_Sami-Giella/sme_giella-ud-test.conllu")
    (tree,) = read("dep", "ud", "UD_North_Sami-Giella")
    assert tree.relations == ("aux", "root", "dep")


def test_later_portuguese_train_has_its_own_corpus(place):
    place("relation_subtypes.conllu", "ud_portuguese_gsd_head/UD_Portuguese-GSD@691a8b5/pt_gsd-ud-train.conllu")
    assert len(read("pos", "ud_portuguese_gsd_head", "UD_Portuguese-GSD", "train")) == 1


def test_version_1_relations_tags_and_slips_are_mapped_and_counted(trap):
    first, second = map(ud1.to_version_2, conllu.read(trap("version_1_relations_and_slips.conll")))
    assert [row[7] for row in first[0].rows] == [
        "nsubj:pass",
        "root",
        "obj",
        "advmod",
        "cc",
        "compound",
        "dep",
        "fixed",
    ]
    assert [row[3] for row in first[0].rows] == ["PRON", "VERB", "VERB", "PART", "CCONJ", "INTJ", "NUM", "ADP"]
    assert [row[7] for row in second[0].rows] == ["root", "compound:redup"]
    assert first[1] + second[1] == Counter(
        {
            "relation: nsubjpass -> nsubj:pass": 1,
            "relation: conj -> root": 1,
            "relation: dobj -> obj": 1,
            "relation: neg -> advmod": 1,
            "relation: comound -> compound": 1,
            "relation: root -> dep": 1,
            "relation: mwe -> fixed": 1,
            "relation: rooot -> root": 1,
            "relation: dup -> compound:redup": 1,
            "tag: CONJ -> CCONJ": 1,
            "tag: root -> INTJ": 1,
        }
    )


def test_singlish_reads_joined_files_with_byte_order_marks_inside(place):
    place("version_1_relations_and_slips.conll", "singlish/TALLIP19_dataset/treebank/gold_pos/train.ext.conll")
    examples = read("dep", "singlish", "singlish", "train-ext")
    assert [e.tokens[0] for e in examples] == ["dey", "Chop"]
    assert [e.id for e in examples] == ["1", "2"]


def test_sound_singlish_train_leaves_out_dev_test_and_repetitions(write):
    sentence = "1\t{}\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    folder = "singlish/ACL17_dataset/treebank/gold_pos"
    write(f"{folder}/dev.conll", sentence.format("lah"))
    write(f"{folder}/test.conll", sentence.format("leh"))
    ext = "".join(map(sentence.format, ["LAH", "leh", "can", "can", "go"]))
    write("singlish/TALLIP19_dataset/treebank/gold_pos/train.ext.conll", ext)
    assert [e.tokens for e in read("pos", "singlish", "singlish", "sound-train-ext")] == [("can",), ("go",)]


@pytest.mark.parametrize(("split", "file"), [("test", "aa250"), ("test-mainstream", "wh250"), ("paper-test", "all500")])
def test_words_without_head_are_kept_and_not_scored(place, split, file):
    place("words_without_head.conllu", f"twitteraae/{file}_gold.conllu")
    (tree,) = read("dep", "twitteraae", "TwitterAAE", split)
    assert tree.heads == (-1, 3, 0, -1)
    assert tree.scored == (False, True, True, False)
