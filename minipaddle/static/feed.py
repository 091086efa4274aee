"""What goes into a run: arrays for placeholders, checked against their declaration."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array
from minipaddle.static.block import Block
from minipaddle.static.host_tensor import HostTensor
from minipaddle.static.variable import Variable

__all__ = ["checked_feed"]


def checked_feed(block: Block, feed: Any) -> dict[str, Array]:
    """Return the arrays of `feed` by name, each of the declared dtype and shape; unknown names are left out.

    Raises:
        TypeError: **feed** is no dict, or a value is neither array nor numbers.
        ValueError: **must be**, for another dtype or shape; or a ragged list.
    """
    if feed is None:
        return {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        (feed,) = feed
    if not isinstance(feed, dict):
        raise TypeError(f"feed requires dict as its Parameter. But you passed in {type(feed)}")
    arrays = {}
    for name, value in feed.items():
        variable = block.vars.get(name)
        if variable is None:
            warnings.warn(
                f"The variable {name} is not found in program. It is not declared or is pruned.", stacklevel=3
            )
            continue
        array = arrays[name] = _as_array(variable, value)
        meta = variable.meta
        if array.dtype != meta.dtype or (array.shape != meta.shape and not _fits(array.shape, meta.shape)):
            raise _refused(variable, array)
    return arrays


def _as_array(variable: Variable, value: Any) -> Array:
    """Return a value as an array: arrays as they are, numbers and lists in the declared dtype."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, HostTensor) or hasattr(value, "array"):
        return np.asarray(value)
    if not isinstance(value, (bool, int, float, complex, list, tuple, np.generic)):
        raise TypeError(
            f"The feed of {variable.name!r} must be an array, a list or a number, but received {type(value).__name__}."
        )
    try:
        found = np.array(value)
        return found.astype(variable.meta.dtype) if found.dtype.kind in "biufc" else found
    except ValueError as error:
        raise ValueError(f"The feed of {variable.name!r} is no array: {error}") from None


def _fits(shape: tuple[int, ...], declared: tuple[int, ...]) -> bool:
    return len(shape) == len(declared) and all(b in (-1, a) for a, b in zip(shape, declared, strict=True))


def _refused(variable: Variable, array: Array) -> Exception:
    if array.dtype.kind not in "biufc":
        return TypeError(
            f"The feed of {variable.name!r} holds {array.dtype}, which is no data type of Paddle."
        )
    if array.dtype != variable.meta.dtype:
        wanted, got = variable.meta.dtype.name, array.dtype.name
        return failure(
            ValueError,
            f"The data type of fed Variable '{variable.name}' must be '{wanted}', but received '{got}'.",
            f"feed array.astype('{wanted}')",
        )
    return failure(
        ValueError,
        f"The fed Variable '{variable.name}' should have dimensions = {variable.ndim}, shape = {variable.shape}, but "
        f"received fed shape {list(array.shape)}.",
        "declare sizes that change from run to run as -1 or None",
    )
