"""Tables that hand-written pages include: 1 (tasks) and 2 (settings)."""

from dbutils.report.numbers import published
from dbutils.report.tables import myst

INCLUDED = (1, 2)


def fragments():
    """{`tab-N.md`: the table as a labelled directive}."""
    return {f"tab-{n}.md": myst(published().table(n)) for n in INCLUDED}
