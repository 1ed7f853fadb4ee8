"""Carry the facts of the paper and of upstream's result files into `data/`.

    python tools/import_reference.py REFERENCE [--glottolog languages_table8.csv] [--corpora FOLDER]

REFERENCE holds `paper/tableNN.csv` (the paper's tables as printed) and `upstream/*.csv` (the raw
results and metadata of github.com/ffaisal93/DialectBench at commit 816cc53). Each number keeps the
file and line, or table and row, that it came from. With --corpora the script (writing system) of
every code whose name does not say it is read off the corpus text itself.
Run once; the result is committed.
"""

import argparse
import collections
import io
import math
import re
import shutil
import sys
import tarfile
import unicodedata
import zipfile
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from dbutils.csvio import read_csv, write_csv  # noqa: E402
from dbutils.paths import DATA  # noqa: E402

COMMIT = "816cc53"
# registry column -> task of the contract
TASK_COLUMNS = {
    "udp_code": "dep",
    "pos_code": "pos",
    "ner_code": "ner",
    "sdqa_code": "eqa",
    "rcmc_code": "mrc",
    "nli_code": "nli",
    "tc_code": "tc",
    "sc_code": "sa",
    "di_code": "did",
    "mt_code": "mt",
}
PRINTED_TASKS = {
    "DEP. Parsing": "dep",
    "POS Tagging": "pos",
    "NER": "ner",
    "EQA": "eqa",
    "MRC": "mrc",
    "NLI": "nli",
    "TC": "tc",
    "SC": "sa",
    "DId": "did",
    "MT-Dialect": "mt-dialect",
    "MT-Region": "mt-region",
}
SENTIMENT = {
    "aeb_Arab": "tsac",
    "aeb_Latn": "tunizi",
    "arq_arab": "dzsentia",
    "sau_arab": "saudibank",
    "arb_arab": "mac",
    "ary_arab": "mac",
    "arz_arab": "astd",
    "jor_arab": "ajgt",
    "ar-lb": "oclar",
}
IDENTIFICATION = {
    "arabic": "madar",
    "english": "dsl_tl",
    "spanish": "dsl_tl",
    "portuguese": "dsl_tl",
    "greek": "greek_did",
    "mandarin_simplified": "dmt",
    "mandarin_traditional": "dmt",
    "swiss-dialects": "swiss_did",
}
# codes of the 282-language form of WikiANN that the 176-language form lacks
WIKIANN_OG = {
    "ady",
    "azb",
    "dsb",
    "hif",
    "ik",
    "jam",
    "kab",
    "kbd",
    "kl",
    "koi",
    "kv",
    "mo",
    "nds-nl",
    "nso",
    "pfl",
    "pnt",
    "roa-rup",
    "roa-tara",
    "st",
    "stq",
    "frp",
    "ltg",
    "mrj",
    "nrm",
    "sc",
}


def corpus_of(task, code):
    """The corpus that a code of a task belongs to."""
    if task in ("dep", "pos"):
        if code.startswith("UD_"):
            return "ud"
        if code.startswith("dar-"):
            return "noisy_dialects"
        if code.startswith("murre-"):
            return "murre"
        return {"TwitterAAE": "twitteraae", "singlish": "singlish", "ROci": "noisy_occitan"}[code]
    if task == "ner":
        if code in ("bokmaal", "nynorsk", "samnorsk"):
            return "norwegian_ner"
        return "wikiann_og" if code in WIKIANN_OG else "wikiann"
    if task == "sa":
        return SENTIMENT[code]
    if task == "did":
        return IDENTIFICATION[code.split(":")[0]]
    if task == "mt":
        return "til-mt" if code in ("ba", "az", "kaa", "kk", "ky", "sah", "tr", "uz") else "codet"
    return {"tc": "sib-200", "nli": "dialect_nli", "mrc": "belebele", "eqa": "sd-qa"}[task]


def per_cent(fraction):
    """A fraction as written, times 100, without binary rounding: '0.595' -> '59.5'."""
    return format((Decimal(fraction) * 100).normalize(), "f")


# ---- registry --------------------------------------------------------------------------------


