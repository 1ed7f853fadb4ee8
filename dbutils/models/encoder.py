"""Where an encoder and its tokenizer come from: the hub, a folder, or made on the spot.

Weights are read from safetensors files in single precision; code of a model's own is never run.
"""

import contextlib
from pathlib import Path

from dbutils.errors import InputError
from dbutils.models import tiny
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
        positions = getattr(self.config, "max_position_embeddings", None) or 512
        # RoBERTa's kin count positions from behind the padding id
        roberta = type(self.config).__name__ in (
            "RobertaConfig",
            "XLMRobertaConfig",
            "CamembertConfig",
            "XLMRobertaXLConfig",
        )
        return min(positions - (self.config.pad_token_id + 1 if roberta else 0), self.tokenizer.model_max_length)

    def load(self, auto, **settings):
        """A model of the class named `auto` (AutoModel...) with pre-trained weights and fresh head, in float32."""
        import copy

        import torch
        import transformers

        config = copy.deepcopy(self.config)
        for name, value in settings.items():
            setattr(config, name, value)
        kind = getattr(transformers, auto)
        if self.made:
            model = kind.from_config(config, dtype=torch.float32)
            tiny.start(model)
            return model
        with quiet(), hub_errors(self.record.source, self.record.revision):
            return kind.from_pretrained(
                self.record.source,
                config=config,
                revision=self.record.revision or None,
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
            )


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

    if isinstance(tokenizer.backend_tokenizer.normalizer, BertNormalizer):
        tokenizer.backend_tokenizer.normalizer = BertNormalizer(lowercase=True)


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
