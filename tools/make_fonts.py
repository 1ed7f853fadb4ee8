"""Make the bundled fonts: subsets of Noto for matplotlib (data/fonts) and for pages (book/_static).

Run from the project's root on Debian 12 (it takes the fonts from two Debian packages) with the Python
packages fonttools and brotli: `python tools/make_fonts.py`. The result is the same on every run.
"""

import hashlib
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

from dbutils import csvio

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "data" / "fonts"
PAGES = ROOT / "book" / "_static"

PACKAGES = {
    "fonts-noto-core=20201225-1": "58f4f0bb6720f919f92096b3508e1412a0f1544424ade6c5b5bf1eb694dd64ba",
    "fonts-noto-cjk=1:20220127+repack1-1": "4a2515eb6db3978b897fef9709ed0d2b1f4c6c4df4d83d6c4ef65f71f1b1f502",
}

LATIN = "20-7e a0-24f 250-2ff 300-36f 1ab0-1aff 1d00-1dff 1e00-1eff 2000-20bf 2100-218f 2212 2c60-2c7f a720-a7ff"
GREEK = "370-3ff 1f00-1fff"
CYRILLIC = "400-52f 1c80-1c8f 2de0-2dff a640-a69f"
JOINERS = "200c-200f 25cc"

# Characters of the bundled fonts for one script each. Latin letters and digits come from Noto Sans.
SINGLE = {
    "Arabic": f"600-6ff 750-77f 8a0-8ff fb50-fdff fe70-feff {JOINERS}",
    "Armenian": "530-58f fb13-fb17",
    "Bengali": f"964-965 980-9ff {JOINERS}",
    "Devanagari": f"900-97f 1cd0-1cff a8e0-a8ff {JOINERS}",
    "Ethiopic": "1200-139f 2d80-2ddf ab00-ab2f",
    "Gurmukhi": f"964-965 a00-a7f {JOINERS}",
}

# Written daily in Cantonese, Hakka, Min or Wu; many are in neither of the two lists of common characters.
SPOKEN = "佢冇咗哋唔喺嗰嘅嘢噉嚟啲咁啱瞓攞搵諗嬲嘥掟冚孖攰冧嚿睇乜嘈攬揸嗌侬佬囡囝伲倷俚啥朆覅佗伓毋恁咧遘伫"

PUNCTUATION = "3001-3003 3008-3011 3014-301b ff01-ff0f ff1a-ff20 ff3b-ff40 ff5b-ff60"

# What the reader's own machine may have: then nothing is fetched.
LOCAL = {
    "Han": ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei"),
    "Hangul": ("Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans KR", "Apple SD Gothic Neo", "Malgun Gothic"),
}


def codes(text):
    """The code points of ranges written as in `41-5a 61`."""
    result = set()
    for part in text.split():
        first, _, last = part.partition("-")
        result.update(range(int(first, 16), int(last or first, 16) + 1))
    return result


def two_bytes(codec, first, last):
    """The code points whose first byte in a two-byte encoding lies in first..last."""
    result = set()
    for high in range(first, last + 1):
        for low in range(0x40, 0xFF):
            try:
                result.add(ord(bytes([high, low]).decode(codec)))
            except UnicodeDecodeError:
                continue
    return result


def common_han():
    """(simplified, traditional): level 1 of GB 2312 and level 1 of Big 5 with the SPOKEN ones."""
    simplified = two_bytes("gb2312", 0xB0, 0xD7)
    traditional = {code for code in two_bytes("big5", 0xA4, 0xC6) if 0x4E00 <= code < 0xA000}
    return simplified, traditional | {ord(character) for character in SPOKEN}


def common_hangul():
    """The 2,350 syllables of KS X 1001 and its letters (compatibility jamo)."""
    return two_bytes("euc_kr", 0xB0, 0xC8) | codes("3131-318e")


def fetch(folder):
    """The fonts of the pinned Debian packages, unpacked in `folder` and checked by sha256."""
    for package, sha256 in PACKAGES.items():
        try:
            subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=True, stdout=sys.stderr)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"{package}: {error}; run this on Debian 12 after `apt-get update`") from None
        archive = next(Path(folder).glob(f"{package.split('=')[0]}_*.deb"))
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != sha256:
            raise SystemExit(f"{package}: sha256 {found}, expected {sha256}")
        subprocess.run(["dpkg-deb", "-x", archive, folder], cwd=folder, check=True)
    return Path(folder) / "usr" / "share" / "fonts"


def cjk(path):
    """Noto Sans CJK with simplified forms, but traditional ones where a character is only traditional."""
    faces = {font["name"].getDebugName(4): font for font in TTCollection(path).fonts}
    font, other = faces["Noto Sans CJK SC"], faces["Noto Sans CJK TC"]
    simplified, traditional = common_han()
    glyphs = other.getBestCmap()
    for table in font["cmap"].tables:
        if table.isUnicode() and hasattr(table, "cmap"):
            table.cmap.update({code: glyphs[code] for code in traditional - simplified if code in glyphs})
    return font


