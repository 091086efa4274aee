"""paddle.dataset: data sets that are on this machine; nothing is downloaded."""

from __future__ import annotations

from minipaddle.dataset import common
from minipaddle.names.missing import missing

__all__ = ["common"]

__getattr__ = missing(__name__, __all__)
