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

    segments: whether the model knows segment numbers. marks: whether its segment numbers also say which pieces occur
    in another text of the row (see `row`).
    """

    def __init__(self, tokenizer, segments, marks=False):
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise InputError("the model's tokenizer has no fast version (tokenizer.json), which is needed")
        backend.no_truncation()
        backend.no_padding()
        self.backend, self.segments, self.marks = backend, segments, marks
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

    def row(self, first, second=None, third=None):
        """The Row of one or two encodings with their special tokens.

        third: number of the piece of the second at which a third text begins (None: nowhere). With marks, the segment
        number also says how a piece occurs in the other text (`_shared`: 0, 1, 2): plus twice that of the first text's
        pieces in the second and six times that in the third, and twice that of the others' pieces in the first.
        """
        done = self.backend.post_process(first, second)
        which = np.array([-1 if s is None else s for s in done.sequence_ids])
        inside = which == (0 if second is None else 1)
        place = np.where(inside, np.cumsum(inside) - 1, -1)
        ids = np.array(done.ids, dtype=np.int64)
        types = np.array(done.type_ids, dtype=np.int64) if self.segments else np.zeros(len(which), dtype=np.int64)
        if self.marks and second is not None:
            begin = np.inf if third is None else third
            texts = which == 0, inside & (place < begin), inside & (place >= begin)
            for text, factor in zip(texts[1:], (2, 6), strict=True):
                types[texts[0]] += factor * _shared(ids[texts[0]], ids[text])
                types[text] += 2 * _shared(ids[text], ids[texts[0]])
        return Row(ids, types, place)


SEGMENTS = 18  # different segment numbers with marks


def _shared(ids, others):
    """Of each piece: 0 not in the other text, 1 in it, 2 in it together with a neighbour."""
    pairs = set(zip(others[:-1].tolist(), others[1:].tolist(), strict=True))
    together = np.array([pair in pairs for pair in zip(ids[:-1].tolist(), ids[1:].tolist(), strict=True)], dtype=bool)
    out = np.isin(ids, others).astype(np.int64)
    out[:-1][together] = 2
    out[1:][together] = 2
    return out


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
