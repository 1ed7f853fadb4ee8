"""The predictions of one variety as Parquet: id, gold, prediction, group and per-example statistics."""

import io
import json
from urllib.parse import quote

import numpy as np

from dbutils.errors import InputError

PREFIX = "statistics_"


def file_name(code, role):
    """Where the predictions of a code lie below the run folder: predictions/<code>.parquet for role `test`.

    What a file name cannot hold is written %XX; another role follows the code: `<code>@dev.parquet`.
    """
    name = quote(code, safe=" :()+,=~")
    return f"predictions/{name}.parquet" if role == "test" else f"predictions/{name}@{role}.parquet"


def table(task, examples, predictions, metrics):
    """The Arrow table of a variety.

    task: a Task record. examples, predictions: in the same order. metrics: whose statistics are kept.
    gold and prediction are JSON; group is the bootstrap's cluster or null.
    """
    import pyarrow as pa

    def as_json(value):
        return json.dumps(value, ensure_ascii=False)

    groups = [task.group(example) for example in examples]
    columns = {
        "id": pa.array([example.id for example in examples], pa.string()),
        "gold": pa.array([as_json(task.gold(example)) for example in examples], pa.string()),
        "prediction": pa.array([as_json(task.to_json(p)) for p in predictions], pa.string()),
        "group": pa.array(groups, pa.string()),
    }
    for metric in metrics:
        columns[PREFIX + metric.name] = pa.array(
            list(metric.table(examples, predictions)) if examples else [], pa.list_(pa.float64())
        )
    return pa.table(columns)


def as_bytes(found):
    """The table as the bytes of a Parquet file."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(found, buffer, compression="zstd")
    return buffer.getvalue()


def read(path):
    """The table of a file; InputError if it is not one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}") from None


def statistics(found, metric):
    """The per-example statistics of a metric (by name): array (n, k), k = 0 where n is 0."""
    rows = found.column(PREFIX + metric).to_pylist()
    return np.array(rows, dtype=np.float64) if rows else np.zeros((0, 0))


def groups(found):
    """The bootstrap's cluster of each example, or None where examples are drawn one by one."""
    names = found.column("group").to_pylist()
    return None if all(name is None for name in names) else names
