"""paddle.utils: helpers beside the engine."""

from __future__ import annotations

from minipaddle.names.missing import missing
from minipaddle.utils import unique_name
from minipaddle.utils.capture import capture_backward_subgraph_guard, capture_forward_subgraph_guard

__all__ = ["capture_backward_subgraph_guard", "capture_forward_subgraph_guard", "unique_name"]

__getattr__ = missing(__name__, __all__)
