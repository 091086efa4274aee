"""Comparisons, bits and choices."""

import numpy as np
import pytest

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.logic import compare as logic
from minipaddle.ops.search import where
from minipaddle.paddle.autograd.grad import grad


def tensor(values, dtype=None) -> Tensor:
    return Tensor(np.array(values, dtype))


def leaf(values) -> Tensor:
    made = tensor(values, "float64")
    made.stop_gradient = False
    return made


COMPARISONS = {
    logic.equal: [False, True, False],
    logic.not_equal: [True, False, True],
    logic.less_than: [True, False, False],
    logic.less_equal: [True, True, False],
    logic.greater_than: [False, False, True],
    logic.greater_equal: [False, True, True],
}


@pytest.mark.parametrize("op", COMPARISONS, ids=lambda op: op.type)
def test_comparisons(op):
    x = leaf([1.0, 2.0, 3.0])
    for other in (tensor([2.0, 2.0, 2.0]), tensor(2.0)):
        found = op(x, other)
        assert found.array.tolist() == COMPARISONS[op]
        assert found.array.dtype == bool
        assert found.stop_gradient


def test_a_number_beside_a_tensor_is_for_equal_and_for_the_signs():
    x = tensor([1.0, 2.0, 3.0])
    assert logic.equal(x, 2).array.tolist() == (x == 2).array.tolist() == [False, True, False]
    assert (x < 2).array.tolist() == [True, False, False]
    for op in [op for op in COMPARISONS if op is not logic.equal] + [*LOGIC]:
        with pytest.raises(ValueError, match=r"argument 'y' \(position 1\) must be Tensor, but got int"):
            op(x, 2)


LOGIC = {
    logic.logical_and: [True, False, False, False],
    logic.logical_or: [True, True, True, False],
    logic.logical_xor: [False, True, True, False],
}


@pytest.mark.parametrize("dtype", ["bool", "float32", "int64"])
@pytest.mark.parametrize("op", LOGIC, ids=lambda op: op.type)
def test_logic(op, dtype):
    x, y = tensor([1, 1, 0, 0], dtype), tensor([1, 0, 1, 0], dtype)
    assert op(x, y).array.tolist() == LOGIC[op]
    assert logic.logical_not(x).array.tolist() == [False, False, True, True]


def test_bits():
    x, y = tensor([12]), tensor([10])
    assert logic.bitwise_and(x, y).array.tolist() == [8]
    assert logic.bitwise_or(x, y).array.tolist() == [14]
    assert logic.bitwise_xor(x, y).array.tolist() == [6]
    assert logic.bitwise_not(x).array.tolist() == [-13]
    assert logic.bitwise_not(tensor([True, False])).array.tolist() == [False, True]


@pytest.mark.parametrize(
    "op", [logic.bitwise_and, logic.bitwise_or, logic.bitwise_xor], ids=lambda op: op.type
)
def test_floats_have_no_bits(op):
    with pytest.raises(RuntimeError, match=f"{op.type}.*bool and integer"):
        op(tensor([1.0]), tensor([1.0]))


def test_special_numbers():
    x = tensor([1.0, np.nan, np.inf, -np.inf])
    assert logic.isnan(x).array.tolist() == [False, True, False, False]
    assert logic.isinf(x).array.tolist() == [False, False, True, True]
    assert logic.isfinite(x).array.tolist() == [True, False, False, False]
    assert logic.isnan(tensor([1])).array.tolist() == [False]


def test_nearly_equal():
    x, y = tensor([1.0, np.nan]), tensor([1.0 + 1e-9, np.nan])
    assert logic.isclose(x, y).array.tolist() == [True, False]
    assert logic.allclose(x, y).array.tolist() is False
    assert logic.allclose(x, y, equal_nan=True).array.tolist() is True
    assert logic.isclose(tensor([1.0]), tensor([1.1]), atol=0.2).array.tolist() == [True]


def test_where():
    condition, x, y = tensor([True, False]), leaf([1.0, 2.0]), leaf([[10.0], [20.0]])
    out = where.where(condition, x, y)
    assert out.array.tolist() == [[1, 10], [1, 20]]
    dx, dy = grad(out, [x, y])
    assert dx.array.tolist() == [2, 0]
    assert dy.array.tolist() == [[1], [1]]


def test_where_takes_numbers():
    condition = tensor([True, False])
    both = where.where(condition, 1.0, 0.0)
    assert (both.array.tolist(), both.array.dtype) == ([1, 0], np.dtype("float32"))
    x = tensor([5.0, 6.0], "float64")
    assert where.where(condition, x, 0).array.tolist() == [5, 0]
    assert where.where(condition, 0, x).array.dtype == "float64"
    assert where.where(condition, tensor([1, 2]), 0.5).array.dtype == "float32"


def test_where_alone_tells_the_places():
    (places,) = where.where(tensor([False, True, True]))
    assert places.array.reshape(-1).tolist() == [1, 2]


def test_where_refuses():
    condition, x = tensor([True, False]), leaf([1.0, 2.0])
    with pytest.raises(ValueError, match="both or neither"):
        where.where(condition, x)
    with pytest.raises(ValueError, match="`condition` is expected to be a boolean Tensor"):
        where.where(tensor([1, 0]), x, x)
    with pytest.raises(TypeError, match="Type promotion only support"):
        where.where(condition, x, tensor([1, 2]))
