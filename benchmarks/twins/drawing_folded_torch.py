"""The drawing case in torch: torchviz folds nothing."""

from benchmarks.twins.drawing_torch import setup

__all__ = ["setup"]
