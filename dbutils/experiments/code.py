"""Which code makes a result: every definition that a learner or a metric reaches, followed by name, as one sha256.

Comments, docstrings, the words of errors and what only shows progress do not count. Of a table by task or by kind of
model ({"pos": ..., "dep": ...}) only the entry in question is followed. What is reached is more than what runs, never
less: a test compares it with what was really called.
"""

import ast
import copy
import functools
import hashlib
import json
import re
import tomllib
from pathlib import Path

from dbutils import TASKS

ROOT = Path(__file__).resolve().parents[2]
# Where errors, files and progress are handled: nothing there shapes a number.
NEUTRAL = ("dbutils.errors", "dbutils.csvio", "dbutils.paths", "dbutils.models.progress")
# Methods of learners and heads that are called when a fitted model predicts, and not before, unless it is selected by them.
PREDICTING = ("predict", "_predictions", "outputs", "prediction", "referred", "translations", "decode")
_NAMED = re.compile(r"(dbutils(?:\.\w+)+):(\w+)")


@functools.cache
def digest(roots, task="", kind="", predicts=True):
    """sha256 over all that is reached from roots, a tuple of (module, name), as hex.

    task, kind: whose entries of tables count. predicts: whether methods that only predict (PREDICTING) count.
    """
    total = hashlib.sha256()
    for (module, name), text in sorted(reached(roots, task, kind, predicts).items()):
        total.update(f"{module}\0{name}\0{text}\0".encode())
    return total.hexdigest()


def reached(roots, task="", kind="", predicts=True):
    """{(module, name): the text of its definition} of all that is reached from roots."""
    found, todo = {}, list(roots)
    while todo:
        key = todo.pop()
        if key in found or key[0].startswith(NEUTRAL) or not _exists(key[0]):
            continue
        here = module(key[0])
        if key[1] == "*":
            todo += [(key[0], name) for name in here.symbols]
            found[key] = ""
        elif key[1] in here.symbols:
            tables = here.tables(key[1])
            found[key], more = here.definition(key[1], task if tables else "", kind if tables else "", predicts)
            todo += more
            for path in sorted(here.path.parent.glob(f"{task}.toml")) if task else ():
                found[(key[0].rpartition(".")[0], path.name)] = json.dumps(
                    tomllib.loads(path.read_text("utf-8")), sort_keys=True
                )
        elif key[1] in here.imports:
            todo.append(here.imports[key[1]])
    return found


def _exists(name):
    return name.partition(".")[0] == "dbutils" and _path(name) is not None


def _path(name):
    base = ROOT / name.replace(".", "/")
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@functools.cache
def module(name):
    """The module of this name as source."""
    return _Module(name)


class _Module:
    """The definitions of a module by name, what it imports, and what an expression in it refers to."""

    def __init__(self, name):
        self.name, self.path = name, _path(name)
        self.symbols, self.imports = {}, {}
        for node in ast.parse(self.path.read_text("utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= _imported(node)
            else:
                for defined in _defined(node) or ("",):  # without a name: done on import
                    self.symbols.setdefault(defined, []).append(node)

    @functools.cache  # noqa: B019  (there is one of each module)
    def tables(self, name):
        """Whether the entries of a definition depend on the task or the kind of model."""
        nodes = (child for node in self.symbols[name] for child in ast.walk(node) if isinstance(child, ast.Dict))
        return any(_by_choice(node) is not None for node in nodes)

    @functools.cache  # noqa: B019
    def definition(self, name, task, kind, predicts):
        """(text, targets) of a definition."""
        nodes = [_Prune(task, kind, predicts).visit(copy.deepcopy(node)) for node in self.symbols[name]]
        targets = dict.fromkeys(target for node in nodes for target in self.targets(node))
        return "\n".join(map(ast.dump, nodes)), tuple(targets)

    def targets(self, node):
        """[(module, name)] of all that a definition refers to."""
        local = {}
        for child in ast.walk(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                local |= _imported(child)
        out, whole = [(self.name, "")], set()
        for child in ast.walk(node):
            if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name):
                target = self._target(child.value.id, local)
                if target and target[1] == "*":
                    out.append((target[0], child.attr))
                    whole.add(child.value)
            elif isinstance(child, ast.Constant) and isinstance(child.value, str):
                out += _NAMED.findall(child.value)
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and child not in whole:
                target = self._target(child.id, local)
                out += [target] if target else []
        return out

    def _target(self, name, local):
        if name in local:
            return local[name]
        return (self.name, name) if name in self.symbols else self.imports.get(name)


def _imported(node):
    """{name: (module, name in it, "*" for the module itself)} of an import of the project's own."""
    out = {}
    for alias in node.names:
        if isinstance(node, ast.Import):
            if alias.name.startswith("dbutils"):
                out[alias.asname or "dbutils"] = (alias.name, "*")
        elif node.module and node.module.startswith("dbutils"):
            inner = f"{node.module}.{alias.name}"
            out[alias.asname or alias.name] = (inner, "*") if _path(inner) else (node.module, alias.name)
    return out


def _defined(node):
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        node = ast.Tuple(targets)
    return [child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)]


class _Prune(ast.NodeTransformer):
    def __init__(self, task, kind, predicts):
        self.task, self.kind, self.predicts = task, kind, predicts

    def _body(self, node):
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node

    def visit_FunctionDef(self, node):
        return self.generic_visit(self._body(node))

    visit_AsyncFunctionDef = visit_Module = visit_FunctionDef

    def visit_ClassDef(self, node):
        node = self._body(node)
        if not self.predicts:
            node.body = [child for child in node.body if getattr(child, "name", "") not in PREDICTING]
        return self.generic_visit(node)

    def visit_Raise(self, node):
        return ast.Raise()

    def visit_Dict(self, node):
        choice = _by_choice(node)
        chosen = getattr(self, choice) if choice else ""
        if chosen:
            kept = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if k.value == chosen]
            node = ast.Dict([k for k, _ in kept], [v for _, v in kept])
        return self.generic_visit(node)


class _Plain(_Prune):
    """As `_Prune`, with the words of errors."""

    def visit_Raise(self, node):
        return self.generic_visit(node)


def _by_choice(node):
    """By what a table is keyed: `task`, `kind` of model, or None for any other."""
    keys = {key.value if isinstance(key, ast.Constant) else None for key in node.keys}
    if len(keys) < 2:
        return None
    return "task" if keys <= set(TASKS) else "kind" if keys <= _kinds() else None


@functools.cache
def _kinds():
    from dbutils.tasks.learners import LEARNERS

    return set(LEARNERS)


def meaning(source):
    """Python source as the text of its syntax tree, without comments and docstrings."""
    return ast.dump(_Plain("", "", True).visit(ast.parse(source)))


def of(function):
    """The root of a function or class: where it is defined, by the name at the top of its module."""
    return function.__module__, function.__qualname__.partition(".")[0]


def parts(function):
    """The roots of each value that a function returns as a tuple written out, one tuple of roots for each; [] if it does not."""
    here = module(function.__module__)
    last = here.symbols[function.__name__][-1].body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple):
        return []
    return [tuple(dict.fromkeys(here.targets(value))) for value in last.value.elts]
