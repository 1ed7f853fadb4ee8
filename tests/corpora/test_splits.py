from hypothesis import given
from hypothesis import strategies as st

from dbutils.corpora import splits
from dbutils.corpora.examples import TaggedExample, TextExample


def texts(*values):
    return [TextExample(str(i), value, "x") for i, value in enumerate(values)]


def test_the_sound_split_is_the_same_on_every_machine():
    found = texts(*(f"text number {i}" for i in range(20)))
    assert [e.id for e in splits.sound(found, "test")] == ["3", "4", "6", "7", "11", "12", "13", "14", "17", "19"]
    assert [e.id for e in splits.sound(found, "dev")] == ["10"]


@given(st.lists(st.text(max_size=6), max_size=30))
def test_every_example_falls_into_one_part_and_duplicates_into_the_same(values):
    found = texts(*values)
    parts = [list(splits.sound(found, part)) for part in ("train", "dev", "test")]
    assert sorted(e.id for part in parts for e in part) == sorted(e.id for e in found)
    contents = [{splits.content(e) for e in part} for part in parts]
    assert not (contents[0] & contents[1] or contents[0] & contents[2] or contents[1] & contents[2])


def test_shares_are_about_60_10_30():
    found = texts(*map(str, range(5000)))
    sizes = [sum(1 for _ in splits.sound(found, part)) for part in ("train", "dev", "test")]
    assert abs(sizes[0] - 3000) < 150 and abs(sizes[1] - 500) < 80 and abs(sizes[2] - 1500) < 150


def test_case_blanks_and_composition_do_not_hide_a_duplicate():
    one, other = texts("Café  Noir", "cafe\u0301 noir")
    assert splits.content(one) == splits.content(other)
    assert splits.content(TaggedExample("1", ("Café", "Noir"), ("X", "X"))) == splits.content(one)


def test_stand_in_has_the_papers_sizes():
    found = texts(*map(str, range(754)))
    train, test = (list(splits.stand_in(found, part)) for part in ("train", "test"))
    assert (len(train), len(test)) == (527, 227)
    assert {e.id for e in train} | {e.id for e in test} == {e.id for e in found}


def test_without_keeps_first_occurrences_that_were_not_seen():
    assert [e.id for e in splits.without(texts("a", "b", "A", "c", "b"), {"c"})] == ["0", "1"]
