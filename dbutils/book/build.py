"""Build _build/html from book/ with Jupyter Book; warnings are errors."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from dbutils import csvio, paths
from dbutils.book.run import failed


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


def _frame(root):
    """sha256 of what changes every page: configuration, extension, references."""
    total = hashlib.sha256()
    files = [root / "_config.yml", root / "requirements.txt", *sorted((root / "book").glob("_ext/*.py"))]
    for path in files:
        if path.is_file():
            total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest() + "\n"
