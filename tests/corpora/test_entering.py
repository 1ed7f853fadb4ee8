"""Faults that a file of any corpus may have: nothing is lost in silence, and what is refused is named in one line."""

import json
import re
import zipfile

import openpyxl
import pytest

from dbutils.corpora import load, stats, text
from dbutils.errors import InputError

TREES = "ud/UD_Gheg-GPS/aln_gps-ud-test.conllu"
HALF = "\\ud83d"
BELEBELE = {
    "link": "https://x.org/a",
    "question_number": 1,
    "flores_passage": "P one two.",
    "question": "Q?",
    **{f"mc_answer{n}": "abcd"[n - 1] for n in (1, 2, 3, 4)},
    "correct_answer_num": "2",
}
QUESTION = {"id": "arabic-1-bhr", "question": "Q?", "answers": [{"text": "abc", "answer_start": 0}]}


def tree(*words, comments=""):
    return (
        comments
        + "".join(
            f"{n}\t{word}\t_\tNOUN\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n"
            for n, word in enumerate(words, 1)
        )
        + "\n"
    )


def squad(context="abc def", **changes):
    return json.dumps({"data": [{"paragraphs": [{"context": context, "qas": [QUESTION | changes]}]}]})


def sd_qa(write, content):
    write("sd-qa/data/Question-Answering/SDQA-gold-task/sdqa-test-arabic-bhr.json", content)
    return list(load.examples("eqa", "sd-qa", "arabic--bhr"))


def belebele(write, *rows):
    write("belebele/eng_Latn.jsonl", "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows))
    return list(load.examples("mrc", "belebele", "eng_Latn"))


@pytest.mark.parametrize("content", ["", "\n\n", "# only = a comment\n\n", "\ufeff"])
def test_a_file_without_examples_is_an_error(write, content):
    write(TREES, content)
    with pytest.raises(load.NoExamples, match="corpus 'ud', UD_Gheg-GPS test: there is no example in it") as error:
        list(load.examples("dep", "ud", "UD_Gheg-GPS"))
    assert "\n" not in str(error.value)
    rows = [row for row in stats.count("ud") if row["code"] == "UD_Gheg-GPS"]
    assert {row["examples"] for row in rows} == {"0"}


@pytest.mark.parametrize(
    ("task", "corpus", "code", "split"),
    [("ner", "wikiann_og", "jam", "test"), ("ner", "wikiann_og", "jam", "paper-test")],
)
def test_what_is_known_to_be_empty_is_no_error(write, tar_gz, task, corpus, code, split):
    write("wikiann_og/jam.tar.gz", tar_gz({"wikiann-jam.bio": b""}))
    assert list(load.examples(task, corpus, code, split)) == []


@pytest.mark.parametrize("path", [TREES, "tsac/test_neg.txt", "belebele/eng_Latn.jsonl"])
def test_lines_that_end_in_cr_alone_are_refused(write, path):
    file = write(path, tree("a", "b").replace("\n", "\r"))
    with pytest.raises(InputError, match="its lines end in CR alone, as on old Macs; save it with LF line ends"):
        list(text.lines(file))


def test_a_cr_inside_a_line_is_text(write):
    file = write("x/y.txt", "a\rb\nc\r\n")
    assert list(text.lines(file)) == [(1, "a\rb"), (2, "c")]


def test_repeated_ids_become_unique_and_are_told(write, caplog):
    one = "# sent_id = a\n"
    write(TREES, tree("x", comments=one) + tree("y", "z", comments=one) + tree("w", comments="# sent_id = a#2\n"))
    load._tell.cache_clear()
    assert [(e.id, e.tokens) for e in load.examples("dep", "ud", "UD_Gheg-GPS")] == [
        ("a", ("x",)),
        ("a#2", ("y", "z")),
        ("a#2#2", ("w",)),
    ]
    assert len(caplog.records) == 1
    assert (
        "corpus 'ud', UD_Gheg-GPS test: 2 examples repeat the id of an earlier one, which becomes ID#2" in caplog.text
    )


@pytest.mark.parametrize(
    "comments",
    ["# sent_id_orig = z\n# sent_id = a\n", "# sent_idx = z\n#sent_id=a\n", "# sent_id = a\n# sent_id = b\n"],
)
def test_the_id_of_a_sentence_is_its_sent_id_and_no_other_comment(write, comments):
    write(TREES, tree("x", comments=comments))
    assert [e.id for e in load.examples("dep", "ud", "UD_Gheg-GPS")] == ["a"]


def test_repeated_ids_of_questions(write):
    assert [e.id for e in belebele(write, BELEBELE, BELEBELE)] == ["https://x.org/a#1", "https://x.org/a#1#2"]
    content = json.dumps({"data": [{"paragraphs": [{"context": "abc", "qas": [QUESTION, QUESTION]}]}]})
    assert [e.id for e in sd_qa(write, content)] == ["arabic-1-bhr", "arabic-1-bhr#2"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (f'{{"question": "Wh{HALF}?"}}', r"eng_Latn.jsonl:2: \\ud83d is half a character .a lone surrogate."),
        (f'{{"a{HALF}": 1}}', r"eng_Latn.jsonl:2: \\ud83d is half a character"),
        ("[1]", "eng_Latn.jsonl:2: .1. must be a table"),
        ("null", "eng_Latn.jsonl:2: None must be a table"),
        ("NaN", "eng_Latn.jsonl:2: not JSON .NaN is no number of JSON."),
        ('{"a": Infinity}', "eng_Latn.jsonl:2: not JSON .Infinity is no number"),
        ("[" * 100_000, "eng_Latn.jsonl:2: not JSON that can be read .nested too deeply."),
        ("9" * 5000, "eng_Latn.jsonl:2: not JSON .Exceeds the limit"),
        ('{"a": 1', "eng_Latn.jsonl:2: not JSON .Expecting"),
        (BELEBELE | {"question": None}, "eng_Latn.jsonl:2: field 'question': None must be text"),
        (BELEBELE | {"mc_answer3": 7}, "eng_Latn.jsonl:2: field 'mc_answer3': 7 must be text"),
        (BELEBELE | {"correct_answer_num": "5"}, "eng_Latn.jsonl:2: correct_answer_num '5' is not 1, 2, 3 or 4"),
        ({k: v for k, v in BELEBELE.items() if k != "link"}, "eng_Latn.jsonl:2: field 'link' is missing or empty"),
    ],
)
def test_json_of_another_shape_is_named_by_line_and_field(write, row, message):
    with pytest.raises(InputError, match=message) as error:
        belebele(write, BELEBELE, row)
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (squad(answers=[]), r"field 'data\[0\].paragraphs\[0\].qas\[0\].answers' is missing or empty"),
        (squad(context=None), r"field 'data\[0\].paragraphs\[0\].context': None must be text"),
        (
            squad(answers=[{"text": "abc", "answer_start": "x"}]),
            r"answers\[0\].answer_start': 'x' must be a whole number",
        ),
        (
            squad().replace("abc def", f"abc\\n {HALF}").replace("{", "{\n", 1),
            r"bhr.json:2: \\ud83d is half a character",
        ),
        ("[]", "not in SQuAD form: .. must be a table"),
        ("{}", "not in SQuAD form: field 'data' is missing or empty"),
        (squad(id=[1]), r"field 'data\[0\].paragraphs\[0\].qas\[0\].id"),
    ],
)
def test_squad_files_of_another_shape(write, content, message):
    with pytest.raises(InputError, match=message) as error:
        sd_qa(write, content)
    assert "\n" not in str(error.value)


