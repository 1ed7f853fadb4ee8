"""Sentences given as words: rows of overlapping windows, and where in them each word's sub-words stand."""

import numpy as np

from dbutils.models.batches import Unit
from dbutils.models.tokens import windows


def units(head, tokens, examples, training):
    """One Unit per sentence, with data
    words: int array, numbers of the words that are read; place: (P, 3) int array, row, position in the row and index
    into `words` of each sub-word that stands for its word; root: the first row's first special token.

    A word is read in the window that holds it whole and with the most context. In training, `cut_training` leaves out
    the words that are not in the first window. Words that the tokenizer turns into nothing are read as unknown (counted).
    """
    room = head.room(tokens, training)
    overlap = room // 2
    out = []
    for i, (pieces, empty) in enumerate(tokens.words([e.tokens for e in examples])):
        head.count("words without sub-words, read as unknown", empty)
        parts = windows(pieces, room, overlap)
        if len(parts) > 1:
            head.count("sentences cut" if training and head.hyper.cut_training else "sentences in windows")
            if training and head.hyper.cut_training:
                parts = parts[:1]
        rows = [tokens.row(window) for _, window in parts]
        words, place = _where(parts, rows)
        root = int(np.argmax(rows[0].place < 0))
        out.append(
            Unit(i, [r.ids for r in rows], [r.types for r in rows], {"words": words, "place": place, "root": root})
        )
    return out


def _where(parts, rows):
    seen = []
    for number, ((start, window), row) in enumerate(zip(parts, rows, strict=True)):
        word, position = window.words, np.flatnonzero(row.place >= 0)
        seen.append(np.stack([np.full(len(word), number), position, word, start + np.arange(len(word))], axis=1))
    found = np.concatenate(seen)
    found = found[found[:, 2] >= 0]
    if len(parts) > 1:
        found = _best_windows(found)
    words, index = np.unique(found[:, 2], return_inverse=True)
    return words, np.stack([found[:, 0], found[:, 1], index.reshape(-1)], axis=1)


def _best_windows(found):
    """Of a word that is in several windows, keep the one with most of it, then the one with most context."""
    last = found[:, 3].max()
    best = {}
    for number in np.unique(found[:, 0]):
        rows = found[found[:, 0] == number]
        begin, end = rows[0, 3], rows[-1, 3]
        for word in np.unique(rows[:, 2]):
            at = rows[rows[:, 2] == word, 3]
            before = np.inf if begin == 0 else at[0] - begin
            after = np.inf if end == last else end - at[-1]
            value = (len(at), min(before, after))
            if word not in best or value > best[word][0]:
                best[word] = (value, number)
    return found[[best[word][1] == number for number, word in found[:, [0, 2]]]]


def positions(batch, first_only):
    """Of a batch: (flat position of sub-words, unit number, index into the unit's `words`), int arrays.

    first_only: one sub-word per word.
    """
    width = batch.shape[1]
    flat, unit, index = [], [], []
    for number, (u, first) in enumerate(zip(batch.units, batch.first, strict=True)):
        place = u.data["place"]
        if first_only and len(place):
            _, keep = np.unique(place[:, 2], return_index=True)
            place = place[keep]
        flat.append((first + place[:, 0]) * width + place[:, 1])
        unit.append(np.full(len(place), number))
        index.append(place[:, 2])
    return np.concatenate(flat), np.concatenate(unit), np.concatenate(index)
