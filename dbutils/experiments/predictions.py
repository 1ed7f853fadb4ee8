"""The predictions of one variety as Parquet: id, gold, prediction, group and per-example statistics."""

import io
import json
from urllib.parse import quote

import numpy as np

from dbutils.errors import InputError

PREFIX = "statistics_"
SCORED = "scored"  # column of flags, one per word, only where some do not count


def file_name(code, role):
    """Where the predictions of a code lie below the run folder: predictions/<code>.parquet for role `test`.

    What a file name cannot hold is written %XX; another role follows the code: `<code>@dev.parquet`.
    """
    name = quote(code, safe=" :()+,=~")
    return f"predictions/{name}.parquet" if role == "test" else f"predictions/{name}@{role}.parquet"


def table(task, examples, predictions, metrics, units=None):
    """The Arrow table of a variety.

    task: a Task record. examples, predictions: in the same order. metrics: whose statistics are kept.
    gold and prediction are JSON; `scored` says which words count, where not all do; group is the unit that
    an interval draws (units: their names, default: the task's own) or null.
    """
    import pyarrow as pa

    def as_json(value):
        return json.dumps(value, ensure_ascii=False)

    groups = [task.group(example) for example in examples] if units is None else units
    columns = {
        "id": pa.array([example.id for example in examples], pa.string()),
        "gold": pa.array([as_json(task.gold(example)) for example in examples], pa.string()),
        "prediction": pa.array([as_json(task.to_json(p)) for p in predictions], pa.string()),
        "group": pa.array(groups, pa.string()),
    }
    flags = [getattr(example, "scored", ()) for example in examples]
    if not all(map(all, flags)):
        columns[SCORED] = pa.array(flags, pa.list_(pa.bool_()))
    return with_statistics(pa.table(columns), examples, predictions, metrics)


def with_statistics(found, golds, predictions, metrics):
    """A table with these statistics instead of those that it has.

    golds: examples, or what a Task holds of their gold. predictions: in the same order.
    """
    import pyarrow as pa

    found = found.drop_columns([name for name in found.column_names if name.startswith(PREFIX)])
    for metric in metrics:
        values = list(metric.table(golds, predictions)) if golds else []
        found = found.append_column(PREFIX + metric.name, pa.array(values, pa.list_(pa.float64())))
    return found


def held(task, found):
    """(what metrics read of the examples, the predictions) of a table, in its order.

    Raises InputError for an older table that does not say which of its words count.
    """
    made = [json.loads(text) for text in found.column("gold").to_pylist()]
    golds = [task.held(gold) for gold in made]
    if SCORED in found.column_names:
        for gold, flags in zip(golds, found.column(SCORED).to_pylist(), strict=True):
            gold.scored = tuple(flags)
    else:
        _check_words(task, found, golds)
    answers = found.column("prediction").to_pylist()
    return golds, [task.from_json(json.loads(text), gold) for text, gold in zip(answers, golds, strict=True)]


def _check_words(task, found, golds):
    """Raise InputError if words were left out of the scores, as the statistics tell, and the table does not say which."""
    counted = {"dep": "uas", "pos": "accuracy"}.get(task.code)
    if counted is None or PREFIX + counted not in found.column_names or not golds:
        return
    rows = statistics(found, counted)
    words = rows[:, 0] if task.code == "dep" else rows[:, : rows.shape[1] // 3].sum(axis=1)
    if words.tolist() != [float(sum(gold.scored)) for gold in golds]:
        raise InputError("some of its words do not count, and its predictions do not say which: run it again")


def as_bytes(found):
    """The table as the bytes of a Parquet file."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(found, buffer, compression="zstd")
    return buffer.getvalue()


def without_text(found):
    """A table without ids, gold and predictions: only what scores are computed from."""
    return found.select([name for name in found.column_names if name == "group" or name.startswith(PREFIX)])


def read(path):
    """The table of a file, by its path or open; InputError if it is not one."""
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
    """The unit of each example, or None where each is one of its own."""
    names = found.column("group").to_pylist()
    return None if all(name is None for name in names) else names
