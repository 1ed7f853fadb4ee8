"""The parameters of a notebook: what they are, and what may be wrong with them.

Papermill checks nothing: a misspelt name is only warned about and a list arrives as text. So
every notebook's first code cell after the parameters says

    from dbutils.book import begin
    run = begin(globals())

and `dbutils notebook` and the Snakefile check the same things before a kernel starts.
"""

import ast
import re
from dataclasses import dataclass

from dbutils import SETTINGS
from dbutils.errors import InputError, nearest, unknown

PROFILES = ("sandbox", "paper")


@dataclass(frozen=True)
class Parameter:
    """One parameter: `type` is str, int or list (of text); `help` is one line."""

    name: str
    type: type
    default: object
    help: str


PARAMETERS = (
    Parameter("profile", str, "sandbox", "sandbox: constructed data and tiny models; paper: real ones"),
    Parameter("model", str, "", "model to run, and to show where it has scores; empty: the profile's default"),
    Parameter("settings", list, ["zero_shot"], f"any of {', '.join(SETTINGS)}"),
    Parameter("varieties", list, [], "names or codes of the benchmark or the sandbox; empty: all"),
    Parameter("seed", int, 0, "seed of everything random"),
    Parameter("limit", int, 0, "at most so many examples per variety; 0: no limit"),
    Parameter("runs", str, "runs", "folder of the runs"),
    Parameter("scores", str, "upstream", "upstream, paper, files or runs, with spaces between"),
)
NAMES = tuple(parameter.name for parameter in PARAMETERS)
INJECTED = "# Parameters"  # the first line of the cell that papermill writes


@dataclass(frozen=True)
class Parameters:
    """The checked parameters of one notebook."""

    profile: str
    model: str
    settings: tuple
    varieties: tuple
    seed: int
    limit: int
    runs: str
    scores: str


def cell(**defaults):
    """The source of a notebook's parameters cell; `defaults` replace the usual ones."""
    lines = []
    for parameter in PARAMETERS:
        value = defaults.get(parameter.name, parameter.default)
        text = "[" + ", ".join(_literal(v) for v in value) + "]" if parameter.type is list else _literal(value)
        lines.append(f"{parameter.name}: {parameter.type.__name__} = {text}  # {parameter.help}")
    return "\n".join(lines)


def begin(namespace):
    """Check the parameters in a notebook's globals before any work; returns Parameters.

    Raises InputError for a name in the cells with parameters that is none (one with an underscore is none
    of our business), a parameter that is missing, a wrong type, an unknown profile, setting, variety, model
    or source of scores.
    """
    check_names(_given(namespace))
    for name in NAMES:
        if name not in namespace:
            raise InputError(f"parameter {name!r} is missing from the notebook's parameters cell")
    return check_values({name: namespace[name] for name in NAMES})


def check_names(names, known=NAMES):
    """Raise InputError for the first of `names` that is no parameter, naming the nearest one."""
    for name in names:
        if name not in known:
            close = nearest(name, known)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise InputError(f"unknown parameter {name!r}: {hint}the parameters are {', '.join(known)}")


def check_types(values):
    """Raise InputError for the first value of {name: value} that has the wrong type or form."""
    for parameter in PARAMETERS:
        if parameter.name in values:
            _check_type(parameter, values[parameter.name])


