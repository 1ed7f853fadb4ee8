"""Reading files of score rows: whole columns at once, and row by row only where something is wrong.

Nearly every file is right, and then no row need be looked at by itself: a column of names is right when each of its few
different texts is, a column of numbers by one pattern, one conversion and its bounds. Whatever does not pass so goes
through the careful reader, cell by cell by the same rules (`schema.CELLS`): it names the line that is wrong, or reads a
form that the quick one does not know.
"""

import contextlib

from dbutils.csvio import NeedsCare, arrow_blocks, check_header, read_csv
from dbutils.errors import InputError
from dbutils.scores.schema import CELLS, COLUMNS, KEY, NUMBERS, WHOLE, checked, resolve, typed


def read_scores(path):
    """Read a file of score rows (CSV, or Parquet by its ending) into a typed table.

    Text columns are text, never null; value, low, high float64 in per cent; n, seed Int64.
    (cluster, variety) is written as the registry spells it, whichever table's spelling the file uses.
    Raises InputError naming file, line, column and value: wrong columns, unknown task, setting,
    origin or variety, a value outside 0..100, a repeated row; in Parquet also a text that is stored as a number.
    """
    path = str(path)
    parquet = path.endswith(".parquet")
    try:
        return _quick(_parquet(path) if parquet else arrow_blocks([path], COLUMNS, NUMBERS))
    except NeedsCare:
        table = _rows(_parquet(path)) if parquet else read_csv(path, COLUMNS)
        return typed(resolve(checked(table[list(COLUMNS)], path), path))


def read_all(paths):
    """Tables that together hold the rows of all these files in order; in one pass where that can be. Raises as read_scores."""
    if len(paths) > 1 and not any(str(path).endswith(".parquet") for path in paths):
        try:
            return [_quick(arrow_blocks(paths, COLUMNS, NUMBERS))]
        except NeedsCare:  # one of them is wrong, or two share a row
            pass
    return [read_scores(path) for path in paths]


def _quick(blocks):
    """The typed table of Arrow tables of text; raises NeedsCare if a cell is not right or a row stands twice."""
    import numpy as np
    import pandas as pd

    numbers, texts = {name: {} for name in COLUMNS}, {name: [] for name in COLUMNS}
    parts = {name: [] for name in COLUMNS}
    for block in blocks:
        for name in COLUMNS:
            column = block.column(name).combine_chunks()
            read = _numbers(column, name) if name in NUMBERS else _codes(column, name, numbers[name], texts[name])
            parts[name].append(read)
    if not parts["task"]:
        return typed(pd.DataFrame({name: pd.Series(dtype=object) for name in COLUMNS}))
    out, keys = {}, {}
    for name in COLUMNS:
        if name in NUMBERS:
            out[name] = pd.concat(parts.pop(name), ignore_index=True)
        else:
            keys[name] = np.concatenate(parts.pop(name))
            out[name] = pd.Series(
                np.array(texts[name], object).take(keys[name]), dtype=object
            )  # equal cells share one text
    table = pd.DataFrame(out, columns=list(COLUMNS), copy=False)
    if pd.DataFrame({name: keys.get(name, table[name]) for name in KEY}, copy=False).duplicated().any():
        raise NeedsCare
    if (table.low > table.high).any():
        raise NeedsCare
    try:
        return resolve(table, "")
    except InputError:
        raise NeedsCare from None


def _codes(column, name, number, texts):
    """An Arrow array of text as numbers; `number` of each text seen so far and `texts` by number grow with it."""
    import numpy as np
    import pyarrow as pa

    column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    here = column.dictionary.to_pylist()
    for text in here:
        if text not in number:
            if not CELLS[name](text):
                raise NeedsCare
            number[text] = len(texts)
            texts.append(text)
    return np.array([number[text] for text in here], np.int32)[column.indices.to_numpy(zero_copy_only=False)]


def _numbers(column, name):
    """An Arrow array of text as a series of numbers."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    from dbutils.schema import NUMBER

    whole, empty = name in WHOLE, pc.equal(column, "")
    if not CELLS[name].empty and pc.any(empty).as_py():
        raise NeedsCare
    column = pc.if_else(empty, pa.scalar(None, column.type), column)
    if pc.any(pc.invert(pc.match_substring_regex(column, f"^({WHOLE.get(name, NUMBER)})$"))).as_py():
        raise NeedsCare
    try:
        cells = pc.cast(column, pa.int64() if whole else pa.float64())
    except pa.ArrowInvalid:  # a form that Arrow does not know, such as +5
        raise NeedsCare from None
    if not whole and pc.any(pc.invert(pc.and_(pc.greater_equal(cells, 0), pc.less_equal(cells, 100)))).as_py():
        raise NeedsCare
    return cells.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def _parquet(path):
    """The rows of a Parquet file as Arrow tables of text; missing values are empty."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        kinds = pq.read_schema(path)
        names = [name for name in kinds.names if not name.startswith("__index_level_")]
        texts = [name for name in names if name not in NUMBERS and not pa.types.is_nested(kinds.field(name).type)]
        file = pq.ParquetFile(path, read_dictionary=texts)
        blocks = file.iter_batches(columns=list(COLUMNS)) if set(names) == set(COLUMNS) else ()
        tables = [pa.table({name: _text(block.column(name), name, path) for name in COLUMNS}) for block in blocks]
    except InputError:
        raise
    except Exception as error:  # pyarrow raises many kinds
        raise InputError(f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}") from None
    check_header(path, names, list(COLUMNS))
    return tables


def _text(column, name, path):
    """A column as text. Numbers only where numbers belong: what was written as 2.0 or 007 cannot be told from 2 and 7."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    if text and kind != column.type and not column.null_count:
        return column
    if not (text or pa.types.is_null(kind)):
        wanted = "numbers" if name in NUMBERS else "text"
        if name not in NUMBERS or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise InputError(f"{path}: column {name!r} holds {kind}, not {wanted}: store it as {wanted}")
        if name in WHOLE and pa.types.is_floating(kind):  # pandas makes such of whole numbers with gaps
            with contextlib.suppress(pa.ArrowInvalid):
                column = pc.cast(column, pa.int64())
    return pc.fill_null(pc.cast(column, pa.string()), "")


def _rows(blocks):
    """The table of text that the careful check takes, indexed by row."""
    import pandas as pd
    import pyarrow as pa

    table = pa.concat_tables(b.cast(pa.schema([(name, pa.string()) for name in COLUMNS])) for b in blocks)
    frame = pd.DataFrame({name: table.column(name).to_pylist() for name in COLUMNS}, dtype=object)
    frame.index += 1
    return frame
