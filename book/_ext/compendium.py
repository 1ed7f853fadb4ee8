"""Sphinx extension of the book.

Roles for cells of tables and for text: {best}`94.2`, {worst}`1.3`, {differs}`55.0`, {rep}`Standard
German`. In HTML they are spans of that class (see compendium.css), in LaTeX they are set apart by
weight, slant or line. {flag}`× (never learnt)` is a sign with its name, which HTML shows under the
pointer and reads out.

Interactive figures: a notebook emits a text/html output

    <div class="interactive-figure" aria-label="ALT TEXT"><script type="application/json">
    FIGURE AS PLOTLY JSON (fig.to_json(), with every "<" written as "\\u003c")
    </script></div>

The library is copied from the installed plotly package into the book and loaded only by pages with
such an element, at whatever depth they lie; book/_static/figures.js draws the figure in the colours
of the page.

Also: titles shown in every page's side bar are kept fresh when one page is built anew, pages that
are no longer part of the book are deleted from the output, and repository and launch buttons
appear where GITHUB_REPOSITORY is set (`owner/name`), pointing at the notebooks' sources. The other
files of this folder are set up as extensions.
"""

import fnmatch
import importlib.util
import os
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.roles import Abbreviation
from sphinx_external_toc.api import GlobItem

ROLES = {"best": r"\textbf{#1}", "worst": r"\underline{#1}", "differs": r"\emph{#1}$^{\neq}$", "rep": r"\emph{#1}"}
MARK = 'class="interactive-figure"'
PLOTLY = "vendor/plotly.min.js"


def _role(name):
    def role(_name, rawtext, text, lineno, inliner, options=None, content=None):
        return [nodes.inline(rawtext, text, classes=[name])], []

    return role


class Flag(Abbreviation):
    def run(self):
        found, messages = super().run()
        found[0]["classes"].append("flag")
        return found, messages


def _configure(app, config):
    config.latex_elements.setdefault("preamble", "")
    for name, command in ROLES.items():
        config.latex_elements["preamble"] += f"\\newcommand{{\\DUrole{name}}}[1]{{{command}}}\n"
    repository = os.environ.get("GITHUB_REPOSITORY")
    if repository:
        config.html_theme_options |= {
            "repository_url": f"https://github.com/{repository}",
            "repository_branch": os.environ.get("GITHUB_REF_NAME", "main"),
            "path_to_docs": "book",
            "use_repository_button": True,
            "use_issues_button": True,
            "launch_buttons": {
                "notebook_interface": "jupyterlab",
                "binderhub_url": "https://mybinder.org",
                "colab_url": "https://colab.research.google.com",
            },
        }


def _only_what_the_contents_name(app, config):
    """Leave out sources that the table of contents does not name.

    sphinx-external-toc does the same by a glob that finds nothing where the project's path has a bracket.
    """
    named = set(config.external_site_map)
    items = [item for page in config.external_site_map.values() for tree in page.subtrees for item in tree.items]
    globs = [str(item) for item in items if isinstance(item, GlobItem)]
    for path in Path(app.srcdir).rglob("*.*"):
        name = path.relative_to(app.srcdir)
        bare = name.with_suffix("").as_posix()
        wanted = {name.as_posix(), bare} & named or any(fnmatch.fnmatchcase(bare, pattern) for pattern in globs)
        if path.suffix in config.source_suffix and not wanted:
            config.exclude_patterns.append(name.as_posix())


def _pages_with_stale_sidebar(app, env):
    """All pages, if the tree of pages and titles is not that of the last build."""
    tree = {
        name: (title.astext(), tuple(env.toctree_includes.get(name, ())), str(env.toc_secnumbers.get(name)))
        for name, title in env.titles.items()
    }
    before, env.compendium_tree = getattr(env, "compendium_tree", None), tree
    return [] if before in (None, tree) else sorted(env.found_docs)


def _page(app, pagename, templatename, context, doctree):
    if MARK in context.get("body", ""):
        _copy_plotly(Path(app.outdir) / "_static" / PLOTLY)
        app.add_js_file(PLOTLY, priority=400)
    for button in _links(context.get("header_buttons", [])):
        # The executed notebook is not in the repository; its source is.
        button["url"] = button["url"].replace("book/executed/", "notebooks/")


def _links(buttons):
    for button in buttons:
        yield from _links(button.get("buttons", []))
        if button.get("url", "").startswith("http"):
            yield button


def _copy_plotly(target):
    import plotly

    source = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _delete_old_pages(app, exception):
    if exception is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    keep = {"index", "search", "genindex", *app.env.found_docs}
    for path in out.rglob("*.html"):
        name = path.relative_to(out)
        if name.parts[0] in ("_static", "_sources"):
            continue
        if name.with_suffix("").as_posix() not in keep:
            path.unlink()


def _set_up_the_others(app):
    """The other files of this folder are extensions too, whatever module their names would mean elsewhere."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path != Path(__file__):
            spec = importlib.util.spec_from_file_location(f"compendium_{path.stem}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.setup(app)


def setup(app):
    _set_up_the_others(app)
    for name in ROLES:
        app.add_role(name, _role(name))
    app.add_role("flag", Flag())
    app.connect("config-inited", _configure)
    app.connect("config-inited", _only_what_the_contents_name, priority=950)  # after the contents are read (900)
    app.connect("env-updated", _pages_with_stale_sidebar)
    app.connect("html-page-context", _page, priority=900)
    app.connect("build-finished", _delete_old_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
