"""Appendix I: the prompts as they are sent, rendered from the prompt files in use."""

from dbutils import names, sandbox
from dbutils.corpora import written
from dbutils.corpora.examples import TextExample
from dbutils.report.markup import md
from dbutils.report.tables import directive
from dbutils.tasks.prompts import FILES, choose, prompt, shown, solution

SEED = 0
FENCE = "```"
SHOWN = "arz_arab"  # whose labels the sentiment prompt below names
ANSWERS = {"mt": "its first line", "mrc": "the number of a choice", "eqa": "a span of the passage, letter for letter"}
ORIGIN = {"mt": "ours", "sa": "the paper's", "eqa": "the paper's"}
SETS = {
    "sa": "English sentences of our own",
    "did": "training part of the data set",
    "tc": "SIB-200 in English",
    "nli": "XNLI in English",
    "mrc": "the English training mixture",
    "eqa": "TyDiQA in English, without the questions of SD-QA",
    "mt": "none",
}


def prompts():
    """{`prompts.md`: a table of all prompts, then each as it is sent}."""
    parts = [_table(), *(_one(task) for task in FILES)]
    return {"prompts.md": "\n".join(parts)}


def _table():
    rows = [
        [
            names.TASKS[task],
            ORIGIN.get(task, "after the paper's"),
            str(prompt(task).shots),
            md(SETS[task]),
            ANSWERS.get(task, "one of the labels"),
            f"`dbutils/tasks/prompts/{task}.toml`",
        ]
        for task in FILES
    ]
    headings = ["task", "form", "exemplars", "drawn from", "an answer is", "file"]
    return directive(
        headings,
        rows,
        "The prompts of in-context learning",
        "tab-prompts",
        [False] * 2 + [True] + [False] * 3,
        filterable=False,
    )


def _one(task):
    text = rendered(task)
    return f"::::{{dropdown}} {md(names.TASKS[task])}: a prompt as it is sent\n{FENCE}text\n{text}\n{FENCE}\n::::\n"


def rendered(task):
    """A whole prompt: exemplars drawn with seed 0 from where a run draws them, or from the sandbox where that is a corpus."""
    frame = prompt(task)
    if task == "sa":
        labels, train = written.labels(task, SHOWN), written.examples(task, SHOWN)
        item = TextExample("", "(here stands the sentence that is asked about)", "")
    else:
        code = next(iter(sandbox.CLUSTERS)) if task == "did" else sandbox.SOURCE
        labels, train = (
            sandbox.labels(task, code if task == "did" else None),
            list(sandbox.examples(task, code, "train")),
        )
        item = next(sandbox.examples(task, code, "test"))
    some = shown(frame, choose(task, labels, train, frame.shots, SEED), item, frame.shots)
    return frame.render(labels, [(e, solution(task, e)) for e in some], item)
