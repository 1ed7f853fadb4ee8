"""Entity tags: other schemes to IOB2, and the repair of broken IOB, made explicit."""

from dbutils.errors import InputError

FROM_BIOES = {"O": "O", "B": "B", "I": "I", "E": "I", "S": "B"}


def from_bioes(tags, name="tags", line=1):
    """BIOES tags as IOB2 (S- begins, E- goes on).

    InputError for a tag of another scheme; name and line say where the first tag stands.
    """
    new = []
    for number, tag in enumerate(tags, line):
        part, dash, kind = tag.partition("-")
        if part not in FROM_BIOES or bool(dash) != (part != "O") or (dash and not kind):
            raise InputError(f"{name}:{number}: {tag!r} is not a BIOES tag")
        new.append(FROM_BIOES[part] + dash + kind)
    return new


def check(numbered, kinds):
    """Raise InputError (name:line) unless tags are `O`, or `B-` or `I-` and a type.

    numbered: (place for the message, tag) of each. kinds: the types that there are.
    """
    for place, tag in numbered:
        if tag != "O" and not (tag[:2] in ("B-", "I-") and tag[2:] in kinds):
            raise InputError(f"{place}: {tag!r} is not an IOB tag: O, or B- or I- and one of {', '.join(kinds)}")


def repair(tags):
    """The tags as valid IOB2, and how many were changed.

    An I- that does not go on an entity of its own type begins one (I-X after O, after another
    type, or at the start becomes B-X): the entities are those that conlleval finds in the broken
    tags, so scores by conlleval's rules stay the same.
    """
    new, changed, before = [], 0, "O"
    for tag in tags:
        if tag.startswith("I-") and before[1:] != tag[1:]:
            tag, changed = "B" + tag[1:], changed + 1
        new.append(tag)
        before = tag
    return new, changed


def entities(tags):
    """The entities of IOB2 tags as (type, start, end), end exclusive; a loose I- begins one."""
    found, start = [], None
    for position, tag in enumerate([*tags, "O"]):
        goes_on = start is not None and tag == "I" + tags[start][1:]
        if start is not None and not goes_on:
            found.append((tags[start][2:], start, position))
            start = None
        if tag != "O" and not goes_on:
            start = position
    return found
