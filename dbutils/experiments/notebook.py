"""What a notebook runs itself: its task with its model in its settings, and what came out of it."""

from dataclasses import dataclass, field
from pathlib import Path

from dbutils import models, sandbox, tasks
from dbutils.errors import InputError
from dbutils.experiments import compare, parts, sources
from dbutils.experiments.request import Request, asked_rows, check_model, default_model, make, plan_table
from dbutils.experiments.store import read_manifest


@dataclass(
    frozen=True, eq=False
)  # one is itself alone, so that what follows from it can be kept (`functools.lru_cache`)
class NotebookRuns:
    """The runs behind a section of a notebook.

    name: of the section, for labels. task, profile, model: by name. folders: {setting: run folders}, none if there is
    nothing to run. rows: their score rows, of the varieties asked for. left_out: {setting or variety: why}.
    """

    name: str

    task: str
    profile: str
    model: str
    folders: dict
    rows: object
    left_out: dict = field(default_factory=dict)

    @property
    def metric(self):
        """The benchmark's metric of the task."""
        return tasks.TASKS[self.task].metrics(("",))[0].name

    @property
    def scores(self):
        """The score rows of the benchmark's metric on test sets, one per variety and setting; InputError if nothing was run."""
        if self.rows is None:
            raise InputError(
                "nothing was run: " + "; ".join(f"{setting}: {why}" for setting, why in self.left_out.items())
            )
        rows = self.rows[(self.rows.split == "test") & (self.rows.metric == self.metric)]
        return rows[[":" in code for code in rows.code]] if self.task == "did" else rows

    def gaps(self, setting):
        """Gaps of a setting with intervals (`compare.gaps_with_intervals`).

        They are from English where English is trained on or shown, else from the representative: real English is no
        variety to translate from.
        """
        from_english = setting in ("zero_shot", "in_context") and (self.task != "mt" or self.profile == "sandbox")
        reference = "english" if from_english else "representative"
        table = compare.gaps_with_intervals(self.folders[setting], reference)
        return table[table.code.isin(set(self.rows.code))]

    def results(self, setting):
        """{(code, split): Result} of a setting's runs, of the varieties asked for."""
        found = {}
        for folder in self.folders[setting]:
            found |= compare.results(folder)
        asked = {code.partition(":")[0] for code in self.rows.code}
        return {key: result for key, result in found.items() if key[0] in asked}


def requests(task, run, in_context=False):
    """({setting: Request}, {setting: why it is left out}) of a notebook's parameters.

    run: the notebook's Parameters. in_context: only that setting, else only the others. In the sandbox its varieties are
    those of the parameter that are the sandbox's, or all.
    """
    have = [setting for setting in sources.settings(task, run.profile) if (setting == "in_context") == in_context]
    model = run.model or default_model(task, run.profile, in_context)
    named = run.varieties
    if run.profile == "sandbox":
        named = tuple(name for name in named if name in sandbox.names())
    mine = [setting for setting in run.settings if (setting == "in_context") == in_context]
    why = {setting: _why_not(task, model, setting, have) for setting in mine}
    found = {
        setting: Request(
            task, model, setting, varieties=named, seed=run.seed, limit=run.limit, profile=run.profile, runs=run.runs
        )
        for setting in mine
        if not why[setting]
    }
    return found, {setting: reason for setting, reason in why.items() if reason}


def _why_not(task, model, setting, have):
    """Why a model cannot be run in a setting, "" if it can."""
    if setting not in have:
        return "this task does not have it with this profile"
    try:
        check_model(task, setting, models.resolve(model, task))
    except InputError as error:
        return str(error)
    return ""


def plan(task, run, in_context=False):
    """(rows of `plan.table` for all settings of a notebook, {what is left out: why})."""
    asked, left_out = requests(task, run, in_context)
    rows = []
    for request in asked.values():
        more, lost = plan_table(request)
        rows.extend(more)
        left_out = left_out | lost
    return rows, left_out


def run_all(task, run, in_context=False, say=lambda text: None):
    """Run what the parameters of a notebook ask for, or what is missing of it; returns an NotebookRuns.

    in_context: the setting of that name, else all others. say: called with lines for the user. Raises what
    `request.make` raises.
    """
    import pandas as pd

    asked, left_out = requests(task, run, in_context)
    folders, rows = {}, []
    for setting, request in asked.items():
        folders[setting] = [Path(folder) for folder in make(request, say=say)]
        rows.append(asked_rows(request, folders[setting]))
        left_out = left_out | request.prepared.plan.left_out
    name = f"{task}-in-context" if in_context else f"{task}-own"
    model = read_manifest(next(iter(folders.values()))[0])["model"] if folders else ""
    return NotebookRuns(
        name, task, run.profile, model, folders, pd.concat(rows, ignore_index=True) if rows else None, left_out
    )


def examples(result):
    """[(example, gold, prediction)] of a Result; gold and prediction as JSON values."""
    import json

    manifest, table = result.manifest["identity"], result.table
    known = {example.id: example for example in parts.read(manifest["task"], result.part, manifest["limit"])}
    columns = (table.column(name).to_pylist() for name in ("id", "gold", "prediction"))
    return [
        (known[id], json.loads(gold), json.loads(prediction)) for id, gold, prediction in zip(*columns, strict=True)
    ]
