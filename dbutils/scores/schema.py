"""The score row: one number of the benchmark, whatever its origin."""

from dbutils import SETTINGS, TASKS
from dbutils.csvio import read_csv, write_csv
from dbutils.errors import InputError

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
ORIGINS = ("paper", "upstream", "run")
FILES = (".csv", ".parquet")  # endings of files of score rows
NUMBERS = {"value": "float64", "n": "Int64", "low": "float64", "high": "float64", "seed": "Int64"}


def read_scores(path):
    """Read a file of score rows (CSV, or Parquet by its ending) into a typed table.

    Text columns are text, never null; value, low, high float64 in per cent; n, seed Int64.
    (cluster, variety) is written as the registry spells it, whichever table's spelling the file uses.
    Raises InputError naming file, line, column and value: wrong columns, unknown task, setting,
    origin or variety, a value outside 0..100, a repeated row.
    """
    path = str(path)
    table = _read_parquet(path) if path.endswith(".parquet") else read_csv(path, COLUMNS)
    return typed(resolve(checked(table[list(COLUMNS)], path), path))


def _read_parquet(path):
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except Exception as error:  # pyarrow raises many kinds
        raise InputError(f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}") from None
    missing = [c for c in COLUMNS if c not in table]
    if missing:
        raise InputError(f"{path}: column {missing[0]!r} is missing; it must have: {', '.join(COLUMNS)}")
    text = table.astype(object).where(table.notna(), "").map(_cell)
    text.index += 1
    return text


def _cell(value):
    return repr(value) if isinstance(value, float) and not value.is_integer() else str(value).removesuffix(".0")


def checked(table, path):
    """Check the cells of a table of text against the schema; returns it."""
    from dbutils.schema import check

    table = check(table, _schema(), path, unique=KEY)
    both = table[(table.low != "") & (table.high != "")]
    turned = both[both.low.astype(float) > both.high.astype(float)]
    if len(turned):
        row = turned.iloc[0]
        raise InputError(f"{path}:{turned.index[0]}: column 'low': {row.low} is above 'high' {row.high}")
    return table


def _schema():
    import pandera.pandas as pa

    from dbutils.schema import column, number

    per_cent = number(0, 100)
    any_text = column("text without control characters", r"[^\x00-\x1f\x7f]*", empty=True)
    return pa.DataFrameSchema(
        {
            "task": column(f"a task code ({' '.join(TASKS)})", among=set(TASKS)),
            "corpus": column("a corpus id", r"\S+"),
            "model": column("a model name", r"[^\s\x00-\x1f][^\x00-\x1f\x7f]*"),
            "setting": column(f"a setting ({' '.join(SETTINGS)})", among=set(SETTINGS)),
            "train": any_text,
            "cluster": any_text,
            "variety": any_text,
            "code": column("a code of the corpus", r"[^\s\x00-\x1f][^\x00-\x1f\x7f]*"),
            "split": column("a split name", r"\S+"),
            "metric": column("a metric name such as uas, f1, accuracy", r"[a-z0-9_+]+"),
            "value": column("a number of per cent from 0 to 100", test=per_cent),
            "n": column("a whole number of examples", r"[0-9]{1,15}", empty=True),
            "low": column("a number of per cent from 0 to 100", test=per_cent, empty=True),
            "high": column("a number of per cent from 0 to 100", test=per_cent, empty=True),
            "seed": column("a whole number", r"-?[0-9]{1,15}", empty=True),
            "origin": column("paper, upstream or run", among=set(ORIGINS)),
            "run": any_text,
        }
    )


def resolve(table, path):
    """Write cluster and variety as the registry does.

    Both may be empty (a code that is no variety of the benchmark); the constructed varieties of
    the sandbox are nobody's but the sandbox's. Raises InputError for any other unknown variety.
    """
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
        table["cluster"], table["variety"] = [c for c, _ in keys], [v for _, v in keys]
    return table


def typed(table):
    """Give the columns of a checked table of text their types."""
    import pandas as pd

    out = table.astype(dict.fromkeys(TEXT, object))
    for name, kind in NUMBERS.items():
        cells = pd.to_numeric(out[name].replace("", None))
        out[name] = cells.astype(kind)
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
