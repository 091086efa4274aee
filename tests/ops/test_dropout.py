"""Dropout: shares, scales, masks."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F


def ones(*shape):
    x = paddle.ones(shape)
    x.stop_gradient = False
    return x


def test_survivors_are_scaled_and_the_gradient_has_the_same_mask():
    x = ones(100, 100)
    y = F.dropout(x, 0.75)
    y.sum().backward()
    assert sorted(set(y.numpy().ravel())) == [0, 4]
    assert 0.23 < (y.numpy() > 0).mean() < 0.27
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())


def test_the_same_seed_drops_the_same():
    paddle.seed(7)
    first = F.dropout(ones(50), 0.5).tolist()
    second = F.dropout(ones(50), 0.5).tolist()
    paddle.seed(7)
    assert F.dropout(ones(50), 0.5).tolist() == first
    assert first != second


@pytest.mark.parametrize(("mode", "training", "values"), [
    ("upscale_in_train", False, {1.0}),
    ("downscale_in_infer", False, {0.75}),
    ("downscale_in_infer", True, {0.0, 1.0}),
])  # fmt: skip
def test_modes(mode, training, values):
    x = ones(200)
    y = F.dropout(x, 0.25, training=training, mode=mode)
    assert set(y.tolist()) == values
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()


def test_chance_is_shared_along_the_other_axes():
    y = F.dropout(ones(40, 30), 0.5, axis=0).numpy()
    assert (y == y[:, :1]).all()
    assert set(y[:, 0]) == {0, 2}
    images = F.dropout2d(ones(4, 10, 3, 3)).numpy()
    assert (images == images[:, :, :1, :1]).all()


def test_all_or_nothing():
    x = ones(5)
    assert F.dropout(x, 0.0) is x
    assert F.dropout(x, 1.0).tolist() == [0] * 5


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="p argument"):
        F.dropout(ones(2), 1.5)
    with pytest.raises(ValueError, match="mode argument"):
        F.dropout(ones(2), mode="upscale")
    with pytest.raises(ValueError, match="axis value"):
        F.dropout(ones(2, 2), axis=2)
