"""How an encoder does a task: from examples to units of work, to a loss, to predictions."""

from dbutils.tasks.heads.choosing import Choosing
from dbutils.tasks.heads.finding import Finding
from dbutils.tasks.heads.labelling import Labelling
from dbutils.tasks.heads.parsing import Parsing
from dbutils.tasks.heads.tagging import Tagging

HEADS = {
    "dep": Parsing,
    "pos": Tagging,
    "ner": Tagging,
    "did": Labelling,
    "sa": Labelling,
    "tc": Labelling,
    "nli": Labelling,
    "mrc": Choosing,
    "eqa": Finding,
}
