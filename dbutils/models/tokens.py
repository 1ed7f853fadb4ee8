"""From texts and words to rows of sub-word ids, by any tokenizer of transformers: fast, slow, of bytes or characters.

Pieces are cut before special tokens are added, so every task can decide what is cut, in overlapping windows or not.
Spans are characters of the text as given.
"""

import functools
import re
from dataclasses import dataclass

import numpy as np

from dbutils.errors import InputError

# what slow tokenizers mark the begin, the inside or the end of a word with
MARKS = re.compile(r"^(?:▁|##)|(?:@@|</w>)$")
PROBES = ("a b", "é ب", "क ก")  # characters of one to three bytes


@dataclass(frozen=True)
class Pieces:
    """The sub-words of a text, without special tokens. A slice of it is one too.

    ids: (n,). spans: (n, 2), first character of the text and last + 1 of each. words: (n,), number of the word that each
    belongs to (-1: none); of a text given as words only.
    """

    ids: np.ndarray
    spans: np.ndarray
    words: np.ndarray

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, part):
        return Pieces(self.ids[part], self.spans[part], self.words[part])


@dataclass(frozen=True)
class Row:
    """ids and types (segment numbers): int arrays (n,). place: piece number in the second (else first) text of each
    position, -1 for everything else."""

    ids: np.ndarray
    types: np.ndarray
    place: np.ndarray