def varieties(reference):
    """varieties.csv and codes.csv from upstream's registry and the paper's Table 8."""
    upstream = read_csv(reference / "upstream/registry_varieties.csv")
    table8 = read_csv(reference / "paper/table08.csv")
    rows, codes = [], []
    for (line, up), (_, printed) in zip(upstream.iterrows(), table8.iterrows(), strict=True):
        key = (up.cluster_norm, up.variety_norm)
        assert key == (printed.cluster_norm, printed.variety_norm), key
        assert up.glottocode == printed.glottocode and up.mbert_seen == printed.mbert_seen, key
        source = f"registry_varieties.csv:{line}"
        rows.append(
            dict(
                cluster=key[0],
                variety=key[1],
                printed=printed.variety,
                glottocode=up.glottocode,
                mbert_seen=up.mbert_seen,
                population=up.num_speakers,
                population_as_written=up.speakers_as_written,
                population_note=up.speakers_note,
                source=source,
            )
        )
        for column, task in TASK_COLUMNS.items():
            code = unicodedata.normalize("NFC", up[column])
            if not code:
                continue
            if task == "did" and code.startswith("arabic:"):  # the labels of MADAR are upper case
                code = "arabic:" + code.split(":")[1].upper()
            corpus = corpus_of(task, code)
            if task == "mt" and corpus == "codet" and key[0] == "arabic":
                corpus = "codet-arabic"
            codes.append(dict(cluster=key[0], variety=key[1], task=task, corpus=corpus, code=code, source=source))
    return pd.DataFrame(rows), pd.DataFrame(codes)


def representatives(reference):
    """Representatives per task and cluster: Table 9 and upstream's list, which agree."""
    printed = read_csv(reference / "paper/table09.csv")
    rows = [
        dict(
            task=PRINTED_TASKS[r.task], cluster=r.cluster_norm, variety=r.representative_norm, source=f"table09:{line}"
        )
        for line, r in printed.iterrows()
    ]
    return pd.DataFrame(rows)


def aliases(reference):
    """Names and clusters as the tables spell them, where that is not the registry's spelling."""
    seen = {}
    for path in sorted((reference / "paper").glob("table*.csv")):
        table = read_csv(path)
        for norm in [c for c in table.columns if c.endswith("_norm")]:
            base = norm.removesuffix("_norm")
            kind = "cluster" if "cluster" in base else "variety"
            column = (
                base
                if base in table
                else {
                    "max_cluster": "max_cluster_variety",
                    "max_variety": "max_cluster_variety",
                    "min_cluster": "min_cluster_variety",
                    "min_variety": "min_cluster_variety",
                    "high_variety": "high_resource_variety",
                    "low_variety": "low_resource_variety",
                }[base]
            )
            for line, row in table.iterrows():
                written, name = row[column], row[norm]
                if column.endswith("cluster_variety"):  # "cluster/variety"; a variety may hold a slash itself
                    written = written.split("/", 1)[0 if kind == "cluster" else 1]
                if not written or written == name:
                    continue
                cluster = row.get("cluster_norm", row.get(base.split("_")[0] + "_cluster_norm", ""))
                key = (kind, cluster if kind == "variety" else "", written)
                seen.setdefault(
                    key, dict(kind=kind, cluster=key[1], alias=written, name=name, source=f"{path.stem}:{line}")
                )
    return pd.DataFrame(sorted(seen.values(), key=lambda r: (r["kind"], r["cluster"], r["alias"])))


SCRIPT_NAMES = {  # first word(s) of a character's Unicode name -> ISO 15924
    "LATIN": "Latn",
    "ARABIC": "Arab",
    "CYRILLIC": "Cyrl",
    "GREEK": "Grek",
    "ARMENIAN": "Armn",
    "DEVANAGARI": "Deva",
    "BENGALI": "Beng",
    "GURMUKHI": "Guru",
    "HANGUL": "Hang",
    "CJK": "Hani",
    "ETHIOPIC": "Ethi",
}


def script_of(text):
    """The script of most letters of a text, e.g. 'Arab'; '' if there is no letter."""
    counts = collections.Counter()
    for character in text:
        if character.isalpha():
            word = unicodedata.name(character, "?").split(" ")[0].split("-")[0]
            counts[SCRIPT_NAMES.get(word, word.title())] += 1
    return counts.most_common(1)[0][0] if counts else ""


