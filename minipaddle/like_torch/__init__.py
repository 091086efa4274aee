"""``paddle.compat``: functions and layers with PyTorch's arguments and results.

The package has another name because ``minipaddle.compat`` is our importer.
"""

from minipaddle.core.later import front
from minipaddle.like_torch import nn
from minipaddle.like_torch.extremes import max, min
from minipaddle.like_torch.functions import equal, median, nanmedian, seed, slogdet, sort, split, unique

__all__ = [
    "equal", "max", "median", "min", "nanmedian", "nn", "seed", "slogdet", "sort", "split", "unique",
]  # fmt: skip
__getattr__ = front(globals())
