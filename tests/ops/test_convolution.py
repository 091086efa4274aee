"""Convolution against the definition, written out as loops."""

import itertools

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(0)


def slow_conv2d(x, w, stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), groups=1):
    """The sum that a convolution is, one output element at a time."""
    x = np.pad(x, ((0, 0), (0, 0), pads[:2], pads[2:]))
    out_channels, depth, kh, kw = w.shape
    reach_h, reach_w = dilation[0] * (kh - 1) + 1, dilation[1] * (kw - 1) + 1
    out_h, out_w = (x.shape[2] - reach_h) // stride[0] + 1, (x.shape[3] - reach_w) // stride[1] + 1
    y = np.zeros((len(x), out_channels, out_h, out_w))
    for n, o, i, j in itertools.product(*map(range, y.shape)):
        first = o // (out_channels // groups) * depth
        top, left = i * stride[0], j * stride[1]
        window = x[
            n, first : first + depth, top : top + reach_h : dilation[0], left : left + reach_w : dilation[1]
        ]
        y[n, o, i, j] = (window * w[o]).sum()
    return y


def slow_transpose(x, w, size, stride=(1, 1), pads=(0, 0, 0, 0), groups=1):
    """Every element of x stamps its filter onto the image."""
    n, channels, height, width = x.shape
    _, depth, kh, kw = w.shape
    y = np.zeros((n, depth * groups, size[0] + pads[0] + pads[1], size[1] + pads[2] + pads[3]))
    for b, c, i, j in itertools.product(range(n), range(channels), range(height), range(width)):
        group = c // (channels // groups)
        top, left = i * stride[0], j * stride[1]
        y[b, group * depth : (group + 1) * depth, top : top + kh, left : left + kw] += x[b, c, i, j] * w[c]
    return y[:, :, pads[0] : pads[0] + size[0], pads[2] : pads[2] + size[1]]


def tensors(*shapes, dtype="float64"):
    return [
        paddle.to_tensor(RNG.uniform(-1, 1, shape).astype(dtype), stop_gradient=False) for shape in shapes
    ]


