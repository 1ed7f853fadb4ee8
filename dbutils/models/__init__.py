"""With what? Encoders and their heads, the biaffine parser, causal language models, endpoints, n-gram and majority baselines.

A model is one record; `resolve` turns what a user types into one. Weights are read from safetensors
files only, and no code of a model's own is ever run.
"""

from dbutils.models.records import MODELS, ModelRecord, identity, resolve

__all__ = ["MODELS", "ModelRecord", "identity", "resolve"]
