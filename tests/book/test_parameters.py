"""Bad notebook parameters are stopped with one line that names the value and the remedy."""

import math

import pytest

from dbutils.book import begin, parameters
from dbutils.errors import InputError

GOOD = {parameter.name: parameter.default for parameter in parameters.PARAMETERS}


def namespace(**changes):
    """The globals of a notebook after its parameters cell, as IPython leaves them."""
    import sys

    values = {**GOOD, **changes}
    cells = ["", "import sys", "\n".join(f"{name} = {value!r}" for name, value in values.items())]
    return {"In": cells, "Out": {}, "_": "", "__name__": "__main__", "sys": sys, "quit": exit, **values}


def test_the_names_are_those_of_the_contract():
    assert parameters.NAMES == ("profile", "model", "settings", "varieties", "seed", "limit", "runs", "scores")


def test_defaults_pass_and_come_back_frozen():
    run = begin(namespace())
    assert (run.profile, run.settings, run.varieties, run.scores) == ("sandbox", ("zero_shot",), (), "upstream")
    with pytest.raises(AttributeError):
        run.seed = 1


def test_known_values_pass():
    run = begin(
        namespace(
            settings=["in_variety", "zero_shot"], varieties=["zh-min-nan", "UD_Albanian-TSA", "sicilian"], model="mbert"
        )
    )
    assert run.varieties == ("zh-min-nan", "UD_Albanian-TSA", "sicilian")
    assert run.model == "mbert"


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"varietys": []}, ["unknown parameter 'varietys'", "'varieties'"]),
        ({"n_jobs": 3}, ["unknown parameter 'n_jobs'", "profile, model"]),
        ({"varieties": "sicilian"}, ["'varieties' must be a list", "-y \"varieties: ['sicilian']\""]),
        (
            {"settings": "['zero_shot', 'combined']"},
            ["'settings' must be a list", "-y \"settings: ['zero_shot', 'combined']\""],
        ),
        ({"settings": "zero_shot, combined"}, ["-y \"settings: ['zero_shot', 'combined']\""]),
        ({"varieties": math.nan}, ["must be a list, not nan"]),
        ({"varieties": ["als", False]}, ["holds False", "boolean", "'no'"]),
        ({"varieties": [math.nan]}, ["holds nan", "'nan'"]),
        ({"varieties": [None]}, ["holds None", "'null'"]),
        ({"varieties": [7]}, ["holds 7", "'007'"]),
        ({"varieties": [" "]}, ["empty text"]),
        ({"varieties": ["sicilian", "sicilian"]}, ["names 'sicilian' twice"]),
        ({"varieties": ["sicillian"]}, ["unknown variety 'sicillian'", "sicilian"]),
        ({"settings": []}, ["'settings' is empty"]),
        ({"settings": ["zeroshot"]}, ["unknown setting 'zeroshot'", "'zero_shot'"]),
        ({"profile": "sandpit"}, ["unknown profile 'sandpit'", "'sandbox'"]),
        ({"profile": True}, ["'profile' must be text, not True", "boolean"]),
        ({"model": math.nan}, ["'model' must be text, not nan", "-r model TEXT"]),
        ({"model": "mbart"}, ["unknown model", "'mbart'", "'mbert'"]),
        ({"scores": "papers"}, ["'papers'", "paper"]),
        ({"scores": ""}, ["'scores' is empty"]),
        ({"runs": 3}, ["'runs' must be text, not 3"]),
        ({"seed": "3"}, ["'seed' must be a whole number from 0, not '3'", "-p seed 1"]),
        ({"seed": True}, ["'seed' must be a whole number", "True"]),
        ({"seed": 1.5}, ["'seed' must be a whole number", "1.5"]),
        ({"limit": -1}, ["'limit' must be a whole number", "-1"]),
    ],
)
def test_a_bad_value_is_named_with_its_remedy(changes, words):
    with pytest.raises(InputError) as caught:
        begin(namespace(**changes))
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_a_missing_parameter_is_named():
    values = namespace()
    del values["limit"]
    with pytest.raises(InputError, match="parameter 'limit' is missing"):
        begin(values)


def test_a_name_that_no_cell_with_parameters_assigns_is_no_parameter():
    values = namespace()
    values |= {"x": 3, "pi": math.pi, "limits": [1]}  # a user's start-up file, an import, what a notebook computed
    values["In"] = ["", "from math import pi", *values["In"][1:], "%matplotlib inline", "limits = [1]"]
    assert begin(values).seed == 0


def test_what_papermill_injects_is_a_parameter():
    values = namespace()
    values["In"].append("# Parameters\nsed = 3\n")
    with pytest.raises(InputError, match="unknown parameter 'sed': did you mean 'seed'"):
        begin(values)


def test_the_cell_may_be_corrected_and_run_again():
    values = namespace(sed=3)
    with pytest.raises(InputError, match="'sed'"):
        begin(values)
    values["In"] += ["from dbutils.book import begin", namespace(seed=3)["In"][-1]]
    assert begin({**values, "seed": 3}).seed == 3
    with pytest.raises(InputError, match="'seed'"):
        begin({**values, "seed": "one"})


@pytest.mark.parametrize(
    "name, words, value",
    [
        ("varieties", ["nan", "no", "007"], ["nan", "no", "007"]),
        ("varieties", [], []),
        ("model", ["nan"], "nan"),
        ("seed", ["007"], 7),
        ("profile", ["paper"], "paper"),
    ],
)
def test_words_of_the_command_line_keep_their_text(name, words, value):
    assert parameters.from_text(name, words) == value


@pytest.mark.parametrize(
    "name, words, message",
    [
        ("seed", ["1.5"], "'seed' must be a whole number from 0, not '1.5'"),
        ("seed", ["-1"], "'-1'"),
        ("model", ["a", "b"], "'model' takes one value, 2 were given"),
        ("model", [], "0 were given"),
        ("modle", ["a"], "did you mean 'model'"),
    ],
)
def test_bad_words_of_the_command_line(name, words, message):
    with pytest.raises(InputError, match=message):
        parameters.from_text(name, words)
