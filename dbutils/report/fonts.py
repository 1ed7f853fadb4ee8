"""The scripts of the benchmark, and the bundled fonts that draw them (files and licence: data/fonts).

Matplotlib 3.11 shapes text itself (joining, conjuncts, right-to-left) and takes each character from the
first font of the list that has it; all it needs is the fonts. Web pages get the same fonts from
book/_static/fonts.css. Both are made by tools/make_fonts.py.
"""

import functools
from dataclasses import dataclass

from dbutils import paths
from dbutils.errors import InputError


@dataclass(frozen=True)
class Script:
    """A writing system: ISO 15924 code, a sample of our own, its language tag (BCP 47),
    direction (`ltr` or `rtl`), and the bundled font family that draws it."""

    code: str
    sample: str
    lang: str
    direction: str
    family: str


SCRIPTS = {
    script.code: script
    for script in (
        Script("Arab", "العربية ولهجاتها", "ar", "rtl", "Noto Sans Arabic"),
        Script("Armn", "Հայերենը և իր բարբառները", "hy", "ltr", "Noto Sans Armenian"),
        Script("Beng", "বাংলা ভাষা ও তার উপভাষা", "bn", "ltr", "Noto Sans Bengali"),
        Script("Cyrl", "Русский язык, қазақ тілі, коми кыв", "ru", "ltr", "Noto Sans"),
        Script("Deva", "हिन्दी भाषा और उसकी बोलियाँ", "hi", "ltr", "Noto Sans Devanagari"),
        Script("Ethi", "ቋንቋ ትግርኛን ላህጃታቱን", "ti", "ltr", "Noto Sans Ethiopic"),
        Script("Grek", "Ελληνική γλώσσα και διάλεκτοι", "el", "ltr", "Noto Sans"),
        Script("Guru", "ਪੰਜਾਬੀ ਭਾਸ਼ਾ ਤੇ ਉਪਭਾਸ਼ਾਵਾਂ", "pa", "ltr", "Noto Sans Gurmukhi"),
        Script("Hang", "한국어와 그 방언", "ko", "ltr", "Noto Sans CJK SC"),
        Script("Hans", "汉语和它的方言", "zh-Hans", "ltr", "Noto Sans CJK SC"),
        Script("Hant", "漢語與佢嘅方言", "zh-Hant", "ltr", "Noto Sans CJK SC"),
        Script("Latn", "Èdè Yorùbá, ẹ̀ka-èdè; føroyskt, română", "und", "ltr", "Noto Sans"),
    )
}

# In the order in which a character is looked up. DejaVu Sans comes with matplotlib: arrows and signs.
FAMILIES = (*dict.fromkeys(["Noto Sans", *(script.family for script in SCRIPTS.values())]), "DejaVu Sans")


def register():
    """Make the bundled fonts matplotlib's own: after it, text in every script of SCRIPTS draws right.

    Sets rcParams["font.family"]; call it again after anything that resets it (a seaborn theme does).
    """
    import matplotlib

    _add_fonts()
    matplotlib.rcParams["font.family"] = list(FAMILIES)


@functools.cache
def _add_fonts():
    from dataclasses import replace

    from matplotlib.font_manager import fontManager

    files = sorted(file for file in paths.data("fonts").iterdir() if file.suffix in (".ttf", ".otf"))
    if not files:
        raise InputError(f"{paths.data('fonts')}: no font in it; make them again with tools/make_fonts.py")
    known = len(fontManager.ttflist)
    for file in files:
        fontManager.addfont(file)
    added = fontManager.ttflist[known:]
    bold = {entry.name for entry in added if entry.weight == 700}
    # These families have one weight: it stands for bold too, or matplotlib warns for each at a bold title.
    fontManager.ttflist.extend(replace(entry, weight=700) for entry in added if entry.name not in bold)
