"""The score against pseudo-references beside the one against true references, one point per variety."""

import numpy as np

from dbutils.experiments import pseudo
from dbutils.report import style
from dbutils.report.figures.base import percent
from dbutils.report.figures.own import MARKS


class TrueAndPseudo:
    """draw, alt and caption are functions of an `experiments.notebook.NotebookRuns`; InputError where there is nothing to draw."""

    @staticmethod
    def frame(mine):
        return pseudo.compared(mine)

    @staticmethod
    def draw(mine):
        table = pseudo.compared(mine)
        with style.context():
            figure = style.canvas(style.WIDTH * 0.75, 4)
            axis = figure.subplots()
            axis.plot([0, 100], [0, 100], color=style.MUTED, linewidth=0.8, zorder=0)
            for place, (cluster, part) in enumerate(table.groupby("cluster", sort=False)):
                look = dict(color=style.SERIES[place % len(style.SERIES)], marker=MARKS[place % len(MARKS)])
                across, up = (_bars(part, name) for name in ("true", "pseudo"))
                look |= dict(linestyle="none", markersize=4, elinewidth=0.8, label=cluster)
                axis.errorbar(part["true"], part.pseudo, up, across, **look)
            axis.set_xlim(0, 100)
            axis.set_ylim(0, 102)
            axis.set_xlabel("BLEU against true references")
            axis.set_ylabel("BLEU against pseudo-references")
            axis.grid(axis="both")
            axis.legend(loc="lower right", title="cluster", title_fontsize=style.TEXT)
            figure.tight_layout()
        return figure

    @staticmethod
    def alt(mine):
        table = pseudo.compared(mine)
        high, low = table.loc[table.difference.idxmax()], table.loc[table.difference.idxmin()]
        above = int((table.difference > 0).sum())
        return (
            f"Points with intervals and the line of equal scores: {above} of {len(table)} varieties lie above it. "
            f"Farthest above is {high.variety} ({percent(high.pseudo)} against pseudo-references, {percent(high.true)} against "
            f"true ones), farthest below or least above {low.variety} ({percent(low.pseudo)}, {percent(low.true)})."
        )

    @staticmethod
    def caption(mine):
        return (
            f"The same translations by {mine.model} scored against true references and against its own translation of the "
            "standard's sentence. On the line both scores are equal; bars are 95 % intervals."
        )


def _bars(part, name):
    low, high = (part[f"{name}_{side}"].astype(float).fillna(part[name]) for side in ("low", "high"))
    return np.maximum([part[name] - low, high - part[name]], 0)
