import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import paddle
from tests.support.numeric import check, gradients, leaf

RNG = np.random.default_rng(0)
X = RNG.permutation(24).reshape(2, 3, 4) / 10.0 + 0.1  # no ties
AXES = [None, 1, -1, [0, 2], (1, 2)]

PAIRS = {
    "sum": (paddle.sum, np.sum),
    "mean": (paddle.mean, np.mean),
    "max": (paddle.max, np.max),
    "min": (paddle.min, np.min),
    "amax": (paddle.amax, np.max),
    "amin": (paddle.amin, np.min),
    "prod": (paddle.prod, np.prod),
    "logsumexp": (paddle.logsumexp, lambda x, **how: np.log(np.sum(np.exp(x), **how))),
    "var": (paddle.var, lambda x, **how: np.var(x, ddof=1, **how)),
    "std": (paddle.std, lambda x, **how: np.std(x, ddof=1, **how)),
    "norm": (lambda x, **how: paddle.norm(x, "fro", **how), lambda x, **how: np.sqrt(np.sum(x * x, **how))),
}


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", PAIRS)
def test_gradients_of_both_orders(name, axis):
    check(lambda x: PAIRS[name][0](x, axis=axis), X)


@pytest.mark.parametrize("name", PAIRS)
def test_keepdim_changes_the_shape_only(name):
    call = PAIRS[name][0]
    kept = gradients(lambda x: call(x, axis=1, keepdim=True), X)[0]
    np.testing.assert_array_equal(kept, gradients(lambda x: call(x, axis=1), X)[0])


@pytest.mark.parametrize("name", PAIRS)
@given(st.lists(st.integers(1, 3), max_size=4), st.booleans(), st.data())
def test_any_shape_and_axes_as_numpy_does(name, shape, keepdim, data):
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), unique=True)) if shape else []
    signed = [axis - len(shape) * data.draw(st.booleans()) for axis in axes]
    chosen = tuple(axes) or None  # an empty list means all
    x = RNG.uniform(0.5, 1.5, shape)
    ours, theirs = PAIRS[name]
    if name in ("var", "std") and x.size and math.prod(x.shape[a] for a in (chosen or range(x.ndim))) == 1:
        return  # nothing to divide by, see below
    got = ours(paddle.to_tensor(x), axis=signed, keepdim=keepdim).numpy()
    expected = np.asarray(theirs(x, axis=chosen, keepdims=keepdim))
    assert got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("call", [paddle.max, paddle.min, paddle.amax, paddle.amin])
def test_ties_share_the_gradient(call):
    x = leaf([[2.0, 2.0, 2.0], [1.0, 1.0, 1.0]])
    call(x, axis=1).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.full((2, 3), 1 / 3))
    y = leaf([[5.0, 5.0], [5.0, 5.0]])
    call(y).backward()
    np.testing.assert_array_equal(y.grad.numpy(), np.full((2, 2), 0.25))


@pytest.mark.parametrize("zeros", [[], [1], [0, 2], [0, 1, 2, 3]])
def test_prod_is_exact_with_zero_factors(zeros):
    x = np.array([2.0, 3.0, -1.0, 0.5])
    x[zeros] = 0
    check(paddle.prod, x)
    check(lambda t: paddle.cumprod(t, 0), x)
    others = [np.prod(np.delete(x, i)) for i in range(4)]
    np.testing.assert_array_equal(gradients(lambda t: paddle.prod(t), x)[0], others)


def test_third_order_of_prod():
    x = leaf([0.0, 3.0, 0.0, 2.0])
    first = paddle.grad([paddle.prod(x)], [x], create_graph=True)[0]
    second = paddle.grad([first[0]], [x], create_graph=True)[0]
    third = paddle.grad([second[2]], [x])[0]
    np.testing.assert_array_equal(third.numpy(), [0.0, 2.0, 0.0, 3.0])  # d/dx of x1 * x3


SCANS = {
    "cumsum": lambda x: paddle.cumsum(x),
    "cumsum 1": lambda x: paddle.cumsum(x, axis=1),
    "cumprod -1": lambda x: paddle.cumprod(x, -1),
    "cumprod": lambda x: paddle.cumprod(x),
}


@pytest.mark.parametrize("name", SCANS)
def test_running_sums_and_products(name):
    check(SCANS[name], X[:, :, :2])
    numpy_scan = np.cumsum if "sum" in name else np.cumprod
    axis = {"cumsum 1": 1, "cumprod -1": -1}.get(name)
    np.testing.assert_allclose(SCANS[name](paddle.to_tensor(X)).numpy(), numpy_scan(X, axis))


NORMS = [(1, None), (2, 1), (3, -1), (0.5, 0), (math.inf, 1), (-math.inf, 2), ("fro", [0, 1]), (None, None)]


