"""paddle.random: the seed that the random numbers began with."""

from minipaddle.ops.random.generator import Generator

__all__ = ["initial_seed"]


def initial_seed() -> int:
    """Return the seed that the random numbers began with."""
    return Generator().initial_seed()
