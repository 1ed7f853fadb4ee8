"""Named entities: WikiANN in its two forms, its one-sentence samples, Norwegian NER.

All tags come out as valid IOB2 (formats/iob.py says what a repair does).
"""

from dbutils.corpora import store
from dbutils.corpora.examples import TaggedExample
from dbutils.corpora.formats import columns, iob
from dbutils.corpora.formats.members import lines_in_tar, lines_in_zip
from dbutils.corpora.text import lines
from dbutils.errors import InputError

KINDS = ("LOC", "ORG", "PER")  # of WikiANN


def wikiann_og(task, code, split):
    """The 282-language form: one file without splits per code, all of it test. `jam` is empty."""
    path = store.find("wikiann_og", f"{code}.tar.gz")
    return _examples(lines_in_tar(path, f"wikiann-{code}.bio"), columns.first_and_last, path)


def wikiann(task, code, split):
    """The balanced 176-language form: files train, dev and test in one archive per code."""
    path = store.find("wikiann", f"{code}.tar.gz")
    return _examples(lines_in_tar(path, split), columns.prefixed, path)


def wikiann_sample(task, code, split):
    """One sentence per split and code, in the 176-language form."""
    path = store.find("wikiann_sample", f"datasets/wikiann/dummy/{code}/1.1.0/dummy_data.zip")
    return _examples(lines_in_zip(path, f"dummy_data/{code}.tar.gz/{split}"), columns.prefixed, path)


def _examples(numbered, split_row, name):
    for block in columns.blocks(numbered):
        tokens, tags = split_row(block, name)
        iob.check(((f"{name}:{line}", tag) for (line, _), tag in zip(block, tags, strict=True)), KINDS)
        yield TaggedExample(str(block[0][0]), tuple(tokens), tuple(iob.repair(tags)[0]))


def norwegian_ner(task, code, split):
    """Norwegian NER, BIOES tags turned into IOB2; types GEO, ORG, OTH and PRS (the paper's PER).

    Samnorsk joins the two standards. Its own train file holds both dev sets, so its `sound-...`
    splits join the files of the two standards instead.
    """
    if split.startswith("sound-"):
        part = split.removeprefix("sound-")
        if code == "samnorsk":
            return _samnorsk(task, part)
        split = part
    return _norwegian(store.find("norwegian_ner", f"{code}/no_{code}-ud-{split}.bioes"))


def _samnorsk(task, split):
    for standard in ("bokmaal", "nynorsk"):
        for example in norwegian_ner(task, standard, split):
            yield TaggedExample(f"{standard}:{example.id}", example.tokens, example.tags)


def _norwegian(path):
    for block in columns.blocks(lines(path)):
        rows = [(n, text.split("\t")) for n, text in block if not (text.startswith("#") and "\t" not in text)]
        for number, row in rows:
            if len(row) != 5:
                raise InputError(f"{path}:{number}: {len(row)} columns where 5 were expected")
        if not rows:
            continue
        tags = iob.from_bioes([row[4].strip() for _, row in rows], path, rows[0][0])
        tokens = tuple(row[1] for _, row in rows)
        yield TaggedExample(str(rows[0][0]), tokens, tuple(iob.repair(tags)[0]))
