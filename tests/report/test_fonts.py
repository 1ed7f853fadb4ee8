"""Text in every script of the benchmark draws in figures; the pages' style sheet and fonts fit together."""

import re
import warnings

import numpy as np
import pytest

from dbutils.paths import ROOT, data
from dbutils.report import fonts

STATIC = ROOT / "book" / "_static"

SAMPLES = [pytest.param(script, id=script.code) for script in fonts.SCRIPTS.values()]


@pytest.fixture
def figure():
    """An empty figure with the bundled fonts; matplotlib's settings are put back after the test."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        fonts.register()
        yield Figure(figsize=(6, 1), dpi=100)


def ink(figure, text, size=30):
    """The figure with only this text, as a picture (rows, columns) that is True where there is ink."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure.texts.clear()
    figure.text(0.02, 0.4, text, fontsize=size)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., 0] < 128


def width(figure, text):
    columns = np.flatnonzero(ink(figure, text).any(axis=0))
    return columns[-1] - columns[0] + 1


def missing(family, text):
    """What matplotlib says of glyphs that the font families lack."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"font.family": family}), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ink(Figure(figsize=(6, 1)), text, size=12)
    return [str(warning.message) for warning in caught if "missing from font" in str(warning.message)]


@pytest.mark.parametrize("script", SAMPLES)
def test_each_sample_draws_without_a_missing_glyph(script, figure):
    assert missing(list(fonts.FAMILIES), script.sample) == []


@pytest.mark.parametrize("code", ["Beng", "Deva", "Ethi", "Guru", "Hang", "Hans", "Hant"])
def test_without_the_bundled_fonts_the_sample_would_miss_glyphs(code):
    assert missing(["DejaVu Sans"], fonts.SCRIPTS[code].sample)


@pytest.mark.parametrize("script", SAMPLES)
def test_each_sample_is_written_in_its_script_and_direction(script):
    import unicodedata

    block = {
        "Arab": "ARABIC",
        "Armn": "ARMENIAN",
        "Beng": "BENGALI",
        "Cyrl": "CYRILLIC",
        "Deva": "DEVANAGARI",
        "Ethi": "ETHIOPIC",
        "Grek": "GREEK",
        "Guru": "GURMUKHI",
        "Hang": "HANGUL",
        "Hans": "CJK",
        "Hant": "CJK",
        "Latn": "LATIN",
    }[script.code]
    letters = [character for character in script.sample if unicodedata.category(character) == "Lo"] or [
        character for character in script.sample if character.isalpha()
    ]
    assert {unicodedata.name(letter).split()[0] for letter in letters} == {block}
    assert (script.direction == "rtl") == (unicodedata.bidirectional(letters[0]) in ("R", "AL"))


def test_the_sample_of_each_script_is_found_in_its_own_family():
    from fontTools.ttLib import TTFont

    has = {}
    for file in data("fonts").glob("*-Regular.[to]tf"):
        font = TTFont(file)
        has[font["name"].getDebugName(1)] = set(font.getBestCmap())
    for script in fonts.SCRIPTS.values():
        lacking = {c for c in script.sample if c.isalpha() and ord(c) not in has[script.family]}
        assert not lacking, (script.code, lacking)


def test_arabic_letters_join(figure):
    assert width(figure, "ببب") < 0.8 * 3 * width(figure, "ب")


def test_arabic_runs_from_right_to_left(figure):
    # The first letter, alif, is the only tall one: it must stand at the right end.
    picture = ink(figure, "ارر")
    top = np.flatnonzero(picture.any(axis=1))[0]
    columns = np.flatnonzero(picture.any(axis=0))
    tall = np.flatnonzero(picture[top]).mean()
    assert (tall - columns[0]) / (columns[-1] - columns[0]) > 0.8


def test_devanagari_letters_form_a_conjunct(figure):
    assert width(figure, "क्ष") < 0.8 * (width(figure, "क") + width(figure, "ष"))


def test_bold_text_in_any_script_gives_no_font_warning(figure, caplog):
    figure.text(0, 0, " ".join(script.sample for script in fonts.SCRIPTS.values()), weight="bold")
    ink(figure, "x")
    assert [record.message for record in caplog.records if "find font" in record.message] == []


def test_register_twice_adds_each_font_once():
    from matplotlib.font_manager import fontManager

    fonts.register()
    before = len(fontManager.ttflist)
    fonts.register()
    assert len(fontManager.ttflist) == before


def test_register_sets_the_list_again_after_it_was_reset():
    import matplotlib

    with matplotlib.rc_context():
        fonts.register()
        matplotlib.rcParams["font.family"] = ["serif"]
        fonts.register()
        assert matplotlib.rcParams["font.family"][:2] == ["Noto Sans", "Noto Sans Arabic"]


def test_common_han_and_hangul_are_in_the_bundled_font():
    from fontTools.ttLib import TTFont

    has = set(TTFont(data("fonts", "NotoSansCJKsc-Regular.otf")).getBestCmap())
    rows = {"gb2312": range(0xB0, 0xD8), "euc_kr": range(0xB0, 0xC9)}
    for codec, count in (("gb2312", 3755), ("euc_kr", 2350)):
        wanted = set()
        for row in rows[codec]:
            for column in range(0xA1, 0xFF):
                try:
                    wanted.add(ord(bytes([row, column]).decode(codec)))
                except UnicodeDecodeError:
                    continue
        assert len(wanted) == count
        assert wanted <= has
    assert {ord(character) for character in "漢語體龍灣佢喺嘅咗冇"} <= has


def faces():
    sheet = (STATIC / "fonts.css").read_text(encoding="utf-8")
    for body in re.findall(r"@font-face \{(.*?)\}", sheet, re.S):
        spans = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", body)
        covers = {code for first, last in spans for code in range(int(first, 16), int(last or first, 16) + 1)}
        yield re.search(r'url\("(.*?)"\)', body)[1], covers


@pytest.mark.parametrize("script", SAMPLES)
def test_a_page_finds_each_letter_of_the_sample_in_a_font_file(script):
    from fontTools.ttLib import TTFont

    pytest.importorskip("brotli")
    for character in {c for c in script.sample if c.isalpha() and ord(c) > 0xFF}:
        files = [STATIC / file for file, covers in faces() if ord(character) in covers]
        assert files, f"no face for {character}"
        assert any(ord(character) in TTFont(file).getBestCmap() for file in files), character


def test_a_page_in_plain_latin_needs_no_font():
    assert not any(covers & set(range(0x100)) for _, covers in faces())


def test_every_font_file_is_used_and_the_licence_lies_beside_it():
    named = {STATIC / file for file, _ in faces()}
    assert named == set((STATIC / "fonts").glob("*.woff2"))
    for folder in (STATIC / "fonts", data("fonts")):
        assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text(encoding="utf-8")
