"""Predictions made elsewhere: their scores, and what is wrong with them."""

import json

import pytest

from dbutils.errors import InputError
from dbutils.experiments import parts
from dbutils.experiments.external import absent, score
from dbutils.experiments.parts import Part
from dbutils.tasks import TASKS


@pytest.fixture
def file(tmp_path):
    def write(lines, name="mine.jsonl"):
        path = tmp_path / name
        path.write_text(
            "".join((line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n" for line in lines)
        )
        return path

    return write


def gold(task, code="tal"):
    record = TASKS[task]
    for example in parts.read(task, Part("sandbox", code, "test")):
        value = record.gold(example)
        yield {"code": code, "id": example.id, "prediction": value[0] if task == "eqa" else value}


@pytest.mark.parametrize("model", ["x\ny", " ", " x", "a\x00b"])
def test_a_name_that_no_score_file_may_hold_is_refused(file, model):
    with pytest.raises(InputError, match="is not a model name"):
        score("tc", file(gold("tc")), "sandbox", model=model)


@pytest.mark.parametrize("task", TASKS)
def test_gold_scores_100(file, task):
    report = score(task, file(gold(task, "talvo" if task == "did" else "tal")), "sandbox")
    assert not report.problems
    assert {row["value"] for row in report.rows} == {100.0}
    assert {row["metric"] for row in report.rows} >= {metric.name for metric in TASKS[task].metrics(("a",))}
    assert {(row["model"], row["origin"], row["corpus"]) for row in report.rows} == {("mine", "run", "sandbox")}


@pytest.mark.parametrize("task", TASKS)
def test_what_is_missing_is_wrong(file, task):
    lines = list(gold(task, "talvo" if task == "did" else "tal"))
    report = score(task, file(lines[:1]), "sandbox")
    first = TASKS[task].metrics(("a",))[-1 if task in ("did", "sa", "tc", "nli", "mrc") else 0].name
    value = next(row["value"] for row in report.rows if row["metric"] == first)
    assert 0 < value < 5 if task not in ("ner", "pos", "dep") else value < 5
    missing = len(lines) - 1
    assert [line for line in report.problems if "missing" in line][-1].endswith(
        f"{missing - 5} more of {lines[0]['code']}"
    )


@pytest.mark.parametrize("task", TASKS)
def test_no_prediction_has_no_hit_in_any_metric(task):
    example = parts.read(task, Part("sandbox", "talvo" if task == "did" else "tal", "test"))[0]
    labels = parts.labels(task, Part("sandbox", "talvo" if task == "did" else "tal", "test"))
    assert all(metric.score([example], [absent(example)]) == 0 for metric in TASKS[task].metrics(labels))


def test_surplus_duplicate_and_malformed_are_told_with_their_lines(file):
    lines = list(gold("tc"))
    lines[2]["prediction"] = 7
    lines[3]["prediction"] = "sae"
    more = [
        lines[0],
        {"code": "tal", "id": "test-9999", "prediction": "sea"},
        {"code": "tall", "id": "test-0001", "prediction": "sea"},
        "no json",
        "[1]",
        {"code": "tal", "ident": "test-0001", "prediction": "sea"},
        {"code": 7, "id": "x", "prediction": "sea"},
        "",
    ]
    path = file([*lines, *more])
    report = score("tc", path, "sandbox")
    assert next(row["value"] for row in report.rows if row["metric"] == "accuracy") == 98
    said = "\n".join(report.problems).replace(str(path), "F")
    for line in (
        "F:3: malformed: tal 'test-0002': the prediction must be a label (text), or null for none, not 7; counts as wrong",
        "F:4: malformed: tal 'test-0003': unknown label 'sae': did you mean 'sea'?; counts as wrong",
        "F:101: duplicate: tal 'test-0000' was predicted before; the first counts",
        "F:102: surplus: tal has no example 'test-9999'",
        "F:103: surplus: 1 prediction of the unknown code 'tall', did you mean 'tal'?",
        "F:104: malformed: not JSON (Expecting value)",
        "F:105: malformed: not a JSON object",
        "F:106: malformed: 'id' is missing (is 'ident' it?)",
        "F:107: malformed: code 7 is not text: put it in quotes",
    ):
        assert line in said
    assert len(report.problems) == 9


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("no json", "F:101: malformed: not JSON", "F: malformed: 15 more of the file's lines"),
        ("NaN", "F:101: malformed: not JSON (NaN is no number of JSON)", "F: malformed: 15 more of the file's lines"),
        ('{"code": "tal"}', "F:101: malformed: 'id' is missing", "F: malformed: 15 more of the file's lines"),
        (
            '{"code": "tal", "id": "\\udc00", "prediction": "sea"}',
            "F:101: malformed: \\udc00 is half a character",
            "15 more of the file's lines",
        ),
        ('{"code": "tal", "id": "x", "prediction": "sea"}', "F:101: surplus: tal has no example 'x'", "15 more of tal"),
        (
            '{"code": "tal{n}", "id": "x", "prediction": "sea"}',
            "F:101: surplus: 1 prediction",
            "15 more of unknown codes",
        ),
    ],
)
def test_equal_complaints_are_five_and_a_count(file, line, first, last):
    path = file([*gold("tc"), *(line.replace("{n}", str(n)) for n in range(20))])
    report = score("tc", path, "sandbox")
    said = [problem.replace(str(path), "F") for problem in report.problems]
    assert len(said) == 6 and said[0].startswith(first) and said[-1].endswith(last) and "15 more" in said[-1]


