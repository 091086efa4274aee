"""Convolution layers: one base class for convolutions, one for transposed convolutions."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer.initializer import Initializer
from minipaddle.paddle.nn.initializer.random import Normal
from minipaddle.paddle.nn.initializer.xavier_kaiming import XavierUniform
from minipaddle.paddle.nn.layer.layers import Layer


def _sizes(value: Any, axes: int) -> list[int]:
    return list(value) if isinstance(value, (list, tuple)) else [value] * axes


class _Conv(Layer):
    """Base of convolution layers: arguments, parameters, repr; the class line names the function."""

    function: Callable[..., Any]
    layout: str
    axes: int

    def __init_subclass__(cls, function: Callable[..., Any] | None = None) -> None:
        if function is not None:
            cls.function = staticmethod(function)
            cls.layout = inspect.signature(function).parameters["data_format"].default
            cls.axes = len(cls.layout) - 2

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        output_padding: Any = 0,
    ) -> None:
        super().__init__()
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups.")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of ['zeros', 'reflect', 'replicate', 'circular'], but got "
                f"{padding_mode}"
            )
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size, self._stride = _sizes(kernel_size, self.axes), _sizes(stride, self.axes)
        self._dilation, self._padding, self._padding_mode = _sizes(dilation, self.axes), padding, padding_mode
        self._output_padding = output_padding
        self._data_format = data_format or self.layout
        self.weight = self.create_parameter(
            self._filter_shape(), weight_attr, default_initializer=self._default_initializer()
        )
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def _filter_shape(self) -> list[int]:
        return [self._out_channels, self._in_channels // self._groups, *self._kernel_size]

    def _default_initializer(self) -> Initializer:
        return Normal(0.0, math.sqrt(2.0 / (self._in_channels * math.prod(self._kernel_size))))

    def _bordered(self, x: Value) -> tuple[Any, Any]:
        """Return the input with its border, unless that is zeros, and the padding left to do."""
        if self._padding_mode == "zeros":
            return x, self._padding
        sizes = _sizes(self._padding, self.axes)
        if len(sizes) == self.axes:
            sizes = [size for size in sizes for _ in (0, 1)]
        border = [size for both in list(zip(sizes[::2], sizes[1::2]))[::-1] for size in both]
        return F.pad(x, border, self._padding_mode, data_format=self._data_format), 0

    def forward(self, x: Any) -> Any:
        """[N, in, ...] becomes [N, out, ...]."""
        x, padding = self._bordered(x)
        return self.function(
            x, self.weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format
        )

    def extra_repr(self) -> str:
        """Return the arguments that are not defaults."""
        usual = {
            "stride": [1] * self.axes,
            "padding": 0,
            "padding_mode": "zeros",
            "output_padding": 0,
            "dilation": [1] * self.axes,
            "groups": 1,
            "data_format": None,  # always shown
        }
        values = {name: getattr(self, f"_{name}") for name in usual}
        unusual = [f"{name}={values[name]}" for name in usual if values[name] != usual[name]]
        channels = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        return ", ".join([channels, *unusual])


class Conv2D(_Conv, function=F.conv2d):
    """Slides filters [out, in / groups, kh, kw] over images [N, in, H, W].

    The arguments are those of :func:`minipaddle.paddle.nn.functional.conv2d`.

    The weight is normal with variance 2 / fan-in at first, the bias 0 (``bias_attr=False``: none).
    """


class Conv1D(_Conv, function=F.conv1d):
    """Slides filters [out, in / groups, k] over sequences [N, in, L]; see :class:`Conv2D`."""


class Conv3D(_Conv, function=F.conv3d):
    """Slides filters [out, in / groups, kd, kh, kw] over volumes [N, in, D, H, W]; see :class:`Conv2D`."""


class Conv2DTranspose(_Conv, function=F.conv2d_transpose):
    """Adds filters [in, out / groups, kh, kw] to images: the transposed convolution.

    The arguments are those of :func:`minipaddle.paddle.nn.functional.conv2d_transpose`; the weight is Xavier-uniform
    at first.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, "zeros",
            weight_attr, bias_attr, data_format, output_padding,
        )  # fmt: skip

    def _filter_shape(self) -> list[int]:
        return [self._in_channels, self._out_channels // self._groups, *self._kernel_size]

    def _default_initializer(self) -> Initializer:
        return XavierUniform()

    def forward(self, x: Any, output_size: Any = None) -> Any:
        """[N, in, ...] becomes [N, out, ...]."""
        extra = 0 if output_size is not None else self._output_padding
        return self.function(
            x, self.weight, self.bias, self._stride, self._padding, extra, dilation=self._dilation,
            groups=self._groups, output_size=output_size, data_format=self._data_format,
        )  # fmt: skip


class Conv3DTranspose(Conv2DTranspose, function=F.conv3d_transpose):
    """Adds filters [in, out / groups, kd, kh, kw] to volumes; see :class:`Conv2DTranspose`."""


class Conv1DTranspose(Conv2DTranspose, function=F.conv1d_transpose):
    """Adds filters [in, out / groups, k] to sequences; see :class:`Conv2DTranspose`."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups,
            weight_attr, bias_attr, data_format,
        )  # fmt: skip
