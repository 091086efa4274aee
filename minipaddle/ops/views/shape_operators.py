"""What a tensor looks like, as a tensor: shape, numel, rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.definition.program_printing import listed
from minipaddle.ops.definition.traits import mark

# -- questions about the shape ------------------------------------------------------------------------


@operator(
    "shape", "Input -> Out", infer=lambda x: Meta((x.ndim,), np.dtype("int64")), latex=r"\mathrm{shape}(x)"
)
def shape(input: Array) -> Array:
    """Return the sizes of the axes as a tensor of int64."""
    return np.array(input.shape, np.int64)


@listed(kind="numel")
@operator("size", "Input -> Out", infer=lambda x: Meta((), np.dtype("int64")), latex=r"|x|")
def numel(x: Array) -> Any:
    """Return the number of elements as a 0-D tensor of int64."""
    return np.int64(math.prod(x.shape))


mark("selects", shape, numel)


def rank(input: Value) -> Value:
    """Return the number of axes as a 0-D tensor of int32."""
    return constant(np.array(input.ndim, np.int32))
