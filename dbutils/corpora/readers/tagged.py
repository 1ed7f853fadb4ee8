"""Part-of-speech corpora that are not treebanks: Arabic tweets, Occitan, Finnish dialects."""

import unicodedata

from dbutils.corpora import store
from dbutils.corpora.examples import TaggedExample
from dbutils.corpora.formats import columns, qcri
from dbutils.corpora.formats import murre as murre_format
from dbutils.corpora.text import lines


def noisy_dialects(task, code, split):
    """Arabic tweets of one dialect (dar-egy, dar-glf, dar-lev, dar-mgr), converted to UPOS on reading."""
    dialect = code.removeprefix("dar-")
    path = store.find("noisy_dialects", f"dialectal_arabic_resources/seg_plus_pos_{dialect}.txt")
    for number, words in qcri.sentences(path):
        tokens, tags = qcri.to_upos(words)
        yield TaggedExample(str(number), tuple(tokens), tuple(tags))


def noisy_occitan(task, code, split):
    """Occitan sentences of ROci, already in UPOS."""
    path = store.find("noisy_occitan", "test_ROci_UPOS.tsv")
    for block in columns.blocks(lines(path)):
        tokens, tags = columns.two_columns(block, path)
        yield TaggedExample(str(block[0][0]), tuple(tokens), tuple(tags))


def murre(task, code, split):
    """Finnish dialect interviews of one region (murre-HÄM, ...), converted to UPOS on reading."""
    region = unicodedata.normalize("NFC", code.removeprefix("murre-"))
    for path in store.matching("murre", "LA-murre-vrt/lam_*.vrt"):
        for number, tokens, tags in murre_format.sentences(path, region):
            yield TaggedExample(f"{path.stem}:{number}", tuple(tokens), tuple(tags))
