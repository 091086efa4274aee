"""Functions that real Paddle has no CPU kernel for: held against NumPy."""

import importlib

import numpy as np
import pytest

from minipaddle import paddle

F = paddle.nn.functional
rng = np.random.default_rng(2)
X, WEIGHT = rng.uniform(-1, 1, (3, 4)), rng.uniform(0.5, 1.5, 4)


def test_rms_norm_divides_by_the_root_of_the_mean_square():
    x = paddle.to_tensor(X, stop_gradient=False)
    y, inverse = F.rms_norm(x, [4], paddle.to_tensor(WEIGHT), 1e-3)
    root = 1 / np.sqrt((X * X).mean(-1) + 1e-3)
    np.testing.assert_allclose(inverse.numpy(), root)
    np.testing.assert_allclose(y.numpy(), X * root[:, None] * WEIGHT)
    (y * y).sum().backward()
    step = 1e-6 * rng.uniform(-1, 1, X.shape)
    sums = [
        (F.rms_norm(paddle.to_tensor(X + one), [4], paddle.to_tensor(WEIGHT), 1e-3)[0] ** 2).sum()
        for one in (step, -step)
    ]
    np.testing.assert_allclose((x.grad.numpy() * step).sum(), float(sums[0] - sums[1]) / 2, rtol=1e-6)


def test_rms_norm_of_other_axes_than_the_last_is_refused():
    with pytest.raises(ValueError, match="normalized_shape"):
        F.rms_norm(paddle.to_tensor(X), [3])


@pytest.mark.parametrize(
    ("path", "name"),
    [("layer.common", "Upsample"), ("layer.loss", "CTCLoss"), ("layer.pooling", "MaxUnPool2D"),
     ("functional.loss", "ctc_loss"),
     ("functional.common", "unfold"), ("functional.norm", "rms_norm"), ("functional.input", "embedding")],
)  # fmt: skip
def test_import_paths_of_paddle_lead_to_the_same_names(path, name):
    room = importlib.import_module(f"minipaddle.paddle.nn.{path}")
    front = paddle.nn if path.startswith("layer") else F
    assert getattr(room, name) is getattr(front, name)
    with pytest.raises(AttributeError, match="minipaddle has no"):
        getattr(room, "nothing_of_" + name)


def test_rows_of_a_table_that_are_too_long_are_shortened_where_they_are_read():
    table = paddle.to_tensor([[3.0, 4.0], [0.0, 1.0], [6.0, 8.0]])
    y = F.embedding(paddle.to_tensor([0, 1]), table, max_norm=2.0)
    np.testing.assert_allclose(y.numpy(), [[1.2, 1.6], [0, 1]], rtol=1e-6)
    np.testing.assert_allclose(table.numpy(), [[1.2, 1.6], [0, 1], [6, 8]], rtol=1e-6)
