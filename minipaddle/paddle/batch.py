"""paddle.batch: a reader of examples as a reader of batches of them.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/batch_en.html)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from minipaddle.engine.core.errors import guard_all

__all__ = ["batch"]

Reader = Callable[[], Iterator[Any]]


def batch(reader: Reader, batch_size: int, drop_last: bool = False) -> Callable[[], Iterator[list[Any]]]:
    """Return a reader of lists of `batch_size` examples.

    Args:
        reader: a function that returns an iterator over examples.
        batch_size: at least 1.
        drop_last: leave out a last list that is shorter.

    Raises:
        ValueError: **batch_size should be a positive integer**.
    """
    if int(batch_size) <= 0:
        raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")

    def batches() -> Iterator[list[Any]]:
        examples = iter(reader())
        while some := list(islice(examples, int(batch_size))):
            if len(some) == int(batch_size) or not drop_last:
                yield some

    return batches


guard_all(globals())
