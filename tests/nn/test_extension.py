"""Functions without a CPU kernel in real Paddle: compared with NumPy."""

import importlib

import numpy as np
import pytest

from minipaddle import paddle

F = paddle.nn.functional
rng = np.random.default_rng(2)
X, WEIGHT = rng.uniform(-1, 1, (3, 4)), rng.uniform(0.5, 1.5, 4)


@pytest.mark.parametrize(
    ("path", "name"),
    [("layer.common", "Upsample"), ("layer.loss", "CTCLoss"),
     ("functional.loss", "ctc_loss"),
     ("functional.common", "unfold"),  ("functional.input", "embedding")],
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
