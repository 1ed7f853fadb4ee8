"""A request is checked as a whole before any work; a plan says what it would take."""

import pytest

from dbutils import models, tasks
from dbutils.corpora.examples import PairExample, TextExample, TranslationExample
from dbutils.errors import InputError
from dbutils.experiments.parts import Part, digest, item, lacking, read, size, unit, units
from dbutils.experiments.plan import table
from dbutils.experiments.request import Request, make, overridden, plan_table
from dbutils.experiments.store import read_manifest
from dbutils.scores import read_scores

TINY, NGRAM = models.resolve("tiny"), models.resolve("ngram-nb")


def quiet(text):
    pass


def sib(write, code, test=12):
    topics = ("travel", "sports", "health")
    for split, count in (("train", 30), ("dev", 6), ("test", test)):
        rows = [f"{i}\t{topics[i % 3]}\t{code} text {topics[i % 3]} {i}" for i in range(count)]
        write(f"sib-200/data/annotated/{code}/{split}.tsv", "\n".join(["index_id\tcategory\ttext", *rows]) + "\n")


def dsl(write, part, texts):
    rows = [f"{i}\t{text}\t{label}" for i, (text, label) in enumerate(texts)]
    write(f"dsl_tl/DSL-TL-Corpus/EN-DSL-TL/EN_{part}.tsv", "\n".join(rows) + "\n")


def test_real_corpora_with_their_keys(tmp_path, corpora):
    for code in ("eng_Latn", "scn_Latn", "kab_Latn"):
        sib(corpora, code)
    request = Request(
        "tc", "ngram-nb", "zero_shot", profile="paper", varieties=("sicilian", "kab_Latn"), runs=str(tmp_path / "runs")
    )
    (folder,) = make(request, quiet)
    rows = read_scores(folder / "scores.csv")
    keys = {(r.code, r.cluster, r.variety, r.split, r.train) for r in rows.itertuples()}
    assert keys == {
        ("scn_Latn", "italian romance", "sicilian", "test", "eng_Latn"),
        ("kab_Latn", "", "", "test", "eng_Latn"),
    }
    assert folder.name.startswith("tc-ngram-nb-zero_shot-eng_Latn-paper-s0-")


def test_the_papers_split_of_dsl_tl_scores_what_it_was_trained_on(tmp_path, corpora):
    """The finding of protocol, section 5: the paper's Table 16 was made this way."""
    labels = ("EN", "EN-GB", "EN-US")
    # texts that say nothing of their labels: only who saw them knows
    dsl(corpora, "dev", [(f"{i * 7919 % 10007} {i * 104729 % 10007}", labels[i * i % 7 % 3]) for i in range(60)])
    dsl(corpora, "train", [(f"{i * 6101 % 10007} {i * 3571 % 10007}", labels[(i + 1) ** 3 % 5 % 3]) for i in range(60)])
    base = dict(task="did", model="ngram-svm", setting="in_cluster", profile="paper", runs=str(tmp_path / "runs"))
    found = {}
    for train in ("english", "english@train"):
        (folder,) = make(Request(train=train, **base), quiet)
        rows = read_scores(folder / "scores.csv")
        found[train] = float(rows[(rows.code == "english") & (rows.metric == "accuracy")].value.iloc[0])
    assert found["english"] > 95 and found["english@train"] < 60


def test_what_is_not_on_disk_is_named_and_can_be_left_out(tmp_path, corpora):
    sib(corpora, "eng_Latn")
    sib(corpora, "scn_Latn")
    request = Request("tc", "majority", "zero_shot", profile="paper", runs=str(tmp_path / "runs"))
    with pytest.raises(InputError, match="arz_Arab/test.tsv is missing.*dbutils corpora get sib-200.*--present"):
        make(request, quiet)
    said = []
    (folder,) = make(
        Request("tc", "majority", "zero_shot", profile="paper", runs=str(tmp_path / "runs"), present=True), said.append
    )
    assert set(read_scores(folder / "scores.csv").code) == {"eng_Latn", "scn_Latn"}
    assert said[0].startswith("left out: 36 varieties that are not on disk: arz_Arab")


def test_the_source_must_be_on_disk_even_so(tmp_path, corpora):
    sib(corpora, "scn_Latn")
    with pytest.raises(InputError, match="eng_Latn/train.tsv is missing"):
        make(Request("tc", "majority", "zero_shot", profile="paper", runs=str(tmp_path / "runs"), present=True), quiet)


def test_one_failing_training_leaves_the_others(tmp_path, corpora):
    for code in ("ita_Latn", "scn_Latn"):
        sib(corpora, code)
    corpora("sib-200/data/annotated/ita_Latn/train.tsv", "index_id\tcategory\ttext\n1\ttravel\tx\n2\ttravel\ty\n")
    said = []
    request = Request(
        "tc", "ngram-nb", "in_variety", profile="paper", varieties=("ita_Latn", "scn_Latn"), runs=str(tmp_path / "runs")
    )
    with pytest.raises(InputError, match="1 of 2 trainings failed; the first: ita_Latn: .*fewer than two labels"):
        make(request, said.append)
    finished = [read_manifest(path.parent)["tests"] for path in (tmp_path / "runs").glob("*/scores.csv")]
    assert [list(tests) for tests in finished] == [["scn_Latn@test"]]


