"""What the numbers really are: findings on how the published scores were made, each with its evidence.

A finding says in a sentence or two what a reader should know, and computes from the score rows a
small table that shows it. What can only be seen in upstream's code or in a corpus is said with file and line.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dbutils import names, registry
from dbutils.analysis.running_text import answering, disparities, gap_averages
from dbutils.scores import SCORE_TABLES, cells, printed
from dbutils.scores.flags import predicted


@dataclass(frozen=True)
class Finding:
    """A finding about published numbers.

    tasks: task codes concerned; where: the tables of the paper; seen: what outside the score rows
    proves it (file and line, corpus); evidence(scores) -> table of text and numbers.
    """

    id: str
    title: str
    text: str
    tasks: tuple[str, ...]
    where: str
    seen: str
    evidence: Callable


def _frame(rows, columns):
    import pandas as pd

    return pd.DataFrame(rows, columns=columns)


def _rows(scores, task, metric=None):
    return cells.published(scores, task=task, origin="upstream", metric=metric)


def _swapped(scores):
    rows = _rows(scores, "did")
    rows = rows[rows.model == "mbert"]
    hits = predicted(scores[(scores.task == "did") & (scores.origin == "upstream")])
    out = []
    for _line, r in printed(16).iterrows():
        own = rows[(rows.cluster == r.cluster_norm) & (rows.variety == r.variety_norm)].set_index("metric")
        if own.empty:
            continue
        gold = int(own.n.iloc[0])
        guesses = int(hits["mbert", own.code.iloc[0]])
        right = round(gold * own.value["recall"] / 100)
        out.append(
            [
                r.variety,
                float(r.precision_mbert),
                f"{right}/{gold}",
                float(r.recall_mbert),
                f"{right}/{guesses}",
                int(r.support),
                guesses,
            ]
        )
    columns = [
        "variety",
        "printed precision",
        "right / gold",
        "printed recall",
        "right / predicted",
        "printed support",
        "predictions",
    ]
    return _frame(out, columns)


def _accuracy_columns(scores):
    rows = _rows(scores, "tc")
    value = {(r.model, r.setting, r.metric, r.cluster, r.variety): r.value for r in rows.itertuples()}
    out = []
    for _, r in printed(17).iterrows():
        key = (r.cluster_norm, r.variety_norm)
        have = [value.get(("mbert", s, m, *key)) for s, m in (("zero_shot", "f1"), ("in_cluster", "accuracy"))]
        if None not in have:
            out.append([r.variety, float(r.acc_mbert), round(have[0], 2), round(have[1], 2)])
    return _frame(out, ["variety", "printed under accuracy", "zero-shot F1", "fine-tuned accuracy"])


def _chunks(scores):
    rows = _rows(scores, "pos")
    rows = rows[(rows.model == "mbert") & (rows.setting == "zero_shot")]
    wide = rows.pivot_table(index=["variety", "code"], columns="metric", values="value").reset_index()
    if wide.empty:
        return _frame([], ["variety", "code", "word accuracy", "chunk F1", "difference"])
    wide["difference"] = wide.accuracy - wide.f1
    wide = wide.sort_values("difference", ascending=False).head(10)
    return _frame(
        [[r.variety, r.code, round(r.accuracy, 2), round(r.f1, 2), round(r.difference, 2)] for r in wide.itertuples()],
        ["variety", "code", "word accuracy", "chunk F1", "difference"],
    )


def _codes(task, *codes):
    def evidence(scores):
        main = registry.facts(task).metric
        rows = cells.published(scores, task=task, code=codes, metric=main, origin="upstream")
        sizes = dict(zip(scores.code, scores.n.astype(object).where(scores.n.notna(), "")))
        out = [
            [r.variety, r.code, sizes[r.code], r.model, names.setting(r.setting), round(r.value, 2), r.run]
            for r in rows.itertuples()
        ]
        return _frame(out, ["variety", "code", "test sentences", "model", "setting", main.upper(), "where"])

    return evidence


def _seen_data(scores):
    rows = _rows(scores, "did", "f1")
    rows = rows[
        rows.model.isin(["mbert", "xlmr"]) & rows.corpus.isin(["dsl_tl", "dmt", "madar", "greek_did", "swiss_did"])
    ]
    names = {"dsl_tl": "DSL-TL", "dmt": "DMT", "madar": "MADAR", "greek_did": "Greek", "swiss_did": "Swiss (GDI)"}
    out = []
    for (corpus, model), group in rows.groupby(["corpus", "model"], sort=False):
        seen = "yes" if corpus in ("dsl_tl", "dmt") else "no"
        out.append([names[corpus], model, len(group), round(group.value.mean(), 2), seen])
    return _frame(out, ["data set", "model", "labels", "mean F1", "tested on training rows"])


def _same_as_tuned(scores):
    rows = _rows(scores, "ner", "f1")
    value = {(r.model, r.setting, r.code): r.value for r in rows.itertuples()}
    out = []
    for (model, setting, code), v in value.items():
        if setting == "zero_shot" and value.get((model, "in_cluster", code)) == v:
            out.append([model, code, round(v, 2), round(value[model, "in_cluster", code], 2)])
    return _frame(out, ["model", "code", "zero-shot F1", "fine-tuned F1"])


def _outside(scores):
    known = registry.load()
    out = []
    for number in (12, 17):
        spec = SCORE_TABLES[number]
        for _, r in spec.printed().iterrows():
            source = known.coded(spec.task, r[spec.source])
            tuned = any(r[c] for c in spec.columns if "finetune" in c or number == 17)
            if tuned and source is not None and source.cluster != r.cluster_norm:
                out.append([f"Table {number}", r.cluster, r.variety, r[spec.source], source.cluster])
    return _frame(out, ["table", "cluster", "variety", "fine-tuned on", "of cluster"])


def _collapsed(scores):
    """The fine-tuned scores with the flag `never-learnt`, each with the zero-shot score of the same model."""
    scores = scores[scores.origin == "upstream"]
    rows = cells.published(scores)
    rows = rows.assign(failed=["never-learnt" in f for f in rows["flags"]])
    rows = rows.loc[[registry.facts(t).metric == m for t, m in zip(rows.task, rows.metric)]]
    zero = rows[rows.setting == "zero_shot"]
    before = {(r.task, r.model, r.cluster, r.variety): r.value for r in zero.itertuples()}
    out = []
    for r in rows[rows.failed].itertuples():
        was = before.get((r.task, r.model, r.cluster, r.variety))
        out.append(
            [
                names.TASKS[r.task],
                names.model(r.model),
                r.variety,
                r.train,
                "" if was is None else round(was, 2),
                round(r.value, 2),
            ]
        )
    return _frame(out, ["task", "model", "variety", "fine-tuned on", "zero-shot", "fine-tuned"])


def _combined(scores):
    out = []
    for cluster, of in answering(cells.published(scores)).items():
        for model in ("mbert", "xlmr"):
            before, after = of.get((model, "zero_shot")), of.get((model, "combined"))
            if None not in (before, after):
                out.append([cluster, names.model(model), round(before, 2), round(after, 2), round(after - before, 2)])
    return _frame(out, ["cluster", "model", "zero-shot", "combined", "gain"])


def _in_context(scores):
    out = []
    for cluster, of in answering(cells.published(scores)).items():
        values = [of.get(key) for key in (("mistral-7b", "in_context"), ("mbert", "combined"), ("xlmr", "combined"))]
        if None not in values:
            out.append([cluster, *(round(v, 2) for v in values)])
    return _frame(out, ["cluster", "Mistral 7B in context", "mBERT combined", "XLM-R combined"])


def _most_unequal(scores):
    from dbutils.analysis.tables.summaries import best_scores

    found = disparities(best_scores(scores, "nli"))[:5]
    return _frame(
        [[c, len(values), round(min(values), 2), round(max(values), 2), round(d, 2)] for d, c, values in found],
        ["cluster", "varieties", "lowest", "highest", "standard deviation"],
    )


def _zero_shot_gaps(scores):
    rows = [
        [names.TASKS[task], round(zero, 1), round(tuned, 1), "yes" if zero <= abs(tuned) else "no"]
        for task, (zero, tuned) in gap_averages(scores).items()
    ]
    return _frame(rows, ["task", "zero-shot gap", "fine-tuned gap", "as the text says"])


def _korean(scores):
    rows = _rows(scores, "eqa", "f1")
    rows = rows[(rows.cluster == "korean") & (rows.split == "test")]
    out = [[r.variety, r.model, names.setting(r.setting), round(r.value, 2)] for r in rows.itertuples()]
    return _frame(out, ["variety", "model", "setting", "span F1"])


def _identical(scores):
    table = printed(20)
    out = []
    for cluster, group in table.groupby("cluster", sort=False):
        same = int((group.nllb_600m_bleu == group.nllb_1_3b_bleu).sum())
        out.append([cluster, len(group), same])
    return _frame(out, ["cluster", "rows", "rows with equal columns"])


def _twins(scores):
    table = printed(20)
    value = table.nllb_600m_bleu + " / " + table.nllb_1_3b_bleu
    different = table.nllb_600m_bleu != table.nllb_1_3b_bleu
    again = value[different].duplicated(keep=False)
    found = table[different][again]
    return _frame(
        [[r.cluster, r.variety, float(r.nllb_600m_bleu), float(r.nllb_1_3b_bleu)] for r in found.itertuples()],
        ["cluster", "variety", "NLLB 600M", "NLLB 1.3B"],
    )


def _separators(scores):
    from dbutils.analysis.tables.summaries import UTILITY_TABLES, best_scores
    from dbutils.analysis.utility import by_cluster

    out = []
    for number, task in UTILITY_TABLES.items():
        best = best_scores(scores, task)
        then, now = by_cluster(best), by_cluster(best, as_printed=False)
        for a, b in zip(then.itertuples(), now.itertuples()):
            if a.demographic_utility != b.demographic_utility and b.demographic_utility == b.demographic_utility:
                was = "" if a.demographic_utility != a.demographic_utility else round(a.demographic_utility, 1)
                out.append([f"Table {number}", a.cluster, was, round(b.demographic_utility, 1)])
    return _frame(out, ["table", "cluster", "as printed", "with all populations"])


def _unlisted(scores):
    known = registry.load()
    rows = scores[(scores.origin == "upstream") & (scores.variety == "") & scores.model.isin(["mbert", "xlmr"])]
    out = []
    for task, group in rows.groupby("task", sort=False):
        codes = sorted(
            {c for c in group.code if not c.endswith((":accuracy", " avg", "-total")) and c != "all_language"}
        )
        if codes:
            out.append([task.upper(), len(codes), ", ".join(codes)])
    listed = {(r.cluster_norm, r.variety_norm) for n in (13, 17) for _, r in printed(n).iterrows()}
    have = {(r.cluster, r.variety) for r in cells.published(scores, task=("nli", "tc"), origin="upstream").itertuples()}
    names = sorted(known.get(*k).variety for k in have - listed)
    out.append(["NLI, TC", len(names), "without a row in Table 13 or 17: " + ", ".join(names)])
    return _frame(out, ["task", "codes", "which"])


FINDINGS = (
    Finding(
        "precision",
        "Table 16: precision and recall have changed places, support counts predictions",
        "Upstream called the classification report with gold and predictions exchanged. What is printed under precision is recall, "
        "what is printed under recall is precision, and the support is the number of times mBERT predicted the label. F1 is not affected.",
        ("did",),
        "Table 16",
        "text-classification_transformers.py line 769 of upstream",
        _swapped,
    ),
    Finding(
        "accuracy",
        "Table 17: the columns headed accuracy hold zero-shot F1",
        "The four printed numbers are F1 scores: mBERT and XLM-R zero-shot from English, then both fine-tuned in the cluster.",
        ("tc",),
        "Table 17",
        "upstream's topic classification result files",
        _accuracy_columns,
    ),
    Finding(
        "chunks",
        "Table 11: F1 of tags is chunk F1, not word accuracy",
        "The tags were given to a scorer for entity chunks. Equal neighbouring tags merge into one chunk, the first letter of a tag is taken for "
        "its B or I, and rows of multiword tokens count as words. The score is lower than the share of words tagged right.",
        ("pos",),
        "Table 11, 24",
        "run_pos_tagging.py lines 560 and 591 of upstream",
        _chunks,
    ),
    Finding(
        "train-test",
        "Part of dialect identification was tested on training rows",
        "For DSL-TL and DMT the training rows were read from the development file that was also the test set. The models had seen every row they "
        "were scored on. The official training files exist and are in the corpora catalogue.",
        ("did",),
        "Table 16, 28",
        "process_dataset.py of upstream: process_dsltl, process_dmt",
        _seen_data,
    ),
    Finding(
        "placeholders",
        "The lowest rows of Tables 10 and 11 measure placeholders",
        "In the Mbyá Guaraní Dooley treebank 11,536 of 11,771 word forms are the character _, since the text is withheld for copyright. The "
        "scores say nothing about the variety.",
        ("dep", "pos"),
        "Tables 10, 11, 3, 21, 23, 24",
        "README of UD_Mbya_Guarani-Dooley, line 3; its test file from line 7",
        _codes("dep", "UD_Mbya_Guarani-Dooley"),
    ),
    Finding(
        "one-sentence",
        "One test set is a single sentence",
        "The Neapolitan treebank of UD 2.12 has one test sentence of ten words. Its parsing scores are multiples of ten per cent; its tagging "
        "accuracies are multiples of one eleventh, because the row of a multiword token was counted as a word.",
        ("dep", "pos"),
        "Tables 10, 11, 21",
        "nap_rb-ud-test.conllu of UD 2.12",
        _codes("pos", "UD_Neapolitan-RB"),
    ),
    Finding(
        "half-aave",
        "Half of the African American English row is mainstream English",
        "The test file joins 250 trees of African American and 250 of mainstream American tweets. Punctuation, @ and # have no head there "
        "and drop out of the score.",
        ("dep",),
        "Tables 10, 23",
        "all500_gold.conllu of TwitterAAE",
        _codes("dep", "TwitterAAE"),
    ),
    Finding(
        "empty",
        "One entity test set is empty",
        "Upstream's file of Jamaican Creole holds no sentence; a support of 0 stands in Table 12 as a score of 0 and enters averages and gaps.",
        ("ner",),
        "Tables 3, 4, 5, 12, 21, 25",
        "wikiann-jam.bio, 0 bytes",
        _codes("ner", "jam"),
    ),
    Finding(
        "norwegian",
        "Norwegian entities: the zero-shot scores are the fine-tuned ones",
        "The files of the English model repeat, for the three Norwegian sets, the score of the model trained on the set itself: its tags differ "
        "from WikiANN's, so an English model could not have been scored. For English itself the two are the same by design.",
        ("ner",),
        "Tables 12, 21",
        "bert_predict_ner_en.txt lines 87-89",
        _same_as_tuned,
    ),
    Finding(
        "sources",
        "In-cluster fine-tuning is not always in the cluster",
        "The source of fine-tuning named in Tables 12 and 17 belongs to another cluster for these varieties. A gap computed from such scores compares "
        "different systems; the gap tables of the book mark these rows.",
        ("ner", "tc"),
        "Tables 4, 12, 17",
        "columns source and src of the tables",
        _outside,
    ),
    Finding(
        "collapsed",
        "Some fine-tuned models never learnt",
        "With the settings of the zero-shot models, several fine-tuned ones stayed near zero, most of them XLM-R and those with few training "
        "sentences. Gaps over such scores explode: a cluster's gap of more than a thousand per cent comes from a representative that scores three.",
        ("dep", "pos", "ner", "tc"),
        "Tables 4, 5, 10, 11, 12, 17",
        "paper, section 5",
        _collapsed,
    ),
    Finding(
        "korean",
        "mBERT's Korean question answering is broken by lower-casing",
        "The cased model was run lower-cased with accents stripped, which takes Korean syllables apart. This is our reading of the settings; the "
        "authors do not say it. XLM-R does not suffer from it.",
        ("eqa",),
        "Tables 14, 15, 5",
        "option --do_lower_case in upstream's install script",
        _korean,
    ),
    Finding(
        "copied-column",
        "Table 20: the two Arabic columns are the same",
        "Every Arabic row shows the same BLEU for the 600M and the 1.3B model; in no other cluster do more than one row.",
        ("mt",),
        "Tables 20, 3",
        "Table 20",
        _identical,
    ),
    Finding(
        "twins",
        "Two Basque rows are the same file",
        "The files of Suhuskune and Uharte-Garazi in CODET are identical, so their scores are too.",
        ("mt",),
        "Table 20",
        "Suhuskune.eus and Uharte-Garazi.eus of CODET",
        _twins,
    ),
    Finding(
        "separators",
        "Three populations with separators were read as missing",
        "Demographic utility leaves out varieties whose population is not written in digits alone. Three are written with commas; with them the "
        "printed empty cell of Bengali and the Korean one change.",
        ("eqa", "did", "ner"),
        "Tables 23-31",
        "metadata/dialect_info_wgcode.csv of upstream",
        _separators,
    ),
    Finding(
        "combined",
        "Combined fine-tuning for question answering helps English too",
        "The text says that it helps all clusters except English. Both encoders gain in all five, English among them.",
        ("eqa",),
        "Section 4.1, Table 15",
        "paper, section 4.1, question answering",
        _combined,
    ),
    Finding(
        "most-unequal",
        "The largest disparity in inference is not the Kurdish one",
        "The text names the Kurdish cluster. Measured by the standard deviation of the best scores, as Table 26 has it, common Turkic comes "
        "first and Kurdish second. In topics the claim holds.",
        ("nli",),
        "Section 4.1, Table 26",
        "paper, section 4.1, sequence classification",
        _most_unequal,
    ),
    Finding(
        "zero-shot-gaps",
        "The zero-shot gap is the smaller one in half of the tasks only",
        "The text says that the gap within clusters is in general smaller zero-shot than after fine-tuning. By the averages of Table 4 that holds "
        "for parsing and entities, where trainings failed, and not for tagging and topics.",
        ("dep", "pos", "ner", "tc"),
        "Section 4.2, Table 4",
        "paper, section 4.2 and the caption of Table 4",
        _zero_shot_gaps,
    ),
    Finding(
        "in-context",
        "In Korean question answering the language model is far ahead of the fine-tuned encoders",
        "The text says that in-context learning falls behind fine-tuning. In Korean it is the other way round, by more than thirty points.",
        ("eqa",),
        "Section 5, Table 15",
        "paper, section 5, in-context learning",
        _in_context,
    ),
    Finding(
        "unlisted",
        "Results without a row in the tables",
        "Upstream's files hold results that the tables leave out, among them one-member clusters that the summary tables count all the same.",
        ("dep", "pos", "ner", "nli", "tc"),
        "Tables 10-13, 17, 26, 27",
        "upstream's result files",
        _unlisted,
    ),
)


def of(task):
    """The findings that concern a task."""
    return tuple(f for f in FINDINGS if task in f.tasks)
