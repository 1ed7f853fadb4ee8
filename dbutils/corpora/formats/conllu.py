"""CoNLL-U (and its older sisters with ten columns): sentences as they stand, read and written.

Format: https://universaldependencies.org/format.html. Rows are split at tabs only (forms hold
spaces), `_` in the form column is text, ranges (`6-7`) and empty nodes (`24.1`) are kept as rows.
"""

from dataclasses import dataclass

from dbutils.corpora.text import lines
from dbutils.errors import InputError

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its comment lines and all rows (tuples of ten columns) in file order.

    line: number of its first line in the file.
    """

    line: int
    comments: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def words(self):
        """The rows of syntactic words: no ranges, no empty nodes."""
        return tuple(row for row in self.rows if row[0].isdecimal())

    @property
    def sent_id(self):
        """The value of the comment `# sent_id`, "" if there is none."""
        for comment in self.comments:
            name, _, value = comment.removeprefix("#").partition("=")
            if name.strip() == "sent_id":
                return value.strip()
        return ""


def read(path):
    """The sentences of a file, lazily.

    InputError (file:line) for a row without ten columns or without id, word ids that do not count
    1, 2, 3 ..., and heads that are neither `_` nor a word of the sentence. A byte order mark at
    the start of a line is dropped (joined files keep those of their parts).
    """
    comments, rows, start, expected = [], [], 0, 1
    for number, line in lines(path):
        line = line.removeprefix("\ufeff")
        if line == "" or line.isspace():
            if rows:
                yield _sentence(path, start, comments, rows, expected)
            comments, rows, expected = [], [], 1
        elif line[0] == "#" and not rows:
            if not comments:
                start = number
            comments.append(line)
        else:
            row = tuple(line.split("\t"))
            if len(row) != 10:
                raise InputError(f"{path}:{number}: {len(row)} columns where a CoNLL-U row has 10")
            if row[0] == str(expected):
                expected += 1
            elif not _between_words(row[0]):
                raise InputError(f"{path}:{number}: word id {row[0]!r} where {expected} was expected")
            if not rows and not comments:
                start = number
            rows.append(row)
    if rows:
        yield _sentence(path, start, comments, rows, expected)


def _between_words(id):
    first, dash, last = id.partition("-")
    if dash:
        return first.isdecimal() and last.isdecimal()
    first, dot, last = id.partition(".")
    return bool(dot) and first.isdecimal() and last.isdecimal()


def _sentence(path, start, comments, rows, expected):
    for offset, row in enumerate(rows):
        head = row[HEAD]
        if head != "_" and row[0].isdecimal() and not (head.isdecimal() and int(head) < expected):
            line = start + len(comments) + offset
            raise InputError(f"{path}:{line}: head {head!r} is no word of this sentence")
    return Sentence(start, tuple(comments), tuple(rows))


def write(sentence):
    """The text of one sentence, with the empty line that ends it."""
    return "\n".join((*sentence.comments, *("\t".join(row) for row in sentence.rows))) + "\n\n"


def universal(relation):
    """A relation without its language-specific subtype: `aux:part` is `aux`."""
    return relation.partition(":")[0]
