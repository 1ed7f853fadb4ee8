"""A causal language model of transformers: it continues prompts, or says how likely it finds given answers.

Prompts go through the model's chat template where it has one (and it is wanted), else as they are. Batches are sorted by
length and padded on the left, so that every prompt ends where its answer begins; an answer is the most likely one at every
step, and ends with the model's end mark or with its first line.
"""

from pathlib import Path

import numpy as np

from dbutils.errors import InputError
from dbutils.models.device import device

BUDGET = {"cpu": 4096, "cuda": 32768}  # padded sub-words in a batch, answers included
BITS = (0, 4, 8)


class Causal:
    """model, tokenizer: of transformers, the model on its device. chat: whether the tokenizer's chat template is used."""

    def __init__(self, model, tokenizer, chat=False):
        self.model, self.tokenizer, self.chat = model.eval(), tokenizer, chat
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        self.budget = BUDGET[self._place().type]
        self.tokens = 0  # sub-words read so far

    def _place(self):
        return next(self.model.parameters()).device

    def ids(self, prompt, answer=""):
        """The sub-word numbers of a prompt, and of an answer behind it."""
        if self.chat:
            turn = [{"role": "user", "content": prompt}]
            text = self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True) + answer
            return self.tokenizer(text, add_special_tokens=False).input_ids
        return self._plain(prompt + (f" {answer}" if answer else ""))

    def _plain(self, text):
        ids = self.tokenizer(text).input_ids
        return ids[:-1] if ids and ids[-1] == self.tokenizer.eos_token_id else ids

    def fits(self, prompt, room):
        """Whether a prompt leaves room for so many sub-words of an answer."""
        return len(self.ids(prompt)) + room <= self.longest()

    def longest(self):
        """The longest row that the model takes, in sub-words."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or self.tokenizer.model_max_length
        return min(positions, self.tokenizer.model_max_length)

    def generate(self, prompts, max_new_tokens):
        """Yield (indices of prompts, their answers) batch by batch, longest prompts first."""
        import torch
        from transformers import GenerationConfig, StoppingCriteriaList

        rows = [self.ids(prompt) for prompt in prompts]
        config = GenerationConfig(
            do_sample=False,
            num_beams=1,
            max_new_tokens=max_new_tokens,
            pad_token_id=self.tokenizer.pad_token_id,
            eos_token_id=self._ends(),
        )
        for indices in _batches([len(row) + max_new_tokens for row in rows], [1] * len(rows), self.budget):
            ids, mask = self._padded([rows[index] for index in indices])
            stop = StoppingCriteriaList([_first_line_ends(self.tokenizer, ids.shape[1])])
            with torch.inference_mode():
                made = self.model.generate(
                    input_ids=ids, attention_mask=mask, generation_config=config, stopping_criteria=stop
                )
            texts = self.tokenizer.batch_decode(made[:, ids.shape[1] :], skip_special_tokens=True)
            yield indices, [text.strip() for text in texts]

    def _ends(self):
        """The numbers of all end marks: a chat model may have several."""
        own = getattr(self.model.generation_config, "eos_token_id", None)
        own = own if isinstance(own, list) else [own]
        return sorted({number for number in (*own, self.tokenizer.eos_token_id) if number is not None})

    def likelihoods(self, asked):
        """Yield (indices, one list of log-probabilities per index) batch by batch.

        asked: (prompt, its possible answers as texts). An answer's log-probability is the sum over its sub-words.
        """
        import torch

        rows, ends = [], []
        for prompt, answers in asked:
            alone = self.ids(prompt)
            whole = [self.ids(prompt, answer) for answer in answers]
            rows.append(whole)
            ends.append([len(row) - _shared(alone, row) for row in whole])
        for indices in _batches([max(map(len, group)) for group in rows], [len(group) for group in rows], self.budget):
            flat = [row for index in indices for row in rows[index]]
            sizes = [size for index in indices for size in ends[index]]
            ids, mask = self._padded(flat)
            keep = max(sizes) + 1
            with torch.inference_mode():
                positions = (mask.cumsum(-1) - 1).clamp(min=0)
                logits = self.model(
                    input_ids=ids, attention_mask=mask, position_ids=positions, logits_to_keep=keep
                ).logits
                found = (
                    logits.float().log_softmax(-1)[:, :-1].gather(2, ids[:, -keep + 1 :, None])[:, :, 0].cpu().numpy()
                )
            values = iter([float(line[-size:].sum()) for line, size in zip(found, sizes, strict=True)])
            yield indices, [[next(values) for _ in rows[index]] for index in indices]

    def _padded(self, rows):
        """(ids, mask) of rows padded on the left, on the model's device."""
        import torch

        size = max(map(len, rows))
        ids = np.full((len(rows), size), self.tokenizer.pad_token_id, dtype=np.int64)
        mask = np.zeros((len(rows), size), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, size - len(row) :] = row
            mask[number, size - len(row) :] = 1
        self.tokens += int(mask.sum())
        return torch.from_numpy(ids).to(self._place()), torch.from_numpy(mask).to(self._place())


