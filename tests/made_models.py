"""Small encoders and language models with pre-trained-looking weights, written to a folder as `AutoModel` expects them."""

SENTENCES = (
    "the cat sat on the mat .",
    "a dog saw the cat .",
    "all birds sing in the morning sun !",
    "no dog sits on that mat ?",
    "the sun and the moon are far away .",
    "she saw 12 birds , he saw 3 .",
)


def wordpiece(texts=SENTENCES):
    """A WordPiece tokenizer like BERT's."""
    from dbutils.models import tiny

    return tiny.tokenizer(texts, 300)


def unigram(texts=SENTENCES, single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>"):
    """A Unigram tokenizer with NFKC, joiners as blanks and word marks, like XLM-R's; padding is number 1."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("\u200d", " ")])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    made.train_from_iterator(
        texts, trainers.UnigramTrainer(vocab_size=400, special_tokens=special, unk_token="<unk>", show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_input_names=["input_ids", "attention_mask"],
    )


def bert(folder, texts=SENTENCES, seed=0):
    """Write a small BERT with its tokenizer into a folder."""
    import torch
    from transformers import BertConfig, BertModel

    tokenizer = wordpiece(texts)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        initializer_range=0.1,
    )
    torch.manual_seed(seed)
    BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def roberta(folder, texts=SENTENCES, seed=0):
    """Write a small XLM-R, whose positions begin behind the padding id, into a folder."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    tokenizer = unigram(texts)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer) + 7,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=130,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.1,
    )
    torch.manual_seed(seed)
    XLMRobertaModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def mistral(folder, texts=SENTENCES, seed=0, template=""):
    """Write a small Mistral with a byte-level tokenizer into a folder. template: of a chat model."""
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    from dbutils.models import tiny_lm

    tokenizer = tiny_lm.tokenizer(texts)
    if template:
        tokenizer.chat_template = template
    config = MistralConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=64,
        max_position_embeddings=256,
        initializer_range=0.4,
        bos_token_id=None,
        eos_token_id=0,
    )
    torch.manual_seed(seed)
    MistralForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def nllb(folder, texts=SENTENCES, seed=0):
    """Write a small M2M100 with random weights and NLLB's own class of tokenizer, all its language codes, into a folder."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer

    made = Tokenizer(models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    made.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=200, special_tokens=special, show_progress=False))
    import json

    learnt = json.loads(made.to_str())["model"]
    tokenizer = NllbTokenizer(vocab=learnt["vocab"], merges=[tuple(pair) for pair in learnt["merges"]])
    config = M2M100Config(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=64,
        init_std=0.3,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=2,
    )
    torch.manual_seed(seed)
    M2M100ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# forms of encoders, with what their configurations want besides the usual sizes
FORMS = {
    "bert": {},
    "roberta": {"pad_token_id": 1, "max_position_embeddings": 514},
    "xlm-roberta": {"pad_token_id": 1, "max_position_embeddings": 514},
    "camembert": {"pad_token_id": 1, "max_position_embeddings": 514},
    "xlm-roberta-xl": {"pad_token_id": 1, "max_position_embeddings": 514},
    "deberta-v2": {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16},
    "electra": {"embedding_size": 8},
    "rembert": {"input_embedding_size": 8},
    "modernbert": {"local_attention": 8, "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3},
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32},
    "eurobert": {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "num_key_value_heads": 2},
    "mt5": {"d_model": 16, "num_layers": 2, "num_heads": 2, "d_kv": 8, "d_ff": 32},
    "umt5": {"d_model": 16, "num_layers": 2, "num_heads": 2, "d_kv": 8, "d_ff": 32},
    "t5": {"d_model": 16, "num_layers": 2, "num_heads": 2, "d_kv": 8, "d_ff": 32},
    "byt5": {"d_model": 16, "num_layers": 2, "num_heads": 2, "d_kv": 8, "d_ff": 32},
    "m2m_100": {"d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32,
                "encoder_attention_heads": 2, "decoder_attention_heads": 2, "pad_token_id": 1},
    "canine": {"num_hash_buckets": 1024, "local_transformer_stride": 16, "max_position_embeddings": 2048,
               "attend_from_chunk_width": 16, "attend_from_chunk_stride": 16,
               "attend_to_chunk_width": 16, "attend_to_chunk_stride": 16},
}  # fmt: skip
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 512,
}


def encoder(folder, form, texts=SENTENCES):
    """Write a very small model of a form of FORMS with random weights into a folder, of T5 and NLLB with its decoder."""
    import torch
    import transformers

    kind = "t5" if form == "byt5" else form
    if form == "canine":
        tokenizer = transformers.CanineTokenizer()
    elif form == "byt5":
        tokenizer = transformers.ByT5Tokenizer()
    elif kind in ("t5", "mt5", "umt5"):
        tokenizer = unigram(texts, "$A </s>", "$A </s> $B </s>")
    elif FORMS[form].get("pad_token_id") == 1:
        tokenizer = unigram(texts)
    else:
        tokenizer = wordpiece(texts)
    size = {} if form == "canine" else {"vocab_size": len(tokenizer)}
    config = transformers.AutoConfig.for_model(kind, **SIZES | size | FORMS[form])
    for name in ("initializer_range", "init_std"):
        if hasattr(config, name):
            setattr(config, name, 0.1)  # so that outputs differ
    torch.manual_seed(0)
    auto = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModel
    auto.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
