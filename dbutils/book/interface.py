"""The page of the public interface, from its signatures and docstrings."""

import inspect

HEAD = """(interface)=
# The public interface

What a notebook or a program of your own needs, without knowing how the package is built inside:

```python
import dbutils

# the published scores; add files and run folders of your own
scores = dbutils.load_scores()
# a table that you can sort, join and plot
dbutils.gap(scores, "dep", level="cluster")
# what a model is shown
dbutils.examples("tc", "sandbox", "tal-isle")
# train, predict, score: seconds on constructed varieties
dbutils.run("tc", model="ngram-svm")
```

Tables are pandas DataFrames; values are in per cent. Whatever is wrong with an argument is one line that names it and the
remedy. How the columns of a score row read: {ref}`architecture`; what a number may be made of: {ref}`evidence`.

"""


def interface():
    """{`interface.md`: a section for each name}."""
    from dbutils import api

    return {"interface.md": HEAD + "\n".join(_section(name, getattr(api, name)) for name in api.__all__)}


def _section(name, function):
    return f"## {name}\n\n```python\ndbutils.{name}{inspect.signature(function)}\n```\n\n{inspect.getdoc(function)}\n"
