"""What goes into a run: arrays for placeholders, checked against their declaration."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.program import Variable
from minipaddle.paddle.static.scope import HostTensor


def feed_dict(feed: Any) -> dict[str, Any]:
    """Return what the user feeds as a dict."""
    if feed is None:
        return {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        (feed,) = feed
    if not isinstance(feed, dict):
        raise TypeError(f"feed requires dict as its Parameter. But you passed in {type(feed)}")
    return feed


def fed(variable: Variable, value: Any) -> Array:
    """Return the value fed to `variable` as an array of the declared dtype and shape.

    Raises:
        TypeError: if it is neither array nor numbers.
        ValueError: **must be**, for another dtype or shape; or a ragged list.
    """
    array = value if type(value) is np.ndarray else _as_array(variable, value)
    meta = variable.meta
    if array.dtype != meta.dtype or (array.shape != meta.shape and not _fits(array.shape, meta.shape)):
        raise _refused(variable, array)
    return array


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
        return np.asarray(found, variable.meta.dtype) if found.dtype.kind in "biufc" else found
    except ValueError as error:
        raise ValueError(f"The feed of {variable.name!r} is no array: {error}") from None


def _fits(shape: tuple[int, ...], declared: tuple[int, ...]) -> bool:
    """Whether the sizes are the declared ones, where these are known. Paddle accepts fewer axes, if there is one."""
    return 0 < len(shape) <= len(declared) and all(
        wanted in (-1, size) for size, wanted in zip(shape, declared)
    )


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