# scripts of corpora whose codes name a language, not a script (each corpus's own documentation)
DOCUMENTED = {
    "madar": "Arab",
    "greek_did": "Grek",
    "swiss_did": "Latn",
    "dsl_tl": "Latn",
    "tunizi": "Latn",
    "singlish": "Latn",
    "twitteraae": "Latn",
    "noisy_dialects": "Arab",
    "murre": "Latn",
    "noisy_occitan": "Latn",
    "norwegian_ner": "Latn",
    "dzsentia": "Arab",
    "saudibank": "Arab",
    "mac": "Arab",
    "astd": "Arab",
    "ajgt": "Arab",
    "oclar": "Arab",
    "tsac": "Arab",
    "codet-arabic": "Arab",
    "UD_South_Levantine_Arabic-MADAR": "Arab",
    "UD_Arabic-PADT": "Arab",
    "UD_Western_Armenian-ArmTDP": "Armn",
    "UD_Umbrian-IKUVINA": "Latn",
    "UD_Portuguese-PUD": "Latn",
    "UD_Guarani-OldTuDeT": "Latn",
    "UD_Low_Saxon-LSDC": "Latn",
    "jam": "Latn",
    "nrm": "Latn",
    "frp": "Latn",
    "ltg": "Latn",
    "mrj": "Cyrl",
    "sc": "Latn",
    "zh-classical": "Hani",
    "zh-yue": "Hani",  # the one sentence at hand of each happens to be in Latin letters
    "Amenduze": "Latn",
    "Donibane": "Latn",
    "Larzabale": "Latn",
    "Uharte": "Latn",
    "Maule": "Latn",
    "sd-qa:english": "Latn",
    "sd-qa:swahili": "Latn",
    "sd-qa:arabic": "Arab",
    "sd-qa:bengali": "Beng",
    "sd-qa:korean": "Hang",
    "dmt:mandarin_simplified": "Hans",
    "dmt:mandarin_traditional": "Hant",
}
REGIONS = {"high german": "deu", "italian romance": "ita"}  # CODET regions: files of many towns


def files_of(corpora, row):
    """The files that hold text of a code, as far as they are on disk."""
    if row.corpus == "ud":
        return sorted((corpora / "ud" / row.code).glob("*.conllu"))
    if row.corpus == "wikiann_og":
        return sorted((corpora / "wikiann_og").rglob(f"{row.code}.tar.gz"))
    if row.corpus == "wikiann":
        return sorted((corpora / "wikiann_sample").rglob(f"{row.code}/*/dummy_data.zip"))
    if row.corpus == "til-mt":
        return sorted((corpora / "til-mt").rglob(f"{row.code}-en/*{row.code}"))
    if row.corpus == "codet":
        names = sorted((corpora / "codet").rglob(f"{row.code}.*"))
        return names or sorted((corpora / "codet").rglob(f"*.{REGIONS.get(row.cluster, 'none')}"))[:5]
    return []


