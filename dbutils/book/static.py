"""Checks of the built book that need no browser: pictures, links, resources, tracebacks, ids."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Folders whose HTML files are the theme's, not pages of the book.
NOT_PAGES = ("_static", "_sources")
LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "manifest", "shortcut"}
OUTSIDE_CSS = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")


def pages(folder):
    """The pages of a built book, sorted paths relative to `folder`."""
    folder = Path(folder)
    found = (path.relative_to(folder) for path in folder.rglob("*.html"))
    return sorted(path for path in found if path.parts[0] not in NOT_PAGES)


def sends_on(path):
    """The page that an HTML file only leads on to (as index.html does), or None."""
    refresh = parse(path).xpath("//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']/@content")
    return refresh[0].partition("url=")[2] if refresh else None


def findings(folder):
    """One line per fault of a built book, sorted by page; an empty list if there is none."""
    folder = Path(folder)
    trees = {page: parse(folder / page) for page in pages(folder)}
    ids = {page: set(tree.xpath("//@id | //a/@name")) for page, tree in trees.items()}
    found = []
    for page, tree in trees.items():
        for message in (
            *_pictures(tree),
            *_resources(tree, folder, page),
            *_links(tree, folder, page, ids),
            *_refresh(folder, page),
            *_tracebacks(tree),
            *_twice(tree),
        ):
            found.append(f"{page.as_posix()}: {message}")
    for path in sorted(folder.rglob("*.css")):
        for address in OUTSIDE_CSS.findall(path.read_text(encoding="utf-8", errors="replace")):
            found.append(f"{path.relative_to(folder).as_posix()}: loads {address} from outside the book")
    return found


def parse(path):
    """The tree of an HTML file."""
    import lxml.html

    return lxml.html.fromstring(path.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))


def _pictures(tree):
    for image in tree.iter("img"):
        if not (image.get("alt") or "").strip():
            yield f"picture without alt text: {_short(image.get('src', ''))}"


def _resources(tree, folder, page):
    wanted = [(e.tag, e.get("src")) for e in tree.iter("script", "img", "iframe", "source", "video", "audio", "embed")]
    wanted += [
        ("link", e.get("href")) for e in tree.iter("link") if LOADING_LINKS & set((e.get("rel") or "").lower().split())
    ]
    for tag, address in wanted:
        if not address or address.startswith("data:"):
            continue
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            yield f"<{tag}> loads {_short(address)} from outside the book"
        elif not _target(folder, page, parts.path).is_file():
            yield f"<{tag}> loads {_short(address)}, which is not there"


def _links(tree, folder, page, ids):
    for address in sorted({e.get("href") for e in tree.iter("a") if e.get("href")}):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = _target(folder, page, parts.path) if parts.path else folder / page
        if not target.is_file():
            yield f"link to a missing page: {_short(address)}"
            continue
        name = Path(_relative(target, folder))
        if parts.fragment and name in ids and unquote(parts.fragment) not in ids[name]:
            yield f"link to a missing anchor: {_short(address)}"


def _refresh(folder, page):
    address = sends_on(folder / page)
    if address and not _target(folder, page, address).is_file():
        yield f"leads on to a missing page: {_short(address)}"


def _target(folder, page, path):
    path = unquote(path)
    base = folder if path.startswith("/") else (folder / page).parent
    target = base / path.lstrip("/")
    return target / "index.html" if target.is_dir() else target


def _relative(path, folder):
    return path.resolve().relative_to(folder.resolve()).as_posix()


def _tracebacks(tree):
    for article in tree.iter("article"):
        if "Traceback (most recent call last)" in article.text_content():
            yield "shows a Python traceback"
        if article.xpath(".//*[contains(concat(' ', @class, ' '), ' output ') and contains(@class, 'traceback')]"):
            yield "shows the error of a cell"


def _twice(tree):
    for article in tree.iter("article"):
        ids = article.xpath(".//@id")
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            yield f"id stands twice: {name}"


def _short(address):
    return address if len(address) <= 100 else address[:100] + "..."
