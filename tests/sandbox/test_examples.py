"""Gold of all ten tasks: consistent in itself, parallel, and the same bytes on every machine."""

import hashlib
import os
import subprocess
import sys
import time
import unicodedata
from itertools import chain

import pytest

from dbutils import TASKS, sandbox
from dbutils.corpora.examples import RECORDS, as_json
from dbutils.errors import InputError
from dbutils.sandbox import CLUSTERS, codes, examples, labels, varieties

# Five examples of each task, variety and split. It changes only if the sandbox is changed on purpose.
DIGEST = "051e48fa8679651e039ade1ab2c43776373c24fb4eb97c0f262dc668825aa333"

each_variety = pytest.mark.parametrize("code", codes("dep"))


def digest():
    lines = (
        as_json(example) + "\n"
        for task in TASKS
        for code in codes(task)
        for split in sandbox.SPLITS
        for example in examples(task, code, split, size=5)
    )
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def test_the_same_bytes_on_every_machine():
    assert digest() == DIGEST


def test_neither_hash_seed_nor_locale_nor_time_zone_matters():
    code = "import test_examples as t; print(t.digest())"
    env = {**os.environ, "PYTHONHASHSEED": "4711", "LC_ALL": "C", "TZ": "Asia/Kolkata"}
    path = [os.path.dirname(__file__), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env | {"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == DIGEST


def test_another_seed_gives_other_examples_of_the_same_kind():
    one, other = (list(examples("tc", "tal", "test", seed=seed)) for seed in (0, 1))
    assert len({e.text for e in one} & {e.text for e in other}) < 5
    assert [e.id for e in one] == [e.id for e in other]


@pytest.mark.parametrize("task", TASKS)
def test_ids_are_unique_and_parallel_and_records_are_of_the_task(task):
    for split in sandbox.SPLITS:
        read = {code: list(examples(task, code, split, size=20)) for code in codes(task)}
        ids = [e.id for e in read["tal"]]
        assert ids == [f"{split}-{n:04d}" for n in range(20)]
        for found in read.values():
            assert [e.id for e in found] == ids
            assert all(type(e) is RECORDS[task] for e in found)


@pytest.mark.parametrize("task", TASKS)
def test_default_sizes(task):
    sizes = {s: sum(1 for _ in examples(task, "mir-high", s)) for s in sandbox.SPLITS}
    assert sizes == {"train": 60, "dev": 50, "test": 100}
    assert sum(1 for _ in examples(task, "mir-high", "test", size=3)) == 3


@each_variety
def test_trees_have_one_root_no_cycle_and_known_labels(code):
    for e in examples("dep", code, "test"):
        n = len(e.tokens)
        assert all(e.tokens) and not any(" " in token for token in e.tokens)
        assert e.heads.count(0) == 1 and e.relations[e.heads.index(0)] == "root" and e.relations.count("root") == 1
        assert all(0 <= head <= n and head != at for at, head in enumerate(e.heads, 1))
        for at in range(1, n + 1):
            path = [at]
            while path[-1]:
                path.append(e.heads[path[-1] - 1])
                assert len(path) <= n + 1
        assert set(e.relations) <= set(labels("dep")) and set(e.upos) <= set(labels("pos"))


@each_variety
def test_trees_have_no_crossing_arcs(code):
    for e in examples("dep", code, "test"):
        arcs = [sorted((at, head)) for at, head in enumerate(e.heads, 1)]
        assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


@each_variety
def test_tokens_are_the_same_in_dep_pos_and_ner_and_make_up_the_text(code):
    tasks = (examples(task, code, "test") for task in ("dep", "pos", "ner", "sa", "mt"))
    for dep, pos, ner, sa, mt in zip(*tasks, strict=True):
        assert dep.tokens == pos.tokens == ner.tokens and dep.upos == pos.tags
        assert "".join(dep.tokens) == sa.text.replace(" ", "") and sa.text == mt.source
        assert sa.text == " ".join(dep.tokens[:-1]) + dep.tokens[-1]


@each_variety
def test_entities_are_iob2_and_stand_on_proper_nouns(code):
    kinds = set()
    for ner, pos in zip(examples("ner", code, "test"), examples("pos", code, "test"), strict=True):
        for before, tag, word in zip(("O", *ner.tags), ner.tags, pos.tags, strict=False):
            assert tag in labels("ner")
            assert (tag == "O") == (word != "PROPN")
            assert tag[0] != "I" or before[1:] == tag[1:] and before != "O"
        kinds |= {tag[2:] for tag in ner.tags if tag != "O"}
    assert kinds == {"PER", "LOC", "ORG"}


def test_a_surname_or_a_town_can_be_told_by_context_alone():
    tags = {}
    for e in examples("ner", "tal", "train"):
        for token, tag in zip(e.tokens, e.tags, strict=True):
            tags.setdefault(token, set()).add(tag)
    assert {"B-PER", "B-LOC"} <= tags["Midor"]


@pytest.mark.parametrize("task", ["did", "sa", "tc", "nli"])
def test_labels_are_in_the_set_and_all_occur(task):
    for cluster in CLUSTERS:
        found = {e.label for e in examples(task, cluster, "test")}
        assert found == set(labels(task, cluster))


def test_labels_of_dialect_identification_are_the_codes():
    assert labels("did") == codes("did") == tuple(chain.from_iterable(labels("did", c) for c in CLUSTERS))
    assert {e.label for e in examples("did", "orv-west", "dev")} == {"orv-west"}


@pytest.mark.parametrize("task", ["sa", "tc", "nli", "mrc", "mt"])
def test_gold_does_not_depend_on_the_variety(task):
    def gold(e):
        return e.answer if task == "mrc" else e.reference if task == "mt" else e.label

    rows = {code: tuple(map(gold, examples(task, code, "test", size=30))) for code in codes(task)}
    assert len(set(rows.values())) == 1


@each_variety
def test_choices_are_four_and_distinct_and_the_right_one_answers(code):
    places = set()
    for e, span in zip(examples("mrc", code, "test"), examples("eqa", code, "test"), strict=True):
        assert len({choice.lower() for choice in e.choices}) == 4 and 0 <= e.answer < 4
        assert e.passage_id == e.id and e.question.endswith("?") and e.question not in e.passage
        assert (e.passage, e.question) == (span.passage, span.question)
        places.add(e.answer)
    assert places == {0, 1, 2, 3}


def test_in_the_root_variety_the_right_choice_is_the_answer_and_the_others_are_not():
    for e, span in zip(examples("mrc", "tal", "test"), examples("eqa", "tal", "test"), strict=True):
        told = [choice.lower() for choice in e.choices]
        assert told.index(span.answers[0].lower()) == e.answer
        assert all(choice.lower() in e.passage.lower() for choice in e.choices[e.answer : e.answer + 1])


@each_variety
def test_spans_stand_where_they_say_at_word_edges(code):
    for e in examples("eqa", code, "test"):
        (answer,), (start,) = e.answers, e.starts
        assert answer and e.passage[start : start + len(answer)] == answer
        before, after = e.passage[max(0, start - 1) : start], e.passage[start + len(answer)]
        assert before in ("", " ") and after in " ."


def test_translation_has_english_references_by_line():
    first = next(examples("mt", "orv", "test"))
    assert (first.line, first.kind) == (1, "english")
    english = [e.reference for e in examples("mt", "orv", "test")]
    assert len(set(english)) > 95 and all(line.isascii() and line[0].isupper() and line[-1] == "." for line in english)


def test_text_is_in_composed_form_without_odd_characters():
    letters = {letter for code in codes("mt") for e in examples("mt", code, "test") for letter in e.source}
    assert all(unicodedata.is_normalized("NFC", letter) for letter in letters)
    assert {letter for letter in letters if not letter.isalpha()} == set(" .46")
    assert set("čšẽũ") <= letters


def test_training_sizes_differ_between_varieties():
    assert len({v.train for v in varieties()}) > 5
    assert sum(1 for _ in examples("sa", "mir-port", "train")) > 3 * sum(1 for _ in examples("sa", "mir", "train"))


def test_a_cluster_reads_as_all_its_varieties_with_ids_of_their_own():
    found = list(examples("did", "mirun", "train"))
    assert len(found) == sum(v.train for v in varieties("mirun"))
    assert len({e.id for e in found}) == len(found) and found[0].id == "train-0000:mir"
    assert all(e.id.endswith(f":{e.label}") for e in found)


def test_each_setting_names_what_to_train_on():
    settings = ("zero_shot", "in_variety", "in_cluster", "combined", "in_context")
    codes_of = [sandbox.train_code(setting, "mir-lake") for setting in settings]
    assert codes_of == ["tal", "mir-lake", "mir", "sandbox", "tal"]
    together = list(examples("sa", "sandbox", "train", size=2))
    assert [e.id for e in together[:3]] == ["train-0000:tal", "train-0001:tal", "train-0000:tal-hill"]
    assert len(together) == 2 * len(varieties())
    with pytest.raises(InputError, match="'in_clutser': did you mean 'in_cluster'"):
        sandbox.train_code("in_clutser", "mir")


@pytest.mark.parametrize(
    "change, said",
    [
        ({"task": "deb"}, "unknown task 'deb': did you mean 'dep'?"),
        ({"code": "tal-hil"}, "unknown sandbox variety 'tal-hil': did you mean 'tal-hill'?"),
        ({"split": "tests"}, "unknown split 'tests': did you mean 'test'?"),
        ({"size": 5000}, "size 5000 is not in 0..2000; the sandbox tells no more stories per split"),
        ({"size": -1}, "size -1 is not in 0..2000; the sandbox tells no more stories per split"),
    ],
)
def test_bad_input_is_told_at_the_call(change, said):
    with pytest.raises(InputError) as error:
        examples(**{"task": "sa", "code": "tal", "split": "test"} | change)
    assert str(error.value) == said


@pytest.mark.parametrize("task", ["eqa", "mrc", "dep"])
def test_all_of_the_largest_variety_in_two_seconds_of_processor_time(task):
    code = f"from dbutils import sandbox; print(sum(1 for _ in sandbox.examples('{task}', 'mir-port', 'train')))"
    before, clock = os.times(), time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = os.times()
    assert done.stdout.strip() == "400"
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 2, f"{spent:.2f} s of processor time, {time.monotonic() - clock:.2f} s on the clock"


def test_importing_the_sandbox_loads_nothing_heavy():
    heavy = {"torch", "numpy", "pandas", "sklearn", "datasets"}
    code = f"import sys, dbutils.sandbox; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
