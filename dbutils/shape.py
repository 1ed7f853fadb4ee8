"""Checking a record against a pydantic type, so that a broken value is named by place, field and value."""

import pydantic

from dbutils.errors import InputError, nearest

SAID = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "string_type": "must be text",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "dataclass_type": "must be a table",
    "model_type": "must be a table",
}
EMPTY = ("missing", "string_too_short", "too_short")
SURPLUS = ("extra_forbidden", "unexpected_keyword_argument")


class Shape(pydantic.BaseModel):
    """A record whose fields must have just the declared types: no text for a number, no number for a text.

    Fields that are not declared are passed over.
    """

    model_config = pydantic.ConfigDict(strict=True)


def checked(kind, value, where):
    """A value as pydantic's TypeAdapter `kind` has it; InputError `where: field ...` for the first thing wrong with it."""
    try:
        return kind.validate_python(value)
    except pydantic.ValidationError as error:
        raise InputError(f"{where}: {_said(kind, error.errors(include_url=False)[0])}") from None


def _said(kind, wrong):
    path = [part for part in wrong["loc"] if isinstance(part, int) or "[" not in part]  # less the branches of unions
    field, found = _field(path), _short(wrong["input"])
    if wrong["type"] in SURPLUS:
        close = nearest(path[-1], [f["name"] for f in kind.core_schema.get("schema", {}).get("fields", ())])
        return f"unknown field {path[-1]!r}" + (f", did you mean {close[0]!r}?" if close else "")
    if wrong["type"] == "value_error":
        text = str(wrong["ctx"]["error"])
        return f"field {field!r}: {text}" if path else text
    what = SAID.get(wrong["type"]) or wrong["msg"][:1].lower() + wrong["msg"][1:]
    if not path:
        return f"{found} {what}"
    if wrong["type"] in EMPTY:
        return f"field {field!r} is missing or empty"
    return f"field {field!r}: {found} {what}"


def _field(path):
    """`data[0].answers` of a pydantic location."""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def _short(value):
    text = ascii(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
