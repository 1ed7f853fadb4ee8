"""Score rows: the schema, the three origins, and what a score file may have wrong."""

import pandas as pd
import pytest

from dbutils import scores
from dbutils.csvio import read_csv
from dbutils.errors import InputError
from dbutils.scores import COLUMNS, benchmark, load, read_scores, write_scores
from dbutils.scores.schema import checked, resolve, typed

HEADER = ",".join(COLUMNS)
ROW = "ner,wikiann,my model,zero_shot,en,sinitic,min nan chinese,zh-min-nan,test,f1,44.5,100,40,50,1,run,r1"


def write(tmp_path, *rows, header=HEADER, name="scores.csv", end="\n", bom=""):
    path = tmp_path / name
    path.write_bytes((bom + end.join([header, *rows]) + end).encode("utf-8"))
    return path


def test_contract_columns():
    assert (
        HEADER == "task,corpus,model,setting,train,cluster,variety,code,split,metric,value,n,low,high,seed,origin,run"
    )


def test_a_row_is_read_with_its_types(tmp_path):
    table = read_scores(write(tmp_path, ROW))
    row = table.iloc[0]
    assert (row.value, row.n, row.low, row.high, row.seed) == (44.5, 100, 40.0, 50.0, 1)
    assert (row.variety, row.code, row.model) == ("min nan chinese", "zh-min-nan", "my model")


def test_empty_numbers_are_missing_and_empty_text_is_text(tmp_path):
    table = read_scores(write(tmp_path, "tc,sib-200,m,zero_shot,,anglic,english,eng_Latn,test,f1,1,,,,,run,"))
    row = table.iloc[0]
    assert row.train == "" and row.run == ""
    assert pd.isna(row.n) and pd.isna(row.low) and pd.isna(row.seed)


@pytest.mark.parametrize("code", ["nan", "no", "NA", "null", "None", "true", "007", "1e5", "-", "N/A"])
def test_a_code_is_never_a_null_a_number_or_a_boolean(tmp_path, code):
    path = write(tmp_path, f"ner,wikiann,{code},zero_shot,{code},,,{code},test,f1,1,,,,,run,{code}")
    table = read_scores(path)
    row = table.iloc[0]
    assert (row.model, row.train, row.code, row.run) == (code,) * 4
    again = tmp_path / "again.csv"
    write_scores(table, again)
    assert again.read_bytes() == path.read_bytes().replace(b",1,,,,,run", b",1.0,,,,,run")
    parquet = tmp_path / "again.parquet"
    write_scores(table, parquet)
    assert read_scores(parquet).equals(table)


def test_bom_and_crlf_are_read(tmp_path):
    plain = read_scores(write(tmp_path, ROW))
    other = read_scores(write(tmp_path, ROW, name="dos.csv", end="\r\n", bom="\ufeff"))
    assert plain.equals(other)


BAD = [
    (HEADER.replace("value", "score"), ROW, ":1: column 'value' is missing"),
    (HEADER + ",note", ROW + ",x", ":1: unknown column 'note'"),
    (HEADER.replace("n,low", "low,low"), ROW, ":1: column 'low' stands twice"),
    (HEADER, ROW + ",x", ":2: 18 cells where the header has 17"),
    (HEADER, ROW.replace("44.5", "144.5"), ":2: column 'value': '144.5' is not a number of per cent from 0 to 100"),
    (HEADER, ROW.replace("44.5", "-1"), "'-1' is not a number"),
    (HEADER, ROW.replace("44.5", "nan"), "'nan' is not a number"),
    (HEADER, ROW.replace("44.5", "inf"), "'inf' is not a number"),
    (HEADER, ROW.replace("44.5", ""), "'' is not a number"),
    (HEADER, ROW.replace(",40,50,", ",60,50,"), ":2: column 'low': 60 is above 'high' 50"),
    (HEADER, ROW.replace("44.5", "4_4"), "'4_4' is not a number"),
    (HEADER, ROW.replace("44.5", "٤٤"), "'٤٤' is not a number"),
    (HEADER, ROW.replace(",100,", f",{10**20},"), "is not a whole number of examples"),
    (HEADER, ROW.replace("my model", "my\x00model"), "is not a model name"),
    (HEADER, ROW.replace("44.5", "44,5"), "18 cells"),
    (
        HEADER,
        ROW.replace("zero_shot", "zeroshot"),
        "column 'setting': 'zeroshot' is not a setting (zero_shot in_variety",
    ),
    (HEADER, ROW.replace("ner,", "NER,"), "column 'task': 'NER' is not a task code"),
    (HEADER, ROW.replace("run,r1", "mine,r1"), "column 'origin': 'mine' is not paper, upstream or run"),
    (HEADER, ROW.replace(",100,", ",1.5,"), "column 'n': '1.5' is not a whole number"),
    (
        HEADER,
        ROW.replace("min nan chinese", "min nam chinese"),
        ":2: unknown variety of cluster 'sinitic' 'min nam chinese': did you mean 'min nan chinese'",
    ),
    (HEADER, ROW.replace("sinitic", "sinitik"), ":2: unknown cluster 'sinitik': did you mean 'sinitic'"),
    (HEADER, ROW + "\n" + ROW.replace("44.5", "45"), ":3: the same row as line 2"),
    (HEADER, ROW.replace("my model", '"my model'), "unexpected end of data"),
]


