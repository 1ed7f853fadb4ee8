"""Write the lock (requirements.txt) and environment.yml from requirements.in.

    python tools/lock.py          write both files from what is installed here
    python tools/lock.py --check  exit 1 if a file is not what this would write

requirements.in holds the direct dependencies with their pins. The lock adds everything that they
pull in, at the versions installed in the running environment, which must itself satisfy the pins.
Local version labels (`+cpu`) are left out: they are not on the package index.
"""

import argparse
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "requirements.in"


def direct(text):
    """The requirements of a requirements.in text, in its order: list of Requirement."""
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def closure(requirements):
    """Every installed distribution that `requirements` need, themselves included.

    Returns {canonical name: (name as its authors write it, version without local label)}.
    Raises SystemExit with one line for what is missing or installed at another version.
    """
    found, queue = {}, [(requirement, frozenset(requirement.extras)) for requirement in requirements]
    seen = set()
    while queue:
        requirement, extras = queue.pop()
        key = (canonicalize_name(requirement.name), extras)
        if key in seen:
            continue
        seen.add(key)
        try:
            distribution = metadata.distribution(requirement.name)
        except metadata.PackageNotFoundError:
            raise SystemExit(f"{requirement} is not installed: pip install -r requirements.in") from None
        version = distribution.version.partition("+")[0]
        if not requirement.specifier.contains(version, prereleases=True):
            raise SystemExit(f"{requirement} is wanted, {version} is installed: pip install -r requirements.in")
        found[key[0]] = (distribution.metadata["Name"], version)
        for line in distribution.requires or []:
            need = Requirement(line)
            if need.marker is None or any(need.marker.evaluate({"extra": e}) for e in extras | {""}):
                queue.append((need, frozenset(need.extras)))
    return found


def lock(requirements):
    """The text of requirements.txt; packages named in requirements.in are marked `# direct`."""
    named = {canonicalize_name(requirement.name) for requirement in requirements}
    lines = [
        f"{name}=={version}" + ("  # direct" if key in named else "")
        for key, (name, version) in sorted(closure(requirements).items())
    ]
    return "\n".join(["# The one lock of the project, written by tools/lock.py from requirements.in.", *lines, ""])


def environment(requirements):
    """The text of environment.yml: Python, pip and the direct dependencies with the lock's pins."""
    pins = closure(requirements)
    lines = [
        "# Written by tools/lock.py from requirements.in; the pins are those of requirements.txt.",
        "name: dialectbench",
        "channels:",
        "  - conda-forge",
        "dependencies:",
        "  - python=3.11",
        "  - pip",
        "  - pip:",
    ]
    for requirement in requirements:
        name, version = pins[canonicalize_name(requirement.name)]
        lines.append(f"      - {name}=={version}")
    return "\n".join([*lines, ""])


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    check = parser.parse_args(argv).check
    requirements = direct(SOURCE.read_text(encoding="utf-8"))
    stale = []
    for name, text in (("requirements.txt", lock(requirements)), ("environment.yml", environment(requirements))):
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"{', '.join(stale)}: not what tools/lock.py writes; run it", file=sys.stderr)
        return 1
    print("written: " + ", ".join(stale) if stale else "up to date")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
