"""The notebooks of the book as jobs: notebooks/matrix/book.yaml."""

from pydantic import BaseModel, ConfigDict, RootModel

from dbutils.errors import InputError
from dbutils.yamlio import Yaml

_Value = str | int | float | bool


class Entry(BaseModel):
    """A notebook with its parameters. variant: tells it from others of the same notebook."""

    model_config = ConfigDict(extra="forbid", strict=True)

    notebook: str
    variant: str = ""
    parameters: dict[str, _Value | list[_Value]] = {}  # noqa: RUF012  (pydantic copies it)

    @property
    def name(self):
        """The name of the finished notebook."""
        return f"{self.notebook}-{self.variant}" if self.variant else self.notebook


class _List(RootModel):
    root: list[Entry]


WANTED = {
    "": "a notebook; write a list of entries like '- notebook: summary'",
    **dict.fromkeys(("notebook", "variant"), "text: put it in quotes"),
    "parameters": "a table of parameters such as {scores: paper}",
}


def jobs(path):
    """{name of the finished notebook: Entry} of a list; InputError names file and line."""
    file, out = Yaml(path), {}
    for number, entry in enumerate(file.checked(_List, WANTED).root):
        if entry.name in out:
            raise InputError(f"{file.at(number)}: {entry.name} stands twice; give one of them a variant")
        out[entry.name] = entry
    return out


def words(entry):
    """The parameters of an Entry as words of `dbutils notebook`; codes stay text."""
    out = []
    for key, value in entry.parameters.items():
        values = value if isinstance(value, list) else [value]
        out += ["-p", key, *(str(one).lower() if isinstance(one, bool) else str(one) for one in values)]
    return out
