"""Layers: classes with parameters."""

from minipaddle.engine.names.missing import missing

__getattr__ = missing(__name__, globals())
