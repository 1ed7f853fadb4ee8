"""Where an encoder and its tokenizer come from: the hub, a folder, or made on the spot.

Of a model with encoder and decoder (T5, NLLB) the encoder is taken. Weights are read from safetensors files in single
precision; code of a model's own is never run.
"""

import contextlib
from pathlib import Path

from dbutils.errors import InputError
from dbutils.models import tiny
from dbutils.models.canine import steady
from dbutils.models.files import check_folder, hub_errors
from dbutils.models.tokens import Tokens


class Source:
    """The tokenizer and the weights of an encoder.

    tokenizer: of transformers. config: the base configuration. made: whether it is made on the spot, so that nothing
    of it can be read again.
    """

    def __init__(self, record, tokenizer, config):
        self.record, self.tokenizer, self.config = record, tokenizer, config
        self.made = not record.source

    def tokens(self):
        """The tokenizer as `Tokens`."""
        return Tokens(self.tokenizer, "token_type_ids" in self.tokenizer.model_input_names, marks=self.made)

    def longest(self):
        """The longest row the encoder can take."""
        positions = getattr(self.config, "max_position_embeddings", None) or self.tokenizer.model_max_length
        # RoBERTa's kin count positions from behind the padding id
        roberta = type(self.config).__name__ in (
            "RobertaConfig",
            "XLMRobertaConfig",
            "CamembertConfig",
            "XLMRobertaXLConfig",
        )
        return min(positions - (self.config.pad_token_id + 1 if roberta else 0), self.tokenizer.model_max_length)

    def load(self, auto, num_labels=None):
        """A model of the class named `auto` (AutoModel...) with pre-trained weights and fresh head, in float32.

        Encoders without such a class, and those that have a decoder beside them, get a head of ours
        (`dbutils.models.headed`). InputError if weights are missing or of another size than the configuration says.
        """
        import copy

        import torch
        import transformers

        from dbutils.models.headed import headed

        config = copy.deepcopy(self.config)
        if num_labels is not None:
            config.num_labels = num_labels
        kind = getattr(transformers, auto)
        if self.made:
            model = kind.from_config(config, dtype=torch.float32)
            tiny.start(model)
            return model
        if config.is_encoder_decoder or type(config) not in kind._model_mapping:
            parts = transformers.AutoModelForTextEncoding, transformers.AutoModel
            whole = self._weights(next(part for part in parts if type(config) in part._model_mapping), config)
            encoder = whole.get_encoder() if hasattr(whole, "decoder") else whole
            return encoder if auto == "AutoModel" else headed(encoder, auto, num_labels)
        return self._weights(kind, config)

    def _weights(self, kind, config):
        import torch

        with quiet(), hub_errors(self.record.source, self.record.revision):
            model, found = kind.from_pretrained(
                self.record.source,
                config=config,
                revision=self.record.revision or None,
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
        base = {id(value) for value in model.base_model.parameters()}
        names = {name for name, value in model.named_parameters() if id(value) in base and "pooler" not in name}
        missing = sorted(names.intersection(found["missing_keys"]))
        if missing:
            raise InputError(
                f"model {self.record.source!r}: its weights lack {len(missing)} of {len(names)} tensors of a "
                f"{config.model_type} encoder, {missing[0]} for one; it is another model's file, or a cut one"
            )
        if config.model_type == "canine":
            steady(model.base_model)
        return model


def open_source(record, texts=(), lower_case=False, folder=None):
    """The Source of a ModelRecord.

    texts: what the tokenizer of an encoder made on the spot is learnt from. folder: where such a tokenizer was saved.
    lower_case: let a cased WordPiece tokenizer see lower-cased text without accents.
    """
    if not record.source:
        made = _saved(folder) if folder else tiny.tokenizer(texts)
        return Source(record, made, tiny.config(len(made)))
    local = Path(record.source)
    if local.is_dir():
        check_folder(local)
    from transformers import AutoConfig, AutoTokenizer

    with quiet(), hub_errors(record.source, record.revision):
        where = {"revision": record.revision or None, "trust_remote_code": False}
        config = AutoConfig.from_pretrained(record.source, **where)
        tokenizer = AutoTokenizer.from_pretrained(record.source, **where)
        if _byte_level(tokenizer):  # words given one by one need the blank that stands before a word in running text
            tokenizer = AutoTokenizer.from_pretrained(record.source, add_prefix_space=True, **where)
    if lower_case:
        _lower(tokenizer)
    return Source(record, tokenizer, config)


def _saved(folder):
    from tokenizers import Tokenizer

    path = Path(folder) / "tokenizer.json"
    if not path.is_file():
        raise InputError(f"{path}: no such file; the folder holds no saved model")
    return tiny.wrap(Tokenizer.from_file(str(path)))


def _byte_level(tokenizer):
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return backend is not None and "ByteLevel" in repr(backend.pre_tokenizer)


def _lower(tokenizer):
    from tokenizers.normalizers import BertNormalizer

    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None and isinstance(backend.normalizer, BertNormalizer):
        backend.normalizer = BertNormalizer(lowercase=True)


@contextlib.contextmanager
def quiet():
    """Without transformers' reports on fresh heads and its progress bars."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
