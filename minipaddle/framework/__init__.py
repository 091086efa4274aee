"""paddle.framework: files, random seed, default types, places and flags."""

from minipaddle.framework.io import load, save

__all__ = ["load", "save"]
