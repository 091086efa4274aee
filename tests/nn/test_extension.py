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