def test_repeated_ids_of_a_corpus_do_not_cost_a_perfect_prediction_anything(file, corpora):
    rows = "1\tx\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\ty\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    more = (
        "1\tz\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\t,\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n3\tv\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    )
    corpora("ud/UD_Albanian-TSA/sq_tsa-ud-test.conllu", f"# sent_id = a\n{rows}# sent_id = a\n{more}")
    answers = {"a": ([2, 0], ["det", "root"]), "a#2": ([0, 1, 1], ["root", "punct", "dep"])}
    lines = [
        {"code": "UD_Albanian-TSA", "id": id, "prediction": {"heads": heads, "relations": relations}}
        for id, (heads, relations) in answers.items()
    ]
    report = score("dep", file(lines))
    assert report.problems == [] and {row["value"] for row in report.rows} == {100}
    as_in_the_file = [{**line, "id": "a"} for line in lines]
    report = score("dep", file(as_in_the_file))
    assert report.problems == [] and {row["value"] for row in report.rows} == {100}
    report = score("dep", file([*as_in_the_file, *lines]))
    assert len(report.problems) == 2 and all("was predicted before; the first counts" in p for p in report.problems)


def test_a_corpus_without_examples_has_no_score(file, corpora):
    corpora("ud/UD_Albanian-TSA/sq_tsa-ud-test.conllu", "")
    line = {"code": "UD_Albanian-TSA", "id": "a", "prediction": {"heads": [0], "relations": ["root"]}}
    with pytest.raises(InputError, match="UD_Albanian-TSA .*test: there is no example in it"):
        score("dep", file([line]))


def test_malformed_trees_and_tags_are_wrong_not_fatal(file):
    dep = list(gold("dep"))
    dep[0]["prediction"] = {"heads": [0], "relations": ["root"]}
    report = score("dep", file(dep), "sandbox")
    assert len(report.problems) == 1 and "words of the sentence" in report.problems[0]
    assert all(90 < row["value"] < 100 for row in report.rows)


def test_codes_of_the_benchmark_find_their_corpus_and_key(file, corpora):
    for code in ("scn_Latn", "ita_Latn"):
        corpora(f"sib-200/data/annotated/{code}/test.tsv", "index_id\tcategory\ttext\n1\ttravel\tx\n2\tsports\ty\n")
    lines = [{"code": c, "id": i, "prediction": "travel"} for c in ("scn_Latn", "ita_Latn") for i in ("1", "2")]
    report = score("tc", file(lines), model="mine", train="eng_Latn")
    assert {(r["corpus"], r["cluster"], r["variety"], r["train"]) for r in report.rows} == {
        ("sib-200", "italian romance", "sicilian", "eng_Latn"),
        ("sib-200", "italian romance", "italian", "eng_Latn"),
    }
    assert [r["value"] for r in report.rows if r["metric"] == "accuracy"] == [50, 50]


@pytest.mark.parametrize(
    "lines, options, says",
    [
        ([{"code": "tal", "id": "test-0001", "prediction": "sea"}], {}, "one of the sandbox: --corpus sandbox"),
        (
            [{"code": "tal", "id": "test-0001", "prediction": "sea"}],
            {"corpus": "sandbox", "split": "tset"},
            "did you mean 'test'",
        ),
        ([{"code": "scn_Latn", "id": "1", "prediction": "sea"}], {"corpus": "sib-20"}, "did you mean 'sib-200'"),
        ([{"code": "scn_Latn", "id": "1", "prediction": "sea"}], {}, "dbutils corpora get sib-200"),
        ([], {}, "no predictions"),
        (["{"], {}, "malformed: not JSON"),
        (["[" * 100000], {}, "malformed: not JSON that can be read .nested too deeply"),
    ],
)
def test_nothing_to_score_is_one_clear_error(file, corpora, lines, options, says):
    with pytest.raises(InputError, match=says):
        score("tc", file(lines), **options)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        score("tc", tmp_path / "none.jsonl", "sandbox")
    with pytest.raises(InputError, match="did you mean 'tc'"):
        score("tcc", tmp_path / "none.jsonl", "sandbox")
