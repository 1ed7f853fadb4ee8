"""What a notebook or the generated pages read, so that they are made again when it changes, and only then.

While it runs, a process writes down every file that it opens and every folder that it lists, the code that it
imports among them (`watch`). From that follows a record: files and folders with digests, libraries with versions
(`record`). Whoever wants to know whether the result is still right looks at them again (`state`).

Python code counts by its meaning, or with its docstrings and comments where a result may show them. Of every folder
of data that a file was read from, the names count too, so a file that is added there is noticed. What the project
itself makes, the folder of the runs, hidden files and what belongs to the machine do not count.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from dbutils import paths

LOG = "DBUTILS_USES"  # the variable that names the file to which a kernel writes what it reads
STATE = "DBUTILS_STATE"  # the variable in which Snakemake hands on the state that it asked for
NEW = "new"  # the state of what has no record
MADE = ("_build", "logs", "runs", "book/executed", "book/generated")
SITE = tuple(sorted({os.path.realpath(sysconfig.get_paths()[key]) for key in ("purelib", "platlib")}))
ROOT, DATA = os.path.realpath(paths.ROOT), os.path.realpath(paths.DATA)
OF_THE_MACHINE = ("/bin", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr", "/var")
# multiprocessing's and joblib's ways to start another Python, which no audit event tells
STARTERS = ("popen_spawn", "popen_forkserver", "popen_loky")
CHANGED = "changed while it was read"


def under(path, folders):
    """Whether a path is one of the folders or below one."""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


OF_PYTHON = tuple(
    sorted(
        folder
        for folder in {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()) if p}
        if not under(ROOT, (folder,)) and not under(DATA, (folder,))
    )
)


def watch(path):
    """From now on this process and its forks write what they read to the file `path`, as JSON lines [kind, name].

    Kinds: read, written, listed (folders), library (top-level name), python (another Python was started, of which
    nothing more is known). Each stands there once per process. Reading goes on as without it, whatever happens.
    """
    log, known, before = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), set(), {}
    known.add(("read", os.path.realpath(path)))

    def note(kind, name):
        if (kind, name) not in known:
            known.add((kind, name))
            os.write(log, json.dumps([kind, name]).encode("ascii") + b"\n")

    def opened(name, kind):
        name = os.fspath(name)
        folder, last = os.path.split(os.fsdecode(name))
        if folder not in before or not os.path.isabs(folder):
            before[folder] = os.path.realpath(folder)
        path = os.path.join(before[folder], last)
        for site in SITE:
            if path.startswith(site + os.sep):
                name = path[len(site) + 1 :].split(os.sep)
                note("library", (name[1] if name[0] == "__pycache__" else name[0]).split(".")[0])
        if not under(path, OF_PYTHON):
            note(kind, path)
        if last.startswith(STARTERS):
            note("python", last)

    def hook(event, arguments):
        try:
            if event == "open" and not isinstance(arguments[0], int):
                writes = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
                opened(arguments[0], "written" if writes else "read")
            elif event in ("os.listdir", "os.scandir") and not isinstance(arguments[0], int):
                # not where Python's import looks for modules and libraries
                if "importlib" not in sys._getframe(1).f_code.co_filename:
                    note("listed", os.path.realpath(os.fsdecode(arguments[0] or ".")))
            elif event == "dbutils.data":
                opened(arguments[0], "read")
            elif event == "os.rename":
                opened(arguments[1], "written")
            elif event == "import" and arguments[1]:
                opened(arguments[1], "read")  # an extension; other modules are opened
            elif event == "subprocess.Popen" and "python" in os.path.basename(os.fsdecode(arguments[0] or "")):
                note("python", os.fsdecode(arguments[0]))
        except (AttributeError, OSError, TypeError, ValueError):
            pass

    for module in list(sys.modules.values()):
        if isinstance(getattr(module, "__file__", None), str):
            opened(module.__file__, "read")
    sys.addaudithook(hook)


def record(log, started, *, also=(), runs="", docstrings=False):
    """The record of what was written to the file `log`: {kind: {name: digest or version}}, and `docstrings`.

    started: time in nanoseconds when it began; what changed since counts as changed. also: further files that were read.
    runs: a folder that does not count. docstrings: whether docstrings and comments count.
    """
    said = [json.loads(line) for line in Path(log).read_text("ascii").splitlines()]
    kinds = {kind: {name for of, name in said if of == kind} for kind in ("read", "written", "listed", "library")}
    read = {_source(path) for path in kinds["read"] - kinds["written"]}
    if any(kind == "python" for kind, _ in said):
        read |= {str(path) for top in (f"{ROOT}/dbutils", DATA) for path in Path(top).rglob("*") if path.is_file()}
    omitted = [os.path.realpath(runs)] if runs else []
    read = {path for path in read if counts(path) and not under(path, omitted) and not os.path.isdir(path)}
    read |= {os.path.realpath(path) for path in also}  # wherever they are
    listed = {path for path in kinds["listed"] if counts(path) and not under(path, omitted)}
    for path in read:
        folder = os.path.dirname(path)
        if not under(path, (ROOT, DATA)) and counts(path):
            listed.add(folder)
        while under(folder, (DATA,)):
            listed.add(folder)
            folder = os.path.dirname(folder)
    found = {
        "files": {_name(path): _file(path, docstrings) for path in read},
        "folders": {_name(path): _folder(path) for path in listed},
        "libraries": libraries(kinds["library"]),
        "docstrings": docstrings,
    }
    for path in read:
        if os.path.exists(path) and os.stat(path).st_ctime_ns > started:
            found["files"][_name(path)] = CHANGED
    return found


def now(uses):
    """A record's files, folders and libraries as they are now."""
    docstrings = bool(uses["docstrings"])
    return {
        "files": {name: _file(_path(name), docstrings) for name in uses["files"]},
        "folders": {name: _folder(_path(name)) for name in uses["folders"]},
        "libraries": {name: _version(name) for name in uses["libraries"]},
        "docstrings": docstrings,
    }