def cut(font, wanted):
    """The font reduced to the wanted code points, without hints (no one sees them at today's pixels)."""
    options = subset.Options()
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = ["*"]
    options.drop_tables += ["DSIG", "VORG", "vhea", "vmtx", "BASE"]
    options.recalc_timestamp = False
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    return font


def saved(font, flavor=None):
    font.flavor = flavor
    font.recalcTimestamp = False
    buffer = BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def without_layout(font):
    """The font without its substitutions and positions: vertical and regional forms, not used here."""
    for table in ("GSUB", "GPOS", "GDEF"):
        if table in font:
            del font[table]
    return font


def ranges(wanted):
    """Code points as the value of a CSS unicode-range."""
    parts, codes = [], sorted(wanted)
    start = codes[0]
    for code, following in zip(codes, codes[1:] + [None]):
        if following != code + 1:
            parts.append(f"U+{start:X}" + (f"-{code:X}" if code > start else ""))
            start = following
    return ", ".join(parts)


def blocks(wanted):
    """For thousands of scattered characters: the whole blocks that they lie in."""
    return ranges({code for first in {code >> 8 for code in wanted} for code in range(first << 8, (first + 1) << 8)})


def face(family, file, span, local=()):
    sources = [f'local("{name}")' for name in local] + [f'url("fonts/{file}") format("woff2")']
    return (
        f'@font-face {{\n  font-family: "{family}";\n  font-display: swap;\n'
        f"  src: {', '.join(sources)};\n  unicode-range: {span};\n}}\n"
    )


def stack(variable, *families):
    return f"  {variable}: {', '.join(families)};\n"


def write(path, content):
    csvio.write_bytes(path, content)
    print(f"{path.relative_to(ROOT)}: {len(content)} bytes", file=sys.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        fonts = fetch(folder)
        noto = fonts / "truetype" / "noto"
        together = codes(f"{LATIN} {GREEK} {CYRILLIC}")
        for weight in ("Regular", "Bold"):
            font = cut(TTFont(noto / f"NotoSans-{weight}.ttf"), together)
            write(FIGURES / f"NotoSans-{weight}.ttf", saved(font))
        faces = []
        basic = codes("20-7e a0-ff 2000-20bf 2100-218f 2212")
        for name, wanted in (("Latin", codes(LATIN) - basic), ("Greek", codes(GREEK)), ("Cyrillic", codes(CYRILLIC))):
            font = cut(TTFont(noto / "NotoSans-Regular.ttf"), wanted)
            write(PAGES / "fonts" / f"NotoSans-{name}.woff2", saved(font, "woff2"))
            faces.append(("Noto Sans", f"NotoSans-{name}.woff2", ranges(wanted), ()))
        for name, text in SINGLE.items():
            font = cut(TTFont(noto / f"NotoSans{name}-Regular.ttf"), codes(text))
            write(FIGURES / f"NotoSans{name}-Regular.ttf", saved(font))
            write(PAGES / "fonts" / f"NotoSans{name}.woff2", saved(font, "woff2"))
            faces.append(
                (f"Noto Sans {name}", f"NotoSans{name}.woff2", ranges(codes(text) - codes("200e-200f 25cc")), ())
            )
        collection = fonts / "opentype" / "noto" / "NotoSansCJK-Regular.ttc"
        han, hangul, points = set.union(*common_han()), common_hangul(), codes(PUNCTUATION)
        font = cut(without_layout(cjk(collection)), han | hangul | points)
        write(FIGURES / "NotoSansCJKsc-Regular.otf", saved(font))
        for name, wanted in (("Han", han | points), ("Hangul", hangul)):
            font = cut(without_layout(cjk(collection)), wanted)
            write(PAGES / "fonts" / f"NotoSans{name}.woff2", saved(font, "woff2"))
            faces.append((f"Noto Sans {name}", f"NotoSans{name}.woff2", blocks(wanted), LOCAL[name]))
    licence = (FIGURES / "OFL.txt").read_bytes()
    write(PAGES / "fonts" / "OFL.txt", licence)
    write(PAGES / "fonts.css", css(faces).encode())


def css(faces):
    """The style sheet: one face per file, and our families after the reader's own fonts.

    They stand before the generic family: after it Chromium at times draws boxes although it fetched them.
    """
    families = [f'"{family}"' for family in dict.fromkeys(family for family, *_ in faces)]
    sans = '-apple-system, "BlinkMacSystemFont", "Segoe UI", "Helvetica Neue", "Arial"'
    mono = '"SFMono-Regular", "Menlo", "Consolas", "Monaco", "Liberation Mono", "Lucida Console"'
    emoji = 'sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol"'
    latin, others = '"Noto Sans"', [family for family in families if family != '"Noto Sans"']
    return (
        "/* Made by tools/make_fonts.py; the fonts' licence: fonts/OFL.txt.\n"
        "   A page fetches a font only if it shows a character that the reader's own fonts lack. */\n"
        + "".join(face(*entry) for entry in faces)
        + "html {\n"
        + stack("--pst-font-family-base", sans, latin, *others, emoji)
        + stack("--pst-font-family-heading", sans, latin, *others, emoji)
        + stack("--pst-font-family-monospace", mono, *others, "monospace", latin)
        + "}\n"
    )


if __name__ == "__main__":
    main()
