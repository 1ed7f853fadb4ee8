"""Execute one notebook: parameters checked first, the finished notebook written only on success.

Papermill's own output, failed or not, stays under the log path for reading. The finished notebook
holds no times and no random ids, so the same inputs give the same bytes; what is particular to a
run stands in `.run.json` beside it.
"""

import hashlib
import json
import os
import re
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from dbutils import csvio, paths
from dbutils.book import parameters as checks
from dbutils.errors import InputError, unknown

# Inherited by the kernel: one thread per job (the jobs run side by side), no progress bars in the
# outputs, no look-up of models over the network, the same set order in each run.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "TQDM_DISABLE": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONWARNINGS": "ignore:IProgress not found",
}
FRAME = ("book", "cli")
CODE_OF_BOOK = ("book/__init__.py", "book/parameters.py", "book/run.py")
HIDDEN = {"parameters", "injected-parameters"}
IMAGES = {"image/svg+xml": ".svg", "image/png": ".png"}


class NotebookFailed(Exception):
    """A notebook stopped on an error: one line that names the cell, the error and the log."""


def find(name):
    """The path of a notebook given by name (`gap_analysis`) or by path; InputError if there is none."""
    if str(name).endswith(".ipynb"):
        path = Path(name)
        if not path.is_file():
            raise InputError(f"{path}: no such notebook")
        return path
    folder = paths.ROOT / "notebooks"
    known = {path.stem: path for path in folder.glob("*.ipynb")}
    if str(name) not in known:
        raise unknown("notebook", name, known)
    return known[str(name)]


def defaults(path):
    """{name: value} of a notebook's parameters cell, which must hold plain literals."""
    import ast

    import papermill

    found = papermill.inspect_notebook(str(path))
    if not found:
        raise InputError(f"{path}: has no cell tagged 'parameters'")
    values = {}
    for name, entry in found.items():
        try:
            values[name] = ast.literal_eval(entry["default"])
        except (ValueError, SyntaxError):
            raise InputError(f"{path}: parameter {name!r} is not a plain literal: {entry['default']}") from None
    return values


def execute(name, parameters, output, log):
    """Run a notebook and write the finished one to `output`, its facts to `output`.run.json.

    name: a notebook's name or path. parameters: {name: value}. log: where papermill writes.
    Raises InputError for bad parameters, before any work, and NotebookFailed if a cell fails;
    `output` is then left as it was.
    """
    import papermill
    from papermill.exceptions import PapermillExecutionError

    source, output, log = find(name), Path(output), Path(log)
    if output.resolve() == source.resolve() or log.resolve() == source.resolve():
        raise InputError(f"{source}: would be written over; choose another output")
    own = defaults(source)
    checks.check_names(parameters, known=tuple(own))
    checks.check_values({**own, **parameters})
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _environment():
            papermill.execute_notebook(
                str(source), str(log), parameters=parameters, kernel_name="python3", progress_bar=False
            )
    except PapermillExecutionError as error:
        message = " ".join(f"{error.ename}: {error.evalue}".split())
        raise NotebookFailed(f"{source}: cell {error.cell_index} failed: {message} (see {log})") from None
    notebook, record = finish(_read(log), output)
    csvio.write_text(output, notebook)
    csvio.write_text(f"{output}.run.json", json.dumps(record, indent=1, sort_keys=True) + "\n")


def failed(path):
    """Whether papermill recorded a failure in the notebook at `path`."""
    return bool(_read(path).metadata.get("papermill", {}).get("exception"))


def finish(notebook, output):
    """(text of the finished notebook, facts of the run) of a notebook that papermill wrote.

    Takes out times and random ids, joins output streams that arrived in pieces, hides the cells
    with parameters. Pictures that a markdown output of the same cell output refers to as
    `figures/NAME.svg` are written to `figures/<notebook>/` beside `output` and the reference is
    made to fit.
    """
    import nbformat

    facts = dict(notebook.metadata.pop("papermill", {}))
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"c{index}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        tags = list(cell.metadata.get("tags", []))
        if HIDDEN & set(tags) and "hide-input" not in tags:
            tags.append("hide-input")
        cell.metadata.pop("tags", None)
        if tags:
            cell.metadata["tags"] = tags
        if cell.cell_type == "code":
            cell["outputs"] = _joined(cell.outputs)
    _write_figures(notebook, Path(output))
    record = {
        "parameters": facts.get("parameters", {}),
        "started": facts.get("start_time"),
        "ended": facts.get("end_time"),
        "seconds": facts.get("duration"),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "code_and_data_sha256": fingerprint(),
        "versions": versions(),
    }
    return nbformat.writes(notebook) + "\n", record


def fingerprint():
    """sha256 over names and contents of what the outputs of notebooks depend on, as hex.

    That is data/ and the package's code, without what only builds, checks and serves the book.
    """
    total = hashlib.sha256()
    code = Path(__file__).resolve().parent.parent
    files = [(path.relative_to(code).as_posix(), path) for end in ("*.py", "*.toml") for path in code.rglob(end)]
    files = [
        (f"dbutils/{name}", path) for name, path in files if name in CODE_OF_BOOK or name.split("/")[0] not in FRAME
    ]
    files += [(f"data/{path.relative_to(paths.DATA).as_posix()}", path) for path in paths.DATA.rglob("*")]
    for name, path in sorted(files):
        if path.is_file() and not any(part.startswith((".", "__")) for part in Path(name).parts[:-1]):
            total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def versions():
    """{distribution: version} of everything installed, and Python's own."""
    import platform
    from importlib import metadata

    found = {d.metadata["Name"]: d.version for d in metadata.distributions()}
    return {"python": platform.python_version(), **dict(sorted(found.items()))}


def _read(path):
    import nbformat

    try:
        return nbformat.read(str(path), 4)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        raise InputError(f"{path}: not a notebook ({' '.join(str(error).split())[:80]})") from None


def _joined(outputs):
    joined = []
    for output in outputs:
        last = joined[-1] if joined else None
        if output.output_type == "stream" and last is not None and last.get("name") == output.name:
            last["text"] += output["text"]
        else:
            joined.append(output)
    return joined


def _write_figures(notebook, output):
    import base64

    folder = output.parent / "figures" / output.stem
    written = set()
    for cell in notebook.cells:
        for item in cell.get("outputs", []):
            data = item.get("data", {})
            for mime, suffix in IMAGES.items():
                name = re.search(rf"\bfigures/([\w.-]+{re.escape(suffix)})", data.get("text/markdown", ""))
                if not name or mime not in data:
                    continue
                content = data.pop(mime)
                content = base64.b64decode(content) if mime == "image/png" else content.encode("utf-8")
                csvio.write_bytes(folder / name[1], content)
                written.add(name[1])
                data["text/markdown"] = data["text/markdown"].replace(
                    f"figures/{name[1]}", f"figures/{output.stem}/{name[1]}"
                )
    if folder.is_dir():
        for path in folder.iterdir():
            if path.name not in written:
                path.unlink()


@contextmanager
def _environment():
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value