def test_whole_characters_written_as_two_halves_are_text(write):
    (example,) = sd_qa(write, squad(question="\U0001f600?"))
    assert example.question == "\U0001f600?"
    (example,) = belebele(write, BELEBELE | {"question": HALF})  # a backslash and letters: text
    assert example.question == HALF


def test_mended_text_has_a_mark_for_each_half():
    assert text.mended("a\ud83d\ude00\udc00b") == ("a\ufffd\ufffd\ufffdb", 3)
    assert text.mended("a\U0001f600") == ("a\U0001f600", 0)


@pytest.mark.parametrize("tag", ["B_LOC", "b-loc", "LOC", "B-", "B-GPE", "S-LOC", "o"])
def test_tags_of_wikiann_are_o_or_b_or_i_with_a_type(write, tar_gz, tag):
    write("wikiann_og/ady.tar.gz", tar_gz({"wikiann-ady.bio": f"nyan x O\nAdygea x {tag}\n\n".encode()}))
    with pytest.raises(
        InputError, match=re.escape(f"ady.tar.gz:2: '{tag}' is not an IOB tag: O, or B- or I- and one of")
    ):
        list(load.examples("ner", "wikiann_og", "ady"))


def test_blanks_behind_a_tag_are_none_of_it(write, tar_gz):
    write("noisy_occitan/test_ROci_UPOS.tsv", "lo\tDET\nchin\tNOUN \n\n")
    (example,) = load.examples("pos", "noisy_occitan", "ROci")
    assert example.tags == ("DET", "NOUN")
    write("wikiann_og/ady.tar.gz", tar_gz({"wikiann-ady.bio": b"Adygea x B-LOC \n\n"}))
    (example,) = load.examples("ner", "wikiann_og", "ady")
    assert example.tags == ("B-LOC",)


