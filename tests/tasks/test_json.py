"""Predictions as JSON: there and back, and every malformed one is refused with what is wrong."""

import json

import pytest

from dbutils import sandbox
from dbutils.corpora.examples import (
    ChoiceExample,
    PairExample,
    SpanExample,
    TaggedExample,
    TextExample,
    TranslationExample,
    TreeExample,
)
from dbutils.errors import InputError
from dbutils.tasks import TASKS

TREE = TreeExample("1", ("a", "b", "c"), ("X",) * 3, (2, 0, -1), ("nsubj", "root", "_"), (True, True, False))
TAGGED = TaggedExample("1", ("a", "b"), ("NOUN", "VERB"))
TEXT = TextExample("1", "a b", "x")
PAIR = PairExample("1", "a", "b", "neutral")
CHOICE = ChoiceExample("1", "a", "b?", ("c", "d", "e", "f"), 2, "p1")
SPAN = SpanExample("1", "a b", "c?", ("b", "a b"), (2, 0), "p2")
LINE = TranslationExample("Bern,BE:3", "a", "b", 3, "english")
EXAMPLES = {
    "dep": TREE,
    "pos": TAGGED,
    "ner": TAGGED,
    "did": TEXT,
    "sa": TEXT,
    "tc": TEXT,
    "nli": PAIR,
    "mrc": CHOICE,
    "eqa": SPAN,
    "mt": LINE,
}
GOOD = {
    "dep": ((2, 0, None), ("nsubj", "root", None)),
    "pos": ("NOUN", None),
    "ner": ("O", "B-PER"),
    "did": "x",
    "sa": "nan",
    "tc": "no",
    "nli": "neutral",
    "mrc": 0,
    "eqa": "",
    "mt": "",
}
BAD = {
    "dep": [
        (None, "must be {"),
        ([], "must be {"),
        ({"heads": [1]}, "must be {"),
        ({"heads": [2, 0], "relations": ["a", "b", "c"]}, "heads: 2 entries for the 3 words"),
        ({"heads": [2, 0, 1], "relations": "abc"}, "relations: no list for the 3 words"),
        ({"heads": [2, 0, 4], "relations": ["a", "b", "c"]}, "head 4 of word 3 is none of 0..3"),
        ({"heads": [2, 0, -1], "relations": ["a", "b", "c"]}, "head -1 of word 3"),
        ({"heads": [2, 0, True], "relations": ["a", "b", "c"]}, "head True of word 3"),
        ({"heads": [2, 0, 1.0], "relations": ["a", "b", "c"]}, "head 1.0 of word 3"),
        ({"heads": ["2", 0, 1], "relations": ["a", "b", "c"]}, "head '2' of word 1"),
        ({"heads": [2, 0, 1], "relations": ["a", "b", 3]}, "relation 3 of word 3"),
    ],
    "pos": [
        ("NOUN", "no list of tags"),
        (["NOUN"], "1 tags for the 2 tokens"),
        (["NOUN", 1], "tag 1 of token 2"),
        (["", "X"], "tag '' of token 1"),
    ],
    "ner": [(None, "no list of tags"), ([[], "O"], "of token 1")],
    "did": [(3, "must be a label"), ("", "must be a label")],
    "sa": [(["positive"], "must be a label")],
    "tc": [({}, "must be a label")],
    "nli": [(0, "must be a label")],
    "mrc": [("0", "or null for none, not '0'"), (4, "not 4"), (-1, "not -1"), (True, "not True"), (1.0, "not 1.0")],
    "eqa": [(["b"], "must be text")],
    "mt": [(None, "must be text"), (3, "must be text"), (["b"], "must be text")],
}


@pytest.mark.parametrize("task", TASKS)
def test_a_prediction_goes_to_json_and_back(task):
    value = json.loads(json.dumps(TASKS[task].to_json(GOOD[task])))
    assert TASKS[task].from_json(value, EXAMPLES[task]) == GOOD[task]


@pytest.mark.parametrize("task", ["did", "sa", "tc", "nli", "mrc", "eqa"])
def test_no_answer_is_null_and_counts_as_wrong(task):
    record, example = TASKS[task], EXAMPLES[task]
    assert record.to_json(None) is None and record.from_json(None, example) is None
    labels = {"mrc": (), "eqa": ()}.get(task, (getattr(example, "label", ""), "other"))
    assert [metric.score([example], [None]) for metric in record.metrics(labels)] == [0.0] * len(record.metrics(labels))


@pytest.mark.parametrize(("task", "value", "says"), [(task, *case) for task, cases in BAD.items() for case in cases])
def test_a_malformed_prediction_is_refused(task, value, says):
    with pytest.raises(InputError) as error:
        TASKS[task].from_json(value, EXAMPLES[task])
    assert says in str(error.value) and "\n" not in str(error.value)


def test_gold_as_json():
    gold = {task: TASKS[task].gold(example) for task, example in EXAMPLES.items()}
    assert gold["dep"] == {"heads": [2, 0, None], "relations": ["nsubj", "root", "_"]}
    assert gold["pos"] == ["NOUN", "VERB"]
    assert (gold["tc"], gold["nli"], gold["mrc"], gold["eqa"]) == ("x", "neutral", 2, ["b", "a b"])


def test_questions_on_one_passage_and_translations_of_one_line_are_one_group_and_nothing_else_is_grouped():
    groups = {task: TASKS[task].group(example) for task, example in EXAMPLES.items()}
    assert {task: group for task, group in groups.items() if group is not None} == {"mrc": "p1", "eqa": "p2", "mt": "3"}


METRICS = {
    "dep": ["uas", "las"],
    "pos": ["f1", "accuracy", "macro_f1"],
    "ner": ["f1", "f1_strict"],
    "did": ["f1", "accuracy"],
    "sa": ["f1", "accuracy"],
    "tc": ["f1", "accuracy"],
    "nli": ["f1", "accuracy"],
    "mrc": ["f1", "accuracy"],
    "eqa": ["f1", "exact_match", "f1_unicode", "exact_match_unicode"],
    "mt": ["bleu", "bleu_corpus", "chrf"],
}


@pytest.mark.parametrize("task", TASKS)
def test_the_metrics_of_a_task(task):
    labels = sandbox.labels(task)
    assert [metric.name for metric in TASKS[task].metrics(labels)] == METRICS[task]
    found = list(sandbox.examples(task, "tal", "test", size=20))
    perfect = [TASKS[task].from_json(_perfect(task, e), e) for e in found]
    metrics = {metric.name: metric.score(found, perfect) for metric in TASKS[task].metrics(labels)}
    # a label that 20 examples lack still counts in macro F1 over the fixed set
    assert all(value == 100 for name, value in metrics.items() if name != "f1" or task in ("pos", "ner", "eqa", "mrc"))


def _perfect(task, example):
    gold = TASKS[task].gold(example)
    return gold[0] if task == "eqa" else gold


def test_positions_count_in_the_choice_metric():
    f1, accuracy = TASKS["mrc"].metrics(())
    assert accuracy.score([CHOICE] * 4, [2, 2, 0, 2]) == 75
    assert f1.score([CHOICE] * 4, [2] * 4) == 25  # four positions, three never right
