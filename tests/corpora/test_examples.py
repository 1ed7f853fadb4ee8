import dataclasses
import json

import datasets
import pyarrow.parquet as pq
import pytest

from dbutils.corpora import examples as records
from dbutils.corpora.to_dataset import KEY, features, parquet, to_dataset

ONE = {
    "dep": records.TreeExample("1", ("a", "b"), ("X", "X"), (0, 1), ("root", "dep")),
    "pos": records.TaggedExample("1", ("a", "b"), ("NOUN", "X")),
    "ner": records.TaggedExample("1", ("a",), ("O",)),
    "did": records.TextExample("1", "NA", "nan"),
    "sa": records.TextExample("1", "a", "no"),
    "tc": records.TextExample("1", "a", "travel"),
    "nli": records.PairExample("1", "a", "b", "neutral"),
    "mrc": records.ChoiceExample("1", "a", "b", ("c", "d"), 1, "p"),
    "eqa": records.SpanExample("1", "a", "b", ("a",), (0,), "p"),
    "mt": records.TranslationExample("1", "a", "b", 3, "english"),
}


def test_there_is_a_record_for_each_of_the_ten_tasks():
    assert {task: type(one) for task, one in ONE.items()} == records.RECORDS


@pytest.mark.parametrize("task", ONE)
def test_examples_are_frozen_and_go_to_json_and_back(task):
    example = ONE[task]
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.id = "2"
    row = json.loads(records.as_json(example))
    again = type(example)(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})
    assert again == example


def test_scored_defaults_to_every_token():
    assert ONE["dep"].scored == (True, True)


def test_parallel_fields_must_be_equally_long():
    with pytest.raises(ValueError, match="1: 1 tags for 2 tokens"):
        records.TaggedExample("1", ("a", "b"), ("X",))


def test_json_is_one_line_and_keeps_letters():
    text = records.as_json(records.TextExample("1", "لا\nنعم", "x"))
    assert "\n" not in text and "لا" in text


@pytest.mark.parametrize("task", ONE)
def test_datasets_have_explicit_features_even_when_empty(task):
    full, empty = to_dataset([ONE[task]], records.RECORDS[task]), to_dataset([], records.RECORDS[task])
    assert full.features == empty.features == features(records.RECORDS[task])
    assert full["id"][:] == ["1"] and len(empty) == 0


def test_labels_become_classes_in_their_fixed_order():
    dataset = to_dataset([ONE["nli"]], records.PairExample, labels=("entailment", "neutral", "contradiction"))
    assert dataset.features["label"].names == ["entailment", "neutral", "contradiction"]
    assert dataset["label"][:] == [1]


def test_text_that_looks_like_nothing_stays_text():
    dataset = to_dataset([ONE["did"]], records.TextExample)
    assert (dataset[0]["text"], dataset[0]["label"]) == ("NA", "nan")


@pytest.mark.parametrize("task", ONE)
def test_a_parquet_file_holds_features_and_licence(tmp_path, task):
    made = to_dataset([ONE[task]], records.RECORDS[task], license="CC0", homepage="https://example.org")
    path = tmp_path / "x.parquet"
    path.write_bytes(parquet(made))
    again = datasets.Dataset.from_parquet(str(path), cache_dir=str(tmp_path / "cache"))
    assert again.features == made.features and again[0] == made[0]
    about = json.loads(pq.read_schema(path).metadata[KEY])
    assert (about["licence"], about["homepage"]) == ("CC0", "https://example.org")
