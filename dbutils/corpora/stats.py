"""Statistics of corpora: sizes, labels, duplicates, leaks; data/corpora_stats.csv keeps them."""

from collections import Counter

import pandas as pd

from dbutils import csvio, paths
from dbutils.corpora import catalogue, examples, load, splits
from dbutils.corpora.store import NotOnDisk

COLUMNS = ["task", "corpus", "code", "split", "examples", "tokens", "labels", "duplicates", "overlap", "source"]
FILE = "corpora_stats.csv"


def of_examples(found, labels=(), train=frozenset()):
    """The statistics of an iterable of examples as a dict of the columns from `examples` to `overlap`.

    labels: label set in its order. train: contents (splits.content) of the train part, "" for
    overlap if None. tokens are words of trees and tagged sentences, else pieces between blanks.
    labels counts classes, tags, entities (of NER), relations (of trees), positions of the right
    choice from 1, answers per question, or kinds of reference. duplicates counts examples that
    repeat an earlier one of the same split; overlap those that stand in train.
    """
    count, tokens, seen, duplicates, overlap = 0, 0, set(), 0, 0
    distribution = Counter()
    for example in found:
        count += 1
        tokens += _tokens(example)
        distribution.update(_labels(example))
        content = splits.content(example)
        duplicates += content in seen
        overlap += train is not None and content in train
        seen.add(content)
    order = [label for label in labels if label in distribution]
    order += sorted(set(distribution) - set(order))
    return {
        "examples": str(count),
        "tokens": str(tokens),
        "labels": ";".join(f"{label}={distribution[label]}" for label in order),
        "duplicates": str(duplicates),
        "overlap": "" if train is None else str(overlap),
    }


def _tokens(example):
    if isinstance(example, examples.TreeExample | examples.TaggedExample):
        return len(example.tokens)
    if isinstance(example, examples.TextExample):
        parts = [example.text]
    elif isinstance(example, examples.PairExample):
        parts = [example.premise, example.hypothesis]
    elif isinstance(example, examples.TranslationExample):
        parts = [example.source]
    else:
        parts = [example.passage, example.question, *getattr(example, "choices", ())]
    return sum(len(part.split()) for part in parts)


def _labels(example):
    if isinstance(example, examples.TreeExample):
        return _scored(example.relations, example.scored)
    if isinstance(example, examples.TaggedExample):
        tags = _scored(example.tags, example.scored)
        entities = [tag[2:] for tag in tags if tag.startswith("B-")]
        return entities if any(tag == "O" or tag[1:2] == "-" for tag in tags) else tags
    if isinstance(example, examples.ChoiceExample):
        return [str(example.answer + 1)]
    if isinstance(example, examples.SpanExample):
        return [f"{len(example.answers)} answers"]
    if isinstance(example, examples.TranslationExample):
        return [example.kind]
    return [example.label]


def _scored(values, scored):
    return [value for value, counts in zip(values, scored, strict=True) if counts]


def count(corpus):
    """The rows of one corpus as dicts of COLUMNS, for every code and split that is on disk, lazily."""
    record = catalogue.corpus(corpus)
    for task in record.tasks:
        labels = record.labels.get(task, ())
        for code in record.codes[task]:
            if task == "did" and ":" in code:
                continue  # a label's share of its set
            yield from _count_code(record, task, code, labels)


def _count_code(record, task, code, labels):
    known, trains = load.names(task, record.id, code), {}
    for split in known:
        name = _train_of(split, known)
        try:
            if name and name not in trains:
                trains[name] = _contents(record, task, code, name)
            values = of_examples(load.examples(task, record.id, code, split), labels, trains.get(name))
        except NotOnDisk:
            continue
        except load.NoExamples:
            values = of_examples((), labels, trains.get(name))
        yield {"task": task, "corpus": record.id, "code": code, "split": split, **values, "source": "counted"}


def _contents(record, task, code, split):
    try:
        return {splits.content(e) for e in load.examples(task, record.id, code, split)}
    except NotOnDisk:
        return None
    except load.NoExamples:
        return set()


def _train_of(split, known):
    """The train part that belongs to a dev or test split of the same family, "" if there is none."""
    family, _, part = split.rpartition("-")
    if split.startswith("test-") or split.endswith("-xy"):
        family, part = split.partition("test")[0].rstrip("-"), "test"
    name = f"{family}-train" if family else "train"
    return name if part in ("dev", "test") and name in known else ""


def committed():
    """The committed statistics as a table of text."""
    return csvio.read_csv(paths.data(FILE), COLUMNS)


def published(corpus, code, split):
    """How many examples the committed table says there are, -1 if it has no row."""
    return _published().get((corpus, code, split), -1)


def _published():
    rows = committed().to_dict("records")
    return {(row["corpus"], row["code"], row["split"]): int(row["examples"]) for row in rows}


def refreshed(table, corpora, say=print):
    """The table with the rows of the given corpora counted anew, where they are on disk.

    Rows that upstream publishes (source `published`) stay where nothing can be counted.
    """
    rows = {(r["task"], r["corpus"], r["code"], r["split"]): r for r in table.to_dict("records")}
    for corpus in corpora:
        say(f"counting {corpus}")
        counted = {(row["task"], row["corpus"], row["code"], row["split"]): row for row in count(corpus)}
        if not counted:
            say(f"{corpus}: nothing of it is on disk; what the table has of it stays")
        rows |= counted
    order = {corpus: number for number, corpus in enumerate(catalogue.load())}
    # rows keep the order of catalogue, task, code and split
    table = pd.DataFrame(list(rows.values()), columns=COLUMNS, dtype=str)
    ranks = [_rank(order, row) for row in table.to_dict("records")]
    return table.iloc[sorted(range(len(ranks)), key=ranks.__getitem__)].reset_index(drop=True)


def _rank(order, row):
    record = catalogue.corpus(row["corpus"])
    codes, names = record.codes[row["task"]], tuple(record.splits)
    return (order[row["corpus"]], record.tasks.index(row["task"]), codes.index(row["code"]), names.index(row["split"]))
