"""Runs of one's own in a notebook: the plan, the scores with intervals, gaps, errors, examples, and the paper beside them."""

import functools

from dbutils import names
from dbutils.experiments import notebook, scoring
from dbutils.report.views.exhibits import picture
from dbutils.report.views.gaps import PREFERRED
from dbutils.report.views.view import between, listing, number, paragraph, unnumbered
from dbutils.scores import cells


def conduct(task, run, in_context=False):
    """Run what the parameters ask for (`experiments.notebook.run_all`); what is going on is shown meanwhile and then taken away."""
    from IPython import get_ipython
    from IPython.display import clear_output

    if get_ipython() is None:
        return notebook.run_all(task, run, in_context)

    def say(text):
        clear_output(wait=True)
        print(text, flush=True)

    try:
        return notebook.run_all(task, run, in_context, say)
    finally:
        clear_output()


def _if_run(view):
    """A view of NotebookRuns that says why, in a sentence, where nothing was run."""

    @functools.wraps(view)
    def shown(mine, *arguments):
        if mine.folders:
            return view(mine, *arguments)
        reasons = "; ".join(f"{names.setting(setting)}: {why}" for setting, why in mine.left_out.items())
        return paragraph(f"Nothing is run here ({reasons or 'the parameter settings names nothing for this section'}).")

    return shown


def plan(task, run, in_context=False):
    """A table: what running this notebook trains and tests, what it costs, what is lacking.

    It does not say what is done already, so that the page does not change when it is run again.
    """
    rows, left_out = notebook.plan(task, run, in_context)
    lines = [
        [
            names.setting(r["setting"]),
            r["train"],
            _count(r["train_examples"]),
            _count(r["words_to_train"]),
            r["tests"],
            _count(r["test_examples"]),
        ]
        for r in _merged(rows)
    ]
    if not lines:
        return paragraph("Nothing is run here.", *(f"Left out: {what}: {why}." for what, why in left_out.items()))
    source = "exemplars from" if in_context else "trained on"
    headings = ["setting", source, "examples", "words, passes counted", "tested on", "test examples"]
    lacking = {
        text.partition(" is not ")[0]: text for r in reversed(rows) for text in [r["lacking"]] if text
    }  # one per corpus
    table = unnumbered(headings, lines, headings[2:])
    notes = _cost(rows) if run.profile == "paper" else []
    notes += [f"Left out: {what}: {why}." for what, why in left_out.items()] + [
        f"Not on this machine: {text}." for text in lacking.values()
    ]
    return _below(table, notes)


def _cost(rows):
    """A sentence: how long the training takes, estimated for a base-size encoder."""
    from dbutils.experiments.plan import estimate

    known = [row["words_to_train"] for row in rows if row["words_to_train"] is not None]
    if len(known) < len(rows):
        return [f"How much is trained is known of {len(known)} of {names.counted(len(rows), 'training')} only."]
    words = sum(known)
    if not words:
        return ["Nothing is trained."]
    times = names.listed(f"{_duration(minutes)} on {machine}" for machine, minutes in estimate(words).items())
    return [f"Training a base-size encoder takes about {times}: estimated from the number of words, not measured."]


def _duration(minutes):
    if minutes < 1:
        return "a minute"
    return names.counted(round(minutes), "minute") if minutes < 90 else names.counted(round(minutes / 60), "hour")


def _merged(rows):
    """One row per setting where each variety has a training of its own."""
    by_setting = {}
    for row in rows:
        by_setting.setdefault(row["setting"], []).append(row)
    for group in by_setting.values():
        if len(group) <= 4:
            yield from group
            continue
        sums = {k: _sum(r[k] for r in group) for k in ("train_examples", "words_to_train", "tests", "test_examples")}
        yield dict(group[0], train=f"{len(group)} sources, one after the other", **sums)


def _sum(values):
    values = list(values)
    return None if None in values else sum(values)


def _count(value):
    return "" if value is None else f"{value:,}"


def _below(table, notes):
    """A View with sentences below it."""
    if not notes:
        return table
    text = paragraph(*notes)
    return type(table)(
        {
            "text/markdown": f"{table.data['text/markdown']}\n\n{text.text}",
            "text/html": f"{table.data['text/html']}<p>{text.text}</p>",
            "text/plain": f"{table.text}\n{text.text}",
        }
    )


