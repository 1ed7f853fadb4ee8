"""Names as the pages show them, and where in the book a task is."""

NOTEBOOKS = {
    "dep": "dependency_parsing",
    "pos": "pos_tagging",
    "ner": "named_entity_recognition",
    "did": "dialect_identification",
    "sa": "sentiment_analysis",
    "tc": "topic_classification",
    "nli": "natural_language_inference",
    "mrc": "reading_comprehension",
    "eqa": "question_answering",
    "mt": "machine_translation",
}
RESULT_TABLES = {
    "dep": (10,),
    "pos": (11,),
    "ner": (12,),
    "did": (16,),
    "sa": (18,),
    "tc": (17,),
    "nli": (13,),
    "mrc": (19,),
    "eqa": (14, 15),
    "mt": (20,),
}
SHORT = {
    "dep": "DEP",
    "pos": "POS",
    "ner": "NER",
    "did": "DId",
    "sa": "SA",
    "tc": "TC",
    "nli": "NLI",
    "mrc": "MRC",
    "eqa": "EQA",
    "mt": "MT",
}
MODELS = {
    "mbert": "mBERT",
    "xlmr": "XLM-R",
    "naive_bayes": "naive Bayes",
    "mistral-7b": "Mistral 7B",
    "nllb-600m": "NLLB 600M",
    "nllb-1.3b": "NLLB 1.3B",
}
METRICS = {
    "uas": "UAS",
    "las": "LAS",
    "f1": "F1",
    "accuracy": "accuracy",
    "exact_match": "exact match",
    "bleu": "BLEU",
    "precision": "precision",
    "recall": "recall",
    "predicted": "share of predictions",
}
SCRIPTS = {
    "Arab": "Arabic",
    "Armn": "Armenian",
    "Beng": "Bengali",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Ethi": "Ethiopic",
    "Grek": "Greek",
    "Guru": "Gurmukhi",
    "Hang": "Hangul",
    "Hani": "Han",
    "Hans": "simplified Han",
    "Hant": "traditional Han",
    "Latn": "Latin",
}


def setting(code):
    """A setting as people write it: `zero_shot` -> `zero-shot`."""
    return code.replace("_", "-")


def script(code):
    """A script with its ISO 15924 code: `Arab` -> `Arabic (Arab)`."""
    return f"{SCRIPTS[code]} ({code})"


def title(name):
    """A cluster's name as a heading: only the first letter is made a capital."""
    return name[:1].upper() + name[1:]


def table(number):
    """A link to a table of the paper, which has its number here too.

    Not the role numref: for each use of it Sphinx reads the whole page of the table again.
    """
    return f"{{ref}}`Table {number} <tab-{number}>`"


def figure(number):
    """A link to a figure of the paper, which has its number here too."""
    return f"{{ref}}`Figure {number} <fig-{number}>`"


def sources(task):
    """Links to the notebook and the result tables of a task."""
    tables = " and ".join(table(n) for n in RESULT_TABLES[task])
    return f"{{ref}}`nb-{NOTEBOOKS[task]}`, {tables}"
