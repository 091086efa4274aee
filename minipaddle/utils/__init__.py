"""paddle.utils: helpers beside the engine."""

from __future__ import annotations

from minipaddle.core.missing import missing
from minipaddle.utils import unique_name

__all__ = ["unique_name"]

__getattr__ = missing(__name__, __all__)
