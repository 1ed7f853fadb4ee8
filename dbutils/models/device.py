"""Where torch computes, and how: device, precision, seeds."""

import contextlib
import os


def device():
    """The device of this process: its GPU if there is one (CUDA_VISIBLE_DEVICES="" hides it), else the CPU."""
    import torch

    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)) % torch.cuda.device_count())
    return torch.device("cpu")


def autocast(precision, device):
    """Context of mixed precision: "bf16" computes matrix products in bfloat16, "fp32" changes nothing."""
    import torch

    return torch.autocast(device.type, torch.bfloat16) if precision == "bf16" else contextlib.nullcontext()


def seed_from(*parts):
    """A seed made of numbers and texts, the same on every machine: 0 <= seed < 2**63."""
    import hashlib

    digest = hashlib.sha256("\n".join(map(str, parts)).encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@contextlib.contextmanager
def repeatable(seed):
    """Context in which torch's randomness starts from `seed` and kernels are deterministic.

    Afterwards the caller's random state and settings are as they were.
    """
    import torch

    # cuBLAS is deterministic only with a fixed workspace, which it reads when it is first used
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    current = device()
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    with torch.random.fork_rng([current] if current.type == "cuda" else []):
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True, warn_only=True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before[0], warn_only=before[1])


@contextlib.contextmanager
def threads(count):
    """Context in which torch uses `count` threads (0: as many as it does anyway).

    Threads wait for one another busily: for small matrices they cost more than they bring, much more on a busy machine.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
