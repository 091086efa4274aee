"""The path of ``one_hot``, ``embedding`` and ``embedding_renorm_`` in Paddle."""

from minipaddle.nn.front import of_front

__getattr__ = of_front(globals(), "minipaddle.nn.functional")
