"""Equal rows and columns of small matrices give equal elements of their product, bit by bit: symmetry survives."""

import itertools
import pickle

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.ops.linalg.matmul import SMALL, product

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
SHAPES = [shape for shape in itertools.product(SIZES, repeat=3) if np.prod(shape) <= SMALL]


def repeated(rng, count, *others, dtype):
    """Return `count` rows, most of them more than once, and for each the place of the first like it."""
    chosen = rng.integers(0, max(1, count // 2), count)
    first = np.array([list(chosen).index(one) for one in chosen])
    return rng.standard_normal((count, *others)).astype(dtype)[chosen], first


def products(x, y):
    """Return every product of a layer's two passes: its output, and the gradients of input and weight."""
    rows, columns = (paddle.to_tensor(one, stop_gradient=False) for one in (x, y))
    out = rows @ columns
    return out, *paddle.grad(out, [rows, columns], out.detach())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_of_equal_rows_and_columns(dtype):
    rng = np.random.default_rng(0)
    for m, k, n in SHAPES:
        x, like_row = repeated(rng, m, k, dtype=dtype)
        y, like_column = repeated(rng, n, k, dtype=dtype)
        out, dx, dy = [one.numpy() for one in products(x, np.ascontiguousarray(y.T))]
        np.testing.assert_array_equal(out, out[like_row][:, like_column], f"{m} {k} {n}")
        np.testing.assert_array_equal(dx, dx[like_row], f"{m} {k} {n}")
        np.testing.assert_array_equal(dy, dy[:, like_column], f"{m} {k} {n}")


@pytest.mark.parametrize(
    "multiplied",
    [
        lambda x, y: paddle.matmul(x, y.T, transpose_y=True),
        lambda x, y: paddle.matmul(x.T, y, transpose_x=True),
        lambda x, y: paddle.nn.functional.linear(x, y),
        lambda x, y: paddle.mm(x, y),
        lambda x, y: paddle.addmm(paddle.zeros([1, y.shape[1]]), x, y),
        lambda x, y: paddle.bmm(x[None], y[None])[0],
        lambda x, y: (x[None, None] @ y[None, None])[0, 0],
        lambda x, y: (x[None] @ y)[0],
        lambda x, y: paddle.stack([row @ y for row in x]),
        lambda x, y: paddle.stack([x @ column for column in y.T], 1),
        lambda x, y: paddle.stack([paddle.mv(x, column) for column in y.T], 1),
    ],
)
def test_in_every_way_to_write_it(multiplied):
    rng = np.random.default_rng(1)
    for m, k, n in [(4, 5, 9), (9, 17, 5), (1, 4, 5), (7, 33, 6)]:
        x, like_row = repeated(rng, m, k, dtype="float32")
        y, like_column = repeated(rng, n, k, dtype="float32")
        out = multiplied(paddle.to_tensor(x), paddle.to_tensor(y).T).numpy()
        np.testing.assert_array_equal(out, out[like_row][:, like_column])
        np.testing.assert_allclose(out, x @ y.T, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_product_does_not_depend_on_where_its_numbers_lie(dtype):
    rng = np.random.default_rng(3)
    for m, k, n in SHAPES[::7]:
        x, y = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
        wanted = product(x, y)
        loaded = pickle.loads(pickle.dumps(y))  # has a dtype of its own
        for left in (x, np.asfortranarray(x), np.repeat(x, 2, 0)[::2]):
            for right in (y, loaded, np.asfortranarray(y), np.repeat(y, 2, 1)[:, ::2]):
                np.testing.assert_array_equal(product(left, right), wanted, f"{m} {k} {n}")


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_what_is_refused_and_what_broadcasts_is_as_in_numpy(dtype):
    """An inner size of 1 is none that fits every other."""
    shapes = [(), (1,), (2,), (1, 1), (1, 2), (2, 1), (2, 2), (1, 1, 2), (2, 1, 1), (2, 2, 2), (1, 2, 1, 2)]
    for left, right in itertools.product(shapes, shapes):
        x, y = np.ones(left, dtype), np.ones(right, dtype)
        try:
            wanted = np.matmul(x, y).shape
        except ValueError:
            with pytest.raises(ValueError, match="matmul"):
                paddle.to_tensor(x) @ paddle.to_tensor(y)
        else:
            assert tuple((paddle.to_tensor(x) @ paddle.to_tensor(y)).shape) == wanted


@pytest.mark.parametrize("points", [4, 100])
def test_hidden_units_that_begin_equal_stay_equal(points):
    rng = np.random.default_rng(2)
    x = paddle.to_tensor(rng.standard_normal((points, 2)).astype("float32"))
    label = (x[:, :1] * x[:, 1:] > 0).astype("float32")
    constant = paddle.nn.initializer.Constant(0.3)
    hidden = paddle.nn.Linear(2, 5, weight_attr=constant)
    last = paddle.nn.Linear(5, 1, weight_attr=constant)
    optimizer = paddle.optimizer.Adam(0.02, parameters=[*hidden.parameters(), *last.parameters()])
    for _ in range(2000):
        found = last(paddle.tanh(hidden(x)))
        paddle.nn.functional.binary_cross_entropy_with_logits(found, label).backward()
        optimizer.step()
        optimizer.clear_grad()
    weight, out = hidden.weight.numpy(), last.weight.numpy()
    np.testing.assert_array_equal(weight, np.repeat(weight[:, :1], 5, 1))
    np.testing.assert_array_equal(out, np.repeat(out[:1], 5, 0))
    assert abs(weight - 0.3).max() > 0.01
