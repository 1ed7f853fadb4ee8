"""What the paper's ways of splitting and scoring do to a score, measured on real corpora (data/effects.csv).

Each row sets a score made as the paper did beside the sound one of the same model; `tools/effects.py` makes the runs.
"""

from dbutils import csvio
from dbutils.errors import InputError
from dbutils.paths import DATA

# effect: of EFFECTS. as_paper, sound: values in per cent with 95 % intervals and numbers of items; their metrics and runs
COLUMNS = (
    "effect",
    "task",
    "model",
    "corpus",
    "train",
    "code",
    "metric",
    "as_paper",
    "as_paper_low",
    "as_paper_high",
    "as_paper_n",
    "sound_metric",
    "sound",
    "sound_low",
    "sound_high",
    "sound_n",
    "as_paper_run",
    "sound_run",
)
EFFECTS = {
    "train-test": "trained on the test rows; on the official training rows",
    "duplicates": "random split with repeated texts; none of the test texts in training",
    "multiword": "rows of multiword tokens are words; words as the treebank counts them",
    "chunks": "chunk F1 of bare tags; share of words tagged right",
}


def load(path=DATA / "effects.csv"):
    """The rows as a table, numbers as numbers. InputError for a damaged file."""
    table = csvio.read_csv(path)
    if tuple(table.columns) != COLUMNS:
        raise InputError(f"{path}: its columns must be {', '.join(COLUMNS)}; tools/effects.py writes it")
    for column in COLUMNS:
        if column.startswith(("as_paper", "sound")) and not column.endswith(("run", "metric")):
            table[column] = table[column].astype(float)
    return table
