"""Elementwise arithmetic, with broadcasting: each operator is a kernel on arrays, with a gradient rule for each input.

Next: :mod:`minipaddle.engine.operator.operator`, what such a definition makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.definition import Array, Operator, listed, mark, operator
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.reduction.sum import broadcast


@listed(ALIGNED, bare=True)
@operator("elementwise_add", infer=broadcast, prepare=promote, run=np.add)
def add(x: Array, y: Array) -> Any:
    """Add two tensors elementwise."""
    return x + y


add.gradient("x")(lambda dy: dy)
add.gradient("y")(lambda dy: dy)


@listed(ALIGNED, bare=True)
@operator("elementwise_sub", kinds="iufc", infer=broadcast, prepare=promote, run=np.subtract)
def subtract(x: Array, y: Array) -> Any:
    """Subtract the second tensor from the first, elementwise."""
    return x - y


subtract.gradient("x")(lambda dy: dy)
subtract.gradient("y")(lambda dy: -dy)


@listed(ALIGNED, bare=True)
@operator("elementwise_mul", infer=broadcast, prepare=promote, run=np.multiply)
def multiply(x: Array, y: Array) -> Any:
    """Multiply two tensors elementwise."""
    return x * y


mark("elementwise", add, subtract, multiply)
multiply.gradient("x")(lambda dy, y: dy * y)
multiply.gradient("y")(lambda dy, x: dy * x)


def _floats(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Promote, and cast integers to float32: the result of ``/`` is never an integer."""
    x, y = promote(op, x, y)
    if hasattr(x, "dtype") and numpy_dtype(x).kind not in "fc":
        return cast(x, "float32"), cast(y, "float32")
    return x, y


@listed(ALIGNED, bare=True)
@operator("elementwise_div", infer=broadcast, prepare=_floats)
def divide(x: Array, y: Array) -> Any:
    """Divide the first tensor by the second, elementwise; integers give float32."""
    return x / y


divide.gradient("x")(lambda dy, y: dy / y)
divide.gradient("y")(lambda dy, y, out: -dy * out / y)
