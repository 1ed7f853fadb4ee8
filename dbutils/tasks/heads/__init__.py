"""How an encoder does a task: from examples to units of work, to a loss, to predictions."""

import importlib


def head(task, labels, hyper):
    """The head of an encoder for a Task, over its label set."""
    return head_class(task)(labels, hyper)


def head_class(task):
    """The class that `Task.head` names, imported now."""
    module, _, name = task.head.partition(":")
    return getattr(importlib.import_module(module), name)