def test_the_recorded_command_makes_the_same_run(small):
    from dbutils.cli import parser

    request = small(task="nli", setting="in_cluster", train="tal-isle", seed=7, limit=50, varieties=("tal",))
    (folder,) = make(request, quiet)
    words = read_manifest(folder)["command"].split()[1:]
    arguments = parser().parse_args([*words, "--variety", "tal", "--runs", request.runs])
    assert arguments.run(arguments) == 0
    assert [p.name for p in folder.parent.glob("*/manifest.json")] == ["manifest.json"]


def test_the_recorded_command_has_a_local_model_by_its_full_path(small, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    plan = small().prepared[0]
    monkeypatch.chdir(tmp_path)
    assert f"--model {tmp_path / 'mine'} --setting" in small(model="./mine").command(plan.trainings[0])


def test_the_recorded_command_names_the_launcher_of_several_processes(small, monkeypatch):
    request = small()
    plan, *_ = request.prepared
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert request.command(plan.trainings[0]).startswith("torchrun --nproc-per-node 4 -m dbutils run tc ")


def test_overrides_enter_the_hyperparameters_and_the_command(small):
    request = small(model="tiny", set={"epochs": "2", "lr": "1e-3", "restrict_vocabulary": "false"})
    hyper = request.hyper(TINY)
    assert (hyper.epochs, hyper.lr, hyper.restrict_vocabulary) == (2, 1e-3, False)
    plan, *_ = request.prepared
    assert request.command(plan.trainings[0]).endswith("--set epochs=2 --set lr=1e-3 --set restrict_vocabulary=false")


OVERRIDES = [
    ({"epoch": "2"}, "unknown hyperparameter 'epoch': did you mean 'epochs'"),
    ({"epochs": "two"}, "--set epochs=two: must be a whole number above 0"),
    ({"epochs": "1.5"}, "must be a whole number above 0"),
    ({"lr": "-1"}, "must be a number above 0"),
    ({"lr": "nan"}, "must be a number above 0"),
    ({"lr": "inf"}, "must be a number above 0"),
    ({"warmup": "-0.1"}, "must be a number from 0"),
    ({"selection": "las"}, "unknown value of selection 'las'"),
    ({"precision": "fp16"}, "did you mean 'bf16'|did you mean 'fp32'"),
    ({"lower_case": "yes"}, "must be true or false"),
]


@pytest.mark.parametrize("changes, says", OVERRIDES, ids=[str(c) for c, _ in OVERRIDES])
def test_bad_overrides(changes, says):
    with pytest.raises(InputError, match=says):
        overridden("tc", tasks.hyper("tc", "sandbox", TINY), changes, TINY)


def test_models_without_hyperparameters_take_none():
    with pytest.raises(InputError, match="model 'ngram-nb' has no hyperparameters to set"):
        overridden("tc", tasks.hyper("tc", "sandbox", NGRAM), {"epochs": "2"}, NGRAM)


@pytest.mark.parametrize(
    "changes, says",
    [
        ({"model": "mbrt"}, "did you mean 'mbert'"),
        ({"task": "dep", "model": "ngram-nb"}, "cannot do task 'dep', which takes: encoder, majority"),
        ({"seed": -1}, "--seed -1: must be a whole number from 0"),
        ({"seed": 2**32}, "--seed 4294967296"),
        ({"limit": -1}, "--limit -1"),
    ],
    ids=str,
)
def test_bad_requests_stop_before_any_work(small, tmp_path, changes, says):
    with pytest.raises(InputError, match=says):
        make(small(**changes), quiet)
    assert not (tmp_path / "runs").exists()


def test_the_papers_tagging_makes_the_steps_of_its_script():
    """Protocol, section 1: min(500, round(N * 5 / (32 * 5))); 392 on EWT's 12,543 sentences."""
    from dbutils.models.training import steps

    paper = tasks.hyper("pos", "paper", models.resolve("mbert"))
    expected = {12543: 392, 20000: 500, 16000: 500, 1000: 31, 1009: 32, 100: 3, 3: 1}
    assert {n: steps(paper, n) for n in expected} == expected
    tiny = tasks.hyper("pos", "sandbox", TINY)
    assert steps(tiny, 400) == 25 * 6 and steps(tiny, 100) == 154  # whole epochs, at least 150 steps
    assert steps(overridden("pos", tiny, {"max_steps": "7"}, TINY), 400) == 7


def test_a_plan_counts_the_passes_that_are_made(small):
    def cost(**changes):
        (row,) = plan_table(small(task="pos", model="tiny", limit=100, **changes))[0]
        return row["epochs"], row["words_to_train"]

    passes, words = cost()
    assert passes == 22  # 7 steps make an epoch, 150 are the least
    assert cost(set={"min_steps": "0"}) == (6, round(words * 6 / 22))
    assert cost(set={"max_steps": "14"}) == (2, round(words * 2 / 22))


def test_a_plan_says_cost_and_what_is_done(small):
    rows, left_out = plan_table(small(setting="in_cluster", varieties=()))
    assert [(r["train"], r["tests"], r["done"], r["train_examples"]) for r in rows] == [
        ("tal", 6, 0, 400),
        ("mir", 5, 0, 120),
        ("orv", 6, 0, 350),
    ]
    make(small(setting="in_cluster", varieties=("mir-lake", "mir")), quiet)
    rows, _ = plan_table(small(setting="in_cluster", varieties=()))
    assert [r["done"] for r in rows] == [0, 2, 0] and rows[1]["run"].startswith("tc-majority-in_cluster-mir-")
    assert left_out == {}


def test_cost_is_words_times_epochs(small):
    plan, _, _, _ = small(model="tiny").prepared
    (row,) = table(plan, TINY, tasks.hyper("tc", "sandbox", TINY), folder="nowhere")
    assert row["words_to_train"] == row["train_words"] * row["epochs"] and row["epochs"] == 12
    words = sum(len(e.text.split()) for e in read("tc", Part("sandbox", "tal", "train")))
    assert row["train_words"] == words


def test_a_plan_of_real_corpora_needs_none_of_them(tmp_path, corpora):
    rows, _ = plan_table(Request("dep", "majority", "zero_shot", profile="paper", runs=str(tmp_path / "runs")))
    assert rows[0]["train_examples"] == 12544 and rows[0]["train_words"] == 204576
    assert "dbutils corpora get ud" in rows[0]["lacking"] and rows[0]["done"] == 0
    rows, left_out = plan_table(Request("ner", "majority", "in_variety", profile="paper", runs=str(tmp_path / "runs")))
    assert left_out["koi"] == "its corpus has nothing to train on" and len(rows) == 62


def test_the_mixture_of_reading_comprehension_is_lacking_if_one_of_its_sets_is(corpora):
    assert "dbutils corpora get race" in lacking("mrc", Part("belebele_training", "all", "train"))
    assert size("mrc", Part("belebele_training", "all", "train")) == (None, None)


def test_a_limit_takes_the_same_items_in_every_variety_in_file_order():
    one, other = (read("tc", Part("sandbox", code, "test"), 10) for code in ("tal", "orv-far"))
    assert [e.id for e in one] == [e.id for e in other] == sorted(e.id for e in one) and len(one) == 10
    assert [e.id for e in one] != [f"test-{i:04}" for i in range(10)]
    assert digest(one) != digest(other)


def test_items_of_sd_qa_are_the_same_in_all_dialects():
    assert item(Part("sd-qa", "english--usa", "test"), "english--18-usa") == item(
        Part("sd-qa", "x", "test"), "english--18-ind_n"
    )
    assert item(Part("sib-200", "eng_Latn", "test"), "18") == "18"


def test_lines_of_two_towns_are_the_same_item_only_where_the_standard_sentence_is():
    aarau, other = Part("codet", "Aarau,AG", "test"), Part("codet", "Altstätten,SG", "test")
    line = [TranslationExample("x:1", "a", "Es  regnet.", 1, "standard"), TranslationExample("x:2", "b", "Ja.", 2, "s")]
    town = [TranslationExample("y:1", "c", "Ja.", 1, "standard"), TranslationExample("y:2", "d", "Es regnet.", 2, "s")]
    one, two = units("mt", aarau, line), units("mt", other, town)
    assert one == two[::-1] and one[0] != one[1]
    assert [item(aarau, e.id, u) for e, u in zip(line, one)] == [item(other, e.id, u) for e, u in zip(town, two)][::-1]
    assert item(aarau, "x:1") != item(other, "x:1")  # not known without


def test_each_corpus_says_what_its_intervals_draw():
    def drawn(task, corpus, code="c"):
        return unit(task, Part(corpus, code, "test"))

    assert [drawn("nli", c) for c in ("xnli-en", "c-xnli", "xnli", "dialect_nli")] == ["premise"] * 4
    assert drawn("mrc", "belebele") == "passage" and drawn("eqa", "sd-qa") == "question"
    assert drawn("did", "madar") == drawn("did", "dmt") == "source sentence"
    assert drawn("mt", "codet") == drawn("mt", "codet-arabic") == "standard sentence"
    assert (drawn("mt", "til-mt"), drawn("tc", "sib-200"), drawn("mrc", "sandbox")) == ("line", "example", "passage")
    pair = PairExample("4", "A premise.", "h", "neutral"), PairExample("5", "A  premise.", "i", "neutral")
    assert len(set(units("nli", Part("xnli-en", "en", "test"), pair))) == 1
    assert units("did", Part("madar", "x", "test"), [TextExample("CAI:17", "t", "CAI")]) == ["17"]
    assert units("tc", Part("sib-200", "x", "test"), pair) == [None, None]
