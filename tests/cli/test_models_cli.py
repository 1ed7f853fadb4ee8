"""`dbutils models` lists what has a name, with its facts."""

import csv
import io
import json

import pytest

from dbutils.cli import main
from dbutils.errors import InputError
from dbutils.models import MODELS
from dbutils.models.records import read


def test_the_models_are_listed_in_three_formats(capsys):
    assert main(["models"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["name"] for row in rows] == list(MODELS)
    by_name = {row["name"]: row for row in rows}
    assert by_name["canine-s"]["source"] == "google/canine-s" and by_name["canine-s"]["licence"] == "Apache-2.0"
    assert by_name["xlmr"]["parameters"] == "278" and by_name["copy"]["parameters"] == ""
    assert main(["models", "--kind", "translator", "--format", "json"]) == 0
    assert {row["kind"] for row in json.loads(capsys.readouterr().out)} == {"translator"}
    assert main(["models", "--kind", "encoder", "--format", "md"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("| name | kind | source |")


def test_an_unknown_kind_is_one_line(capsys):
    assert main(["models", "--kind", "encodr"]) == 2
    assert "did you mean 'encoder'" in capsys.readouterr().err


def test_what_is_said_of_a_hub_model_has_its_source():
    for record in MODELS.values():
        hub = "/" in record.source
        assert bool(record.licence) == bool(record.evidence) == bool(record.revision) == hub, record.name
        assert not hub or record.evidence.startswith("https://huggingface.co/")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[[model]]\nkind = 'encoder'", "model 1 .no name.: needs a kind, and a name"),
        ("[[model]]\nname = 'a'\nkind = 'b'\n" * 2, "model 2 .a.: needs a kind, and a name that no other"),
        ("[[model]]\nname = 'a'\nsize = 3", "unknown field 'size'"),
        ("[[model]]\nname = 'a'\nparameters = '3'", "field 'parameters': '3' is not a number"),
        ("[[model]\n", "models.toml: "),
    ],
)
def test_a_wrong_record_is_one_line(tmp_path, content, says):
    path = tmp_path / "models.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=says):
        read(path)
