"""How well? Pure functions from gold and predicted to per-example statistics to a value in per cent."""

from dbutils.metrics.base import Metric

__all__ = ["Metric"]
