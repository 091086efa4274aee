"""Imported for what it does: the ways that must be there before the first operator is defined are put in place.

The others come when what they stand for is there: in engine/walk/walk.py, tensor/tensor.py, custom/py_layer.py.
"""

from __future__ import annotations

from minipaddle.engine.fast import put_in_place

for _way in ("call", "plans"):
    put_in_place(_way)
