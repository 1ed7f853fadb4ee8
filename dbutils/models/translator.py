"""A sequence-to-sequence model that translates: loading, language codes, generation in batches.

Weights are read from safetensors files only, and code of a model's own is never run.
"""

from dataclasses import dataclass
from pathlib import Path

from dbutils.corpora.languages import ISO
from dbutils.errors import InputError
from dbutils.models import parallel
from dbutils.models.device import device
from dbutils.models.device import threads as using
from dbutils.models.files import check_folder, hub_errors
from dbutils.models.output_cache import key

# padded source tokens per batch and beam
BUDGET = {"cpu": 1024, "cuda": 16384}


@dataclass(frozen=True)
class Output:
    """A translation: its text, and whether the model ended it by itself or ran into the greatest length."""

    text: str
    ended: bool


class Translator:
    """A model with its tokenizer.

    model: of the kind AutoModelForSeq2SeqLM. tokenizer: of transformers. hyper: beams, max_length, max_source and prefix
    are used. `cut` counts the sources that were longer than max_source.
    """

    def __init__(self, model, tokenizer, hyper):
        self.model, self.tokenizer, self.hyper = model.to(device()).eval(), tokenizer, hyper
        positions = getattr(model.config, "max_position_embeddings", None) or hyper.max_source
        self.longest = min(hyper.max_source, positions, tokenizer.model_max_length)
        self.cut = 0

    def rows(self, texts, source):
        """Texts as lists of sub-word ids. source: NLLB's code of their language, which not every model needs."""
        spoken = language(self.tokenizer, source)
        if spoken:
            self.tokenizer.src_lang = spoken[0]
        if not texts:
            return []
        texts = [self.hyper.prefix + text for text in texts]
        whole = self.tokenizer(texts, add_special_tokens=True)["input_ids"]
        over = [len(row) > self.longest for row in whole]
        self.cut += sum(over)
        if not any(over):
            return whole
        return self.tokenizer(texts, add_special_tokens=True, truncation=True, max_length=self.longest)["input_ids"]

    def batches(self, rows):
        """Lists of indices of rows, longest first, each at most as large as the device's budget."""
        budget = BUDGET[self.model.device.type] // self.hyper.beams
        out, now = [], []
        for index in sorted(range(len(rows)), key=lambda i: (-len(rows[i]), i)):
            if now and (len(now) + 1) * len(rows[now[0]]) > budget:
                out.append(now)
                now = []
            now.append(index)
        return [*out, now] if now else out

    def generate(self, rows, target):
        """One Output per row, in order. target: NLLB's code of the language to translate into."""
        import torch

        pad, end = self.tokenizer.pad_token_id, self.tokenizer.eos_token_id
        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows], device=self.model.device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=self.model.device)
        with torch.inference_mode():
            found = self.model.generate(
                input_ids=ids, attention_mask=mask, generation_config=self._decoding(target)
            ).tolist()
        texts = self.tokenizer.batch_decode(found, skip_special_tokens=True)
        return [Output(" ".join(text.split()), end in row[1:]) for text, row in zip(texts, found, strict=True)]

    def _decoding(self, target):
        """The model's own generation settings (special tokens, forbidden words) with ours on top."""
        import copy

        spoken = language(self.tokenizer, target)
        config = copy.deepcopy(self.model.generation_config)
        config.eos_token_id, config.pad_token_id = self.tokenizer.eos_token_id, self.tokenizer.pad_token_id
        config.num_beams, config.max_length, config.max_new_tokens = self.hyper.beams, self.hyper.max_length, None
        config.do_sample, config.early_stopping, config.length_penalty = False, False, 1.0
        config.no_repeat_ngram_size, config.forced_eos_token_id = 0, None
        config.forced_bos_token_id = spoken[1] if spoken else None
        return config


def translate(translator, texts, source, target, cache, progress, threads=0):
    """{text: Output} of texts, equal ones translated once; what `cache` has is not translated again.

    source, target: NLLB's codes of the languages. threads: of torch (0: as many as it uses anyway). Several processes
    share the work. Each finished batch is kept there at once.
    """
    wanted = list(dict.fromkeys(texts))
    rows = translator.rows(wanted, source)
    names = [key(source, target, text) for text in wanted]
    mine, done = {}, 0
    for batch in translator.batches(rows)[parallel.rank() :: parallel.size()]:
        todo = [index for index in batch if cache.get(names[index]) is None]
        if todo:
            with using(threads):
                made = translator.generate([rows[index] for index in todo], target)
            cache.put({names[i]: ("+" if out.ended else "-") + out.text for i, out in zip(todo, made, strict=True)})
        for index in batch:
            kept = cache.get(names[index])
            mine[wanted[index]] = Output(kept[1:], kept[0] == "+")
        done += len(batch)
        progress(min(done * parallel.size(), len(wanted)), len(wanted), "translating")
    return {text: out for part in parallel.gather(mine) for text, out in part.items()}


def language(tokenizer, code):
    """(name, token id) of a language, given by NLLB's code, for a tokenizer; None if it names no languages.

    InputError if it names languages, but not this one: an unknown token there would go unnoticed.
    """
    if not hasattr(tokenizer, "src_lang"):
        return None
    for name, token in ((code, code), (ISO.get(code), f"__{ISO.get(code)}__")):
        found = tokenizer.convert_tokens_to_ids(token)
        if name and found is not None and found != tokenizer.unk_token_id:
            return name, found
    raise InputError(
        f"the model's tokenizer has no code for the language {code!r}; name another with --set source=CODE"
    )


def open_translator(record, hyper):
    """The Translator of a ModelRecord whose source is a folder or a hub id."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    from dbutils.models.encoder import quiet

    if Path(record.source).is_dir():
        check_folder(record.source)
    where = {"revision": record.revision or None, "trust_remote_code": False}
    kind = torch.bfloat16 if hyper.precision == "bf16" else torch.float32
    with quiet(), hub_errors(record.source, record.revision):
        tokenizer = AutoTokenizer.from_pretrained(record.source, **where)
        model = AutoModelForSeq2SeqLM.from_pretrained(record.source, dtype=kind, use_safetensors=True, **where)
    return Translator(model, tokenizer, hyper)
