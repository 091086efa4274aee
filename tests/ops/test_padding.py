"""Padding against numpy.pad."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

X = np.arange(24.0).reshape(1, 2, 3, 4)
NUMPY = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@pytest.mark.parametrize("mode", ["constant", *NUMPY])
def test_the_list_starts_at_the_last_axis(mode):
    y = F.pad(paddle.to_tensor(X), [1, 2, 0, 1], mode=mode)
    want = np.pad(X, ((0, 0), (0, 0), (0, 1), (1, 2)), NUMPY.get(mode, "constant"))
    np.testing.assert_array_equal(y.numpy(), want)


def test_a_pair_for_every_axis_starts_at_the_first():
    y = F.pad(paddle.ones([2, 2]), [1, 0, 0, 2], value=7.0)
    assert y.tolist() == [[7, 7, 7, 7], [1, 1, 7, 7], [1, 1, 7, 7]]


def test_channels_last_are_not_padded():
    y = F.pad(paddle.ones([1, 2, 3, 4]), [1, 1, 0, 2], data_format="NHWC")
    assert y.shape == [1, 4, 5, 4]


def test_a_negative_border_cuts_off_and_its_gradient_is_zero():
    x = paddle.to_tensor(X, stop_gradient=False)
    y = F.pad(x, [-1, 1])
    np.testing.assert_array_equal(y.numpy()[..., :3], X[..., 1:])
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.broadcast_to([0.0, 1, 1, 1], X.shape))


@pytest.mark.parametrize(
    ("mode", "want"), [("reflect", [1, 3, 2, 2]), ("replicate", [2, 1, 1, 4]), ("circular", [3, 2, 1, 2])]
)
def test_borders_give_their_gradient_to_what_they_repeat(mode, want):
    x = paddle.arange(4, dtype="float32").reshape([1, 1, 4])
    x.stop_gradient = False
    pads = {"reflect": [2, 2], "replicate": [1, 3], "circular": [1, 3]}[mode]
    y = F.pad(x, pads, mode=mode, data_format="NCL")
    y.sum().backward()
    counts = np.bincount(y.numpy().astype(int).ravel(), minlength=4)
    assert x.grad.numpy().ravel().tolist() == counts.tolist()
    assert sum(counts) == 8


def test_misuse_is_explained():
    x = paddle.to_tensor(X)
    with pytest.raises(ValueError, match="reflect"):
        F.pad(x, [4, 0, 0, 0], mode="reflect")
    with pytest.raises(AssertionError, match="mode should be one of"):
        F.pad(x, [1, 1], mode="mirror")
    with pytest.raises(ValueError, match="only 2 axes"):
        F.pad(paddle.ones([2, 2]), [1] * 6)
