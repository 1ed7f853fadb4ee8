"""The page of the constructed varieties: who they are, how far apart, and how a sentence changes on the way."""

from dbutils import sandbox
from dbutils.report.markup import md
from dbutils.report.tables import directive

ITEM = "test-0010"
WAYS = ("tal-isle", "mir-high", "orv-east")  # one variety of each cluster whose derivation is told
HEAD = """(constructed)=
# The constructed varieties

Experiments on real varieties need corpora, licences and large models. The {term}`sandbox` needs none: its varieties are inventions of this
project, made when they are asked for. A small grammar says the same meanings in a first variety; the others derive from it by rules that have names
and strengths, as sound changes, new words, other endings and another word order have made real varieties out of common ones. So the distance of a variety
from its relatives is known and can be turned up and down, the same sentences exist in all of them, and the right answers of all ten tasks are known
without annotators.

They are no human languages, and no score on them enters a table of the benchmark. What they are good for: to see how an experiment works, to
try a model before it is given days of computing, and to see a gap grow with distance when nothing else differs.

```bash
dbutils sandbox                                      # the varieties
dbutils sandbox mir-high --item test-0010            # how a sentence came about
dbutils examples nli --corpus sandbox --code tal-low --split train --limit 3
```

"""
SENTENCE = """
## One sentence in all of them

*{english}*

"""
WAY = """
## From meaning to sentence

Each step is a rule that changed the sentence; the lines are its parts and what they mean.

"""


def constructed():
    """{`constructed.md`: the page}."""
    rows = sandbox.overview(item=ITEM)
    english = sandbox.explain(sandbox.SOURCE, ITEM).english
    return {
        "constructed.md": HEAD
        + _clusters(rows)
        + SENTENCE.format(english=md(english))
        + _sentences(rows)
        + WAY
        + "\n".join(map(_way, WAYS))
    }


def _clusters(rows):
    lines = [
        [
            f"`{r['code']}`",
            md(r["variety"]),
            md(r["cluster"]),
            "yes" if r["representative"] else "",
            str(r["train"]),
            f"`{r['parent']}`" if r["parent"] else "",
            *(f"{r[key]:.2f}" for key in ("from_source", "from_source_romanised", "from_representative")),
        ]
        for r in rows
    ]
    headings = [
        "code",
        "variety",
        "cluster",
        "representative",
        "training examples",
        "derives from",
        "distance from talvo",
        "the same in one script",
        "distance from the representative",
    ]
    caption = (
        "The constructed varieties. A distance is the mean normalised edit distance between parallel sentences of the test split, 0 for the same text. "
        "talvo plays the part of English."
    )
    return directive(headings, lines, caption, "tab-constructed", [False] * 4 + [True, False, True, True, True])


def _sentences(rows):
    lines = [[f"`{r['code']}`", md(r["variety"]), md(r["sentence"]), md(r["rules"])] for r in rows]
    caption = "The same meaning in each variety, and the rules that a variety has on top of those of the one that it derives from, with their strengths before the dial."
    return directive(["code", "variety", "sentence", "rules"], lines, caption, "tab-constructed-sentences")


def _way(code):
    return f"### {md(sandbox.variety(code).name)}\n\n```text\n{sandbox.explain(code, ITEM)}\n```\n"
