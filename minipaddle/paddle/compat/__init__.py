"""``paddle.compat``: functions and layers with PyTorch's arguments and results.

The package has another name because ``minipaddle.tools.run`` is our importer.
"""

from minipaddle.engine.core.later import front
from minipaddle.paddle.compat import nn
from minipaddle.paddle.compat.extremes import max, min
from minipaddle.paddle.compat.functions import equal, median, nanmedian, seed, slogdet, sort, split, unique

__all__ = [
    "equal", "max", "median", "min", "nanmedian", "nn", "seed", "slogdet", "sort", "split", "unique",
]  # fmt: skip
__getattr__ = front(globals())
