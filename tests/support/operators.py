"""Every operator of the table with its example call, and what one does with it: call it, differentiate it."""

import importlib
import pkgutil
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle.ops
from minipaddle.engine.mode.eager import EAGER, Arrays, Eager, within
from minipaddle.engine.operator.operator import Operator, operators
from minipaddle.ops.definition.example import example_of
from minipaddle.ops.definition.traits import has
from minipaddle.ops.random import generator as random
from minipaddle.paddle.autograd.grad import grad
from tests.support.cases import for_each
from tests.support.slopes import assert_slope, slopes

__all__ = [
    "ALL",
    "DIFFERENTIABLE",
    "RULED",
    "assert_gradient",
    "call",
    "each",
    "example",
    "gradients",
    "graph",
    "is_float",
    "kernel",
    "seeds_for",
    "wanted",
]

for module in pkgutil.walk_packages(minipaddle.ops.__path__, "minipaddle.ops."):
    importlib.import_module(module.name)

ALL = list(operators())
RULED = [op for op in ALL if op.rules]
COMPLEX = ("real", "imag", "complex", "as_complex", "as_real")
DIFFERENTIABLE = [op for op in RULED if op.type not in COMPLEX and "f" in op.kinds]
"""Those that have a meaning for real numbers alone."""
STRAIGHT_THROUGH = ("gumbel_softmax_hard",)
"""Those whose first output has the gradient of the second, as documented: it is 0 and 1, and has no slope."""
SLOPED = [op for op in DIFFERENTIABLE if op.type not in STRAIGHT_THROUGH]


def each(ops: list[Operator]) -> Any:
    """Run a test for each of these operators, as its argument `op`."""
    return for_each("op", {op.type: op for op in ops})


def rng_of(op: Operator) -> np.random.Generator:
    """Random numbers that stay the same when other operators come and go."""
    return np.random.default_rng(zlib.crc32(op.type.encode()))


def example(op: Operator) -> tuple[list[Any], dict[str, Any]]:
    """Return the arrays and the attributes of its example."""
    inputs, attrs = example_of(op, rng_of(op))
    return list(inputs), attrs


def assert_gradient(
    op: Operator,
    place: int,
    gradient: np.ndarray,
    function: Callable[[], float],
    array: np.ndarray,
    rtol: float,
    atol: float,
) -> None:
    """Assert that `gradient` is that of the number `function()` for this input.

    Both halves of a symmetric (Hermitian) matrix, of which the kernel reads one, move together.
    """
    if has("symmetric", op.type) and place == 0:
        slope = slopes(function, array)
        slope = (slope + slope.swapaxes(-1, -2).conj()) / 2
        np.testing.assert_allclose(gradient, slope, rtol=rtol, atol=atol)
    else:
        assert_slope(gradient, function, array, rtol, atol)


def call(op: Operator, values: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Apply `op` to arrays or Tensors and return its outputs; a random operator draws the same every time."""
    random.seed(7)
    fixed = len(op.input_names) - bool(op.list_slot)
    arguments = [*values[:fixed], list(values[fixed:])] if op.list_slot else values
    result = op(*arguments, **attrs)
    return list(result) if op.multiple else [result]


def kernel(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> list[np.ndarray]:
    """Call `op` on arrays."""
    with within(Arrays(EAGER)):
        return [np.asarray(out) for out in call(op, arrays, attrs)]


def is_float(array: Any) -> bool:
    """Whether an array may have a gradient."""
    return array is not None and array.dtype.kind in "fc"


def wanted(op: Operator, arrays: list[Any]) -> list[int]:
    """Positions of the inputs whose gradient some rule knows."""

    def ruled(position: int) -> bool:
        marks = [position == other for other in range(len(arrays))]
        return any(any(rule.of(marks)) for rule in op.rules)

    return [position for position, array in enumerate(arrays) if is_float(array) and ruled(position)]


def graph(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Apply `op` to leaves made of `arrays`; return those that require gradient, and outputs that have one."""
    tensors = [None if array is None else Eager.tensor(np.array(array)) for array in arrays]
    leaves = [tensors[position] for position in wanted(op, arrays)]
    for leaf in leaves:
        leaf.stop_gradient = False
    outs = call(op, tensors, attrs)
    return leaves, [out for out in outs if not out.stop_gradient and is_float(out.array)]


def gradients(op: Operator, arrays: list[Any], attrs: dict[str, Any], seeds: list[Any]) -> list[np.ndarray]:
    """First-order gradients of sum(seed * output)."""
    leaves, outs = graph(op, arrays, attrs)
    return [found.array for found in grad(outs, leaves, [Eager.tensor(seed) for seed in seeds])]


def seeds_for(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> list[np.ndarray]:
    """Return uneven gradients of the outputs, to begin with."""
    rng = np.random.default_rng(3)
    return [
        rng.uniform(0.5, 1.5, out.array.shape).astype(out.array.dtype) for out in graph(op, arrays, attrs)[1]
    ]