def words_of(content, name):
    """The word column of a corpus file, by its format; archives are opened."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return " ".join(words_of(archive.read(n), n) for n in archive.namelist() if not n.endswith("/"))
    if name.endswith(".tar.gz"):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            members = [m for m in archive.getmembers() if m.isfile() and "README" not in m.name]
            return " ".join(words_of(archive.extractfile(m).read(), m.name) for m in members)
    lines = content.decode("utf-8").splitlines()
    if name.endswith(".conllu"):
        return " ".join(x.split("\t")[1] for x in lines if re.match(r"\d+\t", x))
    if name.endswith(".bio"):
        return " ".join(x.split(" ")[0] for x in lines)
    if re.search(r"(train|dev|test|extra)$", name):  # WikiANN: code:token TAB tag
        return " ".join(x.split("\t")[0].partition(":")[2] for x in lines)
    return " ".join(lines)


def add_scripts(codes, corpora):
    """Adds the columns script and script_source to the table of codes."""
    scripts = []
    for row in codes.itertuples():
        said = re.fullmatch(r"[a-z]{3}_([A-Z][a-z]{3})", row.code)
        if said:
            scripts.append((said.group(1), "code"))
            continue
        documented = (
            DOCUMENTED.get(row.code)
            or DOCUMENTED.get(row.corpus)
            or DOCUMENTED.get(f"{row.corpus}:{re.split('--|:', row.code)[0]}")
        )
        if documented:
            scripts.append((documented, "corpus"))
            continue
        files = files_of(corpora, row) if corpora else []
        found = script_of(" ".join(words_of(path.read_bytes(), path.name) for path in files))
        scripts.append((found, "text" if found else ""))
    codes.insert(5, "script", [s for s, _ in scripts])
    codes.insert(6, "script_source", [w for _, w in scripts])
    return codes


# ---- scores ----------------------------------------------------------------------------------


def upstream_scores(reference, codes):
    """upstream.csv in the score row's schema. Drops nothing but rows that repeat another row."""
    key = {(r.task, r.code): (r.cluster, r.variety, r.corpus) for r in codes.itertuples()}
    source_of = {}
    for number, task, column in ((12, "ner", "source"), (17, "tc", "src")):
        for _, row in read_csv(reference / f"paper/table{number}.csv").iterrows():
            source_of[task, row.target_code] = row[column]
    raw = read_csv(reference / "upstream/results_long.csv")
    zero_shot = {
        (r.task, r.model, r.test_code, r.split, r.metric): r.value for r in raw.itertuples() if r.setting == "zeroshot"
    }
    size = {task: str(n) for task, n in sizes(raw).items()}
    predictions = {
        r.source_file: float(r.support) for r in raw.itertuples() if r.task == "did" and "macro avg" in r.test_code
    }
    rows = []
    for r in raw.itertuples():
        code = unicodedata.normalize("NFC", r.test_code)
        if r.setting == "zeroshot_fallback":
            # a row of an "all" file that repeats the English model's score
            assert zero_shot[r.task, r.model, r.test_code, r.split, r.metric] == r.value, r
            continue
        setting = {
            "zeroshot": "zero_shot",
            "in_variety": "in_variety",
            "in_cluster": "in_cluster",
            "combined": "combined",
            "single_source": "zero_shot",
            "cross_variety": "zero_shot",
            "english_only_run1": "combined",
            "english_only_run2": "combined",
        }[r.setting]
        train = r.train_code.removesuffix("_sib") + (
            f":{r.setting[-4:]}" if r.setting.startswith("english_only") else ""
        )
        # NER and TC are fine-tuned on one source per cluster; the paper's tables name it
        if r.task in ("ner", "tc") and r.setting in ("in_variety", "cross_variety"):
            setting = "in_cluster" if source_of.get((r.task, code), code) == train else "zero_shot"
        cluster, variety, corpus = key.get((r.task, code), ("", "", ""))
        if (r.variety, r.cluster) != (variety, cluster):
            print("key differs", r.task, code, (r.cluster, r.variety), (cluster, variety))
        if not corpus:
            corpus = corpus_of(r.task, code)
        value, metric = (r.value if r.task in ("dep", "eqa") else per_cent(r.value)), r.metric
        if r.task == "did":  # upstream called the report with gold and prediction exchanged
            metric = {"precision": "recall", "recall": "precision"}.get(metric, metric)
        rows.append(
            score := dict(
                task=r.task,
                corpus=corpus,
                model=r.model,
                setting=setting,
                train=train,
                cluster=cluster,
                variety=variety,
                code=code,
                split=r.split,
                metric=metric,
                value=value,
                n=count(r) or size.get(r.task, ""),
                low="",
                high="",
                seed="42",
                origin="upstream",
                run=f"{r.source_file}:{r.source_line}",
            )
        )
        if r.task == "did" and metric == "f1" and " avg" not in code:
            # upstream's "support" of a label counts the predictions of it: kept as their share of all predictions
            share = repr(100 * float(r.support) / predictions[r.source_file])
            rows.append(score | {"metric": "predicted", "value": share})
    # for the English cluster the model trained on English is the in-cluster model: the same line counts as both
    have = {(r["task"], r["model"], r["code"], r["metric"]) for r in rows if r["setting"] == "in_cluster"}
    rows += [
        r | {"setting": "in_cluster"}
        for r in rows
        if r["task"] == "ner"
        and r["setting"] == "zero_shot"
        and r["cluster"] == "anglic"
        and (r["task"], r["model"], r["code"], r["metric"]) not in have
    ]
    for r in read_csv(reference / "upstream/llm_icl_results.csv").itertuples():
        code = re.sub(r"^([a-z]+)-", r"\1--", r.test_code) if r.task == "eqa" else r.test_code
        cluster, variety, corpus = key[r.task, code]
        value = r.value if r.task == "eqa" else per_cent(r.value)
        rows.append(
            dict(
                task=r.task,
                corpus=corpus,
                model=r.model,
                setting="in_context",
                train=f"{r.few_shot}-shot",
                cluster=cluster,
                variety=variety,
                code=code,
                split=r.split,
                metric=r.metric,
                value=value,
                n="",
                low="",
                high="",
                seed=r.seed,
                origin="upstream",
                run=f"llmicl:{r.source_file}",
            )
        )
    return gold_counts(pd.DataFrame(rows))


