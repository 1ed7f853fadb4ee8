"""What a notebook runs itself: its task with its model in its settings, and what came out of it."""

from dataclasses import dataclass, field
from pathlib import Path

from dbutils import sandbox, tasks
from dbutils.errors import InputError
from dbutils.experiments import compare, parts, sources
from dbutils.experiments.request import DEFAULT_MODEL, Request, asked_rows, make, plan_table
from dbutils.experiments.runs import read_manifest


@dataclass(frozen=True)
class Own:
    """The runs behind a notebook.

    task, profile, model: by name. folders: {setting: run folders}. rows: their score rows, of the varieties asked
    for. left_out: {setting or variety: why}.
    """

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
        """The score rows of the benchmark's metric on test sets, one per variety and setting."""
        rows = self.rows[(self.rows.split == "test") & (self.rows.metric == self.metric)]
        return rows[[":" in code for code in rows.code]] if self.task == "did" else rows

    def gaps(self, setting):
        """Gaps of a setting with intervals (`compare.gaps_with_intervals`): from English if zero-shot, else from the representative."""
        reference = "english" if setting == "zero_shot" else "representative"
        table = compare.gaps_with_intervals(self.folders[setting], reference)
        return table[table.code.isin(set(self.rows.code))]

    def results(self, setting):
        """{(code, split): Result} of a setting's runs, of the varieties asked for."""
        found = {}
        for folder in self.folders[setting]:
            found |= compare.results(folder)
        asked = {code.partition(":")[0] for code in self.rows.code}
        return {key: result for key, result in found.items() if key[0] in asked}


def requests(task, run):
    """({setting: Request}, {setting: why it is left out}) of a notebook's parameters.

    run: the notebook's Parameters. In the sandbox its varieties are those of the parameter that are the sandbox's, or all.
    """
    have = sources.settings(task, run.profile)
    named = run.varieties
    if run.profile == "sandbox":
        named = tuple(name for name in named if name in sandbox.names())
    found = {
        setting: Request(
            task, run.model or DEFAULT_MODEL[run.profile], setting, varieties=named, seed=run.seed, limit=run.limit,
            profile=run.profile, runs=run.runs,
        )
        for setting in run.settings
        if setting in have
    }  # fmt: skip
    lost = [setting for setting in run.settings if setting not in have]
    return found, {s: f"with profile {run.profile} this task has the settings {', '.join(have)}" for s in lost}


def plan(task, run):
    """(rows of `plan.table` for all settings of a notebook, {what is left out: why})."""
    asked, left_out = requests(task, run)
    rows = []
    for request in asked.values():
        more, lost = plan_table(request)
        rows.extend(more)
        left_out = left_out | lost
    return rows, left_out


def conduct(task, run):
    """Run what the parameters of a notebook ask for, or what is missing of it; returns an Own.

    Raises InputError if no setting can be run, and whatever `request.make` raises.
    """
    import pandas as pd
    from tqdm.auto import tqdm

    asked, left_out = requests(task, run)
    if not asked:
        raise InputError(f"nothing to run for {task}: {next(iter(left_out.values()))}; name one of them in 'settings'")
    folders, rows, model = {}, [], ""
    with tqdm(asked.items(), desc=task, leave=False) as bar:
        for setting, request in bar:
            folders[setting] = [Path(folder) for folder in make(request, say=bar.set_postfix_str)]
            rows.append(asked_rows(request, folders[setting]))
            left_out = left_out | plan_table(request)[1]
    model = read_manifest(next(iter(folders.values()))[0])["model"]
    return Own(task, run.profile, model, folders, pd.concat(rows, ignore_index=True), left_out)


def examples(result):
    """[(example, gold, prediction)] of a Result; gold and prediction as JSON values."""
    import json

    manifest, table = result.manifest["identity"], result.table
    known = {example.id: example for example in parts.read(manifest["task"], result.part, manifest["limit"])}
    columns = (table.column(name).to_pylist() for name in ("id", "gold", "prediction"))
    return [(known[id], json.loads(gold), json.loads(prediction)) for id, gold, prediction in zip(*columns, strict=True)]
