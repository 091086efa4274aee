"""Offsets: where each sequence of a tensor begins and ends, ``[0, 2, 5]`` for two rows and three. Paddle calls it LoD.

Operators on sequences take them as an input like any other, whose slot (``LoD``) is not printed; those that move rows
also return from which row each came (``LoDRows``), which is all that their gradients need.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta

INT64 = np.dtype("int64")


def offsets(lengths: Any) -> Array:
    """Return ``[0, 2, 5]`` for the lengths ``[2, 3]``."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(INT64)


def owners(lod: Array) -> Array:
    """Return for each row the number of its sequence: ``[0, 0, 1, 1, 1]``."""
    return np.repeat(np.arange(len(lod) - 1), np.diff(lod))


def ranges(starts: Array, lengths: Array) -> Array:
    """Return the numbers from each start on, as many as `lengths` says, in a row.

    >>> ranges(np.array([4, 0]), np.array([2, 3])).tolist()
    [4, 5, 0, 1, 2]
    """
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(np.sum(lengths)))


def check_rows(x: Array, lod: Array, what: str) -> None:
    """Refuse offsets that are not of this tensor.

    Raises:
        ValueError: **LoD**, if they do not end where the rows do.
    """
    if lod[-1] != len(x):
        raise failure(
            ValueError,
            f"The LoD of Input({what}) ends at {lod[-1]}, but it has {len(x)} rows.",
            "what was done between the data and this operator has changed the number of rows",
        )


def rows_of(x: Meta) -> Meta:
    """Return the Meta of `x` with another number of rows."""
    return Meta((-1, *x.shape[1:]), x.dtype)


SOME = Meta((-1,), INT64)
"""Rows, or offsets."""
PAIRS = Meta((-1, 2), INT64)
"""Places by two numbers."""


def example(*others: Any, **attrs: Any) -> Any:
    """Example: five rows in sequences of two and three; `others` are inputs between them and the offsets."""

    def numbers(rng: np.random.Generator) -> Any:
        return [rng.uniform(0.2, 0.9, (5, 2)), *map(np.array, others), np.array([0, 2, 5])], attrs

    return numbers
