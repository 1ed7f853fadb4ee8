"""Models, settings and metrics as people write them."""

MODELS = {
    "mbert": "mBERT",
    "xlmr": "XLM-R",
    "mistral-7b": "Mistral 7B",
    "nllb-600m": "NLLB 600M",
    "nllb-1.3b": "NLLB 1.3B",
}
SETTINGS = {
    "zero_shot": "zero-shot",
    "in_variety": "fine-tuned on the variety",
    "in_cluster": "fine-tuned in the cluster",
    "combined": "combined fine-tuning",
    "in_context": "in context",
    "pseudo_reference": "against a pseudo-reference",
}
METRICS = {"uas": "UAS", "las": "LAS", "f1": "F1", "accuracy": "accuracy", "exact_match": "exact match", "bleu": "BLEU"}


def model_name(code):
    """`mbert` -> `mBERT`; a model that is not the paper's keeps its name."""
    return MODELS.get(code, code)


def metric_name(code):
    """`uas` -> `UAS`; `recall` stays."""
    return METRICS.get(code, code)


def quantity_name(model, setting, metric):
    """`F1 of mBERT, zero-shot`."""
    return f"{metric_name(metric)} of {model_name(model)}, {SETTINGS[setting]}"
