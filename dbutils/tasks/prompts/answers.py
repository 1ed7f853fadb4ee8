"""What an answer says, strictly: a label, the number of a choice, a span of the passage; or nothing that counts."""

import re

from dbutils.tasks.prompts.prompt import one_line, prompt

_INVISIBLE = (
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_AROUND = "\"'`*“”‘’«»" + _INVISIBLE
_THOUGHT = re.compile(r"</think(?:ing)?>")


def candidates(task, labels, example):
    """The answers that are possible, as text; () where any span of the passage is."""
    if task == "eqa":
        return ()
    return tuple(str(n) for n in range(1, len(example.choices) + 1)) if task == "mrc" else tuple(map(one_line, labels))


def solution(task, example):
    """The right answer of a training example as text."""
    if task == "eqa":
        return one_line(example.answers[0])
    return str(example.answer + 1) if task == "mrc" else one_line(example.label)


def after_thoughts(text):
    """(What an answer says after the thoughts of a reasoning model, whether it has any).

    Thoughts stand in `<think> ... </think>` before the answer; some servers leave the opening out. Thoughts that do not end
    were cut by the limit of the answer's length, and nothing is said after them.
    """
    *before, rest = _THOUGHT.split(text)
    if before:
        return rest.strip(), True
    return ("", True) if text.lstrip().startswith(("<think>", "<thinking>")) else (text, False)


def parse(task, labels, example, text):
    """The prediction that an answer stands for, None if it is no answer.

    Only its first line that is not empty counts, without the answer's marker, quotation marks and invisible marks around it
    and a full stop.
    A label may be in other letter case than in the label set. The number of a choice is its digits and nothing else. A span
    must stand in the passage as it is, letter case apart.
    """
    answer = first_line(task, text)
    if task == "eqa":
        return next((form for form in (answer, _bare(answer)) if form and _stands(form, example.passage)), None)
    if task == "mrc":
        number = _bare(answer)
        return int(number) - 1 if number in candidates(task, labels, example) else None
    return _label(answer, labels)


def first_line(task, text):
    """The first line of an answer that is not empty, without the answer's marker."""
    line = next((one_line(line) for line in text.splitlines() if line.strip()), "")
    return line.removeprefix(f"{prompt(task).answer}:").strip()


def _bare(text):
    return text.strip(_AROUND).removesuffix(".").strip(_AROUND + " ")


def _stands(text, passage):
    return re.search(re.escape(text), one_line(passage), re.IGNORECASE) is not None


def _label(text, labels):
    for form in (text, _bare(text)):
        if form in labels:
            return form
        same = [label for label in labels if one_line(label).casefold() == form.casefold()]
        if len(same) == 1:
            return same[0]
    return None
