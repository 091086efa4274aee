"""Embedding and one-hot."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

TABLE = np.arange(12.0).reshape(4, 3)


def table():
    return paddle.to_tensor(TABLE, stop_gradient=False)


def test_rows_are_taken_and_repeats_add_their_gradients():
    weight, ids = table(), np.array([[0, 2], [2, 1]])
    y = F.embedding(paddle.to_tensor(ids), weight)
    np.testing.assert_array_equal(y.numpy(), TABLE[ids])
    y.backward(paddle.full(y.shape, 1.0, "float64"))
    assert weight.grad.numpy()[:, 0].tolist() == [1, 1, 2, 0]


@pytest.mark.parametrize("padding_idx", [2, -2])
def test_the_padding_row_outputs_and_receives_zeros(padding_idx):
    weight = table()
    y = F.embedding(paddle.to_tensor([0, 2, 2]), weight, padding_idx=padding_idx)
    assert y.tolist() == [[0, 1, 2], [0, 0, 0], [0, 0, 0]]
    y.sum().backward()
    assert weight.grad.numpy()[:, 0].tolist() == [1, 0, 0, 0]


def test_int32_numbers_will_do():
    assert F.embedding(paddle.to_tensor([3], dtype="int32"), table()).tolist() == [[9, 10, 11]]


@pytest.mark.parametrize("wrong", [4, -1])
def test_a_number_without_a_row_is_refused(wrong):
    with pytest.raises(ValueError, match=f"< 4, but got {wrong}"):
        F.embedding(paddle.to_tensor([0, wrong]), table())


def test_other_misuse_is_explained():
    with pytest.raises(NotImplementedError, match="int32 and int64"):
        F.embedding(paddle.to_tensor([0.0]), table())
    with pytest.raises(ValueError, match="padding_idx"):
        F.embedding(paddle.to_tensor([0]), table(), padding_idx=9)


def test_one_hot():
    y = F.one_hot(paddle.to_tensor([[0, 2]]), 3)
    assert y.tolist() == [[[1, 0, 0], [0, 0, 1]]]
    assert y.dtype == paddle.float32
    assert F.one_hot(paddle.to_tensor([1, 3])).shape == [2, 4]


@pytest.mark.parametrize(("wrong", "words"), [(3, "not less than depth"), (-1, "less than 0")])
def test_one_hot_refuses_what_is_no_class(wrong, words):
    with pytest.raises(ValueError, match=words):
        F.one_hot(paddle.to_tensor([wrong]), 3)