def check_values(values):
    """Check a full {name: value}: types, then every name against what is known.

    Returns Parameters; raises InputError with the nearest known name.
    """
    check_types(values)
    if values["profile"] not in PROFILES:
        raise unknown("profile", values["profile"], PROFILES)
    for setting in values["settings"]:
        if setting not in SETTINGS:
            raise unknown("setting", setting, SETTINGS)
    _check_scores_and_model(values["scores"], values["model"])
    _check_varieties(values["varieties"])
    return Parameters(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def from_text(name, words):
    """The value of parameter `name` from the words of a command line, never guessing a type.

    A list takes all words as text, a text or number exactly one.
    """
    check_names([name])
    kind = next(parameter.type for parameter in PARAMETERS if parameter.name == name)
    if kind is list:
        return list(words)
    if len(words) != 1:
        raise InputError(f"parameter {name!r} takes one value, {len(words)} were given")
    if kind is int:
        if not re.fullmatch(r"\d+", words[0]):
            raise InputError(f"parameter {name!r} must be a whole number from 0, not {words[0]!r}")
        return int(words[0])
    return words[0]


def _literal(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


def assigned(source):
    """{name: node of its value} of what Python source assigns at its top, in order; SyntaxError if it is none."""
    found = {}
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            found |= {target.id: node.value for target in targets if isinstance(target, ast.Name)}
    return found


def _given(namespace):
    """The names that the last cell with parameters assigns, and those that papermill injected after it.

    What else stands in the namespace is none of our business: what the notebook has computed since, when a reader
    runs the cell again, or a user's start-up files.
    """
    names = []
    for source in reversed(namespace.get("In", [])):
        try:
            found = [name for name in assigned(source) if not name.startswith("_")]
        except SyntaxError:  # a line magic
            continue
        injected = source.startswith(INJECTED)
        if injected or set(found) & set(NAMES):
            names += found
        if set(found) & set(NAMES) and not injected:
            break
    return names


def _check_type(parameter, value):
    name = parameter.name
    if parameter.type is list:
        if isinstance(value, tuple):
            value = list(value)
        if not isinstance(value, list):
            raise InputError(f"parameter {name!r} must be a list, not {value!r}; {_list_form(name, value)}")
        for item in value:
            if not isinstance(item, str):
                raise InputError(f"parameter {name!r} holds {item!r}, which is not text; {_quote(item)}")
            if not item.strip():
                raise InputError(f"parameter {name!r} holds an empty text; leave it out")
        twice = [item for item in value if value.count(item) > 1]
        if twice:
            raise InputError(f"parameter {name!r} names {twice[0]!r} twice; name it once")
        if name == "settings" and not value:
            raise InputError(f"parameter 'settings' is empty; name at least one of {', '.join(SETTINGS)}")
    elif parameter.type is int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(
                f"parameter {name!r} must be a whole number from 0, not {value!r}; for papermill: -p {name} 1"
            )
    elif not isinstance(value, str):
        raise InputError(
            f"parameter {name!r} must be text, not {value!r}; {_quote(value)}; for papermill: -r {name} TEXT"
        )
    elif name in ("runs", "scores") and not value.strip():
        raise InputError(f"parameter {name!r} is empty; its default is {parameter.default!r}")


def _list_form(name, value):
    """How to hand a list to papermill, for the value that was given."""
    if isinstance(value, str) and value.strip().startswith("["):
        inner = value.strip()
    elif isinstance(value, str):
        inner = "[" + ", ".join(f"'{part.strip()}'" for part in value.split(",") if part.strip()) + "]"
    else:
        inner = "['...']"
    return f'for papermill: -y "{name}: {inner}"'


def _quote(value):
    """What a value that is not text was before YAML or papermill read it, and the remedy."""
    if isinstance(value, bool):
        words = "true, yes or on" if value else "false, no or off"
        return f"without quotes YAML reads {words} as a boolean: put the code in quotes, such as 'no'"
    if isinstance(value, float) and value != value:
        return "without quotes nan is read as a number: put the code in quotes, such as 'nan'"
    if value is None:
        return "without quotes null is read as nothing: put the code in quotes, such as 'null'"
    if isinstance(value, (int, float)):
        return "without quotes it is read as a number: put the code in quotes, such as '007'"
    return "put it in quotes"


def _check_scores_and_model(sources, model):
    from dbutils import models, scores

    known = set(scores.load(*scores.named(sources))["model"])
    if model and model not in known:
        try:
            models.resolve(model)
        except InputError as error:
            if str(error).startswith("unknown model"):
                raise unknown(f"model of the scores {sources!r} or to run", model, known | set(models.MODELS)) from None
            raise


def _check_varieties(names):
    """Each name is one of the registry's or of the sandbox's."""
    if not names:
        return
    from dbutils import registry, sandbox

    known, constructed = registry.load(), sandbox.names()
    for name in names:
        if name not in known.codes and name not in constructed:
            known.find(name)
