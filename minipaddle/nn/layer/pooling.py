"""Pooling layers: functions with their arguments kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.nn import functional as F
from minipaddle.nn.layer.layers import Layer


class _Pool(Layer):
    """Windows of one size."""

    function: Callable[..., Any]

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, **options: Any) -> None:
        super().__init__()
        self.ksize, self.stride, self.padding, self.options = kernel_size, stride, padding, options

    def forward(self, x: Any) -> Any:
        """Reduce each window."""
        return type(self).function(x, self.ksize, self.stride, self.padding, **self.options)

    def extra_repr(self) -> str:
        """Return the windows."""
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


class MaxPool2D(_Pool):
    """Reduces windows to their maximum; see :func:`minipaddle.nn.functional.max_pool2d`."""

    function = staticmethod(F.max_pool2d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            padding,
            return_mask=return_mask,
            ceil_mode=ceil_mode,
            data_format=data_format,
        )


class AvgPool2D(_Pool):
    """Reduces windows to their mean; see :func:`minipaddle.nn.functional.avg_pool2d`."""

    function = staticmethod(F.avg_pool2d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(
            kernel_size, stride, padding, ceil_mode=ceil_mode, exclusive=exclusive,
            divisor_override=divisor_override, data_format=data_format,
        )  # fmt: skip


class MaxPool1D(_Pool):
    """Reduces windows of sequences to their maximum; see :func:`minipaddle.nn.functional.max_pool1d`."""

    function = staticmethod(F.max_pool1d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode)


class AvgPool1D(_Pool):
    """Reduces windows of sequences to their mean; see :func:`minipaddle.nn.functional.avg_pool1d`."""

    function = staticmethod(F.avg_pool1d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        exclusive: bool = True,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode)


class AdaptiveAvgPool2D(Layer):
    """Averages images into `output_size` bins; see :func:`minipaddle.nn.functional.adaptive_avg_pool2d`."""

    def __init__(self, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__()
        self._output_size, self._data_format = output_size, data_format

    def forward(self, x: Any) -> Any:
        """[N, C, H, W] becomes [N, C, *output_size]."""
        return F.adaptive_avg_pool2d(x, self._output_size, self._data_format)

    def extra_repr(self) -> str:
        """Return the size."""
        return f"output_size={self._output_size}"


class AdaptiveAvgPool1D(Layer):
    """Averages sequences into `output_size` bins."""

    def __init__(self, output_size: int, name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> Any:
        """[N, C, L] becomes [N, C, output_size]."""
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self) -> str:
        """Return the size."""
        return f"output_size={self.output_size}"


class AdaptiveMaxPool2D(Layer):
    """Reduces images to the maximum of each of `output_size` bins."""

    def __init__(self, output_size: Any, return_mask: bool = False, name: str | None = None) -> None:
        super().__init__()
        self._output_size, self._return_mask = output_size, return_mask

    def forward(self, x: Any) -> Any:
        """[N, C, H, W] becomes [N, C, *output_size]."""
        return F.adaptive_max_pool2d(x, self._output_size, self._return_mask)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"output_size={self._output_size}, return_mask={self._return_mask}"
