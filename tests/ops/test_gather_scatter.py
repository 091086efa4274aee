"""gather, scatter and their relatives against NumPy, with gradients; what they refuse."""

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.numeric import check, leaf

RNG = np.random.default_rng(0)
T = RNG.normal(size=(3, 4))
ROWS = np.array([2, 0, 2])
PAIRS = np.array([[0, 1], [2, 3], [0, 1]])
ALONG = np.array([[0, 3], [1, 1], [2, 0]])


def tensor(array):
    return paddle.to_tensor(array)


READS = {
    "gather": lambda x: paddle.gather(x, tensor(ROWS)),
    "gather axis 1": lambda x: paddle.gather(x, tensor(ROWS), axis=1),
    "gather of a column": lambda x: paddle.gather(x, tensor(ROWS.reshape(3, 1))),
    "gather a number": lambda x: paddle.gather(x, tensor(1)),
    "index_select": lambda x: paddle.index_select(x, tensor(ROWS), axis=-1),
    "gather_nd cells": lambda x: paddle.gather_nd(x, tensor(PAIRS)),
    "gather_nd rows": lambda x: paddle.gather_nd(x, tensor(PAIRS[:, :1])),
    "take_along_axis": lambda x: paddle.take_along_axis(x, tensor(ALONG), 1),
    "take_along_axis stretched": lambda x: paddle.take_along_axis(x, tensor([[1, 0]]), -1),
    "index_sample": lambda x: paddle.index_sample(x, tensor(ALONG)),
    "masked_select": lambda x: paddle.masked_select(x, tensor(T > 0)),
    "masked_select stretched": lambda x: paddle.masked_select(x, tensor([[True], [False], [True]])),
    "masked_fill": lambda x: paddle.masked_fill(x, tensor(T > 0), 2.0),
    "scatter_nd": lambda x: paddle.scatter_nd(tensor([[1], [1], [0]]), x, [2, 4]),
}
NUMPY = {
    "gather": lambda x: x[ROWS],
    "gather axis 1": lambda x: x[:, ROWS],
    "gather of a column": lambda x: x[ROWS],
    "gather a number": lambda x: x[1],
    "index_select": lambda x: x[:, ROWS],
    "gather_nd cells": lambda x: x[PAIRS[:, 0], PAIRS[:, 1]],
    "gather_nd rows": lambda x: x[PAIRS[:, 0]],
    "take_along_axis": lambda x: np.take_along_axis(x, ALONG, 1),
    "take_along_axis stretched": lambda x: x[:, [1, 0]],
    "index_sample": lambda x: np.take_along_axis(x, ALONG, 1),
    "masked_select": lambda x: x[x > 0],
    "masked_select stretched": lambda x: x[[0, 2]].reshape(-1),
    "masked_fill": lambda x: np.where(x > 0, 2.0, x),
    "scatter_nd": lambda x: np.stack([x[2], x[0] + x[1]]),
}


@pytest.mark.parametrize("name", READS)
def test_gathering(name):
    np.testing.assert_array_equal(READS[name](leaf(T)).numpy(), NUMPY[name](T))
    check(READS[name], T)


@pytest.mark.parametrize("pick", [paddle.gather, paddle.index_select])
def test_from_an_axis_without_elements_nothing_can_be_picked(pick):
    for shape, axis in (([0], 0), ([0, 0], -1), ([2, 0], 1)):
        with pytest.raises((IndexError, ValueError), match=r"out of bounds for axis -?[01] with size 0"):
            pick(leaf(np.zeros(shape)), tensor([0]), axis=axis)
    assert pick(leaf(np.zeros([2, 0])), tensor([1]), axis=0).shape == [1, 0]
    with pytest.raises(IndexError, match="range"):
        pick(leaf(1.0), tensor([0]))


WRITES = {
    "scatter": (lambda x, v: paddle.scatter(x, tensor(np.array([2, 0])), v), (2, 4)),
    "scatter a row": (lambda x, v: paddle.scatter(x, tensor(1), v), (4,)),
    "scatter adding": (lambda x, v: paddle.scatter(x, tensor(ROWS), v, overwrite=False), (3, 4)),
    "scatter_nd_add": (lambda x, v: paddle.scatter_nd_add(x, tensor(PAIRS), v), (3,)),
    "scatter_nd_add rows": (lambda x, v: paddle.scatter_nd_add(x, tensor(PAIRS[:, :1]), v), (3, 4)),
    "put_along_axis": (lambda x, v: paddle.put_along_axis(x, tensor([[1], [0], [3]]), v, 1), (3, 1)),
    "put_along_axis stretched": (lambda x, v: paddle.put_along_axis(x, tensor([[1]]), v, 0), ()),
    "put_along_axis add": (lambda x, v: paddle.put_along_axis(x, tensor(ALONG), v, 1, "add"), (3, 2)),
}


