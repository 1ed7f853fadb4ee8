"""Where in the book a task, a table and a figure is."""

from dbutils.registry import TASK_FACTS


def title(name):
    """A cluster's name as a heading: only the first letter is made a capital."""
    return name[:1].upper() + name[1:]


def table(number):
    """A link to a table of the paper, which has its number here too.

    Not the role numref: for each use of it Sphinx reads the whole page of the table again.
    """
    return f"{{ref}}`Table {number} <tab-{number}>`"


def figure(number):
    """A link to a figure of the paper, which has its number here too."""
    return f"{{ref}}`Figure {number} <fig-{number}>`"


def sources(task):
    """Links to the notebook and the result tables of a task."""
    tables = " and ".join(table(n) for n in TASK_FACTS[task].result_tables)
    return f"{{ref}}`nb-{TASK_FACTS[task].notebook}`, {tables}"
