"""Building: applying an operator appends it to a Program."""

from minipaddle.static.build import as_tensors as as_tensors
from minipaddle.static.build.checks import building, check_variable, check_variables, static_only
from minipaddle.static.build.mode import BUILDING, Building
from minipaddle.static.program.naming import exactly, layer, overloaded, unnamed

__all__ = [
    "BUILDING", "Building", "building", "check_variable", "check_variables", "exactly", "layer", "overloaded",
    "static_only", "unnamed",
]  # fmt: skip
