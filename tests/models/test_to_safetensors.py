"""Pickled weights become safetensors that load as the same model; a pickle that runs code is not run."""

import importlib.util
import pickle

import made_models as made
import pytest

from dbutils.models import resolve
from dbutils.models.translator import open_translator
from dbutils.paths import ROOT
from dbutils.tasks.hyper import Translation


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("to_safetensors", ROOT / "tools" / "to_safetensors.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_converted_folder_translates_as_before(tool, tmp_path):
    import torch

    made.nllb(tmp_path)
    before = open_translator(resolve(str(tmp_path)), Translation(max_length=12))
    torch.save(before.model.state_dict(), tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    assert tool.main([str(tmp_path)]) == 0
    after = open_translator(resolve(str(tmp_path)), Translation(max_length=12))
    rows = before.rows(["the cat sat on the mat ."], "oci_Latn")
    assert after.generate(rows, "eng_Latn") == before.generate(rows, "eng_Latn")


def test_a_pickle_that_runs_code_is_refused(tool, tmp_path):
    import torch

    class Bomb:
        def __reduce__(self):
            return (tmp_path.joinpath("exploded").write_text, ("x",))

    torch.save({"x": Bomb()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(pickle.UnpicklingError):
        tool.convert(tmp_path)
    assert not (tmp_path / "exploded").exists() and not (tmp_path / "model.safetensors").exists()


def test_a_folder_without_pickles_is_told(tool, tmp_path):
    with pytest.raises(SystemExit, match="no pytorch_model.bin"):
        tool.convert(tmp_path)
