"""The path of ``one_hot`` and ``embedding`` in Paddle."""

from minipaddle.nn.front import of_front
from minipaddle.nn.functional.common import embedding, one_hot

__all__ = ["embedding", "one_hot"]

__getattr__ = of_front(globals(), "minipaddle.nn.functional")
