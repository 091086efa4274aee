"""Layers with PyTorch's arguments."""

from __future__ import annotations

from math import sqrt
from typing import Any

from minipaddle.paddle.compat.arguments import not_paddles
from minipaddle.paddle.compat.nn import functional
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn import init
from minipaddle.paddle.nn.layer.layers import Layer


class _AvgPool(Layer):
    """Reduces windows to their mean; the subclasses say of how many axes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1D(_AvgPool):
    """Reduces windows of sequences to their mean; a border counts, unless `count_include_pad` is False."""

    @not_paddles("exclusive name", "nn.AvgPool1D")
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.kernel_size, self.stride, self.padding = (
            tuple(size) if hasattr(size, "__iter__") else (size,)
            for size in (self.kernel_size, self.stride, self.padding)
        )

    def forward(self, input: Any) -> Any:
        """Return the means."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, not self.count_include_pad, self.ceil_mode
        )


class AvgPool2D(_AvgPool):
    """Reduces windows of images to their mean; `divisor_override` divides instead of the number of entries."""

    __init__ = not_paddles("exclusive data_format name", "nn.AvgPool2D")(_AvgPool.__init__)

    def forward(self, input: Any) -> Any:
        """Return the means."""
        return F.avg_pool2d(input, *_told(self))


class AvgPool3D(_AvgPool):
    """Reduces windows of volumes to their mean; `divisor_override` divides instead of the number of entries."""

    __init__ = not_paddles("exclusive data_format name", "nn.AvgPool3D")(_AvgPool.__init__)

    def forward(self, input: Any) -> Any:
        """Return the means."""
        return F.avg_pool3d(input, *_told(self))


def _told(layer: Any) -> tuple[Any, ...]:
    sizes = layer.kernel_size, layer.stride, layer.padding
    return *sizes, layer.ceil_mode, not layer.count_include_pad, layer.divisor_override


class Linear(Layer):
    """Computes ``x @ weight.T + bias``: the weight is [outputs, inputs]; both begin as PyTorch draws them."""

    @not_paddles("weight_attr bias_attr name", "nn.Linear")
    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = self.create_parameter([out_features, in_features], dtype=dtype)
        self.bias = self.create_parameter([out_features], dtype=dtype, is_bias=True) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weight and the bias anew, evenly within ``1 / sqrt(in_features)``."""
        init.kaiming_uniform_(self.weight, a=sqrt(5))
        if self.bias is not None:
            bound = 1 / sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        """Return the product, and the bias added."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the sizes."""
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"


class Softmax(Layer):
    """Turns entries into shares that add up to 1 along `dim`."""

    @not_paddles("axis", "nn.Softmax")
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Return the shares."""
        return functional.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """Return the axis."""
        return f"dim={self.dim}"


class Unfold(Layer):
    """Makes columns of the windows of images."""

    @not_paddles("kernel_sizes dilations paddings strides", "nn.Unfold")
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_sizes, self.dilations = kernel_size, dilation
        self.paddings, self.strides = padding, stride

    def forward(self, input: Any) -> Any:
        """Return the columns."""
        return functional.unfold(input, self.kernel_sizes, self.dilations, self.paddings, self.strides)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (
            f"kernel_size={self.kernel_sizes}, dilation={self.dilations}, "
            f"padding={self.paddings}, stride={self.strides}"
        )
