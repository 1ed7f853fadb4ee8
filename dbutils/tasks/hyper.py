"""Hyperparameters: the paper's protocol, and the sandbox's."""

import os
from dataclasses import dataclass, replace

from dbutils.errors import InputError, unknown
from dbutils.tasks.prompts import FILES, prompt

PROFILES = ("sandbox", "paper")
# Hyperparameters that matter only when a fitted model predicts; of a model that is not fitted here they are all there is.
PREDICTING = (*("predict_length", "answer_length", "beams"), *("max_new_tokens", "answer", "chat", "bits", "base_url"))


@dataclass(frozen=True)
class NoHyper:
    """For models without hyperparameters of their own here (majority) or with fixed ones (n-grams)."""


@dataclass(frozen=True)
class Hyper:
    """How an encoder is fine-tuned and predicts.

    epochs, lr (peak learning rate), batch_size (examples per step), warmup (share of the steps), weight_decay
    (not on biases and norms), clip (largest gradient norm). The learning rate falls linearly to zero.
    min_steps: with few examples there are as many epochs more as it takes to make so many steps.
    max_steps: no more steps than this, nor than examples * epochs / batch_size rounded (0: as many as the epochs make).
    max_length: sub-words per window in training, special ones included; predict_length: in prediction.
    cut_training: words beyond the first window are not trained on (as in the paper's code).
    selection: "last", or what is best on dev: "loss", or a metric's name. evaluate_every: steps between two
    looks at dev (0: after each epoch).
    doc_stride, query_length, answer_length: of span extraction, in sub-words.
    word_vector: "first" or "mean" of a word's sub-words. arc_size, relation_size: of the parser's perceptrons
    before its biaffine scorers (0: the scorers stand on the encoder itself, as in the paper's code).
    lower_case: texts are lower-cased and stripped of accents before a cased WordPiece vocabulary sees them.
    restrict_vocabulary: only the embedding rows in use are trained (same result, less memory and time).
    precision: "fp32", or "bf16" (mixed, on a GPU).
    """

    epochs: int
    lr: float
    batch_size: int
    max_length: int
    predict_length: int
    warmup: float = 0.0
    weight_decay: float = 0.0
    clip: float = 1.0
    min_steps: int = 0
    max_steps: int = 0
    cut_training: bool = False
    selection: str = "last"
    evaluate_every: int = 0
    doc_stride: int = 128
    query_length: int = 64
    answer_length: int = 30
    word_vector: str = "first"
    arc_size: int = 0
    relation_size: int = 0
    lower_case: bool = False
    restrict_vocabulary: bool = True
    precision: str = "fp32"


@dataclass(frozen=True)
class Translation:
    """How a translator that is already trained translates.

    beams: 1 is greedy search. max_length: of a translation in sub-words, special ones included; longer ones are cut.
    max_source: of a source. codes: under which language a variety is presented, `paper` or `best` (of the table of
    codes); source: one code for all instead ("": by the table). prefix: text before each source, for models that
    are told the target language so. precision: "fp32", or "bf16" (the weights, on a GPU).
    """

    beams: int = 1
    max_length: int = 30
    max_source: int = 1024
    codes: str = "paper"
    source: str = ""
    prefix: str = ""
    precision: str = "fp32"


@dataclass(frozen=True)
class TrainedTranslation(Translation):
    """How the tiny translator is trained (as in Hyper) and translates. copies: of each pair in an epoch, with noise."""

    max_length: int = 64
    max_source: int = 256
    epochs: int = 10
    copies: int = 4
    lr: float = 3e-3
    batch_size: int = 16
    warmup: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    min_steps: int = 0
    evaluate_every: int = 0


# The paper's translations: greedy, cut after 30 sub-words. The sound ones end by themselves.
PAPER_TRANSLATION = Translation()
SOUND_TRANSLATION = Translation(beams=4, max_length=256, codes="best")

# Seconds on a CPU for the tiny encoder, which starts from nothing and so needs more passes and larger steps.
TINY = Hyper(12, 3e-3, 16, 128, 128, warmup=0.1, min_steps=150)


@dataclass(frozen=True)
class PromptHyper:
    """How a language model is asked in context.

    shots: solved examples in a prompt. max_new_tokens: the longest answer, in sub-words. answer: "generate" lets the model
    write; "likelihood" takes the most likely of the possible answers (not where any span is one, not behind an endpoint).
    chat: "auto" uses the model's chat template (an endpoint's chat interface), "never" gives it the bare prompt.
    bits: 4 or 8 for quantised weights, on a GPU; 0 for none. precision: "fp32" or "bf16" weights. epochs: passes over the
    training data, for a model made on the spot. base_url: an endpoint's address.
    """

    shots: int
    max_new_tokens: int
    answer: str = "generate"
    chat: str = "auto"
    bits: int = 0
    precision: str = "fp32"
    epochs: int = 0
    base_url: str = ""


def hyper(task, profile, record, kind="paper"):
    """The hyperparameters of a task (code) for a model under a profile; NoHyper for one that has none.

    profile "paper": protocol of the paper. "sandbox": seconds for the tiny encoder; for a pre-trained one the paper's
    protocol with three epochs. A language model gets the number of exemplars of the task's prompt file.
    kind "sound" (of splits): translations as they should be made.
    """
    from dbutils.tasks import TASKS

    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    if task not in TASKS:
        raise unknown("task", task, TASKS)
    if record.kind == "translator":
        return (SOUND_TRANSLATION if kind == "sound" else PAPER_TRANSLATION) if record.source else TrainedTranslation()
    if record.kind in ("causal", "endpoint"):
        return _prompt_hyper(TASKS[task], record)
    if record.kind != "encoder":
        return NoHyper()
    known = TASKS[task]
    if known.paper is None:
        able = ", ".join(code for code, other in TASKS.items() if other.paper)
        raise InputError(f"model {record.name!r} (encoder) cannot do task {task!r}; encoders can do: {able}")
    if profile == "paper":
        return known.paper
    if not record.source:
        return known.tiny
    return replace(known.paper, epochs=3, max_steps=0)


def _prompt_hyper(task, record):
    if task.code not in FILES:
        raise InputError(
            f"model {record.name!r} ({record.kind}) answers prompts, and task {task.code!r} has none; tasks that have: {', '.join(FILES)}"
        )
    made = PromptHyper(prompt(task.code).shots, prompt(task.code).max_new_tokens)
    if record.kind == "endpoint":
        return replace(made, base_url=os.environ.get("DBUTILS_ENDPOINT", ""))
    if not record.source:
        if not task.tiny_lm_epochs:
            raise InputError(
                f"model {record.name!r} is not trained to translate; take tiny-mt, or a language model that is there"
            )
        return replace(made, epochs=task.tiny_lm_epochs)
    return replace(made, precision="bf16")
