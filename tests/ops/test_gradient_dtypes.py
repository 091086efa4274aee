"""The gradient of every operator, for every dtype that may have one.

A new operator is tested here without changing a line: its example is used in each dtype. Narrow types are compared
with double precision, complex numbers with finite differences. A complex gradient is the gradient of
``sum(Re(conj(seed) * output))``, by the real part of an element and, times 1j, by its imaginary part. Operators without
a meaning for complex numbers refuse them.
"""

from typing import Any

import numpy as np
import pytest

from minipaddle.engine.mode.eager import Eager
from minipaddle.engine.operator.operator import Operator
from minipaddle.paddle.autograd.grad import grad
from tests.support.operators import (
    DIFFERENTIABLE,
    RULED,
    assert_gradient,
    each,
    example,
    gradients,
    graph,
    kernel,
    seeds_for,
    wanted,
)

pytestmark = pytest.mark.sweep

NARROW = {"float16": 1e-2, "float32": 2e-5, "complex64": 2e-5}
TOLERANCE = 1e-7
REFUSING = [op for op in RULED if "c" not in op.kinds]
OTHERWISE = ("sign", "elementwise_mod", "eigh", "svd")
"""The gradient of `sign` is zero, as in Paddle: `sgn` has the slope. A remainder has none, as
in Paddle. Vectors of the others may turn."""
COMPLEX = [op for op in RULED if "c" in op.kinds and op.type not in OTHERWISE]


def in_dtype(op: Operator, dtype: str) -> tuple[list[Any], dict[str, Any]]:
    """The example of an operator in another dtype; complex numbers are off the axes, and near them."""
    arrays, attrs = example(op)
    rng = np.random.default_rng(11)
    found = []
    for array in arrays:
        if array is not None and array.dtype.kind in "fc":
            if np.dtype(dtype).kind == "c" and array.dtype.kind == "f":
                array = array + 1j * rng.uniform(0.1, 0.4, array.shape)
            array = array.astype(dtype)
        found.append(array)
    return found, attrs


def wide(arrays: list[Any]) -> list[Any]:
    """The same numbers in double precision."""
    double = {"f": "float64", "c": "complex128"}
    return [
        None if one is None else np.array(one, double.get(one.dtype.kind, one.dtype), copy=True)
        for one in arrays
    ]


def size_under(seeds: list[Any], values: list[Any]) -> float:
    """The number whose gradients are tested."""
    return sum(float(np.sum(np.conj(seed) * value).real) for seed, value in zip(seeds, values, strict=True))


def turned(array: np.ndarray, angle: float) -> np.ndarray:
    """Complex numbers turned around zero; others as they are."""
    return np.asarray(array * np.exp(1j * angle), array.dtype) if array.dtype.kind == "c" else array


def assert_as_in_double(op: Operator, dtype: str) -> None:
    """Gradients in a narrow `dtype`, and their type, against those of the same numbers in double precision."""
    arrays, attrs = in_dtype(op, dtype)
    seeds = [turned(seed, 1) for seed in seeds_for(op, arrays, attrs)]
    narrow = gradients(op, arrays, attrs, seeds)
    double = gradients(op, wide(arrays), attrs, wide(seeds))
    for position, found, exact in zip(wanted(op, arrays), narrow, double, strict=True):
        assert found.dtype == arrays[position].dtype
        scale = max(1.0, float(np.abs(exact).max(initial=0)))
        np.testing.assert_allclose(found, exact, rtol=0, atol=NARROW[dtype] * scale)


@each(DIFFERENTIABLE)
def test_gradient_in_float32_is_that_of_double(op):
    assert_as_in_double(op, "float32")


@each([op for op in DIFFERENTIABLE if op.type != "poisson"])  # it draws in float32 and float64 only
def test_gradient_in_float16_is_that_of_double(op):
    assert_as_in_double(op, "float16")


@each(COMPLEX)
def test_narrow_complex_gradient_is_that_of_double(op):
    assert_as_in_double(op, "complex64")


@each(COMPLEX)
def test_complex_gradient_is_the_slope(op):
    arrays, attrs = in_dtype(op, "complex128")
    seeds = [turned(seed, 1) for seed in seeds_for(op, arrays, attrs)]

    def value() -> float:
        outs = kernel(op, arrays, attrs)
        chosen = (
            outs if op.list_output else [outs[i] for i in op.differentiable if outs[i].dtype.kind in "fc"]
        )
        return size_under(seeds, chosen)

    for position, gradient in zip(wanted(op, arrays), gradients(op, arrays, attrs, seeds), strict=True):
        scale = max(1.0, float(np.abs(gradient).max(initial=0)))
        assert gradient.dtype == arrays[position].dtype
        assert_gradient(op, position, gradient, value, arrays[position], rtol=0, atol=TOLERANCE * scale)


@each(COMPLEX)
def test_second_complex_gradient_is_the_slope_of_the_first(op):
    arrays, attrs = in_dtype(op, "complex128")
    seeds = [turned(seed, 1) for seed in seeds_for(op, arrays, attrs)]
    leaves, outs = graph(op, arrays, attrs)
    seed_leaves = [Eager.tensor(seed.copy()) for seed in seeds]
    for seed in seed_leaves:
        seed.stop_gradient = False
    firsts = grad(outs, leaves, seed_leaves, create_graph=True)
    weights = [
        turned(np.linspace(0.5, 1.5, one.array.size).reshape(one.array.shape).astype(one.array.dtype), 2)
        for one in firsts
    ]
    terms = [first * Eager.tensor(np.conj(weight)) for first, weight in zip(firsts, weights, strict=True)]
    roots = [term for term in terms if not term.stop_gradient]
    variables = leaves + seed_leaves
    found = grad(roots, variables, allow_unused=True) if roots else [None] * len(variables)

    def value() -> float:
        return size_under(weights, gradients(op, arrays, attrs, seeds))

    changed = [arrays[position] for position in wanted(op, arrays)] + seeds
    for place, (array, second) in enumerate(zip(changed, found, strict=True)):
        exact = np.zeros(array.shape) if second is None else second.array
        assert_gradient(op, place, exact, value, array, rtol=1e-5, atol=1e-6)


@each(REFUSING)
def test_what_has_no_complex_meaning_refuses(op):
    arrays, attrs = in_dtype(op, "complex64")
    with pytest.raises(RuntimeError, match="is not registered"):
        graph(op, arrays, attrs)
