"""paddle.base.framework: which mode this is, and what a parameter is."""

from minipaddle.nn.parameter.parameter import Parameter

__all__ = ["EagerParamBase", "Parameter", "in_dygraph_mode"]

EagerParamBase = Parameter


def in_dygraph_mode() -> bool:
    """Say whether calls are executed at once."""
    return True
