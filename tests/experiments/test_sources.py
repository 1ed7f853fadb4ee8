"""What is trained on what and tested on what."""

import pytest

from dbutils import TASKS
from dbutils.errors import InputError
from dbutils.experiments.parts import Part
from dbutils.experiments.sources import plan_of, settings
from dbutils.scores.printed import ENGLISH_REFERENCES, printed


def trainings(*words, **options):
    return {t.name: t for t in plan_of(*words, **options).trainings}


def codes(training):
    return [test.code for test in training.tests]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("profile", ["sandbox", "paper"])
def test_every_setting_of_every_task_has_trainings_with_tests(task, profile):
    for setting in settings(task, profile):
        found = trainings(task, setting, profile)
        trained = task != "mt" or profile == "sandbox"
        assert found and all(bool(t.parts) == trained and t.tests for t in found.values())
        assert all(t.labels or task in ("mrc", "eqa", "mt") for t in found.values())


def test_settings_of_the_paper_are_those_of_its_table_2():
    assert settings("did", "paper") == settings("sa", "paper") == ("in_cluster", "in_context")
    assert settings("nli", "paper") == ("zero_shot", "in_context")
    assert settings("mrc", "paper") == ("combined", "in_context")
    assert settings("eqa", "paper") == ("zero_shot", "combined", "in_context")
    assert {"zero_shot", "in_variety"} <= set(settings("dep", "paper")) & set(settings("pos", "paper"))
    assert {"zero_shot", "in_cluster"} <= set(settings("ner", "paper")) & set(settings("tc", "paper"))


@pytest.mark.parametrize("task, number, source", [("ner", 12, "source"), ("tc", 17, "src")])
def test_in_cluster_sources_are_those_that_the_tables_name(task, number, source):
    found = trainings(task, "in_cluster", "paper")
    table = printed(number)
    for code, name in zip(table.target_code, table[source]):
        assert code in codes(found[name]), code
    assert sum(len(t.tests) for t in found.values()) == len(table)


def test_a_source_outside_the_cluster_is_kept_as_the_table_has_it():
    assert "oci_Latn" in codes(trainings("tc", "in_cluster", "paper")["lij_Latn"])


def test_in_cluster_parsing_trains_on_the_representative_and_says_where_it_cannot():
    plan = plan_of("dep", "in_cluster", "paper")
    norwegian = next(t for t in plan.trainings if t.name == "UD_Norwegian-Bokmaal")
    assert codes(norwegian) == ["UD_Norwegian-Bokmaal", "UD_Norwegian-Nynorsk", "UD_Norwegian-NynorskLIA"]
    assert plan.left_out["UD_German-LIT"] == "its corpus has nothing to train on"


def test_one_english_training_serves_all_varieties():
    (training,) = plan_of("tc", "zero_shot", "paper").trainings
    assert training.parts == (Part("sib-200", "eng_Latn", "train"),)
    assert len(training.tests) == 38
    assert {(t.cluster, t.variety) for t in training.tests if t.code == "scn_Latn"} == {("italian romance", "sicilian")}


def test_mixtures():
    (eqa,) = plan_of("eqa", "combined", "paper").trainings
    assert [part.code for part in eqa.parts] == [
        "arabic",
        "bengali",
        "english",
        "finnish",
        "indonesian",
        "korean",
        "russian",
        "swahili",
        "telugu",
    ]
    assert {test.role for test in eqa.tests} == {"test", "dev"}
    (mrc,) = plan_of("mrc", "combined", "paper").trainings
    assert mrc.parts == (Part("belebele_training", "all", "paper-train"),)
    assert (eqa.name, mrc.name) == ("all", "all")


def test_the_papers_split_trains_on_the_test_rows_and_the_sound_one_does_not():
    paper = trainings("did", "in_cluster", "paper", "paper")
    sound = trainings("did", "in_cluster", "paper", "sound")
    assert paper["english"].parts[0].split == "paper-train" and paper["english"].tests[0].part.split == "paper-test"
    assert sound["english"].parts[0].split == "sound-train" and sound["english"].tests[0].part.split == "test"
    # DMT's test set has no labels: dev is tested on, so nothing is left to select on
    assert sound["mandarin_simplified"].tests[0].part.split == "dev" and not sound["mandarin_simplified"].dev


def test_the_papers_tagging_counts_every_row_and_has_a_tag_for_it():
    paper, sound = (plan_of("pos", "zero_shot", "paper", kind).trainings[0] for kind in ("paper", "sound"))
    assert paper.parts[0].split == "paper-train" and "_" in paper.labels
    assert sound.parts[0].split == "sound-train" and "_" not in sound.labels


def test_a_treebank_without_dev_is_selected_on_english_as_in_the_paper():
    assert trainings("dep", "in_variety", "paper")["UD_Ligurian-GLT"].dev == (Part("ud", "UD_English-EWT", "dev"),)
    assert trainings("dep", "in_variety", "paper", "sound")["UD_Ligurian-GLT"].dev == ()


