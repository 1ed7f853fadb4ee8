"""Multiple-choice reading comprehension: Belebele and the six English sets of its training mixture."""

from dbutils.corpora import mixture, splits, store
from dbutils.corpora.examples import ChoiceExample
from dbutils.corpora.formats import assembled, belebele, mcscript, mctest, multirc, race, reclor, sciq


def _example(question):
    passage, choices = question.passage, question.choices
    return ChoiceExample(question.id, passage, question.question, choices, question.right[0], question.passage_id)


def _with_one_answer(questions):
    return (_example(q) for q in questions if len(q.right) == 1)


def belebele_upstream(task, code, split):
    """All 900 questions of one variety, upstream's files."""
    return _with_one_answer(belebele.upstream(store.find("belebele", f"{code}.jsonl")))


def belebele_eng(task, code, split):
    """The English questions, from a copy that groups them by passage."""
    return _with_one_answer(belebele.reshaped(store.find("belebele-eng", "data/belebele/eng_Latn.jsonl")))


def _mctest(split):
    folder = "MCTest" if split != "test" else "MCTestAnswers"
    path = store.find("mctest", f"data/MCTest/mc500.{split}.tsv")
    return mctest.read(path, store.find("mctest", f"data/{folder}/mc500.{split}.ans"))


def _race(split):
    for path in store.matching("race", f"RACE/{split}/*/*.txt"):
        yield from race.read(path)


def _sciq(split):
    name = {"train": "train", "dev": "valid", "test": "test"}[split]
    return sciq.read(store.find("sciq", f"SciQ dataset-2 3/{name}.json"))


def _multirc(split):
    name = {"train": "train_456-fixedIds", "dev": "dev_83-fixedIds"}[split]
    return multirc.read(store.find("multirc", f"splitv2/{name}.json"))


def _mcscript(split):
    return mcscript.read(store.find("mcscript2", f"{split}-data.xml"))


def _reclor(split):
    return reclor.read(store.find("reclor", {"train": "train.json", "dev": "val.json"}[split]))


QUESTIONS = {
    "mctest": _mctest,
    "race": _race,
    "sciq": _sciq,
    "multirc": _multirc,
    "mcscript2": _mcscript,
    "reclor": _reclor,
}


def single(corpus):
    """The reader of one of the six sets: its questions with exactly one right answer, as they stand."""

    def read(task, code, split):
        return _with_one_answer(QUESTIONS[corpus](split))

    return read


def training(task, code, split):
    """The training mixture: code `all`, or one of its sets by its id.

    `train` and `dev` are assembled from the sets on disk (see mixture.py). `paper-train` and
    `paper-dev` read an assembled train.jsonl and, like the paper, take a random tenth of all rows
    for dev, whatever their `split` column says (seed 0 here, unseeded there).
    """
    if split.startswith("paper-"):
        rows = assembled.read(store.find("belebele_training", "train.jsonl"))
        found = [_example(q) for dataset, _, q in rows if code in ("all", mixture.BY_NAME.get(dataset))]
        dev = set(splits.draw(len(found), 0.1))
        return (e for i, e in enumerate(found) if (i in dev) == (split == "paper-dev"))
    corpora = QUESTIONS if code == "all" else (code,)
    return (_example(q) for corpus in corpora for q in _assembled(corpus, split))


def _assembled(corpus, split):
    if corpus == "mcscript2" and split == "dev":
        return ()  # the mixture takes only its train part
    return mixture.assemble(corpus, QUESTIONS[corpus](split))
