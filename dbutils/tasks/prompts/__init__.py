"""The prompts of in-context learning: a file per task, the renderer, and what an answer says.

    >>> from dbutils.tasks.prompts import prompt
    >>> prompt("sa").answer
    'Label'

A prompt is an instruction, solved exemplars and the item, each a block of lines "Marker: value", the blocks apart by an
empty line; the item's last line holds the answer's marker only. Whatever stands in a text, it cannot break that frame:
values are put together with the rest, never searched for placeholders, and every stretch of white space in them, line breaks
too, becomes one blank, so that a value stays on the line of its marker and only the frame's own markers begin a line.
"""

from dbutils.tasks.prompts.answers import after_thoughts, candidates, parse, solution
from dbutils.tasks.prompts.exemplars import choose, shown
from dbutils.tasks.prompts.prompt import FILES, PROMPTED, Prompt, one_line, prompt

__all__ = [
    "FILES",
    "PROMPTED",
    "Prompt",
    "after_thoughts",
    "candidates",
    "choose",
    "one_line",
    "parse",
    "prompt",
    "shown",
    "solution",
]
