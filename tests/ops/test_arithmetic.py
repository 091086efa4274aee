"""Python operators between tensors, numbers and arrays."""

import operator

import numpy as np
import pytest

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops import signs as arithmetic
from minipaddle.paddle.autograd.grad import grad

X = np.array([1.0, -2.0, 0.5], "float32")


def leaf(array: np.ndarray = X) -> Tensor:
    made = Tensor(array.copy())
    made.stop_gradient = False
    return made


FUNCTIONS = {
    arithmetic.plus: operator.add,
    arithmetic.minus: operator.sub,
    arithmetic.times: operator.mul,
    arithmetic.over: operator.truediv,
    arithmetic.floor_over: operator.floordiv,
    arithmetic.modulo: operator.mod,
}


@pytest.mark.parametrize("number", [3, 0.5, True, -1, np.float64(0.5), np.float32(0.5), np.int64(3)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_with_a_number_on_either_side(function, number):
    plain, number_32 = FUNCTIONS[function], np.float32(number)
    left, right = function(leaf(), number).array, function(number, leaf()).array
    np.testing.assert_allclose(left, plain(X, number_32), rtol=1e-6)
    np.testing.assert_allclose(right, plain(number_32, X), rtol=1e-6)
    assert left.dtype == right.dtype == "float32"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_with_an_array_on_either_side(function):
    other = np.array([2.0, 3.0, 4.0], "float32")
    np.testing.assert_array_equal(function(leaf(), other).array, FUNCTIONS[function](X, other))
    np.testing.assert_array_equal(function(other, leaf()).array, FUNCTIONS[function](other, X))


ONE_SCALE = {
    "x + 3": (lambda x: arithmetic.plus(x, 3), 1),
    "3 + x": (lambda x: arithmetic.plus(3, x), 1),
    "x - 3": (lambda x: arithmetic.minus(x, 3), 1),
    "2 - x": (lambda x: arithmetic.minus(2, x), -1),
    "x * 2": (lambda x: arithmetic.times(x, 2), 2),
    "x / 2": (lambda x: arithmetic.over(x, 2), 0.5),
}


@pytest.mark.parametrize("text", ONE_SCALE)
def test_a_number_is_an_attribute_of_one_scale(text):
    function, slope = ONE_SCALE[text]
    x = leaf()
    out = function(x)
    assert out.edge.op.type == "scale"
    assert out.edge.edges == (x.edge,)
    assert grad(out, x)[0].array.tolist() == [slope] * 3


def test_a_power_of_a_number_is_one_pow():
    x = leaf()
    out = arithmetic.power(x, 3)
    assert out.edge.op.type == "pow"
    np.testing.assert_allclose(grad(out, x)[0].array, 3 * X**2)


def test_power_of_a_tensor():
    x = leaf()
    out = arithmetic.power(2, x)
    np.testing.assert_allclose(out.array, 2**X)
    np.testing.assert_allclose(grad(out, x)[0].array, 2**X * np.log(2), rtol=1e-6)


def test_division_by_zero_is_infinite():
    with np.errstate(divide="ignore"):
        assert arithmetic.over(leaf(np.array([1.0, -1.0])), 0).array.tolist() == [np.inf, -np.inf]


def test_integers_floor():
    x = Tensor(np.array([7, -7]))
    assert arithmetic.floor_over(x, 2).array.tolist() == [3, -4]
    assert arithmetic.modulo(x, 2).array.tolist() == [1, 1]
    assert arithmetic.modulo(x, -3).array.tolist() == [-2, -1]


@pytest.mark.parametrize("other", [[1.0, 2.0, 3.0], None, "a", {}, object()], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize(
    "function", [*FUNCTIONS, arithmetic.power, arithmetic.matmul_], ids=lambda f: f.__name__
)
def test_anything_else_is_refused_by_name(function, other):
    for operands in ((leaf(), other), (other, leaf())):
        with pytest.raises(
            TypeError, match=f"'{type(other).__name__}'.*must be int, float, bool, numpy.ndarray"
        ):
            function(*operands)


def test_a_number_is_no_matrix():
    with pytest.raises(TypeError, match="unsupported operand types for @"):
        arithmetic.matmul_(leaf(), 2)
