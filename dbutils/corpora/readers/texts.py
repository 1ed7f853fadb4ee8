"""What the readers of labelled texts share."""

from dbutils.corpora import splits
from dbutils.corpora.examples import TextExample
from dbutils.errors import InputError

MISSING = "[UNK]"  # what DialectBench put in place of an empty text


def label(path, line, word, labels):
    """The label that a file's word stands for; InputError (file:line) if it is none of `labels`."""
    if word not in labels:
        raise InputError(f"{path}:{line}: unknown label {word!r}; known: {', '.join(labels)}")
    return labels[word]


def seeded(found, split):
    """Splits of a corpus that has none: `train`, `dev`, `test` ours, `paper-...` like the paper's."""
    if split.startswith("paper-"):
        return splits.stand_in(found, split.removeprefix("paper-"))
    return splits.sound(found, split)


def phantom(id, label):
    """The empty row that splitting a file at line ends yields after its last line.

    DialectBench kept it, labelled; only the paper's splits have it.
    """
    return TextExample(id, MISSING, label)
