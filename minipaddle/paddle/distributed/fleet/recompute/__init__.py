"""``recompute``: forget what a part of a net computed, and compute it again in the backward pass."""

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.distributed.fleet.recompute.recompute import recompute, recompute_sequential

__all__ = ["recompute", "recompute_sequential"]

guard_all(globals())