def test_question_answering_is_never_selected_on_what_it_is_tested_on():
    for kind in ("paper", "sound"):  # TyDiQA's dev part is the test part of SD-QA
        assert plan_of("eqa", "zero_shot", "paper", kind).trainings[0].dev == ()


def test_tests_with_other_labels_are_left_out_and_named():
    plan = plan_of("ner", "zero_shot", "paper")
    assert "B-GEO" in plan.left_out["nynorsk"]
    assert "nynorsk" not in codes(plan.trainings[0]) and len(plan.trainings[0].tests) == 82
    with pytest.raises(InputError, match="nynorsk cannot be tested: its labels .B-PRS"):
        plan_of("ner", "zero_shot", "paper", varieties=("nynorsk",))


def test_another_source_and_another_split_can_be_named():
    (pos,) = plan_of("pos", "zero_shot", "paper", train="UD_French-ParisStories").trainings
    assert (pos.name, pos.parts[0].corpus, len(pos.tests)) == ("UD_French-ParisStories", "ud", 51)
    (ner,) = plan_of("ner", "zero_shot", "paper", train="wikiann_og/nds-nl@test", varieties=("koi",)).trainings
    assert (ner.name, ner.parts) == ("nds-nl", (Part("wikiann_og", "nds-nl", "test"),))
    (did,) = plan_of("did", "in_cluster", "paper", train="english@train").trainings
    assert did.parts == (Part("dsl_tl", "english", "train"),) and codes(did) == ["english"]


def test_nothing_is_tested_on_what_it_was_trained_on_by_a_named_split():
    with pytest.raises(InputError, match="is what is trained on"):
        plan_of("ner", "zero_shot", "paper", train="wikiann_og/koi@test", varieties=("koi",))


def test_a_corpus_beyond_the_benchmark():
    (nli,) = plan_of("nli", "zero_shot", "paper", corpus="xnli-en").trainings
    assert nli.parts == (Part("xnli-mt", "en", "train"),) and codes(nli) == ["en", "ar", "es", "tr", "zh"]
    (mrc,) = plan_of("mrc", "combined", "paper", train="mctest", corpus="belebele-eng").trainings
    assert mrc.parts[0].code == "mctest" and mrc.tests[0].part.corpus == "belebele-eng"


def test_varieties_by_code_by_name_and_beyond_the_benchmark():
    (tc,) = plan_of("tc", "zero_shot", "paper", varieties=("sicilian", "kab_Latn", "gallo-italian/ligurian")).trainings
    assert sorted(codes(tc)) == ["kab_Latn", "lij_Latn", "scn_Latn"]
    assert {t.variety for t in tc.tests if t.code == "kab_Latn"} == {""}
    assert [t.name for t in plan_of("ner", "in_cluster", "paper", varieties=("scn", "tr")).trainings] == ["tr", "it"]
    assert list(trainings("did", "in_cluster", "paper", varieties=("english:EN-GB",))) == ["english"]


def test_english_and_pseudo_references_share_the_benchmark_between_them():
    english, pseudo = (trainings("mt", setting, "paper")["none"] for setting in ("zero_shot", "pseudo_reference"))
    assert len(english.tests) == 17 and len(pseudo.tests) == 97
    assert {t.cluster for t in english.tests} == ENGLISH_REFERENCES
    keys = {(t.cluster, t.variety) for t in (*english.tests, *pseudo.tests)}
    assert keys == {(row.cluster_norm, row.variety_norm) for row in printed(20).itertuples()}
    sound = trainings("mt", "zero_shot", "paper", "sound")["none"]
    assert {t.cluster for t in sound.tests} == ENGLISH_REFERENCES | {"basque", "kurdish"}
    assert english.parts == english.dev == () and english.labels == ()


def test_a_named_variety_with_the_other_kind_of_reference_is_left_out_and_told():
    plan = plan_of("mt", "pseudo_reference", varieties=("tal", "tal-hill"))
    assert codes(plan.trainings[0]) == ["tal-hill"]
    assert plan.left_out == {"tal": "its references are of setting zero_shot"}


def test_in_the_sandbox_the_standard_is_not_compared_with_itself():
    (training,) = trainings("mt", "pseudo_reference").values()
    assert training.name == "tal" and not {"tal", "mir", "orv"} & set(codes(training)) and len(codes(training)) == 14
    assert len(codes(trainings("mt", "zero_shot")["tal"])) == 17


def test_sandbox_sources():
    assert list(trainings("tc", "zero_shot")) == ["tal"]
    assert [part.code for part in trainings("eqa", "combined")["all"].parts] == ["tal", "mir", "orv"]
    in_cluster = trainings("dep", "in_cluster")
    assert codes(in_cluster["mir"]) == ["mir", "mir-old", "mir-port", "mir-lake", "mir-high"]
    assert trainings("did", "in_cluster")["orvek"].labels[0] == "orv"


