"""The command `figure`: a file by its ending, SVG to stdout, one clear line for bad input."""

import xml.etree.ElementTree as xml

import pytest

from dbutils import cli


def test_the_figure_goes_to_stdout_as_svg(capsys):
    assert cli.main(["figure", "9a"]) == 0
    out, err = capsys.readouterr()
    assert xml.fromstring(out).tag == "{http://www.w3.org/2000/svg}svg"
    assert err == ""


@pytest.mark.parametrize("ending, start", [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_ending_says_the_format(tmp_path, capsys, ending, start):
    path = tmp_path / f"figure.{ending}"
    assert cli.main(["figure", "8c", "-o", str(path), "--scores", "paper"]) == 0
    out, err = capsys.readouterr()
    assert path.read_bytes().startswith(start)
    assert out == "" and str(path) in err


def test_the_alt_text_is_printed_alone(capsys):
    assert cli.main(["figure", "5", "--alt"]) == 0
    out, _ = capsys.readouterr()
    assert out.startswith("Map of the cantons of Switzerland") and out.count("\n") == 1


def test_a_file_of_scores_is_drawn_beside_the_published_ones(tmp_path, capsys):
    from dbutils import scores

    rows = scores.load("paper")
    mine = rows[(rows.task == "sa") & (rows.model == "mbert") & (rows.metric == "f1")].assign(
        origin="run", run="mine-1", model="mine", value=99.5
    )
    scores.write_scores(mine, tmp_path / "mine.csv")
    assert cli.main(["figure", "9a", "--alt", "--scores", "paper", str(tmp_path / "mine.csv")]) == 0
    assert "with 99.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, message",
    [
        (["figure", "12"], "unknown figure '12'; known figures: 2, 3, 4a"),
        (["figure", "4"], "figure 4 has panels: 4a, 4b, 4c"),
        (["figure", "3", "-o", "x.gif"], "unknown ending '.gif'"),
        (["figure", "3", "-o", "/no/such/folder/x.svg"], "there is no folder '/no/such/folder'"),
        (["figure", "3", "--alt", "-o", "x.svg"], "--alt prints a text"),
        (["figure", "3", "--scores", "nothing.csv"], "unknown score source 'nothing.csv'"),
        (["figure", "4b", "--scores", "paper"], "no zero-shot score of 'english'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, words, message):
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err
