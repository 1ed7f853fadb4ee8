"""In-context learning from examples to predictions, with a tiny Mistral, a model made on the spot, and scripted answers."""

import json
import re
from dataclasses import replace

import made_models as made
import pytest

from dbutils import sandbox
from dbutils.errors import InputError
from dbutils.models import MODELS, resolve, tiny_lm
from dbutils.models.output_cache import OutputCache
from dbutils.tasks import TASKS, hyper, learner, load_learner
from dbutils.tasks.prompts import PROMPTED, solution

SERVER = resolve("endpoint:m")


def data(task, split="train", size=None):
    return list(sandbox.examples(task, "talvo" if task == "did" else "tal", split, size=size))


def labels(task):
    return sandbox.labels(task, "talvo" if task == "did" else None)


class Answers:
    """A model that answers by a function of the prompt."""

    def __init__(self, answer, room=10**6):
        self.answer, self.room, self.prompts, self.tokens = answer, room, [], 0

    def fits(self, prompt, room):
        return len(prompt) + room <= self.room

    def generate(self, prompts, max_new_tokens):
        self.prompts += prompts
        for place in reversed(range(len(prompts))):
            yield [place], [self.answer(prompts[place])]


def asked(task, answer, room=10**6, **changes):
    """A fitted learner whose model answers by a function."""
    wanted = replace(hyper(task, "sandbox", SERVER), base_url="http://x/v1", **changes)
    made_ = learner(task, SERVER, labels(task), wanted, 0).fit(data(task))
    made_.model = Answers(answer, room)
    return made_


def gold(task, examples):
    """An answering function that knows the solutions."""
    known = {}

    def answer(prompt):
        return known[prompt]

    def teach(model):
        known.update({model.render(example): solution(task, example) for example in examples})
        return model

    return answer, teach


@pytest.mark.parametrize("task", PROMPTED)
def test_the_right_answers_score_100_in_every_task(task):
    examples = data(task, "test", 20)
    if task == "did":  # some sentences are the same in two varieties
        examples = list({e.text: e for e in examples}.values())
    answer, teach = gold(task, examples)
    model = teach(asked(task, answer))
    predictions = model.predict(examples)
    values = {m.name: m.score(examples, predictions) for m in TASKS[task].metrics(labels(task))}
    assert values.get("accuracy", values.get("exact_match")) == 100
    assert "no answer" not in model.notes and model.notes["asked"] == len(examples)


def test_an_answer_that_is_none_is_counted_and_wrong():
    examples = data("sa", "test", 30)
    model = asked("sa", lambda prompt: "I think it is positive")
    assert model.predict(examples) == [None] * 30
    assert model.notes["no answer"] == 30
    assert [m.score(examples, [None] * 30) for m in TASKS["sa"].metrics(labels("sa"))] == [0, 0]


def test_exemplars_come_from_training_and_never_include_the_item():
    train = data("sa")
    model = asked("sa", lambda prompt: "neutral")
    assert {e.id for e in model.exemplars} <= {e.id for e in train} and len(model.notes["exemplars"]) == 4
    own = model.exemplars[0]
    prompt = model.render(own)
    assert prompt.count(own.text) == 1 and prompt.endswith(f"Sentence: {own.text}\nLabel:")
    assert prompt.count("Sentence: ") == 5


def test_answers_are_kept_and_asked_for_once(tmp_path):
    examples = data("sa", "test", 10)
    model = asked("sa", lambda prompt: "neutral")
    model.cache = OutputCache(tmp_path / "m.jsonl")
    first = model.predict([*examples, *examples])
    assert len(model.model.prompts) == len({e.text for e in examples})
    again = asked("sa", lambda prompt: "positive")
    again.cache = OutputCache(tmp_path / "m.jsonl")
    assert again.predict(examples) == first[:10] and again.model.prompts == []
    assert again.notes["from memory"] == len({e.text for e in examples})


def test_a_failure_in_the_middle_loses_no_answer_that_came(tmp_path):
    examples, left = data("sa", "test", 10), [4]

    def answer(prompt):
        left[0] -= 1
        if left[0] < 0:
            raise InputError("the server is gone")
        return "neutral"

    model = asked("sa", answer)
    model.cache = OutputCache(tmp_path / "m.jsonl")
    with pytest.raises(InputError, match="gone"):
        model.predict(examples)
    assert len(OutputCache(tmp_path / "m.jsonl")) == 4


def test_a_prompt_that_is_too_long_loses_exemplars_and_at_last_is_not_asked():
    examples = data("sa", "test", 3)
    model = asked("sa", lambda prompt: "neutral")
    sizes = [len(model.render(examples[0], shots)) + 16 for shots in range(5)]
    model.model.room = sizes[2]
    assert model.predict(examples[:1]) == ["neutral"]
    assert model.model.prompts == [model.render(examples[0], 2)] and model.notes["prompts with fewer exemplars"] == 1
    model.model.room = 20
    assert model.predict(examples) == [None, None, None]
    assert model.notes["too long"] == 3 and model.notes["no answer"] == 3


