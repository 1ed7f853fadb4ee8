"""Text in Markdown, MyST and HTML: whatever a cell holds stays text and is never markup."""

import html
import re

# what begins markup anywhere in a line; what does so only at its start; what would become a link
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|$~^&])|^([#+:-])|(:(?=//)|(?<=\bwww)\.|@)")


def md(text):
    """Escape text for a cell, caption or paragraph of Markdown and MyST, so that it stays text."""
    return _SPECIAL.sub(lambda m: "\\" + m.group(0), " ".join(str(text).split()))


def html_text(text):
    """Escape text for HTML, quotes included."""
    return html.escape(str(text), quote=True)


def role(name, text):
    """A MyST role around text; a back-tick in it cannot end the role."""
    inner = str(text).replace("`", "ˋ")
    return f"{{{name}}}`{inner}`"


def slug(text):
    """A label: lower-case ASCII letters, digits and hyphens (`mbyá guaraní (a:brazil)` -> `mbya-guarani-a-brazil`)."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", str(text)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