@pytest.mark.parametrize("header, row, says", BAD)
def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path, header, row, says):
    path = write(tmp_path, row, header=header)
    with pytest.raises(InputError) as error:
        read_scores(path)
    message = str(error.value)
    assert message.startswith(str(path)) and says in message and "\n" not in message


def test_files_that_are_no_score_files(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "latin.csv").write_bytes((HEADER + "\n").encode() + "caf\xe9\n".encode("latin-1"))
    (tmp_path / "bad.parquet").write_text("no parquet")
    for name, says in [
        ("empty.csv", "empty file"),
        ("latin.csv", ":2: not UTF-8"),
        ("bad.parquet", "not a readable Parquet"),
        ("no.csv", "no such file"),
    ]:
        with pytest.raises(InputError, match=says):
            read_scores(tmp_path / name)
    with pytest.raises(InputError, match="unknown score source 'upstraem'"):
        load("upstraem")
    with pytest.raises(InputError, match="no scores.csv in this folder"):
        load(str(tmp_path))


def test_a_parquet_file_of_other_columns_names_them(tmp_path):
    table, path = read_scores(write(tmp_path, ROW)), tmp_path / "scores.parquet"
    table.drop(columns="origin").to_parquet(path)
    with pytest.raises(InputError, match="origin") as error:
        read_scores(path)
    assert "not a readable" not in str(error.value)
    table.assign(model=[["a"]] * len(table)).to_parquet(path)
    with pytest.raises(InputError, match="column 'model' holds list"):
        read_scores(path)


@pytest.mark.parametrize("text", ["my-model-2.0", "1.0", "007", "nan", "NA", "1e3", "true"])
def test_parquet_changes_no_text(tmp_path, text):
    path = tmp_path / "scores.parquet"
    table = read_scores(write(tmp_path, ROW.replace("my model", text).replace("r1", text)))
    write_scores(table, path)
    row = read_scores(path).iloc[0]
    assert (row.model, row.run) == (text, text)
    as_category = table.astype(dict.fromkeys(("model", "run", "train"), "category"))
    as_category.to_parquet(path)
    assert read_scores(path).equals(table)


def test_parquet_of_others(tmp_path):
    path, table = tmp_path / "scores.parquet", read_scores(write(tmp_path, ROW, ROW.replace("100,40,50,1", ",,,")))
    table.assign(n=table.n.astype("float64"), value=table.value.astype("float32"), train=[None, "x"]).to_parquet(path)
    read = read_scores(path)
    assert (
        read.n.tolist() == table.n.tolist() and read.value.tolist() == [44.5, 44.5] and read.train.tolist() == ["", "x"]
    )
    for columns, says in [
        (dict(model=[2.0, 3.0]), "column 'model' holds double, not text: store it as text"),
        (dict(code=[7, 8]), "column 'code' holds int64, not text"),
        (dict(value=[True, False]), "column 'value' holds bool, not numbers"),
        (dict(value=[1.0, 101.5]), ":2: column 'value': '101.5' is not a number of per cent"),
        (dict(value=[1.0, None]), ":2: column 'value': '' is not a number of per cent"),
        (dict(n=[1.5, 2.0]), ":1: column 'n': '1.5' is not a whole number"),
        (dict(note=["x", "y"]), ":1: unknown column 'note'"),
    ]:
        table.assign(**columns).to_parquet(path)
        with pytest.raises(InputError) as error:
            read_scores(path)
        assert str(error.value).startswith(str(path)) and says in str(error.value)
    table.iloc[:0].to_parquet(path)
    assert read_scores(path).equals(scores.empty())


def careful(path):
    return typed(resolve(checked(read_csv(path, COLUMNS)[list(COLUMNS)], path), path))


@pytest.mark.parametrize("value", ["+5", "5.", ".5", "0100", "1e1", "5e-324", "66.94915254237288", "0.1"])
@pytest.mark.parametrize("n", ["", "0", "007", "999999999999999"])
def test_numbers_are_read_alike_by_both_readers(tmp_path, value, n):
    path = write(tmp_path, ROW.replace("44.5,100,40,50", f"{value},{n},,"))
    assert read_scores(path).equals(careful(path)) and read_scores(path).value[0] == float(value)