WRONG = [
    (("tcc", "zero_shot"), {}, "unknown task 'tcc': did you mean 'tc'"),
    (("mt", "in_cluster"), {}, "it has: zero_shot, pseudo_reference"),
    (("mt", "zero_shot", "paper"), {"varieties": ("Sara",)}, "'Sara': its references are of setting pseudo_reference"),
    (("mt", "pseudo_reference"), {"varieties": ("mir",)}, "'mir': its references are of setting zero_shot"),
    (("mt", "zero_shot", "paper"), {"train": "Sara"}, "unknown training of this setting 'Sara'"),
    (("tc", "zeroshot"), {}, "did you mean 'zero_shot'"),
    (("sa", "zero_shot", "paper"), {}, "task 'sa' has no setting 'zero_shot' with profile paper; it has: in_cluster"),
    (("tc", "zero_shot", "sandbx"), {}, "unknown profile 'sandbx': did you mean 'sandbox'"),
    (("tc", "zero_shot", "paper", "soud"), {}, "did you mean 'sound'"),
    (("tc", "zero_shot"), {"kind": "paper"}, "the sandbox has sound splits only"),
    (("tc", "zero_shot"), {"corpus": "ud"}, "belongs to --profile paper"),
    (("tc", "zero_shot"), {"train": "tall"}, "unknown sandbox variety 'tall': did you mean 'tal'"),
    (("tc", "zero_shot", "paper"), {"train": "spn_Latn"}, "did you mean 'spa_Latn'"),
    (
        ("ner", "zero_shot", "paper"),
        {"train": "wikiann_og/koi"},
        "has nothing to train on for 'koi' .a split can be named",
    ),
    (("ner", "zero_shot", "paper"), {"train": "wikiann_og/koi@tset"}, "unknown split of wikiann_og/koi 'tset'"),
    (("did", "in_cluster", "paper"), {"train": "englis"}, "did you mean 'english'"),
    (("tc", "zero_shot", "paper"), {"varieties": ("silician",)}, "did you mean 'sicilian'"),
    (("ner", "in_cluster", "paper"), {"varieties": ("kab",)}, "no training of ner in_cluster is tested on 'kab'"),
    (("nli", "zero_shot", "paper"), {"corpus": "sib-200"}, "unknown corpus of task nli"),
    (("nli", "zero_shot", "paper"), {"corpus": "xnly"}, "did you mean 'xnli'"),
]


@pytest.mark.parametrize("words, options, says", WRONG, ids=[says for *_, says in WRONG])
def test_what_is_unknown_is_named(words, options, says):
    with pytest.raises(InputError, match=says):
        plan_of(*words, **options)


def test_in_context_exemplars_are_english_wherever_there_are_any():
    assert {
        (t.name, p) for task in ("tc", "eqa") for t in trainings(task, "in_context", "paper").values() for p in t.parts
    } == {
        ("eng_Latn", Part("sib-200", "eng_Latn", "train")),
        ("english", Part("tydiqa-goldp", "english", "sound-train")),  # without the questions of SD-QA
    }
    sentiment = trainings("sa", "in_context", "paper")
    assert len(sentiment) == 9 and codes(sentiment["english:ar-lb"]) == ["ar-lb"]
    assert sentiment["english:ar-lb"].parts == (Part("written", "ar-lb", "train"),)
    assert sentiment["english:ar-lb"].labels == ("1", "2", "3", "4", "5")
    assert trainings("mrc", "in_context", "paper")["all"].parts == (Part("belebele_training", "all", "train"),)
    assert codes(trainings("mrc", "in_context", "paper")["all"]) == codes(trainings("mrc", "combined", "paper")["all"])


def test_in_context_dialects_are_shown_in_training_texts_that_are_not_tested():
    found = trainings("did", "in_context", "paper")
    splits = {name: (t.parts[0].split, t.tests[0].part.split) for name, t in found.items()}
    assert splits["english"] == ("train", "paper-test")  # its paper-train holds the tested rows
    assert splits["greek"] == ("paper-train", "paper-test") and splits["arabic"] == ("train", "test")
    sound = trainings("did", "in_context", "paper", "sound")["english"]
    assert (sound.parts[0].split, sound.tests[0].part.split) == ("sound-train", "test")
    assert all(not t.dev for t in found.values())


def test_exemplars_of_sentiment_can_be_the_data_sets_own():
    (training,) = plan_of("sa", "in_context", "paper", train="aeb_Arab").trainings
    assert training.parts == (Part("tsac", "aeb_Arab", "paper-train"),) and "aeb_Arab" in codes(training)
    (one,) = plan_of("sa", "in_context", "paper", varieties=("aeb_Arab",)).trainings
    assert one.parts == (Part("written", "aeb_Arab", "train"),)


def test_the_sandbox_shows_exemplars_of_its_source():
    (training,) = plan_of("sa", "in_context").trainings
    assert training.parts == (Part("sandbox", "tal", "train"),) and len(training.tests) == 17
    assert [t.parts[0].code for t in plan_of("did", "in_context").trainings] == ["talvo", "mirun", "orvek"]
    assert "in_context" not in settings("dep", "sandbox")