@pytest.mark.parametrize("name", WRITES)
def test_scattering(name):
    call, shape = WRITES[name]
    check(call, T, RNG.normal(size=shape))


def test_what_scattering_writes():
    ones = tensor(np.ones((3, 4)))
    np.testing.assert_array_equal(
        paddle.scatter(tensor(T), tensor(ROWS), ones * tensor([[1.0], [2.0], [3.0]])).numpy()[:, 0],
        [2, T[1, 0], 3],
    )
    added = paddle.scatter(tensor(T), tensor(ROWS), ones, overwrite=False).numpy()
    np.testing.assert_array_equal(added, [np.ones(4), T[1], np.full(4, 2.0)])
    more = paddle.scatter_nd_add(tensor(T), tensor(PAIRS), tensor(np.array([1.0, 2.0, 3.0]))).numpy() - T
    np.testing.assert_allclose(more[[0, 2], [1, 3]], [4, 2])
    assert np.count_nonzero(more) == 2
    summed = paddle.put_along_axis(
        tensor(np.zeros((1, 3))), tensor([[1, 1]]), tensor(np.array([[2.0, 5.0]])), 1, "add"
    )
    assert summed.tolist() == [[0.0, 7.0, 0.0]]


def test_nonzero():
    x = tensor([[0.0, 1.0], [2.0, 0.0]])
    assert paddle.nonzero(x).tolist() == [[0, 1], [1, 0]]
    assert [one.tolist() for one in paddle.nonzero(x, as_tuple=True)] == [[0, 1], [1, 0]]


GATHER_ERRORS = {
    "gather": (lambda x: paddle.gather(x, tensor(np.array([3]))), IndexError, "out of bounds"),
    "gather float": (lambda x: paddle.gather(x, x[0]), ValueError, "int32 or int64"),
    "gather 2-D": (lambda x: paddle.gather(x, tensor(PAIRS)), ValueError, "last dim of index"),
    "gather axis": (lambda x: paddle.gather(x, tensor(ROWS), axis=2), IndexError, "axis"),
    "index_select": (lambda x: paddle.index_select(x, tensor(np.array([3]))), ValueError, "out of bounds"),
    "gather_nd": (lambda x: paddle.gather_nd(x, tensor([[3, 0]])), ValueError, "out of bounds"),
    "gather_nd long": (lambda x: paddle.gather_nd(x, tensor([[0, 0, 0]])), ValueError, "rank"),
    "take_along_axis": (lambda x: paddle.take_along_axis(x, tensor([[4]]), 1), IndexError, "out of bounds"),
    "take_along_axis rank": (lambda x: paddle.take_along_axis(x, tensor([0]), 1), ValueError, "same number"),
    "put_along_axis": (
        lambda x: paddle.put_along_axis(x, tensor([[0]]), 1.0, 1, "median"),
        ValueError,
        "median",
    ),
    "scatter": (lambda x: paddle.scatter(x, tensor(np.array([3])), x[:1]), IndexError, "out of bounds"),
    "scatter_nd_add": (lambda x: paddle.scatter_nd_add(x, tensor([[9]]), x[:1]), IndexError, "out of bounds"),
    "scatter_nd_add shape": (lambda x: paddle.scatter_nd_add(x, tensor([[1]]), x), ValueError, "wrong shape"),
    "masked_select": (lambda x: paddle.masked_select(x, tensor(ROWS)), ValueError, "bool"),
    "nonzero": (lambda x: paddle.nonzero(x[0, 0]), ValueError, "at least 1"),
}


@pytest.mark.parametrize("name", GATHER_ERRORS)
def test_gathering_refuses(name):
    call, kind, words = GATHER_ERRORS[name]
    with pytest.raises(kind, match=words):
        call(tensor(T))


def test_put_along_axis_stores_no_half_among_whole_numbers():
    whole, index = tensor(np.zeros(3, "int64")), tensor([1])
    assert paddle.put_along_axis(whole, index, 2, 0).tolist() == [0, 2, 0]
    assert paddle.put_along_axis(whole.astype("float64"), index, 0.5, 0).tolist() == [0, 0.5, 0]
    with pytest.raises(ValueError, match="does not match the type of data"):
        paddle.put_along_axis(whole, index, 0.5, 0)


def test_put_along_axis_gives_no_gradient_to_what_was_overwritten():
    values = tensor(np.array([[2.0, 5.0, 7.0]]))
    values.stop_gradient = False
    out = paddle.put_along_axis(tensor(np.zeros((1, 3))), tensor([[1, 1, 0]]), values, 1)
    assert out.tolist() == [[7, 5, 0]]
    (out * tensor([[1.0, 10.0, 100.0]])).sum().backward()
    assert values.grad.tolist() == [[0, 10, 1]]
