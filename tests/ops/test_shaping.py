import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import paddle
from tests.support.numeric import check, gradients, leaf

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 3, 4))

CALLS = {
    "reshape": lambda x: paddle.reshape(x, [4, -1]),
    "reshape with 0": lambda x: paddle.reshape(x, [0, 12]),
    "transpose": lambda x: paddle.transpose(x, [2, 0, 1]),
    "transpose negative": lambda x: paddle.transpose(x, [-1, 0, 1]),
    "moveaxis": lambda x: paddle.moveaxis(x, [0, 1], [-1, 0]),
    "swapaxes": lambda x: paddle.swapaxes(x, 0, -1),
    "unsqueeze": lambda x: paddle.unsqueeze(x, [0, -1]),
    "flatten": lambda x: paddle.flatten(x, 1, 2),
    "tile": lambda x: paddle.tile(x, [2, 1, 3]),
    "tile with a new axis": lambda x: paddle.tile(x, [2, 1, 1, 2]),
    "tile with fewer": lambda x: paddle.tile(x, 2),
    "flip": lambda x: paddle.flip(x, [0, 2]),
    "roll": lambda x: paddle.roll(x, [1, -2], [0, 2]),
    "roll flat": lambda x: paddle.roll(x, 5),
    "tril": lambda x: paddle.tril(x, 1),
    "triu": lambda x: paddle.triu(x, -1),
    "repeat_interleave": lambda x: paddle.repeat_interleave(x, 2, axis=1),
    "repeat_interleave each": lambda x: paddle.repeat_interleave(x, paddle.to_tensor([1, 0, 3]), axis=1),
    "expand": lambda x: paddle.expand(x, [2, -1, 3, 4]),
    "split": lambda x: paddle.split(x, [1, -1], axis=1),
    "chunk": lambda x: paddle.chunk(x, 2, axis=-1),
    "unbind": lambda x: paddle.unbind(x, 1),
    "concat": lambda x: paddle.concat([x, x * x], axis=1),
    "stack": lambda x: paddle.stack([x, x * x], axis=-2),
}


@pytest.mark.parametrize("name", CALLS)
def test_gradients_of_both_orders(name):
    check(CALLS[name], X)


NUMPY = {
    "transpose": lambda x: x.transpose(2, 0, 1),
    "transpose negative": lambda x: x.transpose(2, 0, 1),
    "moveaxis": lambda x: np.moveaxis(x, [0, 1], [-1, 0]),
    "swapaxes": lambda x: x.swapaxes(0, 2),
    "tile": lambda x: np.tile(x, [2, 1, 3]),
    "flip": lambda x: np.flip(x, (0, 2)),
    "roll": lambda x: np.roll(x, (1, -2), (0, 2)),
    "roll flat": lambda x: np.roll(x, 5),
    "tril": lambda x: np.tril(x, 1),
    "triu": lambda x: np.triu(x, -1),
    "repeat_interleave each": lambda x: np.repeat(x, [1, 0, 3], 1),
    "concat": lambda x: np.concatenate([x, x * x], 1),
    "stack": lambda x: np.stack([x, x * x], -2),
}


@pytest.mark.parametrize("name", NUMPY)
def test_same_numbers_as_numpy(name):
    np.testing.assert_array_equal(CALLS[name](paddle.to_tensor(X)).numpy(), NUMPY[name](X))


VIEWS = {
    "reshape": lambda x: x.reshape([4, 6]),
    "transpose": lambda x: x.transpose([1, 0, 2]),
    "squeeze": lambda x: paddle.squeeze(x, 0),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "flatten": lambda x: x.flatten(),
    "unbind": lambda x: paddle.unbind(x)[0],
    "slice": lambda x: x[0, 1:],
    "one element": lambda x: x[0, 0, 0],
}
COPIES = {
    "expand": lambda x: paddle.expand(x, [2, 3, 4]),
    "broadcast_to": lambda x: paddle.broadcast_to(x, [5, 2, 3, 4]),
    "split": lambda x: paddle.split(x, 1)[0],
    "chunk": lambda x: paddle.chunk(x, 2)[1],
    "flip": lambda x: paddle.flip(x, 0),
    "list": lambda x: x[[0, 1]],
    "concat": lambda x: paddle.concat([x]),
    "tril": lambda x: paddle.tril(x),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_share_memory(name):
    x = paddle.to_tensor(X)
    assert np.shares_memory(VIEWS[name](x).array, x.array)


@pytest.mark.parametrize("name", COPIES)
def test_copies_do_not(name):
    x = paddle.to_tensor(X)
    out = COPIES[name](x).array
    assert not np.shares_memory(out, x.array)
    assert out.flags.writeable


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_reshape_works_out_one_size(sizes, data):
    hole = data.draw(st.integers(0, len(sizes) - 1))
    asked = [-1 if axis == hole else size for axis, size in enumerate(sizes)]
    flat = paddle.arange(int(np.prod(sizes)))
    assert paddle.reshape(flat, asked).shape == sizes


@given(st.permutations(range(4)))
def test_the_gradient_of_transpose_comes_back_in_order(perm):
    x = RNG.normal(size=(1, 2, 3, 2))
    found = gradients(lambda t: paddle.transpose(t, perm), x)[0]
    weights = np.cos(np.arange(x.size)).reshape([x.shape[axis] for axis in perm])
    np.testing.assert_array_equal(found, weights.transpose(np.argsort(perm)))


def test_sizes_may_be_tensors():
    x = paddle.to_tensor(X)
    assert paddle.reshape(x, [paddle.to_tensor(4), 6]).shape == [4, 6]
    assert paddle.reshape(x, paddle.to_tensor([6, 4])).shape == [6, 4]
    assert paddle.unsqueeze(x, paddle.to_tensor([0])).shape == [1, 2, 3, 4]
    assert [part.shape for part in paddle.split(x, [paddle.to_tensor(1), 2], axis=paddle.to_tensor(1))] == [
        [2, 1, 4],
        [2, 2, 4],
    ]


def test_a_zero_size_survives_there_and_back():
    x = leaf(np.zeros((0, 3)))
    paddle.reshape(x, [3, 0]).sum().backward()
    assert x.grad.shape == [0, 3]


def test_squeeze_leaves_longer_axes_alone():
    x = paddle.to_tensor(np.zeros((1, 3, 1)))
    assert paddle.squeeze(x).shape == [3]
    assert paddle.squeeze(x, [0, 1]).shape == [3, 1]


def test_axes_are_inserted_one_after_the_other():
    x = paddle.to_tensor(np.zeros((2, 3)))
    assert paddle.unsqueeze(x, [2, 0]).shape == [1, 2, 3, 1]
    assert paddle.unsqueeze(x, [-1, 0]).shape == [1, 2, 3, 1]


def test_t_turns_matrices_only():
    assert paddle.t(paddle.to_tensor(X[0])).shape == [4, 3]
    assert paddle.t(paddle.to_tensor(X[0, 0])).shape == [4]


def test_questions_about_the_shape():
    x = paddle.to_tensor(X)
    assert paddle.shape(x).tolist() == [2, 3, 4]
    assert paddle.numel(x).item() == 24
    assert paddle.rank(x).item() == 3


def test_tile_by_zero_sends_zeros_back():
    x = leaf(X)
    paddle.tile(x, [0, 1, 1]).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.zeros_like(X))


