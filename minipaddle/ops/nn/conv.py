r"""Convolution of images and volumes, and the two operators that are its gradients.

Convolution :math:`y = x * w` is linear in the image and linear in the filter, so three operators are closed under
differentiation: each is the gradient of the other two.

========================  =====================  =========================================
operator                  from                   gives
========================  =====================  =========================================
``conv2d``                image, filter          feature map
``conv2d_transpose``      feature map, filter    image (the gradient for the image)
``conv2d_filter_grad``    image, feature map     filter (the gradient for the filter)
========================  =====================  =========================================

All three lay out the windows as columns and leave the work to one matrix product. They are defined for any number of
axes, and instantiated for two (``conv2d``) and three (``conv3d``); a sequence is an image one pixel high.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Attrs, Meta, Operator, Shape, Value, invalid, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.nn.window import (
    PADDINGS,
    Pads,
    Sizes,
    add_windows,
    enlarge,
    output_sizes,
    shrink,
    windows,
)

AXES = (2, 3)
"""Images and volumes."""
_LAYOUTS = {2: "NCHW", 3: "NCDHW"}
Window = tuple[Sizes, Pads, Sizes, int]
"""The attributes of a convolution, shared by its gradients: strides, paddings, dilations, groups."""


def _columns(x: Array, ksize: Sizes, strides: Sizes, paddings: Pads, dilations: Sizes, groups: int) -> Array:
    """Copy the windows of [N, C, H, W] into columns [N, groups, C / groups * kh * kw, OH * OW]."""
    found = windows(enlarge(x, paddings), ksize, strides, dilations)
    n, c, *rest = found.shape
    depth = c // groups * int(np.prod(rest[: len(ksize)]))
    return found.reshape(n, groups, depth, int(np.prod(rest[len(ksize) :])))


def _attrs(axes: int) -> Attrs:
    """Return attributes for an example: different for each axis, and each with an effect."""
    strides, dilations, paddings = (1, 2, 1)[-axes:], (1, 1, 2)[-axes:], (0, 0, 1, 0, 0, 1)[-2 * axes :]
    return {"strides": strides, "paddings": paddings, "dilations": dilations, "groups": 2}


def _shapes(axes: int) -> tuple[Shape, Shape, Shape]:
    """Return the shapes of image, filter and feature map of that example."""
    return (2, 4, *(2, 4, 4)[-axes:]), (2, 2, *(1, 2, 2)[-axes:]), (2, 2, *(2, 2, 3)[-axes:])


def _check_channels(x: Meta, weight: Meta, groups: int, axes: int) -> None:
    """Raise for channels that do not fit."""
    if x.ndim != axes + 2:
        raise invalid(
            f"Input x should be {axes + 2}D tensor, but received x with the shape of {list(x.shape)}"
        )
    if weight.ndim != axes + 2:
        raise invalid(f"The filter should be {axes + 2}D tensor, but received shape {list(weight.shape)}.")
    if x.shape[1] not in (-1, weight.shape[1] * groups):
        raise invalid(
            "The number of input's channels should be equal to filter's channels * groups for Op(Conv). But "
            f"received: the input's channels is {x.shape[1]}, the input's shape is {list(x.shape)}; the filter's "
            f"channels is {weight.shape[1]}, the filter's shape is {list(weight.shape)}; the groups is {groups}.",
            "images are [batch, channels, height, width], filters [out, in / groups, height, width]",
        )


_OF_BOTH: Any = {"kinds": "biuf", "prepare": alike_pair, "outputs": ("output",)}
"""Options of a convolution and of its transpose."""


def _define_conv(axes: int) -> Operator:
    """Define ``conv2d`` or ``conv3d``."""
    ones, none = (1,) * axes, (0, 0) * axes

    def infer(x: Meta, weight: Meta, strides: Sizes, paddings: Pads, dilations: Sizes, groups: int) -> Meta:
        _check_channels(x, weight, groups, axes)
        counts = output_sizes(x.shape[2:], weight.shape[2:], strides, paddings, dilations)
        return Meta((x.shape[0], weight.shape[0], *counts), x.dtype)

    @listed(
        Listing(paddings=PADDINGS, padding_algorithm="EXPLICIT", data_format=_LAYOUTS[axes]),
        inputs="Input, Filter",
    )
    @tried_with(*_shapes(axes)[:2], within=(-1, 1), **_attrs(axes))
    @operator(f"conv{axes}d", name=f"conv{axes}d", infer=infer, **_OF_BOTH)
    def conv(
        x: Array,
        weight: Array,
        *,
        strides: Sizes = ones,
        paddings: Pads = none,
        dilations: Sizes = ones,
        groups: int = 1,
    ) -> Array:
        """Slide a filter [O, C / groups, kh, kw] over images [N, C, H, W] (cross-correlation)."""
        columns = _columns(x, weight.shape[2:], strides, paddings, dilations, groups)
        out = np.matmul(weight.reshape(groups, len(weight) // groups, -1), columns)
        counts = output_sizes(x.shape[2:], weight.shape[2:], strides, paddings, dilations)
        return out.reshape(len(x), len(weight), *counts)

    @conv.gradient("x")
    def _(
        dy: Value, weight: Value, x_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
    ) -> Value:
        return CONV_TRANSPOSE[axes](dy, weight, tuple(x_shape[2:]), strides, paddings, dilations, groups)

    @conv.gradient("weight")
    def _(
        dy: Value, x: Value, weight_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
    ) -> Value:
        return _FILTER_GRAD[axes](x, dy, tuple(weight_shape[2:]), (strides, paddings, dilations, groups))

    return conv


def _define_transpose(axes: int) -> Operator:
    """Define ``conv2d_transpose`` or ``conv3d_transpose``."""
    ones, none = (1,) * axes, (0, 0) * axes

    def infer(x: Meta, weight: Meta, output_size: Sizes, groups: int, **attrs: Any) -> Meta:
        for name, meta in (("Input", x), ("Filter", weight)):
            if meta.ndim != axes + 2:
                raise invalid(
                    f"{name} of Op(conv{axes}d_transpose) should be {axes + 2}-D, but received {list(meta.shape)}."
                )
        if -1 not in (x.shape[1], weight.shape[0]) and x.shape[1] != weight.shape[0]:
            raise invalid(
                "The number of input channels should be equal to filter channels for Op(conv_transpose). But "
                f"received: the input's shape is {list(x.shape)}, the filter's shape is {list(weight.shape)}.",
                "filters of a transposed convolution are [in, out / groups, height, width]",
            )
        return Meta((x.shape[0], weight.shape[1] * groups, *output_size), x.dtype)

    image, filters, features = _shapes(axes)

    @listed(
        Listing(paddings=PADDINGS, padding_algorithm="EXPLICIT", data_format="NCHW", output_padding=[]),
        inputs="Input, Filter",
    )
    @tried_with(features, filters, within=(-1, 1), output_size=image[2:], **_attrs(axes))
    @operator(f"conv{axes}d_transpose", name=f"conv{axes}d_transpose", infer=infer, **_OF_BOTH)
    def transpose(
        x: Array,
        weight: Array,
        *,
        output_size: Sizes = ones,
        strides: Sizes = ones,
        paddings: Pads = none,
        dilations: Sizes = ones,
        groups: int = 1,
    ) -> Any:
        """Add the filter to an image of `output_size` at every position, scaled by `x` there."""
        n, features, *counts = x.shape
        _, channels, *ksize = weight.shape
        stamps = weight.reshape(groups, features // groups, -1).swapaxes(1, 2)
        pieces = np.matmul(stamps, x.reshape(n, groups, features // groups, int(np.prod(counts))))
        pieces = pieces.reshape(n, channels * groups, *ksize, *counts)
        before, after = paddings[::2], paddings[1::2]
        size = [sum(three) for three in zip(output_size, before, after, strict=True)]
        image = np.zeros((n, channels * groups, *size), pieces.dtype)
        return shrink(add_windows(image, pieces, tuple(ksize), strides, dilations), paddings)

    @transpose.gradient("x")
    def _(dy: Value, weight: Value, strides: Any, paddings: Any, dilations: Any, groups: int) -> Value:
        return CONV[axes](dy, weight, strides, paddings, dilations, groups)

    @transpose.gradient("weight")
    def _(
        dy: Value, x: Value, weight_shape: Shape, strides: Any, paddings: Any, dilations: Any, groups: int
    ) -> Value:
        return _FILTER_GRAD[axes](dy, x, tuple(weight_shape[2:]), (strides, paddings, dilations, groups))

    return transpose


def _define_filter_grad(axes: int) -> Operator:
    """Define ``conv2d_filter_grad`` or ``conv3d_filter_grad``."""

    def infer(x: Meta, dy: Meta, ksize: Sizes, window: Window) -> Meta:
        return Meta((dy.shape[1], x.shape[1] // window[3], *ksize), x.dtype)

    image, filters, features = _shapes(axes)
    window = tuple(_attrs(axes).values())

    @listed(inputs="Input, DOutput", outputs="DFilter")
    @tried_with(image, features, within=(-1, 1), ksize=filters[2:], window=window)
    @operator(
        f"conv{axes}d_filter_grad",
        kinds="biuf",
        infer=infer,
        name=f"conv{axes}d_filter_grad",
        outputs=("dfilter",),
    )
    def filter_grad(x: Array, dy: Array, *, ksize: Sizes, window: Window) -> Array:
        """Correlate images with the gradient of their feature maps: the gradient of the filter."""
        n, features, *counts = dy.shape
        groups = window[3]
        columns = _columns(x, ksize, *window)
        signal = dy.reshape(n, groups, features // groups, int(np.prod(counts)))
        per_image = np.matmul(signal, columns.swapaxes(2, 3))
        return np.add.reduce(per_image).reshape(features, x.shape[1] // groups, *ksize)

    @filter_grad.gradient("x")
    def _(dy_: Value, dy: Value, x_shape: Shape, window: Window) -> Value:
        return CONV_TRANSPOSE[axes](dy, dy_, tuple(x_shape[2:]), *window)

    filter_grad.gradient("dy")(lambda dy_, x, window: CONV[axes](x, dy_, *window))

    return filter_grad


CONV = {axes: _define_conv(axes) for axes in AXES}
CONV_TRANSPOSE = {axes: _define_transpose(axes) for axes in AXES}
_FILTER_GRAD = {axes: _define_filter_grad(axes) for axes in AXES}
