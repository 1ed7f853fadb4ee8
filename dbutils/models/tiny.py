"""A tiny encoder made on the spot: BERT's architecture from a configuration, its tokenizer learnt from texts.

It knows nothing beforehand, so it starts with attention that looks for equal words (queries and keys share their
matrix), the one ability that matching tasks need and that little data does not teach.
"""

RECIPE = {"layers": 2, "hidden": 96, "heads": 4, "feed_forward": 192, "vocabulary": 1200, "positions": 512}
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tokenizer(texts, vocabulary=RECIPE["vocabulary"]):
    """A cased WordPiece tokenizer learnt from texts; the same texts give the same one."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        list(texts),
        trainers.WordPieceTrainer(vocab_size=vocabulary, special_tokens=list(SPECIAL), show_progress=False),
    )
    cls, sep = (made.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    made.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
    return wrap(made)


def wrap(made):
    """A `tokenizers` tokenizer as one of transformers."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip


def config(size):
    """Configuration for a vocabulary of `size` pieces."""
    from transformers import BertConfig

    return BertConfig(
        vocab_size=size, hidden_size=RECIPE["hidden"], num_hidden_layers=RECIPE["layers"],
        num_attention_heads=RECIPE["heads"], intermediate_size=RECIPE["feed_forward"],
        max_position_embeddings=RECIPE["positions"], pad_token_id=0,
    )  # fmt: skip


def start(model):
    """Give a fresh model's attention its start: keys equal queries, so equal words attend to each other."""
    import torch

    with torch.no_grad():
        for name, module in model.named_modules():
            if name.endswith("attention.self"):
                module.key.weight.copy_(module.query.weight)
