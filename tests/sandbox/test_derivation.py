"""Explanations and the overview show what changed, in the form a reader sees."""

import subprocess
import sys

import pytest

from dbutils import sandbox
from dbutils.cli import main
from dbutils.errors import InputError
from dbutils.sandbox.summary import COLUMNS

EXPECTED = """\
test-0010  The porter of Boror will sell two baskets slowly tomorrow.

tal (root)
  Do  makesro pi Boror pases-u  duk vuniga-n  teti   mesi     .
  the porter  of Boror sell-FUT two basket-PL slowly tomorrow .

article as suffix, strength 1: The article "the" becomes a suffix of its noun.
  Makesro-do pi Boror pases-u  duk vuniga-n  teti   mesi     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

new words (mirun), strength 0.35: Content words give way to words of another origin.
  Koso-do    pi Boror mogin-u  duk vuniga-n  teti   mesi     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

new function words (mirun), strength 0.6: Function words give way to words of another origin.
  Koso-do    ri Boror mogin-u  don vuniga-n  teti   mesi     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

new words (sea trade), strength 0.1: Content words give way to words of another origin.
  Koso-do    ri Boror mogin-u  don vuniga-n  mudi   mesi     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

new endings (mirun), strength 0.8: Suffixes take another form: PST -ou, FUT -ra, PL -i, DEF -le.
  Koso-le    ri Boror mogin-u  don vuniga-n  mudi   mesi     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

palatals, strength 1: k, t, s before e and i become č, c, š.
  Koso-le    ri Boror mogin-u  don vuniga-n  mudi   meši     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

nasal vowels, strength 1: A vowel before n at the end or before a consonant takes its n up: ã ẽ ĩ õ ũ.
  Koso-le    ri Boror mogĩ-u   dõ  vuniga-n  mudi   meši     .
  porter-DEF of Boror sell-FUT two basket-PL slowly tomorrow .

breaking, strength 0.6: The first vowel of a word, if e or o, becomes ie or uo.
  Koso-le    ri Buoror muogĩ-u  dõ  vuniga-n  mudi   meši     .
  porter-DEF of Boror  sell-FUT two basket-PL slowly tomorrow .

softening, strength 0.6: b, d, g after a vowel become v, z, h.
  Koso-le    ri Buoror muohĩ-u  dõ  vuniga-n  muzi   meši     .
  porter-DEF of Boror  sell-FUT two basket-PL slowly tomorrow .

no change here: second negation, time first

mir-port: Kosole ri Buoror muohĩu dõ vunigan muzi meši."""


@pytest.mark.parametrize("code", sandbox.codes("mt"))
def test_the_last_step_is_the_sentence_of_the_examples(code):
    for example in sandbox.examples("mt", code, "dev", size=10):
        told = sandbox.explain(code, example.id)
        assert told.steps[-1].text == example.source and told.english == example.reference
        assert told.steps[0].text == next(iter(_of("tal", example.id))).source


def _of(code, id):
    return [e for e in sandbox.examples("mt", code, "dev") if e.id == id]


def test_a_step_is_marked_as_changed_if_it_is_and_only_then():
    for n in range(20):
        told = sandbox.explain("orv-far", f"dev-{n:04d}").steps
        for before, after in zip(told, told[1:], strict=False):
            assert after.changed == ((before.morphemes, before.glosses) != (after.morphemes, after.glosses))


def test_an_explanation_reads_as_interlinear_text():
    lines = str(sandbox.explain("mir-port", "test-0010")).splitlines()
    assert lines == EXPECTED.splitlines()


def test_morphemes_and_glosses_stand_under_one_another():
    step = sandbox.explain("orv-west", "test-0010").steps[-1]
    above, below = step.interlinear("").splitlines()
    starts = [n for n in range(len(above)) if above[n] != " " and (n == 0 or above[n - 1] == " ")]
    assert len(starts) == len(step.morphemes) and all(below[n] != " " for n in starts)


def test_clusters_ids_of_examples_can_be_explained_too():
    example = next(sandbox.examples("did", "mirun", "test"))
    assert sandbox.explain(example.label, example.id).steps[-1].text == example.text


@pytest.mark.parametrize("id", ["test-3", "tset-0001", "test-2000", "", "test-0001\n", "test-0001; x"])
def test_a_bad_id_is_told_in_one_line(id):
    with pytest.raises(InputError, match="not an id of the sandbox"):
        sandbox.explain("tal", id)


def test_overview_has_a_row_per_variety():
    rows = sandbox.overview()
    assert [row["code"] for row in rows] == list(sandbox.codes("dep"))
    assert all(tuple(row) == COLUMNS for row in rows)
    assert [row["code"] for row in rows if row["representative"]] == ["tal", "mir", "orv"]
    assert all((row["from_source"] == 0) == (row["code"] == "tal") for row in rows)


def test_command_shows_the_varieties_side_by_side(capsys):
    assert main(["sandbox", "--cluster", "mirun"]) == 0
    out = capsys.readouterr().out
    assert "constructed" in out and out.count("\n* ") == 1 and "mir-high = mir + dial 1 x (a to o 0.8;" in out
    assert "mir, mir-old = tal + dial 1, 0.6 x (palatals 1;" in out
    assert all(v.name in out for v in sandbox.varieties("mirun")) and "tal-hill" not in out


def test_command_writes_csv(capsys):
    assert main(["sandbox", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ",".join(COLUMNS) and len(lines) == 1 + len(sandbox.varieties())


def test_command_explains_a_sentence(capsys):
    assert main(["sandbox", "mir-port"]) == 0
    assert capsys.readouterr().out == EXPECTED + "\n"


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["mir-prot"], "dbutils: unknown sandbox variety 'mir-prot': did you mean 'mir-port'?"),
        (["--cluster", "mirum"], "dbutils: unknown sandbox cluster 'mirum': did you mean 'mirun'?"),
        (["mir", "--item", "x"], "dbutils: item 'x': not an id of the sandbox; write it like 'test-0003' (below 2000)"),
        (["mir", "--format", "csv"], "dbutils: --cluster and --format belong to the overview: leave out CODE"),
    ],
)
def test_command_tells_bad_input_in_one_line(capsys, arguments, said):
    assert main(["sandbox", *arguments]) == 2
    assert capsys.readouterr().err == said + "\n"


def test_examples_command_reads_the_sandbox():
    arguments = ["examples", "nli", "--corpus", "sandbox", "--code", "orv", "--limit", "2"]
    done = subprocess.run([sys.executable, "-m", "dbutils", *arguments], capture_output=True, text=True, check=True)
    assert [line[:18] for line in done.stdout.splitlines()] == ['{"id": "test-0000"', '{"id": "test-0001"']
