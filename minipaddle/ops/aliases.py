"""Second names of operators that public code uses."""

from minipaddle.ops.linalg.product import add_n
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.math.clip import clip

__all__ = ["add_n", "cat", "clamp"]

clamp, cat = clip, concat
