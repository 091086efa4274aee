"""``paddle.distributed.fleet.utils``: recompute."""

from minipaddle.paddle.distributed.fleet.recompute import recompute

__all__ = ["recompute"]
