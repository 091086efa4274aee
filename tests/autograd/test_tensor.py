"""Sections 1 and 2: the attributes of a Tensor besides its numbers, beyond the recorded cases."""

import copy
import operator
import pickle

import numpy as np
import pytest

from minipaddle import paddle


def dtype(tensor):
    return str(tensor.dtype).rpartition(".")[2]


MADE = {
    "float": (lambda: 1.5, "float32"),
    "int": (lambda: 1, "int64"),
    "bool": (lambda: True, "bool"),
    "mixed list": (lambda: [1, 2.5], "float32"),
    "numpy scalar": (lambda: np.float64(1.5), "float64"),
    "numpy array": (lambda: np.ones(2, "float16"), "float16"),
    "list of numpy scalars": (lambda: [np.float64(1.5)], "float32"),
    "list of 0-D tensors": (lambda: [paddle.to_tensor(1.0), paddle.to_tensor(2.0)], "float32"),
}


@pytest.mark.parametrize("name", MADE)
def test_dtype_of_what_is_made(name):
    make, expected = MADE[name]
    tensor = paddle.to_tensor(make())
    assert dtype(tensor) == expected
    assert tensor.shape == list(np.shape(np.array(make())))
    assert tensor.stop_gradient


def test_default_dtypes():
    floats = (
        paddle.ones([1]), paddle.zeros([1]), paddle.full([1], 1.0), paddle.full([1], 1), paddle.randn([1]),
        paddle.eye(2), paddle.linspace(0, 1, 3), paddle.arange(0, 1, 0.5),
    )  # fmt: skip
    assert {dtype(tensor) for tensor in floats} == {"float32"}
    assert dtype(paddle.arange(3)) == "int64"
    paddle.set_default_dtype("float64")
    try:
        made = [paddle.to_tensor(1.5), paddle.ones([1]), paddle.nn.Linear(1, 1).weight]
        assert {dtype(tensor) for tensor in made} == {"float64"}
        assert dtype(paddle.to_tensor([1])) == "int64"
    finally:
        paddle.set_default_dtype("float32")


def test_a_tensor_of_a_tensor_is_new_and_frozen(leaf):
    x = leaf([1.0])
    y = paddle.to_tensor(x)
    y.fill_(5)
    assert (y.stop_gradient, x.item()) == (True, 1)


