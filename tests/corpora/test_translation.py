import pytest

from dbutils.corpora import load, places
from dbutils.errors import InputError


def read(corpus, code, split="test"):
    return list(load.examples("mt", corpus, code, split))


def test_blank_lines_keep_the_alignment(place, write):
    place("source_with_blank_lines.eus", "codet/Basque/Amenduze-Unaso.eus")
    place("standard_with_blank_lines.eus", "codet/Basque/Standard.eus")
    write("codet/Basque/Reference.eng", "one\nhello\n\na house\n")
    assert [(e.line, e.source, e.reference, e.kind) for e in read("codet", "Amenduze")] == [
        (2, "kaixo mundua", "hello", "english"),
        (4, "etxea", "a house", "english"),
    ]
    assert [(e.line, e.reference, e.kind) for e in read("codet", "Amenduze", "paper-test")] == [
        (2, "kaixo", "standard"),
        (4, "etxe bat", "standard"),
    ]


def test_files_of_different_length_are_refused(place, write):
    place("source_with_blank_lines.eus", "codet/Basque/Sara.eus")
    write("codet/Basque/Reference.eng", "one\n")
    with pytest.raises(InputError, match="Reference.eng: ends at line 1, before .*Sara.eus"):
        read("codet", "Sara")
    write("codet/Basque/Reference.eng", "one\n" * 9)
    with pytest.raises(InputError, match="Sara.eus: ends at line 4, before .*Reference.eng"):
        read("codet", "Sara")


def test_byte_order_mark_and_crlf_are_no_text(place, write):
    place("bom_and_crlf.ben", "codet/Bengali/Barisal.ben")
    write("codet/Bengali/Reference.eng", "me\nyou\n")
    assert [(e.source, e.reference) for e in read("codet", "Barisal")] == [("আমি", "me"), ("তুমি", "you")]


def test_each_swiss_town_has_its_own_standard_and_a_town_may_stand_in_two_cantons(write):
    for town, canton in (("Stein", "AG"), ("Stein", "SG")):
        write(f"codet/Swiss_German/{town},{canton}.deu", f"grüezi {canton}\n")
        write(f"codet/Swiss_German/{town},{canton}_standard.deu", f"guten Tag {canton}\n")
    (example,) = read("codet", "Stein,SG")
    assert (example.id, example.source, example.reference) == ("Stein,SG:1", "grüezi SG", "guten Tag SG")


def test_a_canton_joins_its_towns_and_the_paper_leaves_out_names_with_blanks():
    names = [place.name for place in places.of("codet", "BE")]
    paper = [place.name for place in places.of("codet", "BE", paper=True)]
    assert "Büren an der Aare,BE" in names and "Büren an der Aare,BE" not in paper
    assert "Bern,BE" in names and "Bern,BE" in paper
    assert all(name.endswith(",BE") for name in names)
    cantons = {place.paper_code for place in places.load() if place.path.startswith("codet") or "Swiss" in place.path}
    assert len(cantons - {""}) == 21


def test_places_counted_to_a_namesakes_region_are_moved_but_for_the_paper():
    assert [p.code for p in places.of("codet", "Lion")] == ["Veneto"]
    assert "Lion" in {p.name for p in places.of("codet", "Campania", paper=True)}
    assert "Lion" not in {p.name for p in places.of("codet", "Campania")}


def test_names_shortened_in_the_tables_lead_to_their_files():
    shortened = ("Amenduze", "Donibane", "Larzabale", "Maule", "Uharte")
    assert [places.of("codet", code)[0].name for code in shortened] == [
        "Amenduze-Unaso",
        "Donibane-Lohizune",
        "Larzabale-Arroze-Zibitze",
        "Maule-Lextarre",
        "Uharte-Garazi",
    ]


def test_turkic_pairs(write):
    write("til-mt/xwmt/test/sah-en/sah-en.sah", "дорообо\n")
    write("til-mt/xwmt/test/sah-en/sah-en.en", "hello\n")
    (example,) = read("til-mt", "sah")
    assert (example.source, example.reference, example.kind) == ("дорообо", "hello", "english")
