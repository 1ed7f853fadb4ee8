"""Dependency treebanks: UD 2.12, Portuguese-GSD of a later release, Singlish, TwitterAAE."""

from dbutils.corpora import records, store
from dbutils.corpora.examples import TaggedExample, TreeExample
from dbutils.corpora.formats import conllu, ud1

# Treebanks whose text is withheld: the form of every word of the affected sentences is "_".
WITHHELD = ("UD_Mbya_Guarani-Dooley",)


def ud(task, code, split, corpus="ud"):
    """Sentences of one treebank.

    `paper-...` (pos only): every row of the file counts as a token, ranges and empty nodes too, as
    DialectBench's loader had it; otherwise syntactic words only.
    """
    every_row = split.startswith("paper-")
    record = records.find(corpus, code, split.removeprefix("paper-"))
    sentences = conllu.read(store.find(corpus, record.path))
    return _examples(task, sentences, withheld=code in WITHHELD, every_row=every_row)


def gsd_head(task, code, split):
    """The train part of Portuguese-GSD as released after 2.12 (r2.12 has 9615 sentences, this 9616)."""
    return ud(task, code, split, corpus="ud_portuguese_gsd_head")


SINGLISH = {
    "train": "ACL17_dataset/treebank/gold_pos/train.conll",
    "dev": "ACL17_dataset/treebank/gold_pos/dev.conll",
    "test": "ACL17_dataset/treebank/gold_pos/test.conll",
    "train-ext": "TALLIP19_dataset/treebank/gold_pos/train.ext.conll",
    "paper-train": "upstream_split/train.conllu",
    "paper-dev": "upstream_split/dev.conllu",
    "paper-test": "upstream_split/test.conllu",
}


def singlish(task, code, split):
    """Sentences of the Singlish treebank, relations and tags mapped to UD version 2."""
    sentences = conllu.read(store.find("singlish", SINGLISH[split]))
    return _examples(task, (ud1.to_version_2(sentence)[0] for sentence in sentences))


TWITTERAAE = {"test": "aa250_gold.conllu", "test-mainstream": "wh250_gold.conllu", "paper-test": "all500_gold.conllu"}


def twitteraae(task, code, split):
    """Tweets: `test` African-American English, `test-mainstream` the other half, `paper-test` both."""
    return _examples(task, conllu.read(store.find("twitteraae", TWITTERAAE[split])))


def _examples(task, sentences, withheld=False, every_row=False):
    for number, sentence in enumerate(sentences, 1):
        rows = sentence.rows if every_row else sentence.words
        id = sentence.sent_id or str(number)
        tokens = tuple(row[conllu.FORM] for row in rows)
        tags = tuple(row[conllu.UPOS] for row in rows)
        scored = tuple(not (withheld and token == "_") for token in tokens)
        if task == "pos":
            yield TaggedExample(id, tokens, tags, scored)
            continue
        heads = tuple(-1 if row[conllu.HEAD] == "_" else int(row[conllu.HEAD]) for row in rows)
        relations = tuple(conllu.universal(row[conllu.DEPREL]) for row in rows)
        scored = tuple(s and head >= 0 for s, head in zip(scored, heads, strict=True))
        yield TreeExample(id, tokens, tags, heads, relations, scored)
