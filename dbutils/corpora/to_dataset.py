"""Examples as a `datasets.Dataset` with explicit features."""

from dataclasses import asdict

from dbutils.corpora import examples as records


def to_dataset(found, record=None, labels=None):
    """A datasets.Dataset of examples; column `id` identifies a row on every machine.

    found: iterable of examples of one type. record: that type, needed where there may be none.
    labels: label set in fixed order; then `label` or `tags` are ClassLabel (default: text).
    """
    import datasets

    rows = [asdict(example) for example in found]
    if record is None:
        if not rows:
            raise ValueError("no examples: say of which record type the empty dataset is to be")
        record = _record_of(rows[0])
    columns = {name: [_plain(row[name]) for row in rows] for name in record.__dataclass_fields__}
    return datasets.Dataset.from_dict(columns, features=features(record, labels))


def features(record, labels=None):
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


def _type(field):
    return field.type if isinstance(field.type, str) else str(field.type).replace("<class '", "").replace("'>", "")


def _plain(value):
    return list(value) if isinstance(value, tuple) else value


def _record_of(row):
    for record in set(records.RECORDS.values()):
        if set(record.__dataclass_fields__) == set(row):
            return record
    raise ValueError(f"no example record has the fields {', '.join(row)}")
