"""``paddle.distributed.fleet.utils``: recompute."""

from minipaddle.distributed.fleet.recompute import recompute

__all__ = ["recompute"]
