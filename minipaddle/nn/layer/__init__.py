"""Layers: classes with parameters."""

from minipaddle.names.missing import missing

__getattr__ = missing(__name__, globals())
