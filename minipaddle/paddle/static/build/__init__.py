"""Building: applying an operator appends it to a Program."""

from minipaddle.paddle.static.build.checks import check_variable, check_variables, static_only
from minipaddle.paddle.static.build.mode import BUILDING, Building
from minipaddle.paddle.static.program.naming import exactly, layer, overloaded, unnamed

__all__ = [
    "BUILDING", "Building", "check_variable", "check_variables", "exactly", "layer", "overloaded",
    "static_only", "unnamed",
]  # fmt: skip
