"""A tiny encoder made on the spot: BERT's architecture from a configuration, its tokenizer learnt from texts.

It knows nothing beforehand, so it starts with attention that looks for equal words (queries and keys share their
matrix), the one ability that matching tasks need and that little data does not teach.
"""

import math

from dbutils.models.tokens import SEGMENTS

RECIPE = {"layers": 2, "hidden": 96, "heads": 4, "feed_forward": 192, "vocabulary": 1200, "positions": 512}
SPREAD = 0.1  # of the fresh weights: BERT's 0.02 is meant for eight times the width and leaves so small a model asleep
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tokenizer(texts, vocabulary=RECIPE["vocabulary"]):
    """A cased WordPiece tokenizer learnt from texts; the same texts give the same one.

    Of equally frequent pairs the trainer joins the one with the smaller numbers, and numbers letters as it meets them
    in a table whose order changes from process to process: so all letters are given to it first, sorted, as if they
    were special, and the pieces it found are put into a fresh tokenizer.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    def fresh(model):
        made = Tokenizer(model)
        made.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return made

    draft = fresh(models.WordPiece(unk_token="[UNK]"))
    words = [w for t in texts for w, _ in draft.pre_tokenizer.pre_tokenize_str(draft.normalizer.normalize_str(t))]
    letters = sorted(set("".join(words)))
    first = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    draft.train_from_iterator(
        words, trainers.WordPieceTrainer(vocab_size=vocabulary, special_tokens=first, show_progress=False)
    )
    made = fresh(models.WordPiece(draft.get_vocab(), unk_token="[UNK]"))
    made.add_special_tokens(list(SPECIAL))
    cls, sep = (made.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    made.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
    return wrap(made)


def wrap(made):
    """A `tokenizers` tokenizer as one of transformers."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def config(size):
    """Configuration for a vocabulary of `size` pieces."""
    from transformers import BertConfig

    return BertConfig(
        vocab_size=size,
        hidden_size=RECIPE["hidden"],
        num_hidden_layers=RECIPE["layers"],
        num_attention_heads=RECIPE["heads"],
        intermediate_size=RECIPE["feed_forward"],
        max_position_embeddings=RECIPE["positions"],
        type_vocab_size=SEGMENTS,
        pad_token_id=0,
        initializer_range=SPREAD,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def start(model):
    """Give a fresh model its start: keys equal queries, so equal words attend to each other; positions are waves.

    The waves are twice as strong as words, so that attention begins near its own place.
    """
    import torch

    with torch.no_grad():
        for name, module in model.named_modules():
            if name.endswith("attention.self"):
                module.key.weight.copy_(module.query.weight)
            if name.endswith("position_embeddings"):
                module.weight.copy_(2 * SPREAD * _waves(*module.weight.shape))


def _waves(positions, hidden):
    """(positions, hidden): sines and cosines of different lengths, of mean square 1 (Vaswani et al. 2017)."""
    import torch

    speed = torch.exp(torch.arange(0, hidden, 2) * (-math.log(10000) / hidden))
    angle = torch.arange(positions)[:, None] * speed[None, :]
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1) * math.sqrt(2)
