"""The one exception that means "the input is at fault, and here is the remedy"."""

MOST = 30  # names that one line of an error can list


class InputError(ValueError):
    """Bad input from a user or a file: one line that names the value and the remedy.

    The terminal prints it as it is and exits with status 2; notebooks stop on it.
    """


def counted(number, noun, plural=""):
    """A number with its noun: `1 run`, `2 runs`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def nearest(value, known, n=1):
    """The `n` entries of `known` that look most like `value` (best first, may be empty)."""
    import difflib

    return difflib.get_close_matches(str(value), [str(k) for k in known], n=n, cutoff=0.4)


def unknown(kind, value, known):
    """An InputError for a `value` that is none of `known`, naming the nearest one."""
    known = sorted(map(str, known))
    close = nearest(value, known)
    if close:
        hint = f"did you mean {close[0]!r}?"
    elif len(known) <= MOST:
        hint = "known: " + ", ".join(known)
    else:
        hint = f"known: {', '.join(known[:MOST])} and {len(known) - MOST} more"
    return InputError(f"unknown {kind} {str(value)!r}: {hint}")