ERRORS = {
    "reshape to another size": (lambda x: paddle.reshape(x, [5, 5]), ValueError, "24.*25"),
    "reshape not divisible": (lambda x: paddle.reshape(x, [-1, 5]), ValueError, "24.*5"),
    "reshape two -1": (lambda x: paddle.reshape(x, [-1, -1]), ValueError, "-1"),
    "reshape 0 beyond": (lambda x: paddle.reshape(x, [2, 3, 4, 0]), ValueError, "shape"),
    "view as no dtype": (lambda x: paddle.view(x, "strange"), TypeError, "takes a shape"),
    "transpose": (lambda x: paddle.transpose(x, [0, 0, 1]), ValueError, "axis"),
    "t": (lambda x: paddle.t(x), ValueError, "N<=2"),
    "squeeze": (lambda x: paddle.squeeze(x, 3), ValueError, r"\[-3, 3\)"),
    "unsqueeze": (lambda x: paddle.unsqueeze(x, 5), ValueError, r"\[-4, 4\)"),
    "flatten": (lambda x: paddle.flatten(x, 2, 1), ValueError, "stop_axis"),
    "moveaxis": (lambda x: paddle.moveaxis(x, [0, 1], [0]), AssertionError, "same number"),
    "expand": (lambda x: paddle.expand(x, [2, 6, 4]), ValueError, "3.*6"),
    "expand to fewer axes": (lambda x: paddle.expand(x, [4]), ValueError, "rank"),
    "expand unknown": (lambda x: paddle.expand(x, [-1, 2, 3, 4]), ValueError, "-1"),
    "tile": (lambda x: paddle.tile(x, [-1]), ValueError, "positive"),
    "flip": (lambda x: paddle.flip(x, [0, -3]), ValueError, "duplicates"),
    "roll": (lambda x: paddle.roll(x, [1, 2], 0), ValueError, "same size"),
    "tril": (lambda x: paddle.tril(x[0, 0]), ValueError, "rank"),
    "concat shapes": (lambda x: paddle.concat([x, x[:1, :2]]), ValueError, r"\[2, 3, 4\].*\[1, 2, 4\]"),
    "concat ranks": (lambda x: paddle.concat([x, x[0]]), ValueError, r"\[2, 3, 4\].*\[3, 4\]"),
    "concat types": (lambda x: paddle.concat([x, x.astype("float32")]), ValueError, "float64.*float32"),
    "concat 0-D": (lambda x: paddle.concat([x.sum(), x.sum()]), ValueError, r"\[0, 0\)"),
    "concat a tensor": (lambda x: paddle.concat(x), ValueError, "list of Tensors"),
    "concat nothing": (lambda x: paddle.concat([]), ValueError, "empty list"),
    "stack": (lambda x: paddle.stack([x, x[0]]), ValueError, r"\[2, 3, 4\].*\[3, 4\]"),
    "stack axis": (lambda x: paddle.stack([x], 4), ValueError, "rank"),
    "split": (lambda x: paddle.split(x, 2, axis=1), ValueError, "divisible"),
    "split sum": (lambda x: paddle.split(x, [1, 1], axis=1), ValueError, "Sum"),
    "split two -1": (lambda x: paddle.split(x, [-1, -1], axis=1), ValueError, "-1"),
    "unbind": (lambda x: paddle.unbind(x, 3), ValueError, "axis"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refusals(name):
    call, kind, words = ERRORS[name]
    with pytest.raises(kind, match=f"(?s){words}"):
        call(paddle.to_tensor(X))
