"""Values as JSON data, equal in every command and on the page."""

from typing import Any

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.paddle.static.pytree import rebuilt
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.stats import Stats, stats_of

_SMALL = 16
"""Up to so many elements, a value is shown whole: they fit on a line."""


def value_object(value: Value) -> dict[str, Any]:
    """Return a value as JSON data, with its numbers only if they are few."""
    return _object(value.name, value.shape, value.dtype, value.stats, value.array)


def array_object(name: str, array: Array) -> dict[str, Any]:
    """Return an array as JSON data, with the keys of a value."""
    return _object(name, array.shape, array.dtype.name, stats_of(array), array)


def _object(name: str, shape: Shape, dtype: str, stats: Stats, array: Array | None) -> dict[str, Any]:
    keys = ("min", "max", "mean", "rms", "norm", "zeros", "nans", "infs")
    numbers = {key: json_number(getattr(stats, key)) for key in keys}
    is_shown = array is not None and array.size <= _SMALL and array.dtype.kind in "biuf"
    data = {"data": rebuilt(array.tolist(), json_number)} if array is not None and is_shown else {}
    return {"name": name, "shape": list(shape), "dtype": dtype, "stats": numbers, **data}


def json_number(value: Any) -> Any:
    """Return a number for JSON, which has no NaN, no infinity and no complex numbers: they become text."""
    is_plain = not isinstance(value, (float, complex)) or (isinstance(value, float) and value - value == 0)
    return value if is_plain else str(value)
