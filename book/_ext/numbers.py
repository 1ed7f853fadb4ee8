"""Sphinx extension: numbers in prose come from data, and the paper's tables and figures keep their numbers.

The role {number}`name` becomes the text that dbutils.report.numbers computes for the name; the rule
that writes the generated pages puts them into generated/numbers.json. An unknown name is a warning.
Pages whose numbers have changed since the last build are read again.

A table labelled `tab-4` is Table 4 of the book as of the paper, a figure labelled `fig-11c` is
Figure 11c; every other table and figure is counted through as S1, S2 ... in the order of the book.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

LOG = logging.getLogger(__name__)
FILE = "generated/numbers.json"
OF_THE_PAPER = {"table": re.compile(r"tab-(\d+)"), "figure": re.compile(r"fig-(\d+[a-z]?)")}


class Number(SphinxRole):
    """The text of one number; the page remembers which it used, and their values."""

    def run(self):
        numbers = self.config.numbers_known
        if self.text not in numbers:
            LOG.warning("%s", _unknown(self.text, numbers), location=self.get_location(), type="number")
            return [nodes.problematic(self.rawtext, self.rawtext)], []
        _used(self.env).setdefault(self.env.docname, {})[self.text] = numbers[self.text]
        return [nodes.inline(self.rawtext, numbers[self.text], classes=["from-data"])], []


def _unknown(name, numbers):
    from dbutils.errors import unknown

    return unknown("number", name, numbers) if numbers else f"number {name!r}: {FILE} is not there; run make book"


def _read(app, config):
    path = Path(app.srcdir) / FILE
    config.numbers_known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _used(env):
    if not hasattr(env, "numbers_used"):
        env.numbers_used = {}
    return env.numbers_used


def _outdated(app, env, added, changed, removed):
    """Pages with a number that is not what it was."""
    now = app.config.numbers_known
    return [
        document
        for document, found in _used(env).items()
        if document in env.found_docs and any(now.get(name) != text for name, text in found.items())
    ]


def _forget(app, env, docname):
    _used(env).pop(docname, None)


def _merge(app, env, docnames, other):
    _used(env).update({doc: found for doc, found in _used(other).items() if doc in docnames})


def renumber(numbers, order):
    """Number tables and figures as the paper does; the others S1, S2 ... in the order of the documents.

    numbers: {document: {kind: {label: number}}}, changed in place. order: the documents in book order.
    """
    for kind, pattern in OF_THE_PAPER.items():
        own = 0
        for document in order:
            for label in numbers.get(document, {}).get(kind, {}):
                match = pattern.fullmatch(label)
                own += not match
                numbers[document][kind][label] = (match[1] if match else f"S{own}",)


class References(SphinxPostTransform):
    """The links of the role numref, without Sphinx's reading of the whole page that each leads to."""

    default_priority = 5  # before Sphinx resolves references (10)
    formats = ("html",)

    def run(self, **_):
        domain = self.env.domains["std"]
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node["reftype"] != "numref" or node["refexplicit"]:
                continue
            document, label = domain.anonlabels.get(node["reftarget"], ("", ""))
            for kind, given in self.env.toc_fignumbers.get(document, {}).items():
                if label in given and kind in OF_THE_PAPER:
                    title = self.config.numfig_format[kind]
                    text = title % ".".join(map(str, given[label]))
                    node.replace_self(
                        domain.build_reference_node(
                            self.env.docname,
                            self.app.builder,
                            document,
                            label,
                            text,
                            "numref",
                            nodeclass=addnodes.number_reference,
                            title=title,
                        )
                    )


def _order(env):
    """The documents of the book from the first to the last."""
    found, waiting = [], [env.config.root_doc]
    while waiting:
        document = waiting.pop(0)
        if document not in found:
            found.append(document)
            waiting = [*env.toctree_includes.get(document, ()), *waiting]
    return found


def _spell_out(app, config):
    config.numfig_format.setdefault("figure", "Figure %s")  # as the paper's captions do, not "Fig."


def _renumber(app, builder):
    # Just before writing: the environment on disk keeps Sphinx's own numbers, by which it knows what changed.
    renumber(app.env.toc_fignumbers, _order(app.env))


def setup(app):
    app.add_role("number", Number())
    app.add_post_transform(References)
    app.add_config_value("numbers_known", {}, "")
    app.connect("config-inited", _read)
    app.connect("config-inited", _spell_out, priority=100)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("write-started", _renumber)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
