"""Checks of the built book in a headless Chromium: every page, at desktop and phone width.

What it finds: requests that leave the book's own host, anything in the console, errors of scripts,
pictures that do not load, pages that scroll sideways on a phone, marks without enough contrast,
tables that do not sort or filter, a search that finds nothing.
"""

import asyncio
import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from dbutils.book import static
from dbutils.book.serve import serving

NOT_RUN = (
    "the browser checks were NOT run: no Chromium was found (set DBUTILS_CHROMIUM to one, or install "
    "Debian's package chromium, or run 'python -m playwright install chromium')"
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing outside this machine is reached, whatever a page asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
# Notes that the theme writes on every page; anything else in the console is a finding.
THEME_NOTES = ("[PST]", "[togglebutton]")
AT_ONCE = 3
PATIENCE = 20_000  # milliseconds: a busy machine is no fault of the page
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# Enough of the pages with tables to see every kind; all pages share one script.
TABLE_PAGES = 12


def find():
    """The path of a Chromium: DBUTILS_CHROMIUM, one on the PATH, or Playwright's own; else None."""
    named = os.environ.get("DBUTILS_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def findings(folder, executable):
    """One line per fault that a browser sees in the built book under `folder`."""
    with serving(folder) as address:
        return asyncio.run(_all(Path(folder), address, executable))


async def _all(folder, address, executable):
    from playwright.async_api import async_playwright

    arguments = ARGUMENTS + (["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])
    pages = [page.as_posix() for page in static.pages(folder) if not static.sends_on(folder / page)]
    found = {page: [] for page in pages}
    with_tables = [p for p in pages if 'class="sortable' in (folder / p).read_text(encoding="utf-8")]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=arguments)
        try:
            queue = iter(pages)

            async def work():
                # One context for many pages, so that scripts and fonts are loaded once.
                context = await browser.new_context(viewport=DESKTOP)
                for page in queue:
                    found[page] += await _visit(context, address, page, page in with_tables[:TABLE_PAGES])
                await context.close()

            await asyncio.gather(*(work() for _ in range(AT_ONCE)))
            searched = await _search(browser, address, _word(folder))
        finally:
            await browser.close()
    return [f"{page}: {line}" for page in pages for line in found[page]] + searched


class _Listener:
    """Opens a page and hears its requests, its console and its errors."""

    def __init__(self, page, address):
        self.page, self.address, self.heard = page, address, []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._hear(f"script error: {_line(str(error))}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _hear(self, line):
        if line not in self.heard:
            self.heard.append(line)

    def _console(self, message):
        if message.type not in ("log", "info") or not message.text.startswith(THEME_NOTES):
            self._hear(f"console {message.type}: {_line(message.text)}")

    def _request(self, request):
        if not request.url.startswith((self.address + "/", "data:", "blob:")):
            self._hear(f"request leaves the book's host: {request.url[:100]}")

    def _response(self, response):
        if response.status >= 400:
            self._hear(f"request failed with {response.status}: {urlsplit(response.url).path}")


async def _open(context, address, path):
    page = await context.new_page()
    listener = _Listener(page, address)
    await page.goto(f"{address}/{path}", wait_until="load", timeout=2 * PATIENCE)
    await page.evaluate(_SETTLED)
    return listener


async def _visit(context, address, path, tables):
    try:
        listener = await _open(context, address, path)
    except Exception as error:  # a page that cannot be opened is a finding, not the end of the check
        return [f"cannot be opened: {_line(str(error))}"]
    page, found = listener.page, []
    try:
        found += [f"picture does not load: {name}" for name in await page.evaluate(_BROKEN_PICTURES)]
        found += [f"interactive figure is not drawn: {name}" for name in await page.evaluate(_UNDRAWN)]
        for mode in ("dark", "light"):
            await page.emulate_media(color_scheme=mode)
            found += await _in_mode(page, mode)
        if tables:
            found += await _tables(page)
        await page.set_viewport_size(PHONE)
        if wide := await _too_wide(page):
            found.append(f"scrolls sideways at {PHONE['width']} px: {wide}")
    except Exception as error:
        found.append(f"check stopped: {_line(str(error))}")
    finally:
        await page.close()
    return listener.heard + found


async def _too_wide(page):
    for _ in range(10):  # figures take a moment to fit themselves to the new width
        wide = await page.evaluate(_TOO_WIDE)
        if not wide:
            break
        await page.wait_for_timeout(150)
    return wide


async def _in_mode(page, mode):
    try:
        await page.wait_for_function(
            "mode => document.documentElement.dataset.theme === mode", arg=mode, timeout=PATIENCE
        )
    except Exception:
        return [f"is not shown in {mode} mode"]
    return await page.evaluate(_CONTRAST, mode)


async def _tables(page):
    found = []
    await page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.set_default_timeout(PATIENCE)
    for table in await page.locator("table.sortable").all():
        name = await table.get_attribute("id") or "a table without id"
        buttons = table.locator("thead button.sort-button")
        count = await buttons.count()
        if not count:
            found.append(f"{name}: has no sort buttons")
            continue
        await buttons.first.click()
        if not await table.evaluate(_SORTED, 0):
            found.append(f"{name}: does not sort on a click")
        await buttons.nth(count - 1).focus()
        await page.keyboard.press("Enter")
        if not await table.evaluate(_SORTED, count - 1):
            found.append(f"{name}: does not sort by keyboard")
        if "filterable" in (await table.get_attribute("class") or ""):
            found += await _filter(page, table, name)
    return found


async def _filter(page, table, name):
    box = await table.evaluate_handle(
        "t => (t.closest('.pst-scrollable-table-container') || t).previousElementSibling.querySelector('input')"
    )
    box = box.as_element()
    if box is None:
        return [f"{name}: has no filter box"]
    rows = await table.locator("tbody tr").count()
    word = (await table.locator("tbody tr").first.inner_text()).split("\t")[0].strip()
    await box.fill(word)
    shown = await table.locator("tbody tr:visible").count()
    said = await box.evaluate("b => b.parentElement.querySelector('output').textContent")
    await box.fill("no row holds these words")
    none = await table.locator("tbody tr:visible").count()
    await box.fill("")
    if not 1 <= shown <= rows or none or said != f"{shown} of {rows} rows":
        return [f"{name}: the filter for {word!r} shows {shown} of {rows} rows and says {said!r}"]
    return []


def _word(folder):
    """A word that the search must find: the longest of the landing page's heading."""
    landing = static.sends_on(folder / "index.html") or "index.html"
    heading = static.parse(folder / landing).xpath("//article//h1")[0]
    return max(re.findall(r"[A-Za-z]+", heading.text_content()), key=len)


async def _search(browser, address, word):
    context, found = await browser.new_context(viewport=DESKTOP), []
    listener = await _open(context, address, f"search.html?q={word}")
    try:
        await listener.page.wait_for_selector("#search-results li a", timeout=PATIENCE)
    except Exception:
        found.append(f"search.html: the search does not find {word!r}")
    await context.close()
    return [f"search.html?q={word}: {line}" for line in listener.heard] + found


def _line(text):
    return " ".join(text.split())[:200]


# What a page does after it has loaded: fonts, formulas, pictures below the fold.
_SETTLED = """async () => {
  document.querySelectorAll('img[loading=lazy]').forEach(i => { i.loading = 'eager'; });
  await document.fonts.ready;
  if (window.MathJax && window.MathJax.startup) await window.MathJax.startup.promise;
  await Promise.all(Array.from(document.images, i => i.complete ? 0 : new Promise(done => {
    i.addEventListener('load', done); i.addEventListener('error', done);
  })));
}"""

_BROKEN_PICTURES = """() => Array.from(document.images)
  .filter(i => !i.naturalWidth).map(i => i.getAttribute('src').slice(0, 100))"""

_UNDRAWN = """() => Array.from(document.querySelectorAll('.interactive-figure'))
  .filter(f => !f.querySelector('svg, canvas')).map(f => f.getAttribute('aria-label') || 'without label')"""

_TOO_WIDE = """() => {
  const root = document.documentElement;
  if (Math.max(root.scrollWidth, document.body.scrollWidth) <= root.clientWidth + 1) return '';
  const inside = e => {
    for (let p = e.parentElement; p && !p.matches('.bd-article'); p = p.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(p).overflowX)) return true;
    return false;
  };
  const wide = Array.from(document.querySelectorAll('.bd-article *'))
    .filter(e => e.getBoundingClientRect().right > root.clientWidth + 1 && !inside(e));
  const last = wide[wide.length - 1];
  return last ? `<${last.tagName.toLowerCase()} class="${last.getAttribute('class') || ''}"> `
    + last.textContent.trim().slice(0, 40) : `${root.scrollWidth} px wide`;
}"""

# Contrast of our own marks and table text against their ground, WCAG 2 (AA: 4.5).
_CONTRAST = """mode => {
  const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = c => {
    const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = c.slice(0, 3).map(v => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = e => {
    const layers = [];
    for (let p = e; p; p = p.parentElement) {
      const c = channels(getComputedStyle(p).backgroundColor);
      const alpha = c.length > 3 ? c[3] : 1;
      if (c.length < 3 || alpha === 0) continue;
      layers.push([c, alpha]);
      if (alpha === 1) break;
    }
    const laid = (below, [c, a]) => [0, 1, 2].map(i => c[i] * a + below[i] * (1 - a));
    return layers.reverse().reduce(laid, [255, 255, 255]);
  };
  const worst = {};
  const ours = ['.best', '.worst', '.differs', '.rep', '.sort-button', '.table-filter output'];
  for (const name of [...ours, 'td', 'caption', 'figcaption p']) {
    for (const e of Array.from(document.querySelectorAll('.bd-article ' + name)).slice(0, 40)) {
      const [a, b] = [light(channels(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) worst[name] = Math.min(worst[name] || 21, ratio);
    }
  }
  const say = ([name, ratio]) => `contrast of ${name} in ${mode} mode is ${ratio.toFixed(1)}, not 4.5`;
  return Object.entries(worst).map(say);
}"""

# Whether a column is in the order that its heading announces: numbers by size, empty cells last.
_SORTED = """(table, nth) => {
  const head = table.tHead.rows[table.tHead.rows.length - 1];
  const headings = Array.from(head.cells).filter(h => h.querySelector('.sort-button'));
  const heading = headings[nth];
  if (heading.getAttribute('aria-sort') !== 'ascending') return false;
  const values = Array.from(table.tBodies[0].rows, r => r.cells[heading.cellIndex].textContent.trim());
  const filled = values.filter(v => !/^[\\s\\u2010-\\u2015\\u2212-]*$/.test(v));
  if (values.slice(0, filled.length).some((v, i) => v !== filled[i])) return false;
  const numbers = filled.map(v => parseFloat(v.replace(/\\u2212/g, '-').replace(/,/g, '')));
  if (filled.some(v => !/^[-+\\u2212]?[\\d,]*\\.?\\d+%?$/.test(v))) return true;
  return numbers.every((v, i) => !i || numbers[i - 1] <= v);
}"""


def main():
    """Say whether the browser checks can run; exit status 0 or 1."""
    import sys

    executable = find()
    if executable is None:
        print(NOT_RUN, file=sys.stderr)
        return 1
    print(f"browser checks: {executable}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