def test_shots_can_be_none_and_the_order_depends_on_the_seed():
    model = asked("sa", lambda prompt: "neutral", shots=0)
    assert model.render(data("sa", "test", 1)[0]).count("Sentence:") == 1
    one, two = (learner("sa", SERVER, labels("sa"), model.hyper, seed) for seed in (0, 1))
    wanted = replace(model.hyper, shots=4)
    ids = [learner("sa", SERVER, labels("sa"), wanted, s).fit(data("sa")).notes["exemplars"] for s in (0, 0, 1)]
    assert ids[0] == ids[1] != ids[2] and one.seed != two.seed


@pytest.mark.parametrize(
    ("task", "changes", "says"),
    [
        ("eqa", {"answer": "likelihood"}, "task eqa has no list"),
        ("sa", {"answer": "likelihood"}, "an endpoint has no list"),
        ("sa", {"bits": 3}, "bits=3: must be 4, 8, or 0"),
        ("sa", {"epochs": 1}, "epochs=1: model 'm' is not trained in context"),
    ],
)
def test_what_cannot_be_is_one_line(task, changes, says):
    record = MODELS["mistral-7b"] if task == "eqa" else SERVER
    with pytest.raises(InputError, match=says):
        learner(task, record, labels(task), replace(hyper(task, "paper", record), **changes), 0)


def test_language_models_have_hyperparameters_where_there_is_a_prompt(monkeypatch):
    monkeypatch.setenv("DBUTILS_ENDPOINT", "http://here/v1")
    assert hyper("sa", "paper", SERVER).base_url == "http://here/v1" and hyper("sa", "paper", SERVER).shots == 4
    assert hyper("eqa", "paper", MODELS["mistral-7b"]).shots == 2
    with pytest.raises(InputError, match="'mistral-7b' .causal. answers prompts, and task 'dep' has none"):
        hyper("dep", "paper", MODELS["mistral-7b"])


@pytest.mark.parametrize("answer", ["generate", "likelihood"])
def test_a_tiny_mistral_goes_the_whole_way(tmp_path, answer):
    record = resolve(str(made.mistral(tmp_path / "model", [e.text for e in data("sa")])))
    wanted = replace(hyper("sa", "sandbox", record), answer=answer, shots=1, precision="fp32", max_new_tokens=4)
    model = learner("sa", record, labels("sa"), wanted, 0).fit(data("sa"))
    examples = data("sa", "test", 6)
    predictions = model.predict(examples)
    assert len(predictions) == 6
    if answer == "likelihood":
        assert set(predictions) <= set(labels("sa"))
    model.save(tmp_path)
    again = load_learner("sa", record, labels("sa"), wanted, 0, tmp_path)
    assert again.predict(examples) == predictions and again.exemplars == model.exemplars


@pytest.fixture(scope="module")
def tiny():
    """{task: tiny-lm trained shortly}."""
    found = {}

    def train(task, epochs):
        if task not in found:
            record = MODELS["tiny-lm"]
            wanted = replace(hyper(task, "sandbox", record), epochs=epochs)
            found[task] = learner(task, record, labels(task), wanted, 0).fit(data(task))
        return found[task]

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tiny_lm.RECIPE, "batch_tokens", 1024)
        yield train


def test_the_tiny_language_model_beats_the_majority_where_it_was_trained(tiny, tmp_path):
    model, examples = tiny("sa", 8), data("sa", "test")
    predictions = model.predict(examples)
    value = TASKS["sa"].metrics(labels("sa"))[1].score(examples, predictions)
    assert value > 60  # the commonest label has 38 of the 100
    model.save(tmp_path)
    again = load_learner("sa", MODELS["tiny-lm"], labels("sa"), model.hyper, 0, tmp_path)
    assert again.predict(examples) == predictions
    assert json.loads((tmp_path / "exemplars.json").read_text())[0]["id"] == model.notes["exemplars"][0]


def test_a_model_made_on_the_spot_has_to_be_trained():
    record = MODELS["tiny-lm"]
    with pytest.raises(InputError, match="epochs=0"):
        learner("sa", record, labels("sa"), replace(hyper("sa", "sandbox", record), epochs=0), 0).fit(data("sa"))
    with pytest.raises(InputError, match="3 training examples are too few"):
        learner("sa", record, labels("sa"), replace(hyper("sa", "sandbox", record), shots=3), 0).fit(data("sa")[:3])


def test_a_folder_without_exemplars_is_one_line(tmp_path):
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}: no saved exemplars")):
        load_learner("sa", SERVER, labels("sa"), hyper("sa", "sandbox", SERVER), 0, tmp_path)
