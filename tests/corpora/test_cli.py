import json
import subprocess
import sys

import pytest

from dbutils import cli, paths


@pytest.fixture
def run(capsys):
    def go(*words):
        status = cli.main(list(words))
        out, err = capsys.readouterr()
        return status, out, err

    return go


def test_examples_are_json_lines(run, place):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    status, out, err = run("examples", "tc", "--corpus", "sib-200", "--code", "arz_Arab", "--format", "jsonl")
    assert status == 0 and err == ""
    assert [json.loads(line) for line in out.splitlines()] == [
        {"id": "17", "text": 'The "boat left', "label": "travel"},
        {"id": "4", "text": "Atoms are small", "label": "science/technology"},
    ]


def test_examples_are_written_with_features_and_licence(run, place, tmp_path):
    import datasets

    import dbutils

    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    path = tmp_path / "x.parquet"
    words = ("examples", "tc", "--corpus", "sib-200", "--code", "arz_Arab")
    status, out, err = run(*words, "-o", str(path))
    assert (status, out) == (
        0,
        "",
    ) and "x.parquet: 2 examples; licence Apache-2.0 (its texts are FLORES-200: CC BY-SA 4.0)" in err
    read = datasets.Dataset.from_parquet(str(path), cache_dir=str(tmp_path / "cache"))
    made = dbutils.dataset("tc", "sib-200", "arz_Arab")
    assert read.features == made.features and read[:] == made[:]
    assert made.info.license == "Apache-2.0 (its texts are FLORES-200: CC BY-SA 4.0)" and made["text"][:] == [
        'The "boat left',
        "Atoms are small",
    ]
    assert made.features["label"].names[made[0]["label"]] == "travel"
    assert len(dbutils.dataset("tc", "sandbox", "tal")) == 100
    lines = tmp_path / "x.jsonl"
    assert run(*words, "--limit", "1", "-o", str(lines))[0] == 0
    assert [json.loads(line)["id"] for line in lines.read_text(encoding="utf-8").splitlines()] == ["17"]
    status, _, err = run(*words, "-o", str(tmp_path / "x.csv"))
    assert status == 2 and "unknown ending '.csv': this is written as .jsonl, .parquet" in err


def test_limit_stops_before_what_is_broken(run, write):
    write("dmt/raw_data/TRAININGSET-DMT_SIMP-VARDIAL2019/dev.txt", "a \tM\nbroken\n")
    words = ("examples", "did", "--corpus", "dmt", "--code", "mandarin_simplified", "--split", "dev")
    assert run(*words, "--limit", "1")[0] == 0
    status, out, err = run(*words)
    assert status == 2 and "dev.txt:2: 1 columns where 2 were expected" in err and len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--corpus", "sib-20", "--code", "arz_Arab"), "unknown corpus 'sib-20': did you mean 'sib-200'"),
        (("--corpus", "sib-200", "--code", "arz_Arb"), "did you mean 'arz_Arab'"),
        (("--corpus", "sib-200", "--code", "arz_Arab"), "run 'dbutils corpora get sib-200'"),
        (("--corpus", "sib-200", "--code", "arz_Arab", "--limit", "-1"), "--limit -1: must be 0"),
        (("--corpus", "sib-200"), "required: --code"),
    ],
)
def test_bad_input_is_one_line_and_status_2(run, root, words, message):
    status, out, err = run("examples", "tc", *words)
    assert status == 2 and out == "" and message in err and err.count("\n") == 1


def test_head_closes_the_pipe_without_a_traceback(place, root):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    rows = "".join(f"{i}\ttravel\ttext {i} {'x' * 200}\n" for i in range(3000))
    (root / "sib-200/data/annotated/arz_Arab/test.tsv").write_text("index_id\tcategory\ttext\n" + rows)
    command = f"{sys.executable} -m dbutils examples tc --corpus sib-200 --code arz_Arab | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=paths.ROOT)
    assert done.stderr == "" and json.loads(done.stdout)["id"] == "0"


def test_list_shows_presence_terms_and_every_corpus(run, place):
    place("no_label_column.txt", "tsac/test_neg.txt")
    status, out, _ = run("corpora", "list", "--format", "csv")
    rows = {line.split(",")[0]: line for line in out.splitlines()}
    assert status == 0 and len(rows) == 45
    assert rows["tsac"].startswith("tsac,sa,4,0,0,share alike,LGPL-3.0")  # a file of another size is not the corpus's
    assert "research only" in rows["twitteraae"]
    assert run("corpora", "list", "--task", "mt")[1].count("\n") == 4
    assert run("corpora", "list", "--task", "xx")[0] == 2


def test_info_is_readable_and_machine_readable(run, root):
    status, out, _ = run("corpora", "info", "norwegian_ner")
    assert status == 0 and "licence: GPL-3.0" in out and "holds both dev sets" in out
    record = json.loads(run("corpora", "info", "norwegian_ner", "--format", "json")[1])
    assert record["labels"]["ner"][0] == "O" and len(record["files"]) == 9


def test_verify_tells_missing_from_different(run, write):
    write("noisy_occitan/test_ROci_UPOS.tsv", "Lo\tDET\n")
    status, out, err = run("corpora", "verify", "noisy_occitan")
    assert status == 1 and "test_ROci_UPOS.tsv\tdiffers\t7 bytes instead of" in out
    status, out, err = run("corpora", "verify", "tsac", "--present")
    assert status == 0 and "4 missing" in err
    assert run("corpora", "verify", "tsac")[0] == 1
    assert run("corpora", "verify", "no-such")[0] == 2


def test_get_of_what_is_by_application_says_so_and_shows_the_licence(run, root):
    status, out, err = run("corpora", "get", "madar")
    assert status == 2 and out == ""
    assert "only after an application to its makers" in err and "apply at https://camel.abudhabi.nyu.edu" in err


def test_stats_are_csv_and_can_refresh_a_file(run, place, tmp_path):
    place("index_category_text.tsv", "sib-200/data/annotated/arz_Arab/test.tsv")
    status, out, _ = run("corpora", "stats", "sib-200")
    assert status == 0
    assert out.splitlines()[1] == "tc,sib-200,arz_Arab,test,2,6,science/technology=1;travel=1,0,,counted"
    target = tmp_path / "stats.csv"
    assert run("corpora", "stats", "sib-200", "-o", str(target))[0] == 0
    assert target.read_text() == out


def test_stats_of_what_is_not_on_disk_are_no_empty_table(run, tmp_path):
    status, out, err = run("corpora", "stats", "astd")
    assert status == 2 and out == "" and "'astd': nothing of it is on disk; run 'dbutils corpora get astd'" in err
    status, _, err = run("corpora", "stats", "astd", "-o", str(tmp_path / "stats.csv"))
    assert status == 0 and "astd: nothing of it is on disk; what the table has of it stays" in err


def test_the_sandbox_is_read_through_the_same_command(run):
    import json

    status, out, _ = run("examples", "tc", "--corpus", "sandbox", "--code", "tal-coast", "--limit", "1")
    assert status == 0 and set(json.loads(out)) == {"id", "text", "label"}
