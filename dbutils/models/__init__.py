"""With what? Encoders, the biaffine parser, causal language models, endpoints, translators, n-grams and other baselines.

A model is one record; `resolve` turns what a user types into one. Weights are read from safetensors
files only, and no code of a model's own is ever run.
"""

from dbutils.models.records import MODELS, ModelRecord, identity, resolve

__all__ = ["MODELS", "ModelRecord", "identity", "resolve"]
