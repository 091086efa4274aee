r"""Convolution, and the two operators that are its gradients.

Convolution :math:`y = x * w` is linear in the image and linear in the filter, so three operators are closed under
differentiation: each is the gradient of the other two.

========================  =====================  =========================================
operator                  from                   gives
========================  =====================  =========================================
``conv2d``                image, filter          feature map
``conv2d_transpose``      feature map, filter    image (the gradient for the image)
``conv2d_filter_grad``    image, feature map     filter (the gradient for the filter)
========================  =====================  =========================================

All three lay the windows out as columns and leave the work to one matrix product.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Attrs, Meta, Shape
from minipaddle.core.operator import operator
from minipaddle.core.value import Value
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.nn.window import PADDINGS, Pads, Pair, add_windows, enlarge, output_size, shrink, windows

ONE: Pair = (1, 1)
NONE: Pads = (0, 0, 0, 0)


def _columns(x: Array, ksize: Pair, strides: Pair, paddings: Pads, dilations: Pair, groups: int) -> Array:
    """Copy the windows of [N, C, H, W] into columns [N, groups, C / groups * kh * kw, OH * OW]."""
    found = windows(enlarge(x, paddings), ksize, strides, dilations)
    n, c, kh, kw, out_h, out_w = found.shape
    return found.reshape(n, groups, c // groups * kh * kw, out_h * out_w)


def _infer_conv2d(
    x: Meta, weight: Meta, strides: Pair = ONE, paddings: Pads = NONE, dilations: Pair = ONE, groups: int = 1
) -> Meta:
    """Shape rule: [N, C, H, W] and [O, C / groups, kh, kw] give [N, O, OH, OW]."""
    if x.ndim != 4:
        raise failure(
            ValueError, f"Input x should be 4D tensor, but received x with the shape of {list(x.shape)}"
        )
    if weight.ndim != 4:
        raise failure(ValueError, f"The filter should be 4D tensor, but received shape {list(weight.shape)}.")
    if x.shape[1] not in (-1, weight.shape[1] * groups):
        raise failure(
            ValueError,
            "The number of input's channels should be equal to filter's channels * groups for Op(Conv). "
            f"But received: the input's channels is {x.shape[1]}, the input's shape is {list(x.shape)}; the "
            f"filter's channels is {weight.shape[1]}, the filter's shape is {list(weight.shape)}; the "
            f"groups is {groups}.",
            "images are [batch, channels, height, width], filters [out, in / groups, height, width]",
        )
    top, bottom, left, right = paddings
    out_h = output_size(x.shape[2], weight.shape[2], strides[0], top + bottom, dilations[0])
    out_w = output_size(x.shape[3], weight.shape[3], strides[1], left + right, dilations[1])
    return Meta((x.shape[0], weight.shape[0], out_h, out_w), x.dtype)


def _example_conv2d(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    attrs = {"strides": (2, 1), "paddings": (1, 0, 0, 1), "dilations": (1, 2), "groups": 2}
    return [rng.uniform(-1, 1, (2, 4, 4, 4)), rng.uniform(-1, 1, (2, 2, 2, 2))], attrs


@listed(Listing(paddings=PADDINGS, padding_algorithm="EXPLICIT", data_format="NCHW"))
@operator(
    "conv2d",
    "Input, Filter -> Output",
    kinds="biuf",
    infer=_infer_conv2d,
    example=_example_conv2d,
    latex=r"y_{nohw} = \sum_{cij} x_{nc,h+i,w+j}\, w_{ocij}",
)
def conv2d(
    x: Array,
    weight: Array,
    strides: Pair = ONE,
    paddings: Pads = NONE,
    dilations: Pair = ONE,
    groups: int = 1,
) -> Any:
    """Slide a filter [O, C / groups, kh, kw] over images [N, C, H, W] (cross-correlation)."""
    columns = _columns(x, weight.shape[2:], strides, paddings, dilations, groups)
    out = np.matmul(weight.reshape(groups, len(weight) // groups, -1), columns)
    out_h = output_size(x.shape[2], weight.shape[2], strides[0], sum(paddings[:2]), dilations[0])
    return out.reshape(len(x), len(weight), out_h, -1)


@conv2d.gradient("x")
def _(
    dy: Value, weight: Value, x_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
) -> Value:
    return conv2d_transpose(dy, weight, tuple(x_shape[2:]), strides, paddings, dilations, groups)


@conv2d.gradient("weight")
def _(
    dy: Value, x: Value, weight_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
) -> Value:
    return conv2d_filter_grad(x, dy, tuple(weight_shape[2:]), strides, paddings, dilations, groups)


def _infer_transpose(
    x: Meta,
    weight: Meta,
    output_size: Pair = ONE,
    strides: Pair = ONE,
    paddings: Pads = NONE,
    dilations: Pair = ONE,
    groups: int = 1,
) -> Meta:
    """Shape rule: [N, O, OH, OW] and [O, C / groups, kh, kw] give [N, C, *output_size]."""
    for name, meta in (("Input", x), ("Filter", weight)):
        if meta.ndim != 4:
            raise failure(
                ValueError, f"{name} of Op(conv2d_transpose) should be 4-D, but received {list(meta.shape)}."
            )
    if -1 not in (x.shape[1], weight.shape[0]) and x.shape[1] != weight.shape[0]:
        raise failure(
            ValueError,
            "The number of input channels should be equal to filter channels for Op(conv_transpose). But "
            f"received: the input's shape is {list(x.shape)}, the filter's shape is {list(weight.shape)}.",
            "filters of a transposed convolution are [in, out / groups, height, width]",
        )
    return Meta((x.shape[0], weight.shape[1] * groups, *output_size), x.dtype)


def _example_transpose(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    attrs = {
        "output_size": (4, 4),
        "strides": (2, 1),
        "paddings": (1, 0, 0, 1),
        "dilations": (1, 2),
        "groups": 2,
    }
    return [rng.uniform(-1, 1, (2, 2, 2, 3)), rng.uniform(-1, 1, (2, 2, 2, 2))], attrs


@listed(Listing(paddings=PADDINGS, padding_algorithm="EXPLICIT", data_format="NCHW", output_padding=[]))
@operator(
    "conv2d_transpose",
    "Input, Filter -> Output",
    kinds="biuf",
    infer=_infer_transpose,
    example=_example_transpose,
    latex=r"x_{nc,h+i,w+j} \mathrel{+}= y_{nohw}\, w_{ocij}",
)
def conv2d_transpose(
    x: Array,
    weight: Array,
    output_size: Pair = ONE,
    strides: Pair = ONE,
    paddings: Pads = NONE,
    dilations: Pair = ONE,
    groups: int = 1,
) -> Any:
    """Stamp the filter onto an image of `output_size` at every place, as strongly as `x` says there."""
    n, features, in_h, in_w = x.shape
    _, channels, kh, kw = weight.shape
    stamps = weight.reshape(groups, features // groups, -1).swapaxes(1, 2)
    pieces = np.matmul(stamps, x.reshape(n, groups, features // groups, in_h * in_w))
    pieces = pieces.reshape(n, channels * groups, kh, kw, in_h, in_w)
    top, bottom, left, right = paddings
    shape = (n, channels * groups, output_size[0] + top + bottom, output_size[1] + left + right)
    return shrink(add_windows(np.zeros(shape, pieces.dtype), pieces, (kh, kw), strides, dilations), paddings)


@conv2d_transpose.gradient("x")
def _(dy: Value, weight: Value, strides: Any, paddings: Any, dilations: Any, groups: int) -> Value:
    return conv2d(dy, weight, strides, paddings, dilations, groups)


@conv2d_transpose.gradient("weight")
def _(
    dy: Value, x: Value, weight_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
) -> Value:
    return conv2d_filter_grad(dy, x, tuple(weight_shape[2:]), strides, paddings, dilations, groups)


def _infer_filter_grad(
    x: Meta,
    dy: Meta,
    ksize: Pair = ONE,
    strides: Pair = ONE,
    paddings: Pads = NONE,
    dilations: Pair = ONE,
    groups: int = 1,
) -> Meta:
    """Shape rule: [N, C, H, W] and [N, O, OH, OW] give [O, C / groups, kh, kw]."""
    return Meta((dy.shape[1], x.shape[1] // groups, *ksize), x.dtype)


def _example_filter_grad(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    attrs = {"ksize": (2, 2), "strides": (2, 1), "paddings": (1, 0, 0, 1), "dilations": (1, 2), "groups": 2}
    return [rng.uniform(-1, 1, (2, 4, 4, 4)), rng.uniform(-1, 1, (2, 2, 2, 3))], attrs


@operator(
    "conv2d_filter_grad", "Input, DOutput -> DFilter", kinds="biuf", infer=_infer_filter_grad,
    example=_example_filter_grad,
    latex=r"\bar w_{ocij} = \sum_{nhw} x_{nc,h+i,w+j}\, \bar y_{nohw}",
)  # fmt: skip
def conv2d_filter_grad(
    x: Array,
    dy: Array,
    ksize: Pair = ONE,
    strides: Pair = ONE,
    paddings: Pads = NONE,
    dilations: Pair = ONE,
    groups: int = 1,
) -> Any:
    """Correlate images with the gradient of their feature maps: the gradient of the filter."""
    n, features, out_h, out_w = dy.shape
    columns = _columns(x, ksize, strides, paddings, dilations, groups)
    signal = dy.reshape(n, groups, features // groups, out_h * out_w)
    per_image = np.matmul(signal, columns.swapaxes(2, 3))
    return np.add.reduce(per_image).reshape(features, x.shape[1] // groups, *ksize)


@conv2d_filter_grad.gradient("x")
def _(
    dy_: Value, dy: Value, x_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
) -> Value:
    return conv2d_transpose(dy, dy_, tuple(x_shape[2:]), strides, paddings, dilations, groups)


@conv2d_filter_grad.gradient("dy")
def _(dy_: Value, x: Value, strides: Any, paddings: Any, dilations: Any, groups: int) -> Value:
    return conv2d(x, dy_, strides, paddings, dilations, groups)
