"""The naming template: read, written, and every way it can be broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbutils.errors import InputError
from dbutils.registry import Name, load, parse, write


@pytest.mark.parametrize(
    "text, name",
    [
        ("gheg albanian", Name("gheg albanian")),
        ("english (a:uk)", Name("english", area="uk")),
        (
            "italian (r:formal, m:written, i:essay)",
            Name("italian", register="formal", mode="written", identifier="essay"),
        ),
        ("english-(a:uk,r:,m:,o:,i:)", Name("english", area="uk")),
        ("english -( a: uk , m: )", Name("english", area="uk")),
        ("old english (ca. 450-1100)", Name("old english (ca. 450-1100)")),
        ("old english (ca. 450-1100)-(a:,r:,m:written,o:,i:)", Name("old english (ca. 450-1100)", mode="written")),
        ("ta\u2019izzi-adeni arabic", Name("ta'izzi-adeni arabic")),
        ("italian (a:trentino-alto adige/südtirol)", Name("italian", area="trentino-alto adige/südtirol")),
    ],
)
def test_parse_reads_both_forms(text, name):
    assert parse(text) == name


@pytest.mark.parametrize(
    "text, says",
    [
        ("english (a:uk", "closing ')' is missing"),
        ("english a:uk)", "opening '(' is missing"),
        ("english a:uk", "opening '(' is missing before 'a:'"),
        ("english (x:uk)", "unknown attribute 'x'"),
        ("english (ar:uk)", "nearest 'a'"),
        ("english (area:uk)", "did you mean 'a'"),
        ("english (reg:formal)", "nearest 'r'"),
        ("english (a:uk, a:us)", "'a' is given twice"),
        ("english (a:uk, written)", "should read attribute:value"),
        ("(a:uk)", "needs a Glottocode name"),
        ("", "empty variety name"),
        ("   ", "empty variety name"),
        ("english (a:uk)(m:written)", "no Glottocode name"),
        ("english- -(a:uk)", "must not end with a hyphen"),
        ("english-", "must not end with a hyphen"),
    ],
)
def test_parse_says_what_is_wrong(text, says):
    with pytest.raises(InputError) as error:
        parse(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


_WORD = st.text(st.characters(exclude_characters="(),:", exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=12)


def _valid(**parts):
    try:
        return Name(**parts)
    except InputError:
        return None


_NAMES = st.builds(
    _valid,
    base=st.lists(_WORD, min_size=1, max_size=3).map(" ".join),
    area=_WORD | st.just(""),
    register=_WORD | st.just(""),
    mode=_WORD | st.just(""),
    orthography=_WORD | st.just(""),
    identifier=_WORD | st.just(""),
).filter(lambda name: name is not None)


@given(_NAMES, st.booleans())
def test_parse_undoes_write(name, template):
    assert parse(write(name, template=template)) == name


@given(st.text(max_size=40))
def test_parse_of_any_text_is_a_name_or_a_clear_error(text):
    try:
        assert parse(write(parse(text))) == parse(text)
    except InputError as error:
        assert "\n" not in str(error)


def test_every_name_of_the_registry_round_trips():
    for v in load():
        assert write(v.name) == v.variety
        assert parse(write(v.name, template=True)) == v.name
