"""The score row: one number of the benchmark, whatever its origin."""

from dbutils import SETTINGS, TASKS
from dbutils.csvio import write_csv
from dbutils.errors import InputError
from dbutils.schema import Cell, check, in_range

TEXT = ("task", "corpus", "model", "setting", "train", "cluster", "variety", "code", "split", "metric", "origin", "run")
COLUMNS = (
    "task",
    "corpus",
    "model",
    "setting",
    "train",
    "cluster",
    "variety",
    "code",
    "split",
    "metric",
    "value",
    "n",
    "low",
    "high",
    "seed",
    "origin",
    "run",
)
KEY = tuple(c for c in COLUMNS if c not in ("value", "n", "low", "high"))
# what makes two rows the same number, from different origins
CELL = ("task", "model", "setting", "cluster", "variety", "split", "metric")
ORIGINS = ("paper", "upstream", "run")
FILES = (".csv", ".parquet")  # endings of files of score rows
NUMBERS = {"value": "float64", "n": "Int64", "low": "float64", "high": "float64", "seed": "Int64"}
WHOLE = {"n": r"[0-9]{1,15}", "seed": r"-?[0-9]{1,15}"}  # pattern of the columns of whole numbers

_ANY = Cell("text without control characters", r"[^\x00-\x1f\x7f]*", empty=True)
_PER_CENT = "a number of per cent from 0 to 100"
CELLS = {
    "task": Cell(f"a task code ({' '.join(TASKS)})", among=set(TASKS)),
    "corpus": Cell("a corpus id", r"\S+"),
    "model": Cell("a model name", r"[^\s\x00-\x1f][^\x00-\x1f\x7f]*"),
    "setting": Cell(f"a setting ({' '.join(SETTINGS)})", among=set(SETTINGS)),
    "train": _ANY,
    "cluster": _ANY,
    "variety": _ANY,
    "code": Cell("a code of the corpus", r"[^\s\x00-\x1f][^\x00-\x1f\x7f]*"),
    "split": Cell("a split name", r"\S+"),
    "metric": Cell("a metric name such as uas, f1, accuracy", r"[a-z0-9_+]+"),
    "value": Cell(_PER_CENT, test=in_range(0, 100)),
    "n": Cell("a whole number of examples", WHOLE["n"], empty=True),
    "low": Cell(_PER_CENT, test=in_range(0, 100), empty=True),
    "high": Cell(_PER_CENT, test=in_range(0, 100), empty=True),
    "seed": Cell("a whole number", WHOLE["seed"], empty=True),
    "origin": Cell("paper, upstream or run", among=set(ORIGINS)),
    "run": _ANY,
}


def checked(table, path):
    """Check the cells of a table of text against the schema; returns it."""
    table = check(table, _schema(), path, unique=KEY)
    both = table[(table.low != "") & (table.high != "")]
    turned = both[both.low.astype(float) > both.high.astype(float)]
    if len(turned):
        row = turned.iloc[0]
        raise InputError(f"{path}:{turned.index[0]}: column 'low': {row.low} is above 'high' {row.high}")
    return table


def _schema():
    import pandera.pandas as pa

    return pa.DataFrameSchema({name: cell.column() for name, cell in CELLS.items()})


def resolve(table, path):
    """Write cluster and variety as the registry does.

    Both may be empty (a code that is no variety of the benchmark); the constructed varieties of
    the sandbox are nobody's but the sandbox's. Raises InputError for any other unknown variety.
    """
    import pandas as pd

    from dbutils import registry

    known = registry.load()
    spelled = {}
    pairs = table[["cluster", "variety", "corpus"]].drop_duplicates()
    for line, (cluster, variety, corpus) in zip(pairs.index, pairs.itertuples(index=False, name=None)):
        if corpus == "sandbox" or not (cluster or variety):
            continue
        try:
            spelled[cluster, variety] = known.find(variety, cluster or None).key
        except InputError as error:
            raise InputError(f"{path}:{line}: {error}") from None
    changed = {pair: key for pair, key in spelled.items() if pair != key}
    if changed:
        table = table.copy()
        keys = [changed.get(pair, pair) for pair in zip(table.cluster, table.variety)]
        for at, name in enumerate(("cluster", "variety")):
            table[name] = pd.Series([key[at] for key in keys], index=table.index, dtype=object)
    return table


def typed(table):
    """Give the columns of a checked table of text their types."""
    import pandas as pd

    out = table.astype(dict.fromkeys(TEXT, object))
    for name, kind in NUMBERS.items():
        read = int if name in WHOLE else float
        out[name] = pd.array([read(cell) if cell != "" else None for cell in out[name]], dtype=kind.replace("f", "F"))
        out[name] = out[name].astype(kind)
    return out.reset_index(drop=True)


def write_scores(table, path):
    """Write score rows as CSV (or Parquet by the ending), whole or not at all."""
    table = table[list(COLUMNS)]
    if str(path).endswith(".parquet"):
        import io

        from dbutils.csvio import write_bytes

        buffer = io.BytesIO()
        table.to_parquet(buffer, index=False)
        write_bytes(path, buffer.getvalue())
    else:
        write_csv(table, path)


def empty():
    """A score table without rows."""
    import pandas as pd

    return typed(pd.DataFrame({c: pd.Series(dtype=str) for c in COLUMNS}))
