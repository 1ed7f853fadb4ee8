"""Execute one notebook: parameters checked first, the finished notebook written only on success.

Papermill's own output, failed or not, stays under the log path for reading. The finished notebook
holds no times and no random ids, so the same inputs give the same bytes; what is particular to a
run stands in `.run.json` beside it.
"""

import ast
import json
import os
import re
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from dbutils import csvio, paths
from dbutils.book import parameters as checks
from dbutils.book import uses
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
HIDDEN = {"parameters", "injected-parameters"}
EDITOR_ONLY = "application/vnd.plotly.v1+json"
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
    notebook = _read(path)
    tagged = [cell.source for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    try:
        found = checks.assigned(tagged[0]) if tagged else {}
    except SyntaxError as error:
        raise InputError(f"{path}: the parameters cell is not Python: {error.msg}") from None
    if not found:
        raise InputError(
            f"{path}: has no cell tagged 'parameters'" if not tagged else f"{path}: has no cell that assigns parameters"
        )
    values = {}
    for name, node in found.items():
        try:
            values[name] = ast.literal_eval(node)
        except (ValueError, SyntaxError):
            raise InputError(f"{path}: parameter {name!r} is not a plain literal: {ast.unparse(node)}") from None
    return values


def execute(name, parameters, output, log):
    """Run a notebook and write the finished one to `output`, its facts to `output`.run.json.

    name: a notebook's name or path. parameters: {name: value}. log: where papermill writes.
    Raises InputError for bad parameters, before any work, and NotebookFailed if a cell fails;
    `output` is then left as it was.
    """
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    from dbutils.book import kernel

    source, output, log = find(name), Path(output), Path(log)
    if output.resolve() == source.resolve() or log.resolve() == source.resolve():
        raise InputError(f"{source}: would be written over; choose another output")
    if log.is_dir():
        raise InputError(f"{log}: is a folder, not a file for papermill's output")
    own = defaults(source)
    _check_language(source)
    checks.check_names(parameters, known=tuple(own))
    checked = checks.check_values({**own, **parameters})
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="dbutils-") as folder:
        read = Path(folder) / "read"
        try:
            with _environment(folder, read):
                papermill.execute_notebook(
                    str(source),
                    str(log),
                    parameters=parameters,
                    kernel_name="python3",
                    language="python",
                    progress_bar=False,
                    kernel_manager_class=kernel.Manager,
                )
        except PapermillExecutionError as error:
            message = " ".join(f"{error.ename}: {error.evalue}".split())
            raise NotebookFailed(f"{source}: cell {error.cell_index} failed: {message} (see {log})") from None
        except (DeadKernelError, RuntimeError) as error:
            raise NotebookFailed(f"{source}: {_ended(error, log)} (see {log})") from None
        # runs that are no source of scores follow from what else is read; a file of scores may be read by a library in C
        sources = checked.scores.split()
        runs = "" if "runs" in sources else checked.runs
        files = [name for name in sources if Path(name).is_file()]
        used = uses.record(read, started, also=[__file__, uses.__file__, *files], runs=runs)
    notebook, facts = finish(_read(log), output)
    csvio.write_text(output, notebook)
    record = {**facts, "state": uses.handed(), "uses": used}
    csvio.write_text(f"{output}.run.json", json.dumps(record, indent=1, sort_keys=True) + "\n")


def failed(path):
    """Whether papermill recorded a failure in the notebook at `path`."""
    return bool(_read(path).metadata.get("papermill", {}).get("exception"))


def finish(notebook, output):
    """(text of the finished notebook, facts of the run) of a notebook that papermill wrote.

    Takes out times and random ids, joins output streams that arrived in pieces, hides the cells
    with parameters, leaves out what only JupyterLab draws (the book has its own script). Pictures that a markdown output of the same cell output refers to as
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
            for item in cell.outputs:
                if "text/html" in item.get("data", {}):
                    item["data"].pop(EDITOR_ONLY, None)
    _write_figures(notebook, Path(output))
    record = {
        "parameters": facts.get("parameters", {}),
        "started": facts.get("start_time"),
        "ended": facts.get("end_time"),
        "seconds": facts.get("duration"),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }
    return nbformat.writes(notebook) + "\n", record


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
    except (OSError, ValueError, TypeError, KeyError, AttributeError, nbformat.ValidationError) as error:
        raise InputError(f"{path}: not a notebook ({' '.join(str(error).split())[:80]})") from None


def _check_language(path):
    """Raise InputError for a notebook in another language than Python; one that names none is taken for Python."""
    about = _read(path).metadata
    for part in ("kernelspec", "language_info"):
        said = about.get(part, {}).get("language" if part == "kernelspec" else "name", "python")
        if not str(said).lower().startswith(("python", "ipython")):
            raise InputError(f"{path}: is a notebook in {said}; only Python's can be run")


def _ended(error, log):
    """What to say of a kernel that ended by itself or did not start."""
    begun = [
        index
        for index, cell in enumerate(_read(log).cells if log.is_file() and log.stat().st_size else [])
        if cell.metadata.get("papermill", {}).get("start_time")
    ]
    at = f" in cell {begun[-1]}" if begun else ""
    return f"the kernel ended{at}: {' '.join(str(error).split())[:200]}; is there enough memory?"


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
def _environment(folder, read):
    """The variables that the kernel inherits; `folder` is for what IPython and Jupyter write, `read` for what it reads."""
    own = {"IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder), uses.LOG: str(read)}
    before = {name: os.environ.get(name) for name in (*ENVIRONMENT, *own)}
    os.environ.update(ENVIRONMENT | own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value