@_if_run
def scores(mine):
    """A table: the score of each variety in each setting with its 95 % interval."""
    rows, settings = mine.scores, list(mine.folders)
    cells, keys = {}, {}
    for r in rows.itertuples():
        keys.setdefault((r.cluster, r.variety, r.code), r.n)
        cells[r.cluster, r.variety, r.code, r.setting] = between(r.value, r.low, r.high)
    lines = [
        [variety, cluster, code, n, *(cells.get((cluster, variety, code, s), "") for s in settings)]
        for (cluster, variety, code), n in keys.items()
    ]
    caption = (
        f"{names.metric(mine.metric)} of {names.model(mine.model)} on each {'label' if mine.task == 'did' else 'variety'} in per cent, with 95 % intervals"
        f"{', on constructed varieties' if mine.profile == 'sandbox' else ''}. n: test examples."
    )
    return listing(
        ["variety", "cluster", "code", "n", *(names.setting(s) for s in settings)],
        lines,
        caption,
        f"tab-{mine.name}",
        ["n", *(names.setting(s) for s in settings)],
        True,
    )


@_if_run
def answers(mine):
    """A sentence: how many of a language model's answers were none, and where most of them."""
    (setting,) = mine.folders
    entries = [r.entry for (_, split), r in mine.results(setting).items() if split == "test"]
    asked, none = sum(e["examples"] for e in entries), {e["code"]: e["notes"].get("no answer", 0) for e in entries}
    total = sum(none.values())
    if not total:
        return paragraph(f"All {asked:,} answers could be understood.")
    code, most = max(none.items(), key=lambda item: item[1])
    text = f"Of {asked:,} answers {total:,} were none ({number(100 * total / asked)} per cent), most of them in {code} ({most:,})."
    marked = [e["code"] for e in entries if scoring.unanswered(e["notes"], e["examples"])]
    if marked:
        text += f" More than a fifth of those in {', '.join(marked)}: these scores may say more of the answers' form than of the model."
    return paragraph(text)


@_if_run
def gaps(mine):
    """A figure: the gap of each variety against its distance from the reference."""
    from dbutils.report.figures.own import GapByDistance as figure

    return picture(f"fig-{mine.name}-gaps", figure, mine)


@_if_run
def errors(mine):
    """A figure: what was taken for what."""
    from dbutils.report.figures.own import Errors as figure

    return picture(f"fig-{mine.name}-errors", figure, mine)


@_if_run
def examples(mine, each=2):
    """A table: right and wrong predictions in the nearest and the farthest variety of the first setting.

    Texts are shown of constructed varieties only: what a corpus's licence allows, its own reader must judge.
    """
    results = {
        code: result for (code, split), result in mine.results(next(iter(mine.folders))).items() if split == "test"
    }
    scored = [(code, _score(mine, code)) for code in results]
    best, worst = max(scored, key=lambda s: s[1])[0], min(scored, key=lambda s: s[1])[0]
    lines = [line for code in dict.fromkeys((best, worst)) for line in _examples(mine, code, results[code], each)]
    headings = ["code", "example", *(["text"] if mine.profile == "sandbox" else []), "gold", "predicted"]
    caption = (
        f"Predictions of {names.model(mine.model)}, {names.setting(next(iter(mine.folders)))}, in the variety with the best and with the worst score: "
        "the first that are right and the first that are wrong."
    )
    return listing(headings, lines, caption, f"tab-{mine.name}-examples")


def _score(mine, code):
    rows = mine.scores
    own_rows = rows[[c.partition(":")[0] == code for c in rows.code] if mine.task == "did" else rows.code == code]
    return float(own_rows.value.mean())


def _examples(mine, code, result, each):
    from dbutils.tasks import TASKS

    metric = TASKS[mine.task].metrics(tuple(result.manifest["identity"]["labels"]))[0]
    taken = {True: 0, False: 0}
    for example, gold, prediction in notebook.examples(result):
        right = _whole(mine.task, metric, example, prediction)
        if taken[right] < each:
            taken[right] += 1
            text = [_text(example)] if mine.profile == "sandbox" else []
            yield [code, example.id, *text, *_said(mine.task, example, gold, prediction)]


