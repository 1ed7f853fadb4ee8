"""Check the built book: what its files say, and what a browser makes of them."""

import sys

from dbutils.book import browser, static
from dbutils.book.serve import built


def main(folder=None, mode="auto"):
    """Print one line per finding; exit status 0 if there is none, else 1.

    folder: the built book (default: _build/html). mode: `off` leaves the browser out, `auto` uses
    one if there is one and says so if not, `required` fails without one.
    """
    folder = built(folder)
    findings = static.findings(folder)
    count = len(static.pages(folder))
    said = "the browser checks were left out"
    if mode != "off":
        executable = browser.find()
        if executable is None:
            said = browser.NOT_RUN
            if mode == "required":
                findings.append(browser.NOT_RUN)
        else:
            findings += browser.findings(folder, executable)
            said = f"in {executable}: desktop and phone width, light and dark"
    for line in findings:
        print(line)
    print(f"{count} pages checked, {said}; {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0
