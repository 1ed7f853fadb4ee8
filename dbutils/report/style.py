"""How every figure looks: sizes for a book 7.5 inches wide, colours that colour-blind readers tell apart.

Colours: Okabe and Ito's palette (jfly.uni-koeln.de/color); the marks that matter differ in form too
(stripes, shape), so that a figure also reads in grey. The ground is white, on a dark page a white card.
"""

import contextlib
import functools

WIDTH = 7.5  # inches
DPI = 200

INK = "#1f2328"
MUTED = "#57606a"
GRID = "#e3e6ea"
PAPER = "#ffffff"
BLUE = "#0072b2"
PALE_BLUE = "#c5e0f1"
ORANGE = "#c44e00"
PALE_ORANGE = "#f8d6c0"
SHADE = "#fbe9a9"
SEQUENCE = ("#e6f1f9", "#9cc9e6", "#3d93c9", "#0a5c94", "#07355a")  # few to many
GREEN, PINK, SKY = "#009e73", "#cc79a7", "#56b4e9"
YELLOW = "#f2b705"  # points that a shade's colour marks
SERIES = (BLUE, ORANGE, GREEN, PINK, SKY, INK)  # of clusters in one's own runs
RUNS = (ORANGE, GREEN, "#a3498a", "#6b5fc7")  # of runs among published points
# Of clusters on a map: told apart with any colour vision, on white and on black.
CLUSTERS = (BLUE, "#e69f00", GREEN, PINK, "#d55e00", SKY, "#7b6fd0", "#999933")
SEA, LAND, LAKE = "#f4f8fb", "#dedcd5", "#dcebf5"

TITLE, TEXT, SMALL = 11, 8, 7  # points; nothing is set smaller than SMALL

SETTINGS = {
    "axes.edgecolor": MUTED,
    "axes.facecolor": PAPER,
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": TITLE,
    "figure.dpi": DPI,
    "figure.facecolor": PAPER,
    "font.size": TEXT,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.9,
    "legend.fontsize": TEXT,
    "legend.frameon": False,
    "savefig.facecolor": PAPER,
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": INK,
    "ytick.labelsize": SMALL,
    "text.parse_math": False,  # a dollar in the name of a model is a dollar
    # the same bytes, and the same look on a machine without the fonts
    "svg.fonttype": "path",
    "svg.hashsalt": "dbutils",
    "pdf.fonttype": 42,
}


@contextlib.contextmanager
def context(settings=SETTINGS):
    """Matplotlib in this style (or in other settings) and with the bundled fonts, inside the block only."""
    import matplotlib

    from dbutils.report import fonts

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        fonts.register()
        yield


def canvas(width, height):
    """A matplotlib Figure of this size in inches that can measure its texts (call within `context`)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DPI)
    FigureCanvasAgg(figure)
    return figure


@functools.cache
def measure(text, size=SMALL, linespacing=1.2):
    """(width, height) in inches of a text set at `size` points (call within `context`)."""
    figure, renderer = _scratch()
    artist = figure.text(0, 0, text, fontsize=size, linespacing=linespacing)
    box = artist.get_window_extent(renderer)
    artist.remove()
    return box.width / figure.dpi, box.height / figure.dpi


@functools.cache
def _scratch():
    figure = canvas(1, 1)
    return figure, figure.canvas.get_renderer()


def heading(figure, title):
    """The figure's title, top left, on a line of its own (HEAD inches high)."""
    width, height = figure.get_size_inches()
    figure.text(0.08 / width, 1 - 0.06 / height, title, fontsize=TITLE, fontweight="bold", va="top", ha="left")


HEAD = 0.3
KEY_ROW = 0.19  # height of a row of the legend, in inches


def legend_columns(texts):
    """How many keys with these texts stand side by side on the page."""
    widths = [measure(text, TEXT)[0] + 0.5 for text in texts]
    for columns in range(len(widths), 1, -1):
        if sum(max(widths[i::columns]) for i in range(columns)) < WIDTH - 0.1:
            return columns
    return 1


def legend_height(texts):
    """Height in inches of the legend with these texts, with the space below it."""
    return KEY_ROW * -(-len(texts) // legend_columns(texts)) + 0.07


def legend(figure, keys):
    """Write the legend under the heading, row by row. keys: artists with labels."""
    width, height = figure.get_size_inches()
    columns = legend_columns([key.get_label() for key in keys])
    by_column = [key for column in range(columns) for key in keys[column::columns]]  # as matplotlib fills it
    figure.legend(
        handles=by_column,
        loc="upper left",
        bbox_to_anchor=(0.08 / width, 1 - HEAD / height),
        ncols=columns,
        borderaxespad=0,
        borderpad=0,
        columnspacing=1.5,
        handlelength=1.6,
        handletextpad=0.6,
    )


# Plotly: no ground of its own, and colours that read on a light and on a dark page
CLEAR = "rgba(0,0,0,0)"
BRIGHT = "#2f8fcf"  # BLUE there
GREY = "#767676"  # lines and text
FAINT = "rgba(128,128,128,0.25)"  # land and buttons
BAND, BAND_OPACITY = "#e0b000", 0.22  # SHADE there
BAND_KEY = "rgba(224,176,0,0.4)"
PLOTLY = dict(
    template="none",
    paper_bgcolor=CLEAR,
    plot_bgcolor=CLEAR,
    font=dict(size=12, color=MUTED),
    hoverlabel=dict(align="left"),
    margin=dict(l=56, r=16, t=16, b=16),
)
PLOTLY_GRID = "rgba(128,128,128,0.3)"