def _whole(task, metric, example, prediction):
    """Whether an example is altogether right."""
    from dbutils.tasks import TASKS

    came = TASKS[task].from_json(prediction, example)
    if task in ("dep", "pos", "ner"):
        gold = TASKS[task].gold(example)
        return all(
            row == column or column == "right" for row, column in TASKS[task].outcomes(gold, TASKS[task].to_json(came))
        )
    return metric.score([example], [came]) > 99.9 if task == "eqa" else TASKS[task].gold(example) == prediction


def _text(example):
    """What a reader must see of an example to judge the prediction."""
    if hasattr(example, "tokens"):
        return " ".join(example.tokens)
    return " / ".join(
        getattr(example, part)
        for part in ("text", "premise", "hypothesis", "passage", "question", "source")
        if hasattr(example, part)
    )


def _said(task, example, gold, prediction):
    """(gold, predicted) as a reader wants them: of words only those that are wrong."""
    if prediction is None:
        prediction = "none"
    elif task == "mrc":
        prediction = example.choices[prediction]
    if task == "mrc":
        return [example.choices[gold], prediction]
    if task == "eqa":
        return [" / ".join(gold), prediction]
    if task == "dep":
        gold, prediction = (
            [
                f"{relation} of {_word(example, head)}"
                for head, relation in zip(tree["heads"], tree["relations"], strict=True)
            ]
            for tree in (gold, prediction)
        )
    if hasattr(example, "tokens"):
        wrong = [place for place, (one, other) in enumerate(zip(gold, prediction, strict=True)) if one != other]
        return [
            "; ".join(f"{example.tokens[i]}: {side[i] or 'none'}" for i in wrong) or "all as predicted"
            for side in (gold, prediction)
        ]
    return [gold, prediction]


def _word(example, head):
    return "the root" if head == 0 else "nothing" if head is None else example.tokens[head - 1]


@_if_run
def beside(mine, rows):
    """A table: the paper's encoders beside the run: per variety for real corpora, means for constructed varieties."""
    published = cells.published(rows, task=mine.task, split="test", metric=mine.metric)
    models = [m for m in PREFERRED if m in set(published.model)]
    if not models:
        return paragraph("The scores of this page hold nothing to stand beside the run.")
    return (_means if mine.profile == "sandbox" else _side_by_side)(mine, published, models)


def _means(mine, published, models):
    lines = []
    for setting in mine.folders:
        own_rows = mine.scores[mine.scores.setting == setting]
        them = [published[(published.setting == setting) & (published.model == m)].value for m in models]
        lines.append(
            [names.setting(setting), *_spread(own_rows.value), *(cell for values in them for cell in _spread(values))]
        )
    headings = ["setting"]
    for name in (f"{mine.model}, constructed varieties", *(names.model(m) for m in models)):
        headings += [f"mean, {name}", f"best minus worst, {name}"]
    caption = (
        f"{names.metric(mine.metric)} over varieties in per cent: this run on the constructed varieties and the paper's models on real ones. "
        "Levels cannot be compared, as the data differ; that the worst variety is far below the best can."
    )
    return listing(headings, lines, caption, f"tab-{mine.name}-beside", headings[1:])


def _spread(values):
    return [number(values.mean()), number(values.max() - values.min())] if len(values) else ["", ""]


def _side_by_side(mine, published, models):
    known = {(r.cluster, r.variety, r.code, r.setting, r.model): r.value for r in published.itertuples()}
    lines = []
    for r in mine.scores.itertuples():
        them = [known.get((r.cluster, r.variety, r.code, r.setting, m)) for m in models]
        lines.append(
            [r.variety, r.cluster, r.code, names.setting(r.setting), number(r.value), *(number(v) for v in them)]
        )
    caption = (
        f"{names.metric(mine.metric)} in per cent: this run beside {names.counted(len(models), 'model')} of the paper."
    )
    headings = ["variety", "cluster", "code", "setting", mine.model, *(names.model(m) for m in models)]
    return listing(headings, lines, caption, f"tab-{mine.name}-beside", headings[4:], filterable=True)
