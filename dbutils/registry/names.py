"""The naming template of a variety: {Glottocode name}-(a:,r:,m:,o:,i:), read and written.

Source: paper, section 2, "Cluster-Variety Mapping". The paper's tables write it short, with only
the attributes that are set: `italian (r:formal, m:written, i:essay)`.
"""

import re
import unicodedata
from dataclasses import dataclass

from dbutils.errors import InputError

ATTRIBUTES = {"a": "area", "r": "register", "m": "mode", "o": "orthography", "i": "identifier"}


@dataclass(frozen=True)
class Name:
    """A variety's name in its parts; a part that is not given is the empty string."""

    base: str
    area: str = ""
    register: str = ""
    mode: str = ""
    orthography: str = ""
    identifier: str = ""

    def __post_init__(self):
        if not self.base:
            raise InputError("a variety name needs a Glottocode name before its attributes")
        if self.base != tidy(self.base) or _ATTRIBUTE_GROUP.search(self.base):
            raise InputError(f"{self.base!r} is no Glottocode name: it must not hold attributes itself")
        if self.base.endswith("-"):  # the long form of the template joins its attributes with one
            raise InputError(f"{self.base!r} is no Glottocode name: it must not end with a hyphen")
        _check_parentheses(self.base)
        for part in ATTRIBUTES.values():
            value = getattr(self, part)
            if value != tidy(value) or set(value) & set("(),:"):
                raise InputError(f"{part} {value!r}: no parenthesis, comma, colon or outer space is allowed")


def tidy(text):
    """NFC, ASCII apostrophes, single spaces: the spelling that names are compared in."""
    text = unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u2018", "'")
    return " ".join(text.split())


_ATTRIBUTE_GROUP = re.compile(r"\s*-?\s*\(\s*(?=[^\W\d_]+\s*:)(?P<inside>[^()]*)\)?\s*$")


def _check_parentheses(text):
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
    if depth:
        side = "opening '('" if depth < 0 else "closing ')'"
        raise InputError(f"variety name {text!r}: {side} is missing")


def parse(text):
    """Parse a name in the long or the short form of the template.

    `english` | `english (a:uk)` | `english-(a:uk,r:,m:,o:,i:)`. Parentheses that hold no attribute
    belong to the name itself: `old english (ca. 450-1100)`.
    Raises InputError for a missing parenthesis, an unknown, repeated or malformed attribute.
    """
    text = tidy(text)
    if not text:
        raise InputError("empty variety name")
    _check_parentheses(text)
    group = _ATTRIBUTE_GROUP.search(text)
    if not group:
        lost = re.search(r"(?:^|[\s,(])([armoi]):", text)
        if lost:
            raise InputError(f"variety name {text!r}: opening '(' is missing before '{lost.group(1)}:'")
        return Name(text)
    parts = {}
    for item in group["inside"].split(","):
        key, colon, value = (piece.strip() for piece in item.partition(":"))
        if not colon:
            raise InputError(f"variety name {text!r}: {item.strip()!r} should read attribute:value")
        if key not in ATTRIBUTES:
            full = {name: short for short, name in ATTRIBUTES.items()}
            if key in full:
                raise InputError(f"unknown attribute {key!r} in {text!r}: did you mean {full[key]!r}?")
            legend = ", ".join(f"{short} ({name})" for short, name in ATTRIBUTES.items())
            raise InputError(f"unknown attribute {key!r} in {text!r}; nearest {_nearest(key)!r}; known: {legend}")
        if ATTRIBUTES[key] in parts:
            raise InputError(f"variety name {text!r}: attribute {key!r} is given twice")
        parts[ATTRIBUTES[key]] = value
    return Name(text[: group.start()].rstrip(), **parts)


def _nearest(key):
    """The attribute letter that a wrong one most likely stands for (by its first letter, else area)."""
    for short, name in ATTRIBUTES.items():
        if key[:1] == short or name.startswith(key[:2]):
            return short
    return "a"


def write(name, template=False):
    """Write a Name: short as in the paper's tables, or in full as the template defines it."""
    pairs = [(short, getattr(name, part)) for short, part in ATTRIBUTES.items()]
    if template:
        return f"{name.base}-({','.join(f'{short}:{value}' for short, value in pairs)})"
    given = ", ".join(f"{short}:{value}" for short, value in pairs if value)
    return f"{name.base} ({given})" if given else name.base
