"""The facts in data/ are those that were carried in: no cell changes unnoticed."""

import importlib.util

from dbutils.paths import DATA, ROOT


def tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_fact_file_is_as_it_was_carried_in():
    lines = (DATA / "SHA256SUMS").read_text().splitlines()
    written = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    assert tool("checksums").sums(DATA) == written


def test_an_altered_cell_is_noticed(tmp_path):
    import shutil

    for name in ("registry", "scores", "geo"):
        shutil.copytree(DATA / name, tmp_path / name)
    path = tmp_path / "registry" / "varieties.csv"
    path.write_text(path.read_text("utf-8").replace("4100000", "4100001"), "utf-8")
    sums = tool("checksums").sums
    assert {n for n, d in sums(tmp_path).items() if sums(DATA)[n] != d} == {"registry/varieties.csv"}