def sizes(raw):
    """Test-set sizes of the tasks whose files do not give them, from their accuracies.

    An accuracy is a count over the size of the test set, printed to 16 digits: the least common
    multiple of the fractions' denominators over all rows of a task is that size (all codes of these
    tasks are translations of one test set).
    """
    out = {}
    for task in ("nli", "tc", "mrc"):
        accuracies = [r.value for r in raw.itertuples() if r.task == task and r.metric == "accuracy"]
        fractions = [Fraction(v).limit_denominator(20000) for v in accuracies]
        assert all(abs(float(f) - float(v)) < 1e-12 for f, v in zip(fractions, accuracies)), task
        out[task] = math.lcm(*(f.denominator for f in fractions))
    return out


def count(row):
    """n as upstream gives it; for dialect identification its support counts predictions, not gold."""
    return "" if row.task == "did" else (str(int(float(row.support))) if row.support else "")


def gold_counts(rows):
    """Gold sizes of the identification labels: true positives / recall, exact because both are ratios."""
    did = rows[(rows.task == "did") & rows.metric.isin(["precision", "recall"])]
    predicted = {}
    for r in read_csv(REFERENCE / "upstream/results_long.csv").itertuples():
        if r.task == "did" and r.support:
            predicted[f"{r.source_file}:{r.source_line}"] = float(r.support)
    pivot = did.pivot(index="run", columns="metric", values="value").astype(float)
    code_of = dict(zip(did.run, did.code))
    gold = {}
    for run, pair in pivot.iterrows():
        if pair.recall > 0:
            n = predicted[run] * pair.precision / pair.recall
            assert abs(n - round(n)) < 1e-6 * n or " avg" in code_of[run], (run, n)
            if " avg" not in code_of[run]:
                assert gold.setdefault(code_of[run], round(n)) == round(n), run
    totals = {}
    for r in did.itertuples():
        if r.code.endswith(":macro avg"):
            totals[r.code.split(":")[0]] = round(predicted[r.run])
    for dataset, total in totals.items():  # one label was never hit; the test set's size tells its share
        labels = {c for c in did.code if c.startswith(dataset + ":") and " avg" not in c}
        missing = labels - set(gold)
        if len(missing) == 1:
            gold[missing.pop()] = total - sum(gold[c] for c in labels & set(gold))
        assert sum(gold[c] for c in labels) == total, dataset
    is_did = rows.task == "did"
    rows.loc[is_did, "n"] = [str(gold.get(c) or totals[c.split(":")[0]]) for c in rows.loc[is_did, "code"]]
    return rows


def main():
    global REFERENCE
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("reference", type=Path)
    arguments.add_argument("--glottolog", type=Path)
    arguments.add_argument("--corpora", type=Path)
    options = arguments.parse_args()
    REFERENCE = options.reference
    registry, scores = DATA / "registry", DATA / "scores"
    table, codes = varieties(REFERENCE)
    write_csv(table, registry / "varieties.csv")
    codes = add_scripts(codes, options.corpora)
    write_csv(codes, registry / "codes.csv")
    write_csv(representatives(REFERENCE), registry / "representatives.csv")
    write_csv(aliases(REFERENCE), registry / "aliases.csv")
    if options.glottolog:
        write_csv(read_csv(options.glottolog), registry / "glottolog.csv")
    for path in sorted((REFERENCE / "paper").glob("table*.csv")):
        shutil.copyfile(path, scores / "paper" / path.name)
        (scores / "paper" / path.name).chmod(0o644)
    write_csv(upstream_scores(REFERENCE, codes), scores / "upstream.csv")


if __name__ == "__main__":
    main()
