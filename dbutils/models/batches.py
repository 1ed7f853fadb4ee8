"""Units of work for an encoder, and how they are put together into batches.

A unit is what is predicted as one: a sentence, a question with its choices, a window of a passage. It has one
row of sub-word ids or several (windows of a long sentence, choices).
"""

from dataclasses import dataclass, field

import numpy as np

POOL = 16  # batches among which training sorts by length


@dataclass
class Unit:
    """example: index of the example it belongs to. rows: int arrays of sub-word ids, special ones included.

    types: segment numbers, one array per row. data: what the head needs besides (gold, positions).
    """

    example: int
    rows: list
    types: list
    data: dict = field(default_factory=dict)

    @property
    def length(self):
        return max(len(row) for row in self.rows)


@dataclass
class Batch:
    """units; ids (R, L) as rows of the embedding matrix; mask (R, L) or None if nothing is padded; types (R, L);
    first: number of the first row of each unit."""

    units: list
    ids: object
    mask: object
    types: object
    first: list

    @property
    def shape(self):
        return tuple(self.ids.shape)


def collate(units, device, pad, lookup=None):
    """The Batch of some units on a device. lookup: array from sub-word ids to rows of a restricted embedding."""
    import torch

    rows = [row for unit in units for row in unit.rows]
    types = [row for unit in units for row in unit.types]
    lengths = [len(row) for row in rows]
    shape = (len(rows), max(lengths))
    ids, segments = np.full(shape, pad, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for number, (row, kind) in enumerate(zip(rows, types, strict=True)):
        ids[number, : len(row)] = row
        segments[number, : len(row)] = kind
    if lookup is not None:
        ids = lookup[ids]
    mask = None
    if min(lengths) < shape[1]:
        mask = torch.from_numpy((np.arange(shape[1])[None, :] < np.array(lengths)[:, None]).astype(np.int64)).to(device)
    first = np.cumsum([0, *(len(unit.rows) for unit in units[:-1])]).tolist()
    return Batch(list(units), torch.from_numpy(ids).to(device), mask, torch.from_numpy(segments).to(device), first)


def by_budget(units, budget):
    """Lists of indices of units, longest first, each list's padded size at most `budget` tokens (or one unit)."""
    order = sorted(range(len(units)), key=lambda i: (-units[i].length, i))
    out, now, rows = [], [], 0
    for i in order:
        width = units[now[0]].length if now else units[i].length
        if now and (rows + len(units[i].rows)) * width > budget:
            out.append(now)
            now, rows = [], 0
        now.append(i)
        rows += len(units[i].rows)
    return [*out, now] if now else out


def shuffled(units, size, seed):
    """Lists of `size` indices of units in random order, units of similar length together.

    The order is random, then sorted by length within pools of POOL batches, and the batches are shuffled.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(units))
    batches = []
    for start in range(0, len(order), size * POOL):
        pool = sorted(order[start : start + size * POOL].tolist(), key=lambda i: units[i].length)
        batches += [pool[i : i + size] for i in range(0, len(pool), size)]
    return [batches[i] for i in random.permutation(len(batches))]


def used(*groups):
    """The sub-word ids that occur in groups of units, sorted."""
    rows = [row for units in groups for unit in units for row in unit.rows]
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0, dtype=np.int64)
