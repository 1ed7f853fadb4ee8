"""Build _build/html from book/ with Jupyter Book; warnings are errors."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from dbutils import csvio, paths
from dbutils.book.run import failed
from dbutils.errors import InputError


def main(everything=False, root=None):
    """Exit status 0, or 1 if a notebook had failed or Jupyter Book warned; see its messages.

    Pages that did not change are kept, unless the configuration, the extension or the templates
    changed, or `everything` is true. After a build with warnings the next one starts anew, since
    Sphinx does not repeat the warnings of pages that it keeps.
    """
    root = Path(root or paths.ROOT)
    bad = failed_notebooks(root / "book")
    for path in bad:
        print(f"{path.relative_to(root)}: this notebook failed when it was run; it is not rendered", file=sys.stderr)
    if bad:
        return 1
    for name in made_before(root / "book"):
        raise InputError(f"{name} is not there; 'make book' runs the notebooks and writes the pages, then builds")
    frame, stamp = _frame(root), root / "_build" / ".frame"
    everything = everything or not stamp.exists() or stamp.read_text(encoding="utf-8") != frame
    jupyter_book = "from jupyter_book.cli.main import main; main(prog_name='jupyter-book')"
    command = [sys.executable, "-c", jupyter_book, "build", "book", "--config", "_config.yml"]
    command += ["--path-output", ".", "-W", "-n", "--keep-going"] + ["--all"] * everything
    status = subprocess.run(command, cwd=root, stdout=sys.stderr, check=False).returncode
    if status:
        shutil.rmtree(root / "_build" / ".doctrees", ignore_errors=True)
        return 1
    csvio.write_text(stamp, frame)
    print(root / "_build" / "html" / "index.html")
    return 0


def failed_notebooks(folder):
    """The notebooks under `folder` that papermill recorded as failed, sorted."""
    return sorted(path for path in Path(folder).rglob("*.ipynb") if failed(path))


def made_before(folder):
    """The executed and generated pages that the table of contents names and that are missing, sorted."""
    from sphinx_external_toc.parsing import parse_toc_yaml

    missing = []
    for name in parse_toc_yaml(folder / "_toc.yml"):
        for place, ending in (("executed", ".ipynb"), ("generated", ".md")):
            path = Path("book") / f"{name}{ending}"
            if str(name).startswith(f"{place}/") and not (folder.parent / path).is_file():
                missing.append(path.as_posix())
    return sorted(missing)


def _frame(root):
    """sha256 of what changes every page: configuration, extension, references."""
    total = hashlib.sha256()
    files = [root / "_config.yml", root / "requirements.txt", *sorted((root / "book").glob("_ext/*.py"))]
    for path in files:
        if path.is_file():
            total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest() + "\n"
