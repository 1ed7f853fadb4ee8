import pytest

from dbutils.corpora import records
from dbutils.errors import InputError

HEADER = "corpus,path,code,split,bytes,sha256,address\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    def write(rows):
        path = tmp_path / "corpora_files.csv"
        path.write_text(HEADER + rows)
        monkeypatch.setattr(records.paths, "data", lambda *parts: path)
        records.load.cache_clear()
        records.load()

    yield write
    records.load.cache_clear()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("toy,../x,,,,,\n", "corpora_files.csv:2: path '../x' is not a relative path inside the corpus"),
        ("toy,/x,,,,,\n", "path '/x' is not a relative path"),
        ("toy,x,,,,abc,\n", "sha256 'abc' is not 64 hexadecimal digits"),
        ("toy,x,,,many,,\n", "bytes 'many' is not a whole number"),
        ("toy,x,,,,,\ntoy,x,,,,,\n", "corpora_files.csv:3: toy 'x' stands twice"),
    ],
)
def test_a_broken_row_is_named(table, rows, message):
    with pytest.raises(InputError, match=message):
        table(rows)


def test_files_are_found_by_code_and_split():
    assert records.find("ud", "UD_Komi_Zyrian-IKDP", "test").path == "UD_Komi_Zyrian-IKDP/kpv_ikdp-ud-test.conllu"
    assert records.find("ud", "UD_Komi_Zyrian-IKDP", "train") is None


def test_files_without_a_copy_of_known_origin_have_no_invented_checksum():
    unknown = {file.corpus for file in records.of("ud") if not file.sha256}
    assert unknown == {"ud"}  # the large train files
    assert all(file.sha256 for file in records.of("sib-200"))
    assert not records.find("ud", "UD_Arabic-PADT", "test").sha256