@pytest.mark.parametrize(
    ("task", "content", "message"),
    [
        ("pos", tree("x").replace("NOUN", "Noun"), "example '1': unknown label 'Noun'"),
        ("dep", tree("x", "y").replace("dep", "subject"), "example '1': unknown label 'subject': did you mean 'nsubj'"),
    ],
)
def test_labels_are_those_of_the_catalogue(write, task, content, message):
    write(TREES, content)
    with pytest.raises(InputError, match=f"corpus 'ud', UD_Gheg-GPS test, {message}"):
        list(load.examples(task, "ud", "UD_Gheg-GPS"))


@pytest.fixture
def workbook(root):
    """workbook(rows, change): a sheet of Saudi tweets; change(xml) -> xml of the sheet as it lies there."""

    def make(rows, change=lambda xml: xml):
        path = root / "saudibank" / "data_Saudi_banks.xlsx"
        path.parent.mkdir(parents=True, exist_ok=True)
        book = openpyxl.Workbook()
        book.active.title = "Sheet1"
        for row in [("ID", "Tweet", "Final annotation"), *rows]:
            book.active.append(row)
        book.save(path)
        with zipfile.ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        members["xl/worksheets/sheet1.xml"] = change(members["xl/worksheets/sheet1.xml"])
        with zipfile.ZipFile(path, "w") as file:
            for name, content in members.items():
                file.writestr(name, content)

    return make


def tweets():
    return {
        e.text: e.label
        for part in ("train", "test")
        for e in load.examples("sa", "saudibank", "sau_arab", f"paper-{part}")
    }


ROWS = [(1, "khidma", "POS"), (2, "sayyia", "NEG"), (3, "x", "NEU")]


@pytest.mark.parametrize("size", ["A1", "A1:C2", "A1:C99", "B2:C3", ""])
def test_what_a_sheet_says_of_its_size_is_not_believed(workbook, size):
    tag = f'<dimension ref="{size}"/>'.encode() if size else b""
    workbook(ROWS, lambda xml: re.sub(rb"<dimension [^>]*>", tag, xml))
    assert tweets() == {"khidma": "positive", "sayyia": "negative", "x": "neutral"}


@pytest.mark.parametrize("keep", [300, 500, 700])
def test_a_cut_sheet_is_one_line(workbook, keep):
    workbook(ROWS, lambda xml: xml[:keep])
    with pytest.raises(
        InputError, match="data_Saudi_banks.xlsx: (a damaged|not an) Excel workbook .*; get it again"
    ) as error:
        tweets()
    assert "\n" not in str(error.value)


def test_characters_that_a_sheet_writes_by_number(workbook):
    rows = [(1, "a_x000D_\nb", "POS"), (2, "_xD83D__xDE00_ x", "NEG"), (3, "c_x005F_x000D_d", "NEU")]
    workbook(rows)
    assert set(tweets()) == {"a\r\nb", "\U0001f600 x", "c_x000D_d"}
    workbook([(1, "a _xD83D_ b", "POS"), (2, "x", "NEG")])
    with pytest.raises(InputError, match="data_Saudi_banks.xlsx: row 2: half a character"):
        tweets()


@pytest.mark.parametrize(
    ("task", "corpus", "code", "path"),
    [
        ("dep", "ud", "UD_Gheg-GPS", TREES),
        ("ner", "wikiann_og", "ady", "wikiann_og/ady.tar.gz"),
        ("mrc", "belebele", "eng_Latn", "belebele/eng_Latn.jsonl"),
        ("mrc", "mcscript2", "english", "mcscript2/test-data.xml"),
        ("sa", "saudibank", "sau_arab", "saudibank/data_Saudi_banks.xlsx"),
        ("eqa", "sd-qa", "arabic--bhr", "sd-qa/data/Question-Answering/SDQA-gold-task/sdqa-test-arabic-bhr.json"),
    ],
)
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_file_that_cannot_be_read_is_one_line(write, monkeypatch, task, corpus, code, path, error):
    file, opened = write(path, "x"), open

    def refuses(name, *arguments, **options):
        if str(name) == str(file):
            raise error
        return opened(name, *arguments, **options)

    monkeypatch.setattr("builtins.open", refuses)
    with pytest.raises(InputError, match=f"{re.escape(str(file))}: ") as said:
        list(load.examples(task, corpus, code))
    assert "\n" not in str(said.value) and "None" not in str(said.value)
