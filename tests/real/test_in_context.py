"""In-context learning on real corpora with answers laid down: prompts, parsing and scoring are real, the model is not."""

import os

import pytest

from dbutils.analysis.tables import table
from dbutils.corpora.readers.answers import parts as question
from dbutils.experiments import parts, store
from dbutils.experiments.request import Request, make
from dbutils.models.endpoint import URL, Endpoint
from dbutils.scores import load, read_scores
from dbutils.tasks.prompts import prompt, solution

pytestmark = pytest.mark.real


@pytest.fixture
def laid_down(monkeypatch):
    """laid_down(task, [examples], answer=function of example): the endpoint's model answers by the last block of a prompt."""
    if not os.environ.get("DBUTILS_CORPORA"):
        pytest.skip("DBUTILS_CORPORA names no folder")
    monkeypatch.setenv(URL, "http://127.0.0.1:9/v1")
    prompts = []

    def use(task, examples, answer=None):
        frame = prompt(task)
        answers = {frame.block(e): (answer or (lambda one: solution(task, one)))(e) for e in examples}

        def ask(self, text, max_new_tokens):
            prompts.append(text)
            return answers[text.rpartition("\n\n")[2]]

        monkeypatch.setattr(Endpoint, "ask", ask)
        return answers

    use.prompts = prompts
    return use


def run(tmp_path, task, **options):
    """{(code, role): entry of the manifest} and the score rows of all runs of a request."""
    request = Request(task, "endpoint:m", "in_context", profile="paper", runs=str(tmp_path / "runs"), **options)
    folders = make(request, lambda text: None)
    entries = {key: entry for folder in folders for key, entry in store.tests_of(store.read_manifest(folder)).items()}
    return entries, [read_scores(folder / "scores.csv") for folder in folders], folders


def read(task, corpus, code, *splits):
    return [e for split in splits for e in parts.read(task, parts.Part(corpus, code, split))]


def published(task, split="test"):
    rows = load("upstream")
    rows = rows[(rows.task == task) & (rows.split == split) & rows.n.notna()]
    return {row.code: int(row.n) for row in rows.itertuples()}


def lines_in_frame(task, text, shots):
    """Whether only the frame's markers begin lines, as often as it has blocks."""
    frame = prompt(task)
    markers = [marker for marker, _ in frame.fields] + [frame.answer]
    got = [line.partition(":")[0] for line in text.split("\n")[1:] if line]
    return got == markers * (shots + 1) and len(text.splitlines()) == len(text.split("\n"))


SD_QA = ("english--usa", "english--kenya", "arabic--egy", "korean--korn", "bengali--ind")


def test_the_gold_answers_to_spoken_questions_score_100(laid_down, tmp_path):
    there = [code for code in SD_QA if code in published("eqa")]
    assert len(there) >= 3
    answers = laid_down("eqa", [e for code in there for e in read("eqa", "sd-qa", code, "dev", "test")])
    entries, (rows,), (folder,) = run(tmp_path, "eqa", varieties=tuple(there))
    assert set(rows.metric) == {"f1", "exact_match", "f1_unicode", "exact_match_unicode"}
    frame = prompt("eqa")
    for row in rows.itertuples():  # equal questions on a passage with unequal answers: only there the echo can be wrong
        examples = read("eqa", "sd-qa", row.code, row.split)
        alike = [e for e in examples if solution("eqa", e) != answers[frame.block(e)]]
        assert 100 * (1 - len(alike) / len(examples)) <= float(row.value) <= 100 and len(alike) < 0.01 * len(examples)
        assert alike or float(row.value) == 100
    assert 100.0 in set(rows.value)
    for code in there:
        assert entries[code, "test"]["examples"] == published("eqa")[code]
        assert entries[code, "dev"]["examples"] == published("eqa", "dev")[code]
        assert "no answer" not in entries[code, "test"]["notes"]
    shown = store.read_manifest(folder)["fit"]["notes"]["exemplars"]
    assert len(shown) == 2 and all(id.startswith("english-") for id in shown)
    tested = {question(e.id)[:2] for e in read("eqa", "sd-qa", "english--usa", "dev", "test")}
    assert not {question(id)[:2] for id in shown} & tested
    assert all(lines_in_frame("eqa", text, 2) for text in laid_down.prompts)


