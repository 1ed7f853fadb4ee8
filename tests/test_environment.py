"""One lock: requirements.txt, environment.yml and what is installed are the same versions."""

import importlib.util
import re
from importlib import metadata
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("lock", ROOT / "tools" / "lock.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(text):
    return dict(re.findall(r"^\s*(?:- )?([A-Za-z0-9._-]+)==([^\s#]+)", text, flags=re.M))


def test_lock_and_environment_are_what_the_tool_writes(tool):
    requirements = tool.direct((ROOT / "requirements.in").read_text())
    assert (ROOT / "requirements.txt").read_text() == tool.lock(requirements)
    assert (ROOT / "environment.yml").read_text() == tool.environment(requirements)


def test_the_lock_is_what_is_installed():
    locked = pins((ROOT / "requirements.txt").read_text())
    assert len(locked) > 100
    wrong = {name: pin for name, pin in locked.items() if metadata.version(name).partition("+")[0] != pin}
    assert not wrong


def test_the_environment_has_the_pins_of_the_lock():
    text = (ROOT / "environment.yml").read_text()
    listed = yaml.safe_load(text)["dependencies"]
    assert listed[0] == "python=3.11"
    assert listed[1] == "pip"
    locked = pins((ROOT / "requirements.txt").read_text())
    in_environment = dict(line.split("==") for line in listed[2]["pip"])
    assert in_environment == {name: locked[name] for name in in_environment}
    assert set(in_environment) == set(pins((ROOT / "requirements.in").read_text()))


def test_the_lock_names_no_host_no_file_and_no_local_label():
    text = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"://|@ |\+cpu|--", text)


def test_a_wrong_pin_is_noticed(tool):
    with pytest.raises(SystemExit, match="numpy==0.1 is wanted"):
        tool.lock(tool.direct("numpy==0.1"))
    with pytest.raises(SystemExit, match="is not installed"):
        tool.lock(tool.direct("no-such-package-here==1"))
