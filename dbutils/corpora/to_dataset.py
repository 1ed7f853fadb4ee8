"""Examples as a `datasets.Dataset` with explicit features, and as a Parquet file that keeps them."""

import io
import json
from dataclasses import asdict

KEY = b"dbutils"  # of what a Parquet file says of its origin


def to_dataset(found, record, labels=(), **info):
    """A datasets.Dataset of examples; column `id` identifies a row on every machine.

    found: iterable of examples of the type `record`. labels: label set in fixed order; then `label` or `tags` are ClassLabel
    (default: text). info: for its DatasetInfo, such as license, homepage, citation, description.
    """
    import datasets

    rows = [asdict(example) for example in found]
    columns = {name: [_plain(row[name]) for row in rows] for name in record.__dataclass_fields__}
    kinds = features(record, labels)
    return datasets.Dataset.from_dict(columns, features=kinds, info=datasets.DatasetInfo(features=kinds, **info))


def features(record, labels=()):
    """The features of a record type (see to_dataset)."""
    from datasets import ClassLabel, Features, List, Value

    text, number, flag = Value("string"), Value("int64"), Value("bool")
    label = ClassLabel(names=list(labels)) if labels else text
    types = {
        "tuple[str, ...]": List(text),
        "tuple[int, ...]": List(number),
        "tuple[bool, ...]": List(flag),
        "str": text,
        "int": number,
    }
    special = {"label": label, "tags": List(label)}
    fields = record.__dataclass_fields__.values()
    return Features({field.name: special.get(field.name) or types[_type(field)] for field in fields})


def parquet(dataset):
    """The bytes of a Parquet file: `datasets` finds the features in it, and its metadata `dbutils` the licence and origin."""
    import pyarrow.parquet as pq

    info, schema = dataset.info, dataset.features.arrow_schema
    about = {"licence": info.license, "homepage": info.homepage, "citation": info.citation, "about": info.description}
    about = {KEY: json.dumps(about, ensure_ascii=False).encode("utf-8")}
    table = dataset.with_format("arrow")[:].cast(schema).replace_schema_metadata({**schema.metadata, **about})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _type(field):
    return field.type if isinstance(field.type, str) else str(field.type).replace("<class '", "").replace("'>", "")


def _plain(value):
    return list(value) if isinstance(value, tuple) else value
