"""Universal Dependencies version 1 and hand-made slips, mapped to version 2 (Singlish treebank).

Nothing is dropped: every change is counted under a name of the form `relation: dobj -> obj`.
Sources: https://universaldependencies.org/v2/summary.html for the renamed relations; for the slips,
the re-split of the same trees that DialectBench used (its relations are already those of version 2).
"""

from collections import Counter

from dbutils.corpora.formats.conllu import DEPREL, HEAD, UPOS, XPOS, Sentence

UPOS_2 = {"CONJ": "CCONJ"}

RELATIONS_2 = {
    "dobj": "obj",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "mwe": "fixed",
    "name": "flat",
    "foreign": "flat:foreign",
    "neg": "advmod",
    "remnant": "orphan",
    "dup": "compound:redup",
}

# Slips of the annotators in TALLIP19 train.ext: typed wrongly, or a tag in the relation column.
SLIPS = {
    "ADJ": "amod",
    "ADP": "mark",
    "comound": "compound",
    "compount": "compound",
    "compount:prt": "compound:prt",
    "iboj": "iobj",
    "mmod": "nmod",
    "mod": "advmod",
    "nmod:npmpd": "nmod:npmod",
    "paratixis": "parataxis",
    "part": "mark",
    "rooot": "root",
    "sux": "aux",
}


def to_version_2(sentence):
    """A sentence in UD version 2 labels, and a Counter of what was changed.

    Besides names: the word whose head is 0 gets the relation `root`; `root` on a word with another
    head becomes `dep`; a tag that is the word `root` is replaced by the language-specific tag.
    """
    changes, rows = Counter(), []
    for row in sentence.rows:
        new = list(row)
        new[UPOS] = _tag(row)
        new[DEPREL] = _relation(row)
        for column, name in ((UPOS, "tag"), (DEPREL, "relation")):
            if new[column] != row[column]:
                changes[f"{name}: {row[column]} -> {new[column]}"] += 1
        rows.append(tuple(new))
    return Sentence(sentence.line, sentence.comments, tuple(rows)), changes


def _tag(row):
    tag = row[XPOS] if row[UPOS] == "root" else row[UPOS]
    return UPOS_2.get(tag, tag)


def _relation(row):
    if row[HEAD] == "0":
        return "root"
    relation = SLIPS.get(row[DEPREL], row[DEPREL])
    return "dep" if relation == "root" else RELATIONS_2.get(relation, relation)
