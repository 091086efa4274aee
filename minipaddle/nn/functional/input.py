"""The path of ``one_hot`` and ``embedding`` in Paddle."""

from minipaddle.nn.functional.common import embedding, one_hot

__all__ = ["embedding", "one_hot"]
