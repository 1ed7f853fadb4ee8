"""The one reader of YAML written by hand: lists of experiments and of notebooks.

Only `true` and `false` are booleans, only decimal numbers are numbers and only `null`, `~` and nothing at all are null: `no`,
`yes`, `on`, `nan`, dates and times of day stay text. A key that stands twice is an error. Whatever is wrong is named with
its line.
"""

import re
from pathlib import Path

import yaml

from dbutils.errors import InputError, unknown


class _Loader(yaml.SafeLoader):
    """YAML 1.2's core schema, without its octal and hexadecimal numbers."""

    yaml_implicit_resolvers = {}  # noqa: RUF012


_WHOLE, _POWER = r"(?:0|[1-9][0-9]*)", r"[eE][-+]?[0-9]+"  # a number with leading zeros is text: a code
for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ["n", "~", ""]),
    ("int", rf"[-+]?{_WHOLE}", "-+0123456789"),
    ("float", rf"[-+]?(?:(?:{_WHOLE}\.[0-9]*|\.[0-9]+)(?:{_POWER})?|{_WHOLE}{_POWER})", "-+.0123456789"),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), list(_first))


class Yaml:
    """A YAML file: `value`, and the line of whatever is in it."""

    def __init__(self, path):
        self.path, self.lines = Path(path), {}
        try:
            loader = _Loader(self.path.read_text(encoding="utf-8-sig"))
            node = loader.get_single_node()
            if node is not None:
                self._note(node, ())
            self.value = None if node is None else loader.construct_document(node)
        except FileNotFoundError:
            raise InputError(f"{path}: no such file") from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = " ".join(str(part) for part in (error.context, error.problem) if part)
            raise InputError(f"{path}:{mark.line + 1 if mark else 1}: {' '.join(what.split())}") from None
        except InputError:
            raise
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
            raise InputError(f"{path}: {' '.join(str(error).split())}") from None

    def _note(self, node, where):
        """Note the lines of a node and all below it; InputError for a key that stands twice."""
        self.lines.setdefault(where, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            for number, child in enumerate(node.value):
                self._note(child, (*where, number))
        elif isinstance(node, yaml.MappingNode):
            seen = {}
            for key, child in node.value:
                line = key.start_mark.line + 1
                if key.value in seen and isinstance(key, yaml.ScalarNode):
                    raise InputError(f"{self.path}:{line}: {key.value!r} stands twice, in line {seen[key.value]} too")
                if isinstance(key, yaml.ScalarNode):
                    seen[key.value] = line
                    self.lines[(*where, key.value)] = line
                    self._note(child, (*where, key.value))

    def at(self, *where):
        """`file:line` of what stands there, or of the nearest around it."""
        while where and where not in self.lines:
            where = where[:-1]
        return f"{self.path}:{self.lines.get(where, 1)}"

    def checked(self, record, wanted):
        """The value as a record of pydantic; InputError with file, line and field for the first that is wrong.

        wanted: {field: what it must be}.
        """
        from pydantic import ValidationError

        try:
            return record.model_validate(self.value)
        except ValidationError as error:
            # a misspelt field before the one that is missing for it
            first = min(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
        where = tuple(part for part in first["loc"] if (part in wanted) or isinstance(part, int))
        whole = bool(first["loc"]) and isinstance(first["loc"][-1], int)  # an entry that is none
        name = "" if whole else next((part for part in reversed(first["loc"]) if part in wanted), "")
        entry = next((f"entry {part + 1}: " for part in first["loc"] if isinstance(part, int)), "")
        if first["type"] == "missing":
            raise InputError(f"{self.at(*where[:-1])}: {entry}field {first['loc'][-1]!r} is missing")
        if first["type"] == "extra_forbidden":
            odd = unknown("field", first["loc"][-1], _fields(record, first["loc"][:-1]))
            raise InputError(f"{self.at(*first['loc'])}: {entry}{odd}")
        value = first["input"]
        told = f"{name} {value!r} is not {wanted[name]}" if name else f"{value!r} is not {wanted['']}"
        raise InputError(f"{self.at(*where)}: {entry}{told}")


def _fields(record, where):
    """The fields of the record that stands somewhere inside another."""
    if "root" in record.model_fields:
        record = _inner(record.model_fields["root"].annotation)
    for part in where:
        if isinstance(part, str) and part in record.model_fields:
            record = _inner(record.model_fields[part].annotation)
    return record.model_fields


def _inner(annotation):
    """The record in an annotation such as list[Entry]."""
    from typing import get_args

    while get_args(annotation):
        annotation = get_args(annotation)[0]
    return annotation
