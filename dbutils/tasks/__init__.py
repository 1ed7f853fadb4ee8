"""What? One record per task: its metrics, its groups for the bootstrap, its predictions as JSON, its learners.

    >>> from dbutils.tasks import TASKS
    >>> [metric.name for metric in TASKS["dep"].metrics(())]
    ['uas', 'las']

A learner is whatever can be fitted to examples and then predicts: an encoder with a head, an n-gram
classifier, the majority baseline. All have the same methods (`dbutils.tasks.learners`).
"""

from dbutils.tasks.hyper import PREDICTING, PROFILES, Hyper, NoHyper, hyper
from dbutils.tasks.learners import learner, load_learner
from dbutils.tasks.task import TASKS, Task

__all__ = ["PREDICTING", "PROFILES", "TASKS", "Hyper", "NoHyper", "Task", "hyper", "learner", "load_learner"]
