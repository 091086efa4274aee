"""The values in a Program as JSON (attributes, Variables, Blocks, arrays), and back, without trusting the data.

Plain JSON is unchanged; any other value is an object with one key, its kind::

    {"dtype": "float32"}   {"tuple": [2, 3]}   {"variable": "x"}   {"block": 1}   {"array": ...}
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.value.dtype import DTYPES, DType, as_numpy
from minipaddle.engine.value.meta import Array
from minipaddle.engine.value.size import TensorSize
from minipaddle.paddle.static.program import Block, Dim, Variable

_SHORT = 64
"""An array of up to so many elements is written as readable numbers, a longer one in base64."""


class Damaged(ValueError):
    """The data is no value of a Program."""


def encoded(value: Any, name_of: Callable[[Variable], str]) -> Any:
    """Return `value` as JSON data; `name_of` gives the unique name of a Variable.

    Raises:
        TypeError: naming a type that cannot be written.
    """
    one = partial(encoded, name_of=name_of)
    if value is None or isinstance(value, (bool, str, TensorSize)) or type(value) is int:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is list:
        return [one(item) for item in value]
    kind, content = _special(value, one, name_of)
    return {kind: content}


def _special(value: Any, one: Callable[[Any], Any], name_of: Callable[[Variable], str]) -> tuple[str, Any]:
    match value:
        case tuple():
            return "tuple", [one(item) for item in value]
        case dict():
            return "dict", [[one(key), one(item)] for key, item in value.items()]
        case Variable():
            return "variable", name_of(value)
        case Block():
            return "block", value.idx
        case Dim():
            return "size", [name_of(value.variable), value.index, value.of_value]
        case Definition():
            return "operator", value.type
        case np.dtype() | DType():
            return "dtype", value.name
        case complex():
            return "complex", [value.real, value.imag]
        case slice():
            return "slice", [one(value.start), one(value.stop), one(value.step)]
        case np.ndarray() | np.generic():
            return "array", _array_encoded(np.asarray(value))
        case _ if value is Ellipsis:
            return "ellipsis", True
    raise TypeError(
        f"A Program with a value of type {type(value).__name__} among its attributes cannot be saved."
    )


def _array_encoded(array: Array) -> dict[str, Any]:
    found: dict[str, Any] = {"dtype": array.dtype.name, "shape": list(array.shape)}
    if array.size <= _SHORT and array.dtype.kind in "biuf" and np.isfinite(array).all():
        return {**found, "values": array.reshape(-1).tolist()}
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    return {**found, "base64": base64.b64encode(little.tobytes()).decode()}


def decoded(data: Any, variable: Callable[[str], Variable], block: Callable[[int], Block]) -> Any:
    """Return the value that :func:`encoded` wrote as `data`.

    Raises:
        Damaged: for other data; also the errors that Python raises for unexpected types.
    """

    def one(item: Any) -> Any:
        return decoded(item, variable, block)

    if data is None or isinstance(data, (bool, str, int, float)):
        return data
    if isinstance(data, list):
        return [one(item) for item in data]
    if not isinstance(data, dict) or len(data) != 1:
        raise Damaged("an object must have one key that says what it is")
    ((kind, content),) = data.items()
    match kind, content:
        case "tuple", list():
            return tuple([one(item) for item in content])
        case "dict", list():
            return {one(key): one(item) for key, item in content}
        case "variable", str():
            return variable(content)
        case "block", int():
            return block(content)
        case "size", [str() as name, int() as index, bool() as of_value]:
            return Dim(variable(name), index, of_value)
        case "operator", str() if content in TABLE:
            return TABLE[content]
        case "dtype", str() if content in DTYPES:
            return as_numpy(content)
        case "complex", [float() | int() as real, float() | int() as imaginary]:
            return complex(real, imaginary)
        case "float", "inf" | "-inf" | "nan":
            return float(content)
        case "slice", [start, stop, step]:
            return slice(one(start), one(stop), one(step))
        case "array", dict():
            return _array_decoded(content)
        case "ellipsis", True:
            return Ellipsis
    raise Damaged(f"{kind!r} with {str(content)[:40]!r} is no value")


def _array_decoded(data: dict[str, Any]) -> Array:
    if data.get("dtype") not in DTYPES:
        raise Damaged("an array has an unknown type")
    dtype = as_numpy(data["dtype"])
    if "values" in data:
        array = np.asarray(data["values"], dtype)
    else:
        array = np.frombuffer(base64.b64decode(data["base64"], validate=True), dtype.newbyteorder("<"))
    shape = tuple(data["shape"])
    if math.prod(shape) != array.size or min(shape, default=0) < 0:
        raise Damaged(f"an array of {array.size} elements claims the shape {list(shape)}")
    return np.asarray(array, dtype).reshape(shape)
