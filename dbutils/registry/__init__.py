"""Who? Varieties, clusters, the naming template, representatives, codes, scripts, places, populations."""

from dbutils.registry.names import ATTRIBUTES, Name, parse, write
from dbutils.registry.registry import Code, Registry, Variety, is_region, load
from dbutils.registry.tasks import LEVELS, TASK_FACTS, facts

__all__ = [
    "ATTRIBUTES",
    "LEVELS",
    "TASK_FACTS",
    "Code",
    "Name",
    "Registry",
    "Variety",
    "facts",
    "is_region",
    "load",
    "parse",
    "write",
]