@pytest.mark.parametrize(
    ("options", "reference"),
    [
        ({}, {}),
        ({"stride": 2}, {"stride": (2, 2)}),
        ({"stride": [1, 2]}, {"stride": (1, 2)}),
        ({"padding": 1}, {"pads": (1, 1, 1, 1)}),
        ({"padding": [0, 2]}, {"pads": (0, 0, 2, 2)}),
        ({"padding": [1, 0, 2, 1]}, {"pads": (1, 0, 2, 1)}),
        ({"padding": [[0, 0], [0, 0], [1, 0], [2, 1]]}, {"pads": (1, 0, 2, 1)}),
        ({"padding": "VALID"}, {}),
        ({"padding": "SAME"}, {"pads": (1, 1, 0, 1)}),
        ({"padding": "SAME", "stride": 2}, {"pads": (1, 1, 0, 0), "stride": (2, 2)}),
        ({"dilation": [2, 1]}, {"dilation": (2, 1)}),
        ({"groups": 2}, {"groups": 2}),
        ({"groups": 2, "stride": 2, "padding": 1}, {"groups": 2, "stride": (2, 2), "pads": (1, 1, 1, 1)}),
    ],
)
def test_conv2d_is_the_sum_it_is_defined_by(options, reference):
    groups = options.get("groups", 1)
    x, w = tensors((2, 4, 5, 6), (6, 4 // groups, 3, 2))
    y = F.conv2d(x, w, **options)
    np.testing.assert_allclose(y.numpy(), slow_conv2d(x.numpy(), w.numpy(), **reference), atol=1e-12)


def test_same_padding_gives_ceil_of_size_over_stride():
    x, w = tensors((1, 1, 7, 8), (1, 1, 3, 4))
    assert F.conv2d(x, w, stride=[2, 3], padding="SAME").shape == [1, 1, 4, 3]


def test_bias_is_added_to_every_pixel_of_its_channel():
    x, w, b = tensors((1, 2, 3, 3), (2, 2, 2, 2), (2,))
    plain, biased = F.conv2d(x, w), F.conv2d(x, w, b)
    np.testing.assert_allclose(
        biased.numpy() - plain.numpy(), np.broadcast_to(b.numpy()[:, None, None], (1, 2, 2, 2))
    )


def test_channels_last_is_the_same_convolution():
    x, w = tensors((2, 5, 4, 3), (2, 3, 2, 2))
    first = paddle.to_tensor(x.numpy().transpose(0, 3, 1, 2))
    last = F.conv2d(x, w, data_format="NHWC")
    np.testing.assert_allclose(last.numpy().transpose(0, 3, 1, 2), F.conv2d(first, w).numpy())


def test_float32_stays_float32_forward_and_backward():
    x, w, b = tensors((2, 2, 5, 5), (3, 2, 3, 3), (3,), dtype="float32")
    y = F.conv2d(x, w, b, stride=2, padding=1)
    y.sum().backward()
    assert {t.numpy().dtype for t in (y, x.grad, w.grad, b.grad)} == {np.dtype("float32")}


def test_pixels_that_no_window_reaches_get_no_gradient():
    x, w = tensors((1, 1, 4, 4), (1, 1, 3, 3))
    F.conv2d(x, w, stride=2).sum().backward()
    assert not x.grad.numpy()[0, 0, 3].any()
    np.testing.assert_allclose(x.grad.numpy()[0, 0, :3, :3], w.numpy()[0, 0])


@pytest.mark.parametrize(
    "options", [{}, {"stride": 2}, {"padding": 1}, {"stride": 2, "output_padding": 1}, {"groups": 2}]
)
def test_transposed_convolution_stamps_filters(options):
    stride, pad = options.get("stride", 1), options.get("padding", 0)
    x, w = tensors((2, 4, 3, 3), (4, 2, 3, 2))
    size = [(3 - 1) * stride - 2 * pad + k + options.get("output_padding", 0) for k in (3, 2)]
    y = F.conv2d_transpose(x, w, **options)
    want = slow_transpose(x.numpy(), w.numpy(), size, (stride,) * 2, (pad,) * 4, options.get("groups", 1))
    np.testing.assert_allclose(y.numpy(), want, atol=1e-12)


def test_transposed_convolution_is_the_gradient_of_convolution():
    x, w, seed = tensors((1, 2, 5, 5), (3, 2, 3, 3), (1, 3, 2, 2))
    F.conv2d(x, w, stride=2).backward(seed)
    np.testing.assert_allclose(F.conv2d_transpose(seed, w, stride=2).numpy(), x.grad.numpy())


def test_output_size_of_a_transposed_convolution():
    x, w = tensors((1, 1, 2, 2), (1, 1, 3, 3))
    assert F.conv2d_transpose(x, w, stride=2, output_size=[6, 5]).shape == [1, 1, 6, 5]
    with pytest.raises(ValueError, match="output_size"):
        F.conv2d_transpose(x, w, stride=2, output_size=[7, 5])


def test_second_gradient_of_convolution():
    x, w = tensors((1, 2, 4, 4), (2, 2, 2, 2))
    (dx,) = paddle.grad(F.conv2d(x, w).square().sum(), [x], create_graph=True)
    (ddw,) = paddle.grad(dx.square().sum(), [w])

    def energy(filters):
        y = slow_conv2d(x.numpy(), filters)
        flipped = np.pad(2 * y, ((0, 0), (0, 0), (1, 1), (1, 1)))
        back = slow_conv2d(flipped, filters[:, :, ::-1, ::-1].swapaxes(0, 1))
        return (back**2).sum()

    for place in [(0, 0, 0, 0), (1, 0, 1, 1), (0, 1, 0, 1)]:
        step = np.zeros(w.shape)
        step[place] = 1e-5
        slope = (energy(w.numpy() + step) - energy(w.numpy() - step)) / 2e-5
        assert ddw.numpy()[place] == pytest.approx(slope, rel=1e-6)


def test_conv1d_is_a_row_of_conv2d():
    x, w, b = tensors((2, 2, 6), (3, 2, 3), (3,))
    y = F.conv1d(x, w, b, stride=2, padding=[1, 2], dilation=1)
    padded = np.pad(x.numpy(), ((0, 0), (0, 0), (1, 2)))[:, :, None]
    want = slow_conv2d(padded, w.numpy()[:, :, None], stride=(1, 2))[:, :, 0] + b.numpy()[:, None]
    np.testing.assert_allclose(y.numpy(), want)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 3, 2, 2])), "input's channels"),
        (lambda: F.conv2d(paddle.ones([4, 4]), paddle.ones([3, 3, 2, 2])), "4D tensor"),
        (
            lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 1, 2, 2]), groups=2),
            "divisible by groups",
        ),
        (lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 2, 7, 7])), "does not fit"),
        (lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 2, 2, 2]), stride=0), "larger than 0"),
        (
            lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 2, 2, 2]), padding="BOTH"),
            "Unknown padding",
        ),
        (lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 2, 2, 2]), stride=[1, 2, 3]), "2 ints"),
        (
            lambda: F.conv2d(paddle.ones([1, 2, 4, 4]), paddle.ones([3, 2, 2, 2]), data_format="HWC"),
            "data_format",
        ),
    ],
)
def test_misuse_is_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()
