"""``paddle.amp``: of it, the search for numbers that are none."""

from minipaddle.amp import debugging

__all__ = ["debugging"]
