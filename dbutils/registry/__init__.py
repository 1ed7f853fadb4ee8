"""Who? Varieties, clusters, the naming template, representatives, codes, scripts, places, populations."""

from dbutils.registry.names import ATTRIBUTES, Name, parse, write
from dbutils.registry.registry import LEVELS, Code, Registry, Variety, is_region, load

__all__ = ["ATTRIBUTES", "LEVELS", "Code", "Name", "Registry", "Variety", "is_region", "load", "parse", "write"]