def test_both_readers_give_the_same_table(tmp_path):
    from dbutils.paths import data

    path = data("scores", "upstream.csv")
    assert read_scores(path).equals(careful(path)) and read_scores(path).dtypes.equals(careful(path).dtypes)


def test_one_wrong_row_among_many_run_folders_is_named(tmp_path):
    for i in range(20):
        (tmp_path / f"r{i:02}").mkdir()
        write(
            tmp_path / f"r{i:02}", *(ROW.replace("r1", f"r{i}").replace(",1,run", f",{seed},run") for seed in range(9))
        )
    assert len(load(str(tmp_path))) == 180 and load(str(tmp_path)).equals(
        pd.concat([careful(tmp_path / f"r{i:02}" / "scores.csv") for i in range(20)], ignore_index=True)
    )
    write(tmp_path / "r07", ROW.replace("r1", "r7"), "", ROW.replace("r1", "r7").replace("44.5", "444.5"))
    with pytest.raises(InputError, match="r07/scores.csv:4: column 'value': '444.5' is not a number of per cent"):
        load(str(tmp_path))


def test_other_spellings_are_written_as_the_registry_does(tmp_path):
    row = ROW.replace("min nan chinese", "cmm. sinitic (o:traditional)").replace("sinitic,", "Sinitic,", 1)
    assert read_scores(write(tmp_path, row)).iloc[0].variety == "classical-middle-modern sinitic (o:traditional)"


def test_a_folder_of_runs_is_read_together(tmp_path):
    for name in ("r1", "r2"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, ROW.replace("r1", name))
    assert len(load(str(tmp_path))) == 2
    assert len(load(str(tmp_path / "r1"))) == 1
    write(tmp_path / "r2", ROW)
    with pytest.raises(InputError, match="the same row in two score files: ner my model zero_shot"):
        load(str(tmp_path / "r1"), str(tmp_path / "r2"))


def test_paper_scores_say_where_they_stand():
    table = scores.paper_scores()
    row = table[(table.task == "dep") & (table.code == "UD_Gheg-GPS") & (table.model == "mbert")].iloc[0]
    assert (row.value, row.run, row.origin) == (38.14, "table10:3", "paper")
    assert set(table.origin) == {"paper"}


def test_paper_scores_are_read_as_what_they_hold():
    table = scores.paper_scores()
    arb = table[(table.task == "tc") & (table.code == "arb_Arab") & (table.run == "table17:2")]
    held = {(r.model, r.setting, r.metric): r.value for r in arb.itertuples()}
    assert held["mbert", "zero_shot", "f1"] == 85.25  # headed acc_mbert
    uk = table[(table.task == "did") & (table.code == "english:EN-GB") & (table.model == "mbert")]
    assert dict(zip(uk.metric, uk.value)) == {"recall": 98.10, "precision": 83.13, "f1": 90.0}


def test_upstream_scores_keep_full_precision_and_their_line():
    table = scores.raw_upstream()
    row = table[(table.code == "arabic:ALG") & (table.metric == "f1") & (table.model == "mbert")].iloc[0]
    assert (row.value, row.run) == (66.94915254237288, "bert_predict_did_lm_arabic_madar.txt:2")
    assert set(table.origin) == {"upstream"}


def test_gold_sizes_of_identification_are_gold_not_predictions():
    table = scores.raw_upstream()
    n = dict(zip(table[table.task == "did"].code, table[table.task == "did"].n))
    assert [n[c] for c in ("english:EN-GB", "english:EN-US", "english:EN", "greek:smg_fb", "arabic:ALG")] == [
        211,
        312,
        76,
        12,
        200,
    ]


def test_the_default_source_fills_in_the_print_only_where_nothing_raw_exists():
    table = load()
    assert set(table[table.origin == "paper"].task) == {"sa", "mt"}
    raw = table[(table.task == "sa") & (table.origin == "upstream")]
    assert set(raw.model) == {"mistral-7b"}


def test_benchmark_rows_mean_one_number_each():
    rows = benchmark(load())
    assert not rows.duplicated(["task", "model", "setting", "cluster", "variety", "split", "metric"]).any()
    assert not (rows.variety == "").any()
    tc = rows[(rows.task == "tc") & (rows.setting == "zero_shot")]
    assert set(tc.train) == {"eng_Latn"}


def test_the_sandbox_never_enters_the_benchmark(tmp_path):
    path = write(tmp_path, ROW.replace("wikiann", "sandbox").replace("sinitic,min nan chinese", "tano,lowland tano"))
    table = load(str(path))
    assert len(table) == 1 and benchmark(table).empty
