import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils.corpora.formats import conllu
from dbutils.errors import InputError

WHOLE = [
    "range_rows_and_empty_nodes.conllu",
    "forms_with_spaces.conllu",
    "withheld_forms.conllu",
    "comments_before_sent_id.conllu",
]


def test_words_are_neither_ranges_nor_empty_nodes(trap):
    first, second = conllu.read(trap("range_rows_and_empty_nodes.conllu"))
    assert [row[0] for row in first.rows] == ["1-2", "1", "2", "3", "4", "4.1", "5"]
    assert [row[1] for row in first.words] == ["Mira", "'s", "boat", "sank", "."]
    assert (first.sent_id, second.sent_id, second.line) == ("one", "two", 11)


def test_forms_with_spaces_stay_whole(trap):
    (sentence,) = conllu.read(trap("forms_with_spaces.conllu"))
    assert [row[1] for row in sentence.rows] == ["58 24", "boats", ": )"]


def test_sent_id_is_found_behind_other_comments(trap):
    (sentence,) = conllu.read(trap("comments_before_sent_id.conllu"))
    assert sentence.sent_id == "c-1"


@pytest.mark.parametrize("name", WHOLE)
def test_reading_and_writing_gives_the_same_bytes(trap, name):
    written = "".join(map(conllu.write, conllu.read(trap(name))))
    assert written.encode("utf-8") == trap(name).read_bytes()


def test_a_file_without_final_empty_line_keeps_its_last_sentence(trap):
    assert [s.sent_id for s in conllu.read(trap("no_final_empty_line.conllu"))] == ["n"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nine_columns.conllu", r"nine_columns.conllu:3: 9 columns where a CoNLL-U row has 10"),
        ("ids_skip_a_number.conllu", r"ids_skip_a_number.conllu:2: word id '3' where 2 was expected"),
        ("head_outside_the_sentence.conllu", r"head_outside_the_sentence.conllu:3: head '7' is no word"),
    ],
)
def test_a_broken_row_is_named_by_file_and_line(trap, name, message):
    with pytest.raises(InputError, match=message):
        list(conllu.read(trap(name)))


def test_subtypes_are_cut_at_the_colon():
    assert [conllu.universal(r) for r in ("aux:part", "obj", "nmod:poss:x")] == ["aux", "obj", "nmod"]


FORM = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=("Cs",)), min_size=1, max_size=8)


@given(st.lists(st.lists(st.tuples(FORM, st.integers(0, 3)), min_size=1, max_size=4), min_size=1, max_size=3))
def test_any_sentences_survive_writing_and_reading(tmp_path_factory, sentences):
    made = []
    for words in sentences:
        rows = [
            (str(i), form, "_", "X", "_", "_", str(min(head, len(words))), "dep", "_", "_")
            for i, (form, head) in enumerate(words, 1)
        ]
        made.append(conllu.Sentence(0, (), tuple(rows)))
    path = tmp_path_factory.getbasetemp() / "any.conllu"
    path.write_text("".join(map(conllu.write, made)), encoding="utf-8", newline="")
    assert [s.rows for s in conllu.read(path)] == [s.rows for s in made]
