"""Activations: extreme inputs, slopes at kinks, and softmax."""

import numpy as np
import pytest
from scipy import special

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.nn import functional as F


def leaf(values, dtype="float64") -> Tensor:
    made = Tensor(np.array(values, dtype))
    made.stop_gradient = False
    return made


def slope(function, values):
    x = leaf(values)
    return grad(function(x), x)[0].array.tolist()


KINKS = [
    (F.relu, [-1.0, 0, 1], [0, 0, 1]),
    (F.relu6, [-1.0, 0, 3, 6, 7], [0, 0, 1, 0, 0]),
    (F.leaky_relu, [-1.0, 0, 1], [0.01, 1, 1]),
    (F.elu, [0.0, 1], [1, 1]),
    (lambda x: F.elu(x, 0.5), [0.0, 1], [0.5, 1]),
    (F.hardsigmoid, [-3.0, 0, 3], [0, 0.1666667, 0]),
    (F.hardswish, [-4.0, -3, 0, 3, 4], [0, 0, 0.5, 1, 1]),
    (F.softshrink, [-0.5, 0, 0.5, 1], [0, 0, 0, 1]),
]


@pytest.mark.parametrize(("function", "x", "expected"), KINKS)
def test_slopes_at_kinks(function, x, expected):
    np.testing.assert_allclose(slope(function, x), expected, rtol=1e-15)


def test_prelu_at_zero_has_the_slope_of_its_weight():
    x, weight = leaf([0.0, -1, 2]), leaf([0.25])
    dx, dw = grad(F.prelu(x, weight), [x, weight])
    assert dx.array.tolist() == [0.25, 0.25, 1]
    assert dw.array.tolist() == [-1]


def test_prelu_with_a_weight_for_each_channel():
    x = leaf(-np.ones((2, 3, 2)))
    weight = leaf([1.0, 2, 3])
    assert F.prelu(x, weight).array[0, :, 0].tolist() == [-1, -2, -3]
    last = F.prelu(leaf(-np.ones((2, 2, 3))), weight, data_format="NLC")
    assert last.array[0, 0].tolist() == [-1, -2, -3]
    with pytest.raises(ValueError, match="Broadcast dimension mismatch"):
        F.prelu(x, leaf([1.0, 2]))


EXTREMES = np.array([-1000.0, -100, -30, 0, 30, 100, 1000])
STABLE = {
    F.sigmoid: special.expit,
    F.log_sigmoid: special.log_expit,
    F.softplus: lambda x: np.logaddexp(x, 0),
    F.silu: lambda x: x * special.expit(x),
    F.mish: lambda x: x * np.tanh(np.logaddexp(x, 0)),
    F.elu: lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    F.gelu: lambda x: x * special.ndtr(x),
}


@pytest.mark.parametrize("function", STABLE, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_far_from_zero(function, dtype):
    with np.errstate(over="ignore"):
        x = leaf(EXTREMES, dtype)
        out = function(x)
        gradient = grad(out, x)[0].array
    np.testing.assert_allclose(out.array, STABLE[function](EXTREMES), rtol=1e-5, atol=1e-7)
    assert np.isfinite(gradient).all()
    levels_off = function in (F.sigmoid, F.log_sigmoid)
    np.testing.assert_allclose(gradient[-3:], 0 if levels_off else 1, atol=1e-6)


def test_softplus_is_straight_above_its_threshold():
    out = F.softplus(leaf([1.4, 1.6]), beta=2, threshold=3)
    assert out.array[1] == 1.6
    assert out.array[0] == pytest.approx(np.log1p(np.exp(2.8)) / 2)
    assert slope(lambda x: F.softplus(x, beta=2, threshold=3), [1.6]) == [1]


def test_gelu_forms_differ_a_little():
    exact, close = F.gelu(leaf([1.0])).array, F.gelu(leaf([1.0]), approximate=True).array
    assert 0 < abs(exact - close)[0] < 1e-3


def test_softmax_of_large_numbers():
    out = F.softmax(leaf([[1000.0, 1000.0], [-1000.0, 0.0]]))
    assert out.array.tolist() == [[0.5, 0.5], [0, 1]]
    assert F.log_softmax(leaf([-1000.0, 0.0])).array.tolist() == [-1000, 0]


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_softmax_sums_to_one_along_its_axis(axis):
    x = leaf(np.random.default_rng(0).normal(size=(3, 4)))
    np.testing.assert_allclose(F.softmax(x, axis=axis).array.sum(axis), 1)
    np.testing.assert_allclose(np.exp(F.log_softmax(x, axis=axis).array), F.softmax(x, axis=axis).array)


def test_softmax_of_a_single_number_and_of_nothing():
    x = leaf(3.0)
    assert F.softmax(x).array == 1
    assert grad(F.softmax(x), x)[0].array == 0
    assert F.log_softmax(x).array == 0
    assert F.softmax(leaf(np.ones((0, 3)))).array.shape == (0, 3)


@pytest.mark.parametrize("function", [F.softmax, F.log_softmax])
def test_softmax_refuses_an_axis_that_is_not_there(function):
    with pytest.raises(ValueError, match="axis"):
        function(leaf([[1.0, 2.0]]), axis=2)


def test_softmax_in_another_type():
    assert F.softmax(leaf([1.0, 2.0], "float32"), dtype="float64").array.dtype == "float64"


@pytest.mark.parametrize(
    "function", [F.sigmoid, F.silu, F.gelu, F.softplus, F.tanh, F.mish, F.selu], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zero_axes(function, dtype):
    out = function(leaf(0.5, dtype))
    assert out.array.shape == ()
    assert out.array.dtype == dtype
    np.testing.assert_allclose(out.array, function(leaf([0.5], dtype)).array[0], rtol=1e-6)
