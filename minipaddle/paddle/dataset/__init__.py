"""paddle.dataset: data sets that are on this machine; nothing is downloaded."""

from __future__ import annotations

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.dataset import common

__all__ = ["common"]

__getattr__ = missing(__name__, __all__)