def state(path):
    """A word that changes when the result recorded in the JSON file `path` is no longer right.

    Right after a run it is the word that was handed to that run (STATE), so Snakemake, which keeps what it asked for
    before, sees a change only when something read has changed. Without a readable record it is NEW.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        said, uses = found["state"], found["uses"]
        today = now(uses)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return NEW
    if today == uses:
        return said
    return hashlib.sha256(json.dumps([today, found.get("written")], sort_keys=True).encode()).hexdigest()


def handed():
    """The state that Snakemake handed to this process."""
    return os.environ.get(STATE, NEW)


def libraries(names):
    """{distribution: version} of top-level names of modules."""
    from importlib import metadata

    known = metadata.packages_distributions()
    return {library: _version(library) for name in names for library in known.get(name, ())}


def counts(path):
    """Whether a change of a file or folder (an absolute path) may change a result."""
    name = _name(path)
    beyond = (*OF_THE_MACHINE, os.path.realpath(tempfile.gettempdir())) if os.path.isabs(name) else MADE
    return not under(path, OF_PYTHON) and not under(name, beyond) and not _hidden(name)


def _hidden(name):
    return any(part.startswith((".", "__pycache__")) and part != "." for part in name.split(os.sep))


def _name(path):
    """The name of a path in a record: below data/ and the project's root the same on every machine."""
    for top, prefix in ((DATA, "data"), (ROOT, "")):
        if under(path, (top,)):
            return os.path.join(prefix, os.path.relpath(path, top)) if path != top else prefix or "."
    return path


def _path(name):
    if name == "data" or name.startswith("data" + os.sep):
        return DATA + name[len("data") :]
    return os.path.normpath(os.path.join(ROOT, name))


def _source(path):
    """The source of a module's compiled file, any other path as it is."""
    if path.endswith(".pyc") and os.path.basename(os.path.dirname(path)) == "__pycache__":
        return os.path.join(os.path.dirname(os.path.dirname(path)), os.path.basename(path).split(".")[0] + ".py")
    return path


def _file(path, docstrings):
    """What counts of a file, as hex; empty where it cannot be read."""
    try:
        about = os.stat(path)
        if under(path, (ROOT, DATA)):
            return _content(path, docstrings, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    except OSError:
        return ""
    return f"{about.st_size} {about.st_mtime_ns}"  # corpora and models are large


@functools.cache
def _content(path, docstrings, *_about):
    content = Path(path).read_bytes()
    if path.endswith(".py") and not docstrings:
        with contextlib.suppress(SyntaxError, ValueError):  # what is no Python counts as it is
            content = _plain(content.decode("utf-8")).encode()
    return hashlib.sha256(content).hexdigest()


def _plain(source):
    """Python source as the text of its syntax tree, without comments and docstrings; the words of errors may be shown."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def _folder(path):
    """What counts of a folder: its names, beyond the project their sizes and times too; empty where there is none."""
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
        inside = under(path, (ROOT, DATA))
        said = [
            [e.name] if inside else [e.name, e.stat().st_size, e.stat().st_mtime_ns]
            for e in entries
            if counts(os.path.join(path, e.name))
        ]
    except OSError:
        return ""
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@functools.cache
def _version(library):
    from importlib import metadata

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""