def _first_line_ends(tokenizer, start):
    """A stopping criterion of transformers: of each row, whether what follows position `start` holds a whole line."""
    import torch
    from transformers import StoppingCriteria

    class FirstLineEnds(StoppingCriteria):
        def __call__(self, input_ids, scores, **_):
            texts = tokenizer.batch_decode(input_ids[:, start:], skip_special_tokens=True)
            return torch.tensor(["\n" in text.lstrip() for text in texts], device=input_ids.device)

    return FirstLineEnds()


def _shared(one, other):
    """How many sub-words two rows begin with alike, less than all of the second."""
    same = 0
    while same < min(len(one), len(other) - 1) and one[same] == other[same]:
        same += 1
    return same


def _batches(lengths, rows, budget):
    """Lists of indices, longest first, each padded to at most `budget` sub-words, or of one index.

    lengths: of the longest row of each index; rows: how many each has.
    """
    out, held = [], 0
    for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        held += rows[index]
        if out and held * lengths[out[-1][0]] <= budget:
            out[-1].append(index)
        else:
            out.append([index])
            held = rows[index]
    return out


def open_causal(record, bits=0, precision="fp32", chat=True):
    """The Causal of a ModelRecord of the hub or of a folder, on this process's device.

    bits: 4 or 8 loads quantised weights, which needs a GPU and the library bitsandbytes; 0 does not. precision: fp32 or bf16.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from dbutils.models.encoder import quiet
    from dbutils.models.files import check_folder, hub_errors

    if Path(record.source).is_dir():
        check_folder(record.source)
    quantised = _quantised(record, bits)
    where = {"revision": record.revision or None, "trust_remote_code": False}
    with quiet(), hub_errors(record.source, record.revision):
        tokenizer = AutoTokenizer.from_pretrained(record.source, padding_side="left", **where)
        model = AutoModelForCausalLM.from_pretrained(
            record.source,
            dtype=torch.bfloat16 if precision == "bf16" else torch.float32,
            use_safetensors=True,
            **quantised,
            **where,
        )
    return Causal(model if quantised else model.to(device()), tokenizer, chat and bool(tokenizer.chat_template))


def _quantised(record, bits):
    """Settings for loading quantised weights, {} for bits 0; InputError where that cannot be."""
    import importlib.util

    if not bits:
        return {}
    if device().type != "cuda":
        raise InputError(f"model {record.name!r} with bits={bits}: quantised weights need a GPU; leave out bits")
    if importlib.util.find_spec("bitsandbytes") is None:
        raise InputError(
            f"model {record.name!r} with bits={bits}: the library bitsandbytes is missing; pip install bitsandbytes"
        )
    from transformers import BitsAndBytesConfig

    return {"quantization_config": BitsAndBytesConfig(**{f"load_in_{bits}bit": True}), "device_map": {"": device()}}
