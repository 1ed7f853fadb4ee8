"""Units of work in batches: none lost, little padding, the same order for the same seed."""

import numpy as np
import torch

from dbutils.models.batches import Unit, by_budget, collate, shuffled, used


def unit(*lengths, example=0):
    rows = [np.arange(1, n + 1) for n in lengths]
    return Unit(example, rows, [np.zeros(n, dtype=np.int64) for n in lengths])


def test_batches_by_budget_hold_everything_once_and_keep_the_budget():
    random = np.random.default_rng(0)
    units = [unit(*random.integers(1, 40, size=random.integers(1, 4))) for _ in range(200)]
    batches = by_budget(units, 128)
    assert sorted(i for batch in batches for i in batch) == list(range(200))
    for batch in batches:
        rows = sum(len(units[i].rows) for i in batch)
        assert len(batch) == 1 or rows * max(units[i].length for i in batch) <= 128


def test_a_unit_beyond_the_budget_goes_alone():
    assert by_budget([unit(500), unit(2), unit(3)], 100) == [[0], [2, 1]]
    assert by_budget([], 100) == []


def test_sorting_by_length_leaves_little_padding():
    units = [unit(n) for n in np.random.default_rng(1).integers(5, 60, size=500)]
    padded = sum(len(batch) * max(units[i].length for i in batch) for batch in by_budget(units, 1024))
    assert padded < 1.06 * sum(u.length for u in units)


def test_training_order_depends_on_the_seed_alone_and_holds_everything_once():
    units = [unit(n) for n in np.random.default_rng(2).integers(1, 50, size=101)]
    first, again, other = shuffled(units, 8, 1), shuffled(units, 8, 1), shuffled(units, 8, 2)
    assert first == again != other
    assert sorted(i for batch in first for i in batch) == list(range(101))
    assert sorted(map(len, first)) == [5] + [8] * 12


def test_collate_pads_masks_and_looks_up():
    batch = collate([unit(3, 1), unit(2)], torch.device("cpu"), pad=0)
    assert batch.ids.tolist() == [[1, 2, 3], [1, 0, 0], [1, 2, 0]]
    assert batch.mask.tolist() == [[1, 1, 1], [1, 0, 0], [1, 1, 0]]
    assert batch.first == [0, 2]
    lookup = np.array([9, 8, 7, 6])
    assert collate([unit(3)], torch.device("cpu"), 0, lookup).ids.tolist() == [[8, 7, 6]]
    assert collate([unit(3), unit(3)], torch.device("cpu"), 0).mask is None


def test_used_ids():
    assert used([unit(3)], [unit(1, 4)]).tolist() == [1, 2, 3, 4]
    assert used([]).tolist() == []
