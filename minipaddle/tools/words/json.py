"""Values as JSON data, equal in every command and on the page."""

from typing import Any

from minipaddle.paddle.static.pytree import rebuilt
from minipaddle.tools.record.events import Value

_SMALL = 16
"""Up to so many elements, a value is shown whole: they fit on a line."""


def value_object(value: Value) -> dict[str, Any]:
    """Return a value as JSON data, with its numbers only if they are few."""
    keys = ("min", "max", "mean", "rms", "norm", "zeros", "nans", "infs")
    numbers, array = {key: json_number(getattr(value.stats, key)) for key in keys}, value.array
    is_shown = array is not None and array.size <= _SMALL and array.dtype.kind in "biuf"
    data = {"data": rebuilt(array.tolist(), json_number)} if array is not None and is_shown else {}
    return {"name": value.name, "shape": list(value.shape), "dtype": value.dtype, "stats": numbers, **data}


def json_number(value: Any) -> Any:
    """Return a number for JSON, which has no NaN, no infinity and no complex numbers: they become text."""
    is_plain = not isinstance(value, (float, complex)) or (isinstance(value, float) and value - value == 0)
    return value if is_plain else str(value)
