import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minipaddle import paddle
from tests.support.numeric import check, leaf

X = np.random.default_rng(0).permutation(24).reshape(2, 3, 4) / 10.0
CALLS = {
    "sort": lambda x: paddle.sort(x),
    "sort 0": lambda x: paddle.sort(x, axis=0, descending=True),
    "topk": lambda x: paddle.topk(x, 2)[0],
    "topk smallest": lambda x: paddle.topk(x, paddle.to_tensor(1), axis=1, largest=False)[0],
}


@pytest.mark.parametrize("name", CALLS)
def test_gradients_of_both_orders(name):
    check(CALLS[name], X)


few_values = hnp.arrays(np.int64, hnp.array_shapes(max_dims=3, max_side=5), elements=st.integers(0, 3))


@given(few_values, st.booleans(), st.data())
def test_sorting_is_stable_either_way(x, descending, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    expected = np.argsort(-x if descending else x, axis, kind="stable")
    t = paddle.to_tensor(x)
    np.testing.assert_array_equal(paddle.argsort(t, axis, descending).numpy(), expected)
    np.testing.assert_array_equal(
        paddle.sort(t, axis, descending).numpy(), np.take_along_axis(x, expected, axis)
    )


@given(few_values, st.booleans(), st.data())
def test_topk_is_the_head_of_sort(x, largest, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    k = data.draw(st.integers(1, x.shape[axis]))
    values, indices = paddle.topk(paddle.to_tensor(x), k, axis, largest)
    whole = paddle.sort(paddle.to_tensor(x), axis, largest).numpy()
    np.testing.assert_array_equal(values.numpy(), np.take(whole, range(k), axis))
    np.testing.assert_array_equal(np.take_along_axis(x, indices.numpy(), axis), values.numpy())


@given(few_values, st.booleans(), st.data())
def test_argmax_and_argmin_take_the_first(x, keepdim, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    t = paddle.to_tensor(x)
    for ours, theirs in ((paddle.argmax, np.argmax), (paddle.argmin, np.argmin)):
        found = ours(t, axis=axis, keepdim=keepdim, dtype="int32").numpy()
        np.testing.assert_array_equal(found, theirs(x, axis, keepdims=keepdim))
        assert found.dtype == np.int32
        assert found.shape == np.asarray(theirs(x, axis, keepdims=keepdim)).shape


def test_who_is_frozen():
    x = leaf(X)
    assert paddle.argmax(x).stop_gradient
    assert not paddle.sort(x).stop_gradient
    assert not paddle.argsort(x).stop_gradient
    assert not paddle.topk(x, 1)[1].stop_gradient


def test_numbers_are_in_order():
    x = leaf(2.0)
    paddle.sort(x).backward()
    assert x.grad.item() == 1
    assert paddle.argsort(x).item() == paddle.argmax(x, axis=0).item() == 0
    assert [one.item() for one in paddle.topk(x, 1)] == [2.0, 0]


def test_unique():
    x = paddle.to_tensor([3, 1, 3, 2])
    assert paddle.unique(x).tolist() == [1, 2, 3]
    found = paddle.unique(x, return_index=True, return_inverse=True, return_counts=True)
    assert [one.tolist() for one in found] == [[1, 2, 3], [1, 3, 0], [2, 0, 2, 1], [1, 1, 2]]
    rows = paddle.to_tensor([[1, 2], [0, 0], [1, 2]])
    assert paddle.unique(rows, axis=0).tolist() == [[0, 0], [1, 2]]


ERRORS = {
    "sort": (lambda x: paddle.sort(x, axis=3), "num_dims"),
    "argsort": (lambda x: paddle.argsort(x, axis=-4), "num_dims"),
    "topk axis": (lambda x: paddle.topk(x, 1, axis=3), "axis of topk"),
    "topk too many": (lambda x: paddle.topk(x, 5), "5.*4"),
    "topk none": (lambda x: paddle.topk(x, 0), ">= 1"),
    "argmax axis": (lambda x: paddle.argmax(x, axis=3), "Rank"),
    "argmax dtype": (lambda x: paddle.argmax(x, dtype="float32"), "float32"),
    "argmin no dtype": (lambda x: paddle.argmin(x, dtype=None), "None"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refusals(name):
    call, words = ERRORS[name]
    with pytest.raises(ValueError, match=words):
        call(paddle.to_tensor(X))
