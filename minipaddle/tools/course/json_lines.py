"""Plain data as lines of JSON, for messages to and from a student's process; never a pickle."""

import base64
import json
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

_NUMBERS = "biufc"
"""The kinds of arrays that are sent."""


class NotPlain(ValueError):
    """A line that is no valid message."""


@dataclass(frozen=True)
class Other:
    """Stands for an object that cannot be sent; it keeps the name of its type."""

    type: str


def to_line(data: object) -> bytes:
    """Return data as a line of JSON.

    >>> from_line(to_line({"x": np.eye(2), "y": [1, None, print]}))["y"]
    [1, None, Other(type='builtin_function_or_method')]
    """
    return json.dumps(_encoded(data)).encode() + b"\n"


def _encoded(data: Any) -> Any:
    if data is None or type(data) in (bool, int, float, str):
        return data
    if isinstance(data, list | tuple):
        return [_encoded(one) for one in data]
    if isinstance(data, dict) and all(type(name) is str for name in data):
        return {"dict": {name: _encoded(one) for name, one in data.items()}}
    if isinstance(data, bytes):
        return {"bytes": base64.b64encode(data).decode()}
    if not isinstance(data, np.ndarray | np.generic):
        data = data.numpy() if callable(getattr(data, "numpy", None)) else data
    if isinstance(data, np.ndarray | np.generic) and data.dtype.kind in _NUMBERS:
        array = np.asarray(data)
        raw = base64.b64encode(array.tobytes()).decode()
        return {"array": raw, "dtype": array.dtype.str, "shape": list(array.shape)}
    return {"other": type(data).__name__}


def from_line(line: bytes) -> Any:
    """Return the data of a line. Raises NotPlain if it is no valid message."""
    try:
        return _decoded(json.loads(line))
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise NotPlain(f"this is no message: {error}") from error


def _decoded(data: Any) -> Any:
    if isinstance(data, list):
        return [_decoded(one) for one in data]
    if not isinstance(data, dict):
        return data
    if "dict" in data:
        return {str(name): _decoded(one) for name, one in data["dict"].items()}
    if "bytes" in data:
        return base64.b64decode(data["bytes"], validate=True)
    if "array" in data:
        return _array(base64.b64decode(data["array"], validate=True), data["dtype"], data["shape"])
    return Other(str(data["other"]))


def _array(raw: bytes, dtype: str, shape: list[int]) -> np.ndarray[Any, Any]:
    kind = np.dtype(dtype)
    if kind.kind not in _NUMBERS or prod(shape) * kind.itemsize != len(raw):
        raise NotPlain("an array that is not as it says")
    return np.frombuffer(raw, kind).reshape(shape).copy()  # may be written to, as an array of one's own
