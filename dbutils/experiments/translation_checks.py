"""What can be seen to be wrong with a translation without knowing the language: checks per output, a report per variety."""

import statistics
import unicodedata
from collections import Counter

# Which answers of the identifier agree with a variety; varieties it does not know are left out.
IDENTIFIED = {
    **dict.fromkeys(("acm", "acq", "aeb", "ajp", "apc", "arb", "ars", "ary", "arz"), ("ar", "ary", "arz")),
    "azj": ("az",),
    "ckb": ("ku", "sdh"),
    "eng": ("en",),
    "glg": ("gl",),
    "ita": ("it",),
    "kmr": ("ku",),
    "lij": ("lij",),
    "ltg": ("ltg",),
    "ltz": ("lb",),
    "lvs": ("lv",),
    "nld": ("nl",),
    "nno": ("nn", "no"),
    "nob": ("no",),
    "nso": ("nso",),
    "oci": ("oc",),
    "por": ("pt",),
    "sot": ("st",),
    "spa": ("es",),
    "tur": ("tr",),
    "vec": ("vec",),
    "yue": ("yue", "zh"),
    "zho": ("zh", "yue"),
}
SCRIPTS = {"Latn": ("LATIN",), "Arab": ("ARABIC",), "Hans": ("CJK",), "Hant": ("CJK",)}
CHECKS = ("empty", "copied", "cut", "wrong_script", "odd_length", "repeated", "english")
COLUMNS = ("code", "texts", *CHECKS, "language_agreement", "length_ratio", "flagged")


def identify(text):
    """The language that a text seems to be in (py3langid's code); works offline."""
    import py3langid

    return py3langid.classify(text)[0]


def script_share(text, code):
    """Which share of a text's letters is of the script that a code such as `azb_Arab` names; None without letters."""
    wanted = SCRIPTS[code.rpartition("_")[2]]
    letters = [unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha()]
    return sum(name in wanted for name in letters) / len(letters) if letters else None


def repeats(text, code):
    """Whether four words in a row (letters, in Chinese script) stand three times in a text."""
    units = [c for c in text if not c.isspace()] if code.endswith(("Hans", "Hant")) else text.split()
    counts = Counter(tuple(units[i : i + 4]) for i in range(len(units) - 3))
    return max(counts.values(), default=0) >= 3


def checked(pairs, code, same_language=False):
    """[set of the CHECKS that each pair fails], the codes identified ("" for empty texts), and the median length ratio.

    pairs: (source, Output). A length is odd where the ratio to the source's is less than a third or more than three times
    the median of all. cut: the model ran into the greatest length. same_language: the texts were not translated.
    """
    ratios = [len(out.text) / len(source) for source, out in pairs if source and out.text]
    middle = statistics.median(ratios) if ratios else None
    failed, identified = [], []
    for source, out in pairs:
        found, name = set(), identify(out.text) if out.text else ""
        if not out.text:
            found.add("empty")
        else:
            share, ratio = script_share(out.text, code), len(out.text) / len(source)
            found |= {"wrong_script"} if share is not None and share < 0.5 else set()
            found |= {"odd_length"} if not middle / 3 <= ratio <= middle * 3 else set()
            found |= {"repeated"} if repeats(out.text, code) else set()
        if not same_language and out.text:
            found |= {"copied"} if _plain(source) == _plain(out.text) else set()
            found |= {"english"} if name == "en" else set()
        if not out.ended:
            found.add("cut")
        failed.append(found)
        identified.append(name)
    return failed, identified, middle


def _plain(text):
    return " ".join(text.casefold().split())


def report(code, failed, identified, middle):
    """One row of the quality report, a dict with COLUMNS.

    Counts of texts per check; language_agreement in per cent of the texts that are not empty, None where the identifier
    does not know the language; length_ratio: the median of characters out to characters in.
    """
    known = IDENTIFIED.get(code.partition("_")[0]) if code != "azb_Arab" else None
    said = [name for name in identified if name]
    counts = Counter(name for found in failed for name in found)
    agreement = 100 * sum(name in known for name in said) / len(said) if known and said else None
    return {
        "code": code,
        "texts": len(failed),
        **{name: counts[name] for name in CHECKS},
        "language_agreement": None if agreement is None else round(agreement, 1),
        "length_ratio": None if middle is None else round(middle, 2),
        "flagged": sum(bool(found) for found in failed),
    }
