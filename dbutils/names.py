"""Every word that is shown for a code, once: tasks, models, settings, metrics, scripts; and how words are joined."""

TASKS = {
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
    "Hani": "Chinese",
    "Hans": "simplified Chinese",
    "Hant": "traditional Chinese",
    "Latn": "Latin",
}


def model(code):
    """`mbert` -> `mBERT`; a model that is not the paper's keeps its name."""
    return MODELS.get(code, code)


def metric(code):
    """`uas` -> `UAS`; `recall` stays."""
    return METRICS.get(code, code)


def setting(code):
    """`zero_shot` -> `zero-shot`."""
    return code.replace("_", "-")


def script(code):
    """A script with its ISO 15924 code: `Arab` -> `Arabic (Arab)`."""
    return f"{SCRIPTS[code]} ({code})"


def quantity(model_code, setting_code, metric_code):
    """`F1 of mBERT, zero-shot`."""
    return f"{metric(metric_code)} of {model(model_code)}, {setting(setting_code)}"


def listed(items):
    """`a`, `a and b`, `a, b and c`; `none` without any."""
    items = [str(item) for item in items]
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items) or "none"


def counted(n, noun, many=None):
    """`1 variety`, `2 varieties`, `6,821 rows`. many: the plural where it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else many or noun + 's'}"
