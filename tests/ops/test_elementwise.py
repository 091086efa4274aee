"""Elementwise arithmetic: broadcasting, kinks and ties, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.math import maximum_minimum as extrema
from minipaddle.ops.math import power, rounding
from minipaddle.ops.math.arithmetic import add, divide, multiply, subtract
from minipaddle.ops.math.scale import increment, scale
from minipaddle.paddle.autograd.grad import grad

BINARY = {
    add: np.add,
    subtract: np.subtract,
    multiply: np.multiply,
    divide: np.divide,
    rounding.remainder: np.remainder,
    extrema.maximum: np.maximum,
    extrema.minimum: np.minimum,
    power.elementwise_pow: np.power,
}


def leaf(values, dtype="float64") -> Tensor:
    made = Tensor(np.array(values, dtype))
    made.stop_gradient = False
    return made


def numbers(shape, seed) -> np.ndarray:
    return np.asarray(np.random.default_rng(seed).uniform(0.5, 2, shape))


SHAPES = mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=3, min_side=0)


@given(shapes=SHAPES, op=st.sampled_from(sorted(BINARY, key=lambda op: op.type)))
def test_broadcasting(shapes, op):
    left, right = shapes.input_shapes
    x, y = leaf(numbers(left, 1)), leaf(numbers(right, 2))
    out = op(x, y)
    assert out.array.shape == shapes.result_shape
    np.testing.assert_allclose(out.array, BINARY[op](x.array, y.array))
    dx, dy = grad(out, [x, y])
    assert (dx.array.shape, dy.array.shape) == (left, right)

    whole = [leaf(np.broadcast_to(value.array, shapes.result_shape)) for value in (x, y)]
    for part, full in zip((dx, dy), grad(op(*whole), whole), strict=True):
        np.testing.assert_allclose(part.array.sum(), full.array.sum(), atol=1e-12)


@given(shapes=SHAPES)
def test_shape_rule_is_numpys(shapes):
    assert broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


def test_shape_rule_with_unknown_sizes():
    assert broadcast_shapes((-1, 3), (3,)) == (-1, 3)
    assert broadcast_shapes((-1, 3), (1, 1)) == (-1, 3)
    assert broadcast_shapes((-1, 3), (5, 3)) == (5, 3)
    assert broadcast_shapes((-1,), (-1,)) == (-1,)


def test_gradient_of_a_broadcast_is_summed_place_by_place():
    x, y = leaf([[1.0, 2.0, 3.0]]), leaf([[10.0], [20.0]])
    dx, dy = grad(multiply(x, y), [x, y])
    assert dx.array.tolist() == [[30, 30, 30]]
    assert dy.array.tolist() == [[6], [6]]


def test_shapes_that_do_not_match():
    with pytest.raises(ValueError, match=r"Broadcast dimension mismatch.*\[2, 3\].*\[4\]") as caught:
        add(leaf(np.ones((2, 3))), leaf(np.ones(4)))
    assert "elementwise_add" in str(caught.value)


def test_a_number_is_no_tensor_for_the_function():
    with pytest.raises(ValueError, match="must be Tensor, but got int"):
        add(leaf([1.0]), 2)


def slope(function, *values):
    leaves = [leaf(value) for value in values]
    return [found.array.tolist() for found in grad(function(*leaves), leaves)]


def test_slopes_at_kinks():
    assert slope(rounding.abs, [-1.0, 0, 1]) == [[-1, 0, 1]]
    assert slope(lambda x: extrema.clip(x, 0, 1), [-1.0, 0, 0.5, 1, 2]) == [[0, 1, 1, 1, 0]]
    assert slope(lambda x: extrema.clip(x, min=1), [0.0, 1, 2]) == [[0, 1, 1]]
    assert slope(lambda x: extrema.clip(x, max=1), [0.0, 1, 2]) == [[1, 1, 0]]


def test_ties():
    x, y = [1.0, 2, 3], [1.0, 3, 2]
    assert slope(extrema.maximum, x, y) == [[0.5, 0, 1], [0.5, 1, 0]]
    assert slope(extrema.minimum, x, y) == [[0.5, 1, 0], [0.5, 0, 1]]


def test_powers_at_zero():
    assert slope(power.elementwise_pow, [0.0, 0.0], [2.0, 0.0]) == [[0, 0], [0, 0]]
    assert slope(lambda x: power.pow(x, 0), [0.0, 1]) == [[0, 0]]
    assert slope(lambda x: power.pow(x, 1), [0.0, 1]) == [[1, 1]]
    assert slope(lambda x: power.pow(x, 2), [0.0, 1]) == [[0, 2]]


def test_pow_refuses_what_is_no_number():
    with pytest.raises(TypeError, match="must be scalar or tensor"):
        power.pow(leaf([1.0]), "2")


@pytest.mark.parametrize("function", [rounding.floor, rounding.ceil, rounding.round, rounding.sign])
def test_steps_have_slope_zero_and_do_not_stop_gradients(function):
    out = function(leaf([0.4, -1.6]))
    assert not out.stop_gradient
    assert slope(function, [0.4, -1.6]) == [[0, 0]]


def test_floor_divide_stops_gradients_and_knows_infinity():
    out = rounding.floor_divide(leaf([5.0, -5.0]), leaf([2.0, 2.0]))
    assert out.stop_gradient
    assert out.array.tolist() == [2, -3]
    with np.errstate(divide="ignore"):
        assert rounding.floor_divide(leaf([5.0]), leaf([0.0])).array.tolist() == [np.inf]


def test_scale():
    x = leaf([1.0, 2.0])
    assert scale(x, 2.0, 1.0).array.tolist() == [3, 5]
    assert scale(x, 2.0, 1.0, bias_after_scale=False).array.tolist() == [4, 6]
    assert scale(Tensor(np.array([3])), 2.5, 1.5).array.tolist() == [7]
    assert scale(Tensor(np.array([3])), 2.5).array.dtype == "int64"


def test_clip_of_integers():
    x = Tensor(np.array([1, 5]))
    assert extrema.clip(x, 2, 3).array.tolist() == [2, 3]
    assert extrema.clip(x, 2, 3).array.dtype == "int64"
    assert extrema.clip(x, 1.5, 3.5).array.dtype == "float32"
    assert extrema.clip(leaf([0.0, 9.0]), max=Tensor(np.array(2.5))).array.tolist() == [0, 2.5]


def test_increment_counts_in_place():
    counter = leaf([3.0]) * 1
    assert increment(counter, 2.0) is counter
    assert counter.array.tolist() == [5.0]
    with pytest.raises(ValueError, match="number of elements"):
        increment(leaf([1.0, 2.0]) * 1)
