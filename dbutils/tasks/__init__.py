"""What? One record per task, in a file of its code: metrics, groups for the bootstrap, predictions as JSON, learners, head,
hyperparameters. What the paper does with a task stands in `dbutils.registry.tasks`.

    >>> from dbutils.tasks import TASKS
    >>> [metric.name for metric in TASKS["dep"].metrics(())]
    ['uas', 'las']

A learner is whatever can be fitted to examples and then predicts: an encoder with a head, an n-gram
classifier, the majority baseline. All have the same methods (`dbutils.tasks.learners`).
"""

from dbutils.tasks import dep, did, eqa, mrc, mt, ner, nli, pos, sa, tc
from dbutils.tasks.hyper import PREDICTING, PROFILES, Hyper, NoHyper, hyper
from dbutils.tasks.learners import learner, load_learner
from dbutils.tasks.task import Task

TASKS = {
    "dep": dep.TASK,
    "pos": pos.TASK,
    "ner": ner.TASK,
    "did": did.TASK,
    "sa": sa.TASK,
    "tc": tc.TASK,
    "nli": nli.TASK,
    "mrc": mrc.TASK,
    "eqa": eqa.TASK,
    "mt": mt.TASK,
}

__all__ = ["PREDICTING", "PROFILES", "TASKS", "Hyper", "NoHyper", "Task", "hyper", "learner", "load_learner"]