@pytest.mark.parametrize(
    ("data", "error"),
    [([[1], [1, 2]], ValueError), (None, TypeError), ("text", TypeError), ({}, TypeError)],
    ids=str,
)
def test_what_no_tensor_can_hold(data, error):
    with pytest.raises(error):
        paddle.to_tensor(data)


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda t: pickle.loads(pickle.dumps(t)),
    "old pickle": lambda t: pickle.loads(pickle.dumps(t, 0)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("trainable", [True, False])
def test_copies_of_a_leaf(how, trainable):
    x = paddle.to_tensor([1.0, 2.0], dtype="float64", stop_gradient=not trainable)
    if trainable:
        (x * 3).sum().backward()
    twin = COPIES[how](x)
    assert type(twin) is paddle.Tensor
    assert (twin.tolist(), twin.dtype, twin.stop_gradient) == ([1, 2], x.dtype, not trainable)
    assert (twin.is_leaf, twin.grad, twin.inplace_version) == (True, None, 0)
    with paddle.no_grad():
        twin.fill_(9)
    assert x.tolist() == [1, 2]
    if trainable:
        (twin * 5).sum().backward()
        assert (x.grad.tolist(), twin.grad.tolist()) == ([3, 3], [5, 5])


@pytest.mark.parametrize("how", COPIES)
def test_copies_of_a_computed_tensor_have_no_history(leaf, how):
    x = leaf([1.0])
    twin = COPIES[how](x * 2)
    assert (twin.is_leaf, twin.stop_gradient, twin.item()) == (True, False, 2)
    twin.backward()
    assert x.grad is None


def test_deepcopy_of_a_structure_keeps_what_is_shared(leaf):
    x = leaf([1.0])
    first, second = copy.deepcopy([x, x])
    assert first is second is not x


def test_identity(leaf):
    x, same, other = leaf([1.0]), leaf([1.0]), leaf([2.0])
    assert hash(x) == hash(x) != hash(same)
    assert len({x, same, x}) == 2
    assert x in [x]
    assert other not in [x]
    assert {x: "mine"}.get(same) is None
    with pytest.raises(AssertionError, match="only one"):
        _ = leaf([1.0, 2.0]) in [leaf([1.0, 3.0])]


@pytest.mark.parametrize(
    "left", [np.ones(2, "float32"), np.float32(1), np.ones((2, 2), "float32")], ids=np.ndim
)
def test_numpy_on_the_left_gives_a_tensor_with_history(leaf, left):
    x = leaf([1.0, 2.0])
    for result in (left + x, left - x, left * x, left / x):
        assert type(result) is paddle.Tensor
        assert not result.stop_gradient
    (left * x).sum().backward()
    assert x.grad.tolist() == [max(1, left.ndim)] * 2
    assert (left < x).tolist()
    if left.ndim == 2:
        assert (left @ x).tolist() == [3, 3]


def test_numpy_functions_do_not_lose_the_history_in_silence(leaf):
    x = leaf([1.0, 2.0])
    with pytest.raises(TypeError, match="ufunc"):
        np.sin(x)
    assert np.asarray(x).tolist() == [1, 2]
    assert np.array(x, dtype="int64").dtype == np.int64
    assert np.allclose(x, [1, 2])
    assert np.stack([x, x]).shape == (2, 2)


@pytest.mark.parametrize(
    ("value", "spec", "text"), [(2.5, "", "2.5"), (2.5, ".2f", "2.50"), (3, "03d", "003"), (True, "", "True")]
)
def test_format_of_a_number(value, spec, text):
    assert format(paddle.to_tensor(value), spec) == text


def test_format_of_more(leaf):
    x = leaf([1.0, 2.0])
    assert f"{x}" == repr(x)
    with pytest.raises(TypeError, match="format"):
        format(x, ".2f")


def test_iteration_stays_connected(leaf):
    x = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    first, _, third = x
    (first * 2 + third * 5).sum().backward()
    assert x.grad.tolist() == [[2, 2], [0, 0], [5, 5]]
    for row, other in zip(x, x.tolist(), strict=True):
        assert row.tolist() == other


ITEMS = {  # index, shape of v; the whole sum of v flows back to the written place
    "integer": (1, []),
    "slice": (slice(0, 2), [2]),
    "broadcast": (slice(None), [1]),
    "list": ([0, 2], [2]),
    "tensor": (paddle.to_tensor([0, 2]), []),
    "mask": (paddle.to_tensor([True, False, True]), [1]),
    "negative step": (slice(None, None, -2), [2]),
}


@pytest.mark.parametrize("name", ITEMS)
def test_setitem_sends_gradients_both_ways(leaf, name):
    index, shape = ITEMS[name]
    x, v = leaf([1.0, 2.0, 3.0]), leaf(np.full(shape, 7.0, "float32"))
    h = x * 1
    h[index] = v
    (h * paddle.to_tensor([1.0, 10.0, 100.0])).sum().backward()
    place = index.numpy() if isinstance(index, paddle.Tensor) else index
    kept, written = np.array([1.0, 10.0, 100.0]), np.zeros(3)
    written[place] = kept[place]
    kept[place] = 0
    assert x.grad.tolist() == kept.tolist()
    assert v.grad.shape == shape
    assert v.grad.sum().item() == written.sum()
    assert h.inplace_version == 1


def test_integers_on_the_way(leaf):
    x = leaf([1.5])
    (x.astype("int64").astype("float32") * 3).backward()
    assert x.grad.tolist() == [3]
    whole = leaf([2])
    (whole * 3).backward()
    assert (dtype(whole.grad), whole.grad.tolist()) == ("int64", [3])


def test_views_share_storage_and_version(leaf):
    x = paddle.ones([4])
    views = [x[1:], x.reshape([2, 2]), x.unsqueeze(0), x.flatten(), x.detach(), x.view([2, 2]), x.unbind()[0]]
    x.fill_(5)
    assert {view.numpy().min() for view in views} == {5}
    assert {view.inplace_version for view in views} == {1}
    views[0].zero_()
    assert (x.tolist(), x.inplace_version) == ([5, 0, 0, 0], 2)
    with pytest.raises(AttributeError):
        x.inplace_version = 0


def test_a_shape_may_be_reckoned_with_in_second_derivatives(leaf):
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x.reshape(operator.add([1], x.shape)).sum(0).reshape(operator.add(x.shape[:-1], [2])) ** 3
    (first,) = paddle.grad(y.sum(), x, create_graph=True)
    (second,) = paddle.grad(first.sum(), x)
    np.testing.assert_allclose(second.numpy(), 6 * x.numpy())