@pytest.mark.parametrize(("p", "axis"), NORMS)
def test_norms(p, axis):
    check(lambda x: paddle.norm(x, p=p, axis=axis), X - 1.15)
    order = None if p in ("fro", None) else p
    if not isinstance(axis, list):
        flat = (X - 1.15).reshape(-1) if axis is None else X - 1.15
        expected = np.linalg.norm(flat, order, axis)
        np.testing.assert_allclose(paddle.norm(paddle.to_tensor(X - 1.15), p=p, axis=axis).numpy(), expected)


@pytest.mark.parametrize("p", [1, -1, math.inf, -math.inf])
@pytest.mark.parametrize("axis", [[0, 1], [1, 0], [2, 0]])
def test_matrix_norms(p, axis):
    found = paddle.norm(paddle.to_tensor(X), p=p, axis=axis).numpy()
    np.testing.assert_allclose(found, np.linalg.norm(X, p, tuple(axis)))


def test_norm_counts_for_p_0_and_is_flat_at_the_origin():
    x = leaf([0.0, 2.0, -3.0])
    assert paddle.norm(x, p=0).item() == 2
    origin = leaf([0.0, 0.0])
    paddle.norm(origin).backward()
    np.testing.assert_array_equal(origin.grad.numpy(), [0.0, 0.0])


def test_logsumexp_does_not_overflow():
    x = leaf([1000.0, 1000.0])
    out = paddle.logsumexp(x)
    out.backward()
    assert out.item() == pytest.approx(1000 + math.log(2))
    np.testing.assert_allclose(x.grad.numpy(), [0.5, 0.5])
    assert paddle.logsumexp(paddle.to_tensor([-math.inf, -math.inf])).item() == -math.inf


def test_var_of_one_number_has_nothing_to_divide_by():
    assert math.isnan(paddle.var(leaf([3.0])).item())
    assert math.isnan(paddle.var(paddle.zeros([0])).item())
    assert paddle.var(leaf([3.0]), unbiased=False).item() == 0


def test_types_of_results():
    whole = np.arange(4)
    types = {
        "sum of bool": (paddle.sum, "bool", "int64"),
        "sum of int32": (paddle.sum, "int32", "int64"),
        "sum of int8": (paddle.sum, "int8", "int8"),
        "mean of int": (paddle.mean, "int64", "int64"),
        "prod of int32": (paddle.prod, "int32", "int32"),
        "logsumexp of int": (paddle.logsumexp, "int64", "float32"),
        "sum of float32": (paddle.sum, "float32", "float32"),
        "var of float32": (paddle.var, "float32", "float32"),
        "all": (paddle.all, "float32", "bool"),
    }
    got = {
        name: call(paddle.to_tensor(whole.astype(dtype))).numpy().dtype
        for name, (call, dtype, _) in types.items()
    }
    assert got == {name: np.dtype(result) for name, (_, _, result) in types.items()}


def test_dtype_converts_first_and_the_gradient_comes_back():
    x = paddle.to_tensor(np.array([1.5, 2.5], "float32"), stop_gradient=False)
    for call in (paddle.sum, paddle.prod, paddle.cumsum):
        assert call(x, dtype="float64").numpy().dtype == np.float64
    paddle.sum(x, dtype="float64").backward()
    assert x.grad.numpy().dtype == np.float32


def test_yes_or_no():
    x = paddle.to_tensor([[1.0, 0.0], [2.0, 3.0]])
    assert paddle.all(x, axis=1).tolist() == [False, True]
    assert paddle.any(x, axis=0, keepdim=True).tolist() == [[True, True]]


def test_a_number_has_an_axis_0():
    x = leaf(2.0)
    assert paddle.sum(x, axis=0).item() == paddle.max(x, axis=-1).item() == 2
    paddle.mean(x, axis=0).backward()
    assert x.grad.item() == 1


def test_nothing_adds_up_to_zero_and_has_no_maximum():
    x = paddle.to_tensor(np.zeros((0, 3)))
    assert paddle.sum(x).item() == 0
    assert paddle.max(x, axis=1).shape == [0]
    with pytest.raises(ValueError, match="size of 0"):
        paddle.max(x, axis=0)


@pytest.mark.parametrize("call", [pair[0] for pair in PAIRS.values()] + [paddle.all, paddle.any])
@pytest.mark.parametrize("axis", [3, -4, [0, 3]])
def test_axis_out_of_range(call, axis):
    with pytest.raises(ValueError, match="dimension = 3"):
        call(paddle.to_tensor(X), axis=axis)


def test_other_refusals():
    x = paddle.to_tensor(X)
    with pytest.raises(IndexError, match="out of range"):
        paddle.cumsum(x, axis=3)
    with pytest.raises(ValueError, match="fro"):
        paddle.norm(x, p="max")
    with pytest.raises(ValueError, match="2D"):
        paddle.norm(x, p=3, axis=[0, 1])
    with pytest.raises(ValueError, match="found 3"):
        paddle.norm(x, p="nuc")


def test_mean_as_another_type():
    x = paddle.to_tensor([1, 2], dtype="int32")
    assert paddle.mean(x, dtype="float64").dtype == paddle.float64
