"""Building: applying an operator appends it to a Program."""

from minipaddle.static.build.mode import BUILDING, Building, building, static_only
from minipaddle.static.build.naming import exactly, layer, overloaded, unnamed

__all__ = ["BUILDING", "Building", "building", "exactly", "layer", "overloaded", "static_only", "unnamed"]
