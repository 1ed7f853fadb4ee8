"""What a figure of the report is, and what all of them say about their scores."""

from collections.abc import Callable
from dataclasses import dataclass

from dbutils import names, registry
from dbutils.analysis.rounding import half_even
from dbutils.errors import InputError
from dbutils.scores import cells, flags


@dataclass(frozen=True)
class PaperFigure:
    """One figure, or one panel of a figure, of the paper (and `world`, which is beyond it).

    draw, interactive, alt, caption and frame are functions of a table of score rows. They raise InputError if
    the scores lack what the figure shows.
    """

    id: str
    title: str
    draw: Callable  # -> matplotlib Figure
    alt: Callable  # -> str: what is shown, how many, the extremes with their values, the main pattern
    caption: Callable  # -> str: what is drawn, by which convention
    frame: Callable  # -> pandas DataFrame: a row per bar, point or cell that is drawn, with its values
    interactive: Callable = lambda scores: None  # -> plotly Figure, or None where the static one has it all
    behind: Callable = lambda scores: (
        None
    )  # -> (labels of the score rows behind it, what was looked for) for `cells.told`
    tasks: tuple[str, ...] = ()  # task codes that the scores must have


def metric_names(metrics):
    """`F1`, `accuracy or F1`."""
    return " or ".join(names.metric(m) for m in metrics)


def need(scores, number, task):
    """InputError if the scores have no benchmark row of `task`."""
    have = cells.present(scores, "task")
    if task not in have:
        rest = ", ".join(sorted(have)) or "no task of the benchmark"
        raise InputError(f"figure {number} needs scores of task {task!r}; these have {rest}")


def task_name(task):
    """`dependency parsing`; translation with its level: `machine translation, regions`."""
    base, _, level = task.partition("-")
    name = registry.load().tasks.at[base, "long_name"]
    name = name[0].lower() + name[1:]
    return f"{name}, {level}s" if level else name


def task_title(task):
    """The same with a capital."""
    name = task_name(task)
    return name[0].upper() + name[1:]


def percent(value):
    """A number with one decimal, rounded as the tables round."""
    return f"{half_even(value, 1):.1f}"


def hover(text):
    """Text for a plotly label, in which `<` would begin markup."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def common_flags(several):
    """The flags that all of these numbers have: said once in the caption, not at each of them."""
    several = list(several)
    return tuple(f for f in flags.together(*several) if all(f in have for have in several))


def own_flags(have, common):
    """The flags of one number that not all of the picture have."""
    return tuple(f for f in have if f not in common)


def signed(name, have, common=()):
    """A name with the signs of the flags that not all have."""
    return " ".join(part for part in (name, flags.marks(own_flags(have, common))) if part)


def faults(several):
    """What the known faults of the numbers of a picture are, as the end of its caption; "" for none."""
    several = list(several)
    common, have = common_flags(several), flags.together(*several)
    said = [
        f"{flags.FLAGS[f].mark} {flags.FLAGS[f].name} ({flags.FLAGS[f].sentence.rstrip('.')})"
        for f in own_flags(have, common)
    ]
    text = f" Marked beside the name: {'; '.join(said)}." if said else ""
    return text + "".join(f" Of all of them: {flags.FLAGS[f].sentence}" for f in common)
