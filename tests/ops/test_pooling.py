"""Pooling against windows taken one at a time."""

import itertools

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

IMAGE = np.random.default_rng(1).permutation(2 * 2 * 6 * 5).reshape(2, 2, 6, 5) / 100.0


def slow_pool(x, reduce, ksize, stride, pads=(0, 0, 0, 0), ceil_mode=False):
    """Reduce the part of each window inside the image."""
    round_ = np.ceil if ceil_mode else np.floor
    top, bottom, left, right = pads
    out_h = int(round_((x.shape[2] + top + bottom - ksize[0]) / stride[0])) + 1
    out_w = int(round_((x.shape[3] + left + right - ksize[1]) / stride[1])) + 1
    y = np.zeros((*x.shape[:2], out_h, out_w))
    for n, c, i, j in itertools.product(*map(range, y.shape)):
        row, column = i * stride[0] - top, j * stride[1] - left
        window = x[n, c, max(row, 0) : row + ksize[0], max(column, 0) : column + ksize[1]]
        y[n, c, i, j] = reduce(window)
    return y


WINDOWS = [
    ({"kernel_size": 2}, {"ksize": (2, 2), "stride": (2, 2)}),
    ({"kernel_size": [3, 2], "stride": [1, 2]}, {"ksize": (3, 2), "stride": (1, 2)}),
    (
        {"kernel_size": 3, "stride": 2, "padding": 1},
        {"ksize": (3, 3), "stride": (2, 2), "pads": (1, 1, 1, 1)},
    ),
    (
        {"kernel_size": 3, "stride": 2, "padding": [1, 0]},
        {"ksize": (3, 3), "stride": (2, 2), "pads": (1, 1, 0, 0)},
    ),
    (
        {"kernel_size": 2, "stride": 2, "ceil_mode": True},
        {"ksize": (2, 2), "stride": (2, 2), "ceil_mode": True},
    ),
    (
        {"kernel_size": 4, "stride": 4, "ceil_mode": True},
        {"ksize": (4, 4), "stride": (4, 4), "ceil_mode": True},
    ),
]


@pytest.mark.parametrize(("options", "reference"), WINDOWS)
def test_max_pool_takes_the_largest(options, reference):
    y = F.max_pool2d(paddle.to_tensor(IMAGE), **options)
    np.testing.assert_array_equal(y.numpy(), slow_pool(IMAGE, np.max, **reference))


@pytest.mark.parametrize(("options", "reference"), WINDOWS)
def test_avg_pool_leaves_the_padding_out(options, reference):
    y = F.avg_pool2d(paddle.to_tensor(IMAGE), **options)
    np.testing.assert_allclose(y.numpy(), slow_pool(IMAGE, np.mean, **reference))


def test_avg_pool_with_the_padding_counted():
    y = F.avg_pool2d(paddle.to_tensor(IMAGE), 3, 2, 1, exclusive=False)
    want = slow_pool(IMAGE, np.sum, (3, 3), (2, 2), (1, 1, 1, 1)) / 9
    np.testing.assert_allclose(y.numpy(), want)


def test_avg_pool_with_a_divisor_of_its_own():
    y = F.avg_pool2d(paddle.to_tensor(IMAGE), 2, divisor_override=3)
    np.testing.assert_allclose(y.numpy(), slow_pool(IMAGE, np.sum, (2, 2), (2, 2)) / 3)


def test_padding_never_wins():
    y = F.max_pool2d(paddle.full([1, 1, 2, 2], -5.0), 2, 1, padding=1)
    assert (y.numpy() == -5).all()


def test_the_first_of_equals_gets_the_gradient():
    x = paddle.ones([1, 1, 3, 3])
    x.stop_gradient = False
    F.max_pool2d(x, 2, 1).sum().backward()
    assert x.grad.tolist() == [[[[1, 1, 0], [1, 1, 0], [0, 0, 0]]]]


def test_overlapping_windows_add_their_gradients():
    x = paddle.to_tensor([[[[0.0, 1.0, 2.0], [3.0, 9.0, 4.0], [5.0, 6.0, 7.0]]]], stop_gradient=False)
    F.max_pool2d(x, 2, 1).sum().backward()
    assert x.grad.tolist() == [[[[0, 0, 0], [0, 4, 0], [0, 0, 0]]]]


def test_the_mask_says_where_each_maximum_stands():
    y, mask = F.max_pool2d(paddle.to_tensor(IMAGE), 3, 2, 1, return_mask=True)
    assert mask.dtype == paddle.int32
    assert mask.stop_gradient
    flat = IMAGE.reshape(2, 2, -1)
    found = np.take_along_axis(flat, mask.numpy().reshape(2, 2, -1).astype(int), 2)
    np.testing.assert_array_equal(found.reshape(y.shape), y.numpy())


def test_second_gradient_reads_where_the_first_wrote():
    x = paddle.to_tensor(IMAGE, stop_gradient=False)
    y = F.max_pool2d(x, 2)
    (dx,) = paddle.grad((y * y).sum(), [x], create_graph=True)
    (ddx,) = paddle.grad(dx.sum(), [x])
    np.testing.assert_array_equal(ddx.numpy(), 2.0 * (dx.numpy() != 0))


def slow_bins(size, bins):
    return [(i * size // bins, -(-(i + 1) * size // bins)) for i in range(bins)]


@pytest.mark.parametrize("size", [1, 2, [4, 3], [None, 1]])
def test_adaptive_average_uses_overlapping_bins(size):
    y = F.adaptive_avg_pool2d(paddle.to_tensor(IMAGE), size).numpy()
    down, across = size if isinstance(size, list) else (size, size)
    rows, columns = slow_bins(6, down or 6), slow_bins(5, across or 5)
    want = [[IMAGE[:, :, a:b, c:d].mean((2, 3)) for c, d in columns] for a, b in rows]
    np.testing.assert_allclose(y, np.moveaxis(np.array(want), (0, 1), (2, 3)))


def test_adaptive_maximum_of_equal_bins_and_of_others():
    y = F.adaptive_max_pool2d(paddle.to_tensor(IMAGE), [2, 1])
    np.testing.assert_array_equal(y.numpy(), slow_pool(IMAGE, np.max, (3, 5), (3, 5)))
    y = F.adaptive_max_pool2d(paddle.to_tensor(IMAGE), [4, 1]).numpy()
    bins = [slice(row * 6 // 4, -(-(row + 1) * 6 // 4)) for row in range(4)]
    for row, rows in enumerate(bins):
        np.testing.assert_array_equal(y[:, :, row, 0], IMAGE[:, :, rows].max((2, 3)))


def test_sequences_are_pooled_along_their_length():
    x = paddle.to_tensor([[[1.0, 3.0, 2.0, 4.0, 0.0]]])
    assert F.max_pool1d(x, 2, 1).tolist() == [[[3, 3, 4, 4]]]
    assert F.avg_pool1d(x, 2, padding=1).tolist() == [[[1, 2.5, 2]]]
    assert F.adaptive_avg_pool1d(x[:, :, :4], 2).tolist() == [[[2, 3]]]


@pytest.mark.parametrize("pool", [F.max_pool2d, F.avg_pool2d])
def test_no_batch_of_images_is_refused(pool):
    with pytest.raises(ValueError, match="4-D"):
        pool(paddle.ones([4, 4]), 2)