def test_recorded_answers_to_questions_are_scored_as_by_hand(laid_down, tmp_path):
    """Every third answer is the gold, every third one stands in no passage, every third is the passage's first word."""
    examples = read("eqa", "sd-qa", "english--usa", "test")
    place = {e.id: n % 3 for n, e in enumerate(examples)}

    def answer(e):
        return (solution("eqa", e), "a wholly invented answer", e.passage.split()[0])[place[e.id]]

    answers = laid_down(
        "eqa", [*read("eqa", "sd-qa", "english--usa", "dev"), *examples], lambda e: answer(e) if e.id in place else ""
    )
    entries, (rows,), _ = run(tmp_path, "eqa", varieties=("english--usa",))
    from dbutils.metrics.spans import SPAN_F1

    frame = prompt("eqa")
    given = [answers[frame.block(e)] for e in examples]
    by_hand = SPAN_F1.score(examples, [None if "invented" in text else text for text in given])
    row = rows[(rows.split == "test") & (rows.metric == "f1")].iloc[0]
    assert float(row.value) == pytest.approx(by_hand) and 33 < by_hand < 60
    assert entries["english--usa", "test"]["notes"]["no answer"] == sum("invented" in text for text in given)


def test_the_gold_labels_of_tunisian_comments(laid_down, tmp_path):
    (part,) = {test.part for t in plan("sa", ("aeb_Arab",)) for test in t.tests}
    examples = parts.read("sa", part)
    answers = laid_down("sa", examples)
    entries, (rows,), _ = run(tmp_path, "sa", varieties=("aeb_Arab",))
    frame = prompt("sa")
    same = (
        100 * sum(answers[frame.block(e)] == e.label for e in examples) / len(examples)
    )  # some texts have both labels
    assert float(rows[rows.metric == "accuracy"].value.iloc[0]) == pytest.approx(same) and same > 99
    assert (
        set(rows.train) == {"english:aeb_Arab"} and entries["aeb_Arab", "test"]["examples"] == len(examples) == 3402
    )  # the print's count
    assert all(lines_in_frame("sa", text, 4) for text in laid_down.prompts)
    assert (
        "one of: negative or positive." in laid_down.prompts[0]
        or "one of: positive or negative." in laid_down.prompts[0]
    )


def plan(task, varieties):
    from dbutils.experiments.sources import plan_of

    return plan_of(task, "in_context", "paper", varieties=varieties).trainings


def test_the_gold_topics(laid_down, tmp_path):
    codes = ("eng_Latn", "scn_Latn", "arb_Arab", "zho_Hans")
    laid_down("tc", [e for code in codes for e in read("tc", "sib-200", code, "test")])
    entries, (rows,), _ = run(tmp_path, "tc", varieties=codes)
    assert set(rows.value) == {100.0} and {e["examples"] for e in entries.values()} == {204}
    assert all(lines_in_frame("tc", text, 7) for text in laid_down.prompts)


def test_the_gold_of_dialects_and_reading(laid_down, tmp_path):
    english = read("did", "dsl_tl", "english", "paper-test")
    laid_down("did", english)
    entries, (rows,), _ = run(tmp_path, "did", varieties=("english",))
    assert entries["english", "test"]["examples"] == len(english)
    assert float(rows[(rows.metric == "accuracy")].value.iloc[0]) == 100
    belebele = read("mrc", "belebele-eng", "eng_Latn", "test")
    laid_down("mrc", belebele)
    entries, (rows,), _ = run(tmp_path, "mrc", corpus="belebele-eng", train="belebele_training/mctest@train")
    assert set(rows.value) == {100.0} and [e["examples"] for e in entries.values()] == [900]


def test_a_run_fills_in_context_columns_of_tables_15_and_18(laid_down, tmp_path):
    laid_down("eqa", read("eqa", "sd-qa", "english--usa", "dev", "test"))
    _, (rows,), _ = run(tmp_path, "eqa", varieties=("english--usa",), limit=50)
    import pandas as pd

    found = table(15, pd.concat([load("upstream"), rows]))
    assert "icl_mistral" in found.columns and "in_context_m" in found.columns
    filled = found.frame[found.frame["in_context_m"].notna()]
    assert len(filled) == 1 and filled["in_context_m"].iloc[0] == 100.0 and filled["icl_mistral"].iloc[0] > 50
