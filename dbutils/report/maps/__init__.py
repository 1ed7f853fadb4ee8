"""Maps: scores by region, and the varieties on the world. They draw what they are given and score nothing."""

from dbutils.report.maps.interactive import world_map_interactive
from dbutils.report.maps.region import region_alt, region_map
from dbutils.report.maps.world import VIEWS, world_alt, world_map

__all__ = ["VIEWS", "region_alt", "region_map", "world_alt", "world_map", "world_map_interactive"]
