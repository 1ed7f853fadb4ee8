"""MCTest: stories with four questions of four choices, answers in a second file."""

from dbutils.corpora.formats import tables
from dbutils.corpora.formats.choices import Question
from dbutils.errors import InputError

LETTERS = "ABCD"


def read(path, answers):
    """The questions of a .tsv file with the letters of its .ans file.

    Story texts hold `\\newline` and `\\tab` for line ends and tabs; questions begin with `one:` or
    `multiple:` (how many sentences one needs), which is cut off.
    """
    letters = tables.plain(answers, 4)
    for line, cells in tables.plain(path, 23):
        at, row = next(letters, (line, None))
        if row is None or not all(letter.strip() in LETTERS and letter.strip() for letter in row):
            raise InputError(f"{answers}:{at}: no four letters A to D for story {cells[0]!r}")
        story = _unescape(cells[2])
        for number in range(4):
            first = 3 + 5 * number
            kind, _, question = cells[first].partition(":")
            if kind.strip() not in ("one", "multiple"):
                raise InputError(
                    f"{path}:{line}: question {cells[first]!r} begins neither with one: nor with multiple:"
                )
            choices = tuple(_unescape(cell) for cell in cells[first + 1 : first + 5])
            right = LETTERS.index(row[number].strip())
            yield Question(f"{cells[0]}.{number + 1}", cells[0], story, question.strip(), choices, (right,))


def _unescape(text):
    return text.replace("\\newline", "\n").replace("\\tab", "\t").strip()
