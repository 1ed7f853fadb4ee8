"""Several processes, one per GPU, started by torch's launcher (`torchrun --nproc-per-node N -m dbutils ...`).

Without the launcher everything here is a single process.
"""

import os


def size():
    """How many processes work together."""
    return int(os.environ.get("WORLD_SIZE", 1))


def rank():
    """The number of this process, from 0; files are written by 0 alone."""
    return int(os.environ.get("RANK", 0)) if size() > 1 else 0


def join():
    """Meet the other processes, once; nothing to do for a single one."""
    if size() == 1:
        return
    import torch.distributed as dist

    if not dist.is_initialized():
        from dbutils.models.device import device

        current = device()
        if current.type == "cuda":
            import torch

            torch.cuda.set_device(current)
        dist.init_process_group("nccl" if current.type == "cuda" else "gloo")


def sum_gradients(parameters):
    """Add up the gradients of all processes, in place, as one message."""
    if size() == 1:
        return
    import torch
    import torch.distributed as dist

    for p in parameters:
        if p.grad is None:  # every process must send the same
            p.grad = torch.zeros_like(p)
    gradients = [p.grad for p in parameters]
    flat = torch._utils._flatten_dense_tensors(gradients)
    dist.all_reduce(flat)
    for old, new in zip(gradients, torch._utils._unflatten_dense_tensors(flat, gradients), strict=True):
        old.copy_(new)


def total(*values):
    """The sums of numbers over all processes."""
    if size() == 1:
        return values
    found = gather(values)
    return tuple(sum(column) for column in zip(*found, strict=True))


def gather(value):
    """[value of every process], in order of rank."""
    if size() == 1:
        return [value]
    import torch.distributed as dist

    out = [None] * size()
    dist.all_gather_object(out, value)
    return out


def wait():
    """Wait until all processes are here."""
    gather(None)
