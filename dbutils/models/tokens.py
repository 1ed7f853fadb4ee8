"""From texts and words to rows of sub-word ids, by a fast tokenizer.

Pieces are cut before special tokens are added, so every task can decide what is cut, in overlapping windows or not.
Offsets are characters of the text as given.
"""

from dataclasses import dataclass

import numpy as np

from dbutils.errors import InputError


@dataclass(frozen=True)
class Row:
    """ids and types (segment numbers): int arrays (n,). place: piece number in the second (else first) text of each
    position, -1 for everything else."""

    ids: np.ndarray
    types: np.ndarray
    place: np.ndarray


class Tokens:
    """A tokenizer of transformers, used through its Rust backend.

    segments: whether the model knows segment numbers.
    """

    def __init__(self, tokenizer, segments):
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise InputError("the model's tokenizer has no fast version (tokenizer.json), which is needed")
        backend.no_truncation()
        backend.no_padding()
        self.backend, self.segments = backend, segments
        self.pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0

    def texts(self, texts):
        """Encodings of texts, without special tokens."""
        return self.backend.encode_batch(list(texts), add_special_tokens=False)

    def words(self, sentences):
        """Encodings of sentences given as words, without special tokens; `word_ids` says whose each piece is."""
        return self.backend.encode_batch(
            [list(words) for words in sentences], is_pretokenized=True, add_special_tokens=False
        )

    def special(self, pair=False):
        """How many special tokens a row has."""
        return self.backend.num_special_tokens_to_add(pair)

    def row(self, first, second=None):
        """The Row of one or two encodings with their special tokens."""
        done = self.backend.post_process(first, second)
        which = np.array([-1 if s is None else s for s in done.sequence_ids])
        inside = which == (0 if second is None else 1)
        place = np.where(inside, np.cumsum(inside) - 1, -1)
        types = np.array(done.type_ids, dtype=np.int64) if self.segments else np.zeros(len(which), dtype=np.int64)
        return Row(np.array(done.ids, dtype=np.int64), types, place)


def windows(encoding, size, overlap):
    """[(number of the first piece, Encoding)]: pieces of an encoding in windows of `size` that overlap.

    The encoding itself becomes the first window (its library cuts in place).
    """
    if len(encoding.ids) <= size:
        return [(0, encoding)]
    encoding.truncate(size, stride=overlap)
    step = size - overlap
    return [(i * step, window) for i, window in enumerate([encoding, *encoding.overflowing])]


def cut(encoding, size):
    """Cut an encoding to `size` pieces, in place; True if something was cut."""
    if len(encoding.ids) <= size:
        return False
    encoding.truncate(max(size, 0))
    return True
