"""Token-per-line files: sentences are blocks of lines between empty lines."""

from dbutils.errors import InputError


def blocks(numbered):
    """The blocks of (number, text) lines, each a non-empty list of (number, text).

    Runs of empty lines separate like one; a line of blanks only counts as empty.
    """
    block = []
    for number, text in numbered:
        if text == "" or text.isspace():
            if block:
                yield block
            block = []
        else:
            block.append((number, text))
    if block:
        yield block


def two_columns(block, name):
    """The tokens and tags of a block whose lines are `token TAB tag`; blanks around a tag are none of it.

    InputError (name:line) for a line that has not exactly two non-empty cells.
    """
    tokens, tags = [], []
    for number, text in block:
        token, _, tag = text.rstrip().partition("\t")
        tag = tag.strip(" ")
        if not (token and tag) or "\t" in tag:
            raise InputError(f"{name}:{number}: expected 'token TAB tag'")
        tokens.append(token)
        tags.append(tag)
    return tokens, tags


def first_and_last(block, name):
    """The tokens and tags of a block whose lines are `token ... tag`, split at spaces.

    Any number of fields may stand between (WikiANN, 282-language form: links, types, confidence).
    """
    tokens, tags = [], []
    for number, text in block:
        fields = text.rstrip(" ").split(" ")
        if len(fields) < 2 or not fields[0] or not fields[-1]:
            raise InputError(f"{name}:{number}: expected 'token ... tag' with spaces between")
        tokens.append(fields[0])
        tags.append(fields[-1])
    return tokens, tags


def prefixed(block, name):
    """The tokens and tags of a block whose lines are `code:token TAB tag`.

    The code ends at the FIRST colon: the token itself may be ":" (WikiANN, 176-language form).
    """
    tokens, tags = [], []
    for number, text in block:
        word, _, tag = text.partition("\t")
        code, colon, token = word.partition(":")
        if not (code and colon and token and tag):
            raise InputError(f"{name}:{number}: expected 'code:token TAB tag'")
        tokens.append(token)
        tags.append(tag.strip())
    return tokens, tags