class Tokens:
    """A tokenizer of transformers.

    segments: whether the model knows segment numbers. marks: whether its segment numbers also say which pieces occur
    in another text of the row (see `row`).
    pad: the padding id. filler: the id that stands for what the vocabulary lacks.
    """

    def __init__(self, tokenizer, segments, marks=False):
        self.segments, self.marks = segments, marks
        self.pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
        filler = (tokenizer.unk_token_id, tokenizer.mask_token_id, self.pad)
        self.filler = next(number for number in filler if number is not None)
        backend = getattr(tokenizer, "backend_tokenizer", None)
        self.cutter = _Slow(tokenizer) if backend is None else _Fast(backend)
        self.frame = functools.cache(self.cutter.frame)

    def texts(self, texts):
        """Pieces of texts."""
        return self.cutter.texts(list(texts))

    def words(self, sentences):
        """[(Pieces, how many words have none of their own)] of sentences given as words.

        The tokenizer's unknown piece stands for a word that it turns into nothing.
        """
        sentences = [list(words) for words in sentences]
        found = self.cutter.words(sentences)
        return [self._filled(pieces, len(words)) for words, pieces in zip(sentences, found, strict=True)]

    def _filled(self, pieces, count):
        empty = np.setdiff1d(np.arange(count), pieces.words)
        if not len(empty):
            return pieces, 0
        at = np.searchsorted(np.maximum.accumulate(pieces.words), empty)
        made = Pieces(
            np.insert(pieces.ids, at, self.filler),
            np.insert(pieces.spans, at, 0, axis=0),
            np.insert(pieces.words, at, empty),
        )
        return made, len(empty)

    def known(self, rows):
        """(how many pieces of texts there are in rows of ids, how many of them the vocabulary has)."""
        special = {number for pair in (False, True) for part in self.frame(pair)[::2] for number, _ in part}
        ids = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
        ids = ids[~np.isin(ids, list(special - {self.filler}))]
        return len(ids), int((ids != self.filler).sum())

    def special(self, pair=False):
        """How many special tokens a row has."""
        return sum(len(part) for part in self.frame(pair)[::2])

    def row(self, first, second=None, third=None):
        """The Row of the Pieces of one or two texts with their special tokens.

        third: number of the piece of the second at which a third text begins (None: nowhere). With marks, the segment
        number also says how a piece occurs in the other text (`_shared`: 0, 1, 2): plus twice that of the first text's
        pieces in the second and six times that in the third, and twice that of the others' pieces in the first.
        """
        texts = [first.ids] if second is None else [first.ids, second.ids]
        frame = self.frame(second is not None)
        parts, types, owner = [], [], []
        for number, part in enumerate(frame):
            inside = number % 2
            ids = texts[number // 2] if inside else [i for i, _ in part]
            parts.append(np.asarray(ids, dtype=np.int64))
            types.append(np.full(len(ids), part) if inside else np.array([t for _, t in part], dtype=np.int64))
            owner.append(np.full(len(ids), number // 2 if inside else -1))
        ids, types, owner = (np.concatenate(x) for x in (parts, types, owner))
        inside = owner == len(texts) - 1
        place = np.where(inside, np.cumsum(inside) - 1, -1)
        if not self.segments:
            types = np.zeros_like(types)
        if self.marks and second is not None:
            begin = np.inf if third is None else third
            groups = owner == 0, inside & (place < begin), inside & (place >= begin)
            for text, factor in zip(groups[1:], (2, 6), strict=True):
                types[groups[0]] += factor * _shared(ids[groups[0]], ids[text])
                types[text] += 2 * _shared(ids[text], ids[groups[0]])
        return Row(ids, types, place)


class _Fast:
    """A tokenizer through its Rust backend."""

    def __init__(self, backend):
        backend.no_truncation()
        backend.no_padding()
        self.backend = backend

    def texts(self, texts):
        return [_pieces(e.ids, e.offsets) for e in self.backend.encode_batch(texts, add_special_tokens=False)]

    def words(self, sentences):
        found = self.backend.encode_batch(sentences, is_pretokenized=True, add_special_tokens=False)
        return [_pieces(e.ids, e.offsets, [-1 if w is None else w for w in e.word_ids]) for e in found]

    def frame(self, pair):
        """[special, segment of the first, special, (segment of the second, special)], special: ((id, segment), ...)."""
        probe = self._probe().ids
        made = self.backend.post_process(self._probe(), self._probe() if pair else None)
        left, out = list(zip(made.ids, made.type_ids, strict=True)), [[]]
        while left:
            if [number for number, _ in left[: len(probe)]] == probe:
                out += [left[0][1], []]
                del left[: len(probe)]
            else:
                out[-1].append(left.pop(0))
        return out

    def _probe(self):
        """Any text that has a piece."""
        for text in (*PROBES, *list(self.backend.get_vocab())[:100]):
            found = self.backend.encode(text, add_special_tokens=False)
            if found.ids:
                return found
        raise InputError("the model's tokenizer turns every text into nothing")


class _Slow:
    """A tokenizer in Python, which tells no spans: they are found word by word, or character by character."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.word = functools.lru_cache(maxsize=100_000)(self._word)
        self.single = all(self._ids(c) for c in "".join(PROBES)) and all(
            self._ids(text) == [i for c in text for i in self._ids(c)] for text in PROBES
        )

    def texts(self, texts):
        if self.single:
            return [self._characters(text) for text in texts]
        return [self._joined([(m.start(), m[0]) for m in re.finditer(r"\S+", text)]) for text in texts]

    def words(self, sentences):
        if not self.single:
            return [self._joined([(0, word) for word in words]) for words in sentences]
        out = []
        for words in sentences:  # as running text, whose blanks belong to no word
            found = self._characters(" ".join(words))
            owner = [w for number, word in enumerate(words) for w in (*[number] * len(word), -1)]
            out.append(Pieces(found.ids, found.spans, np.array(owner, dtype=np.int64)[found.spans[:, 0]]))
        return out

    def frame(self, pair):
        """As that of `_Fast`."""
        given = ([-1], [-2]) if pair else ([-1],)
        ids = self.tokenizer.build_inputs_with_special_tokens(*given)
        kinds = self.tokenizer.create_token_type_ids_from_sequences(*given)
        kinds = kinds if len(kinds) == len(ids) else [0] * len(ids)
        out = [[]]
        for number, kind in zip(ids, kinds, strict=True):
            if number < 0:
                out += [kind, []]
            else:
                out[-1].append((number, kind))
        return out

    def _ids(self, text):
        return self.tokenizer.convert_tokens_to_ids(self.tokenizer.tokenize(text))

    def _word(self, word):
        """(ids, spans) of a word; a piece whose place in it is not certain has the whole word as its span."""
        tokens = self.tokenizer.tokenize(word)
        bare = [MARKS.sub("", token) for token in tokens]
        ends = np.cumsum([0, *map(len, bare)]).tolist()
        if "".join(bare) != word:
            return self.tokenizer.convert_tokens_to_ids(tokens), [(0, len(word))] * len(tokens)
        return self.tokenizer.convert_tokens_to_ids(tokens), list(zip(ends[:-1], ends[1:], strict=True))

    def _joined(self, words):
        ids, spans, owner = [], [], []
        for number, (start, word) in enumerate(words):
            found, at = self.word(word)
            ids += found
            spans += [(start + first, start + last) for first, last in at]
            owner += [number] * len(found)
        return _pieces(ids, spans, owner)

    def _characters(self, text):
        ids = [self.word(character)[0] for character in text]
        return _pieces([i for found in ids for i in found], [(n, n + 1) for n, found in enumerate(ids) for _ in found])


def _pieces(ids, spans, words=()):
    return Pieces(
        np.array(ids, dtype=np.int64),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        np.array(words, dtype=np.int64) if len(words) else np.full(len(ids), -1),
    )


SEGMENTS = 18  # different segment numbers with marks


def _shared(ids, others):
    """Of each piece: 0 not in the other text, 1 in it, 2 in it together with a neighbour."""
    pairs = set(zip(others[:-1].tolist(), others[1:].tolist(), strict=True))
    together = np.array([pair in pairs for pair in zip(ids[:-1].tolist(), ids[1:].tolist(), strict=True)], dtype=bool)
    out = np.isin(ids, others).astype(np.int64)
    out[:-1][together] = 2
    out[1:][together] = 2
    return out


def windows(pieces, size, overlap):
    """[(number of the first piece, Pieces)]: pieces in windows of `size` that overlap by less than that."""
    step, last = size - overlap, max(0, len(pieces) - size)
    starts = range(0, last + step, step) if last else (0,)
    return [(start, pieces[start : start + size]) for start in starts]
