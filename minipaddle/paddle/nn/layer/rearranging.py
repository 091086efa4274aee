"""Layers that few scripts need: rearrangements, and functions with their arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn.functional import vision
from minipaddle.paddle.nn.functional.upsampling import interpolate
from minipaddle.paddle.nn.layer.function_layers import Kept
from minipaddle.paddle.nn.layer.layers import Layer


class PixelShuffle(Kept, function=vision.pixel_shuffle, shown="upscale_factor data_format?"):
    """Makes images larger out of channels: [N, C r^2, H, W] becomes [N, C, H r, W r]."""

    def __init__(self, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> None:
        if not isinstance(upscale_factor, int):
            raise TypeError("upscale factor must be int type")
        vision.check_layout(data_format)
        super().__init__(upscale_factor, data_format, name)


class PixelUnshuffle(Kept, function=vision.pixel_unshuffle, shown="downscale_factor data_format?"):
    """Makes channels out of pixels: [N, C, H r, W r] becomes [N, C r^2, H, W]."""

    def __init__(self, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> None:
        vision.check_factor(downscale_factor, "Downscale factor")
        vision.check_layout(data_format)
        super().__init__(downscale_factor, data_format, name)


class Fold(Layer):
    """Adds windows up to images; see ``nn.functional.fold``."""

    def __init__(
        self, output_sizes: Any, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.output_sizes, self.kernel_sizes, self.dilations = output_sizes, kernel_sizes, dilations
        self.paddings, self.strides = paddings, strides

    def forward(self, input: Any) -> Any:
        """[N, C kh kw, windows] becomes [N, C, H, W]."""
        return vision.fold(
            input, self.output_sizes, self.kernel_sizes, self.strides, self.paddings, self.dilations
        )

    def extra_repr(self) -> str:
        """Return the windows."""
        windows = f"kernel_size={self.kernel_sizes}, dilation={self.dilations}"
        return f"{windows}, padding={self.paddings}, stride={self.strides}"


class Unfold(Layer):
    """Lays the windows of images out as columns; see ``nn.functional.unfold``."""

    def __init__(
        self,
        kernel_sizes: Any,
        dilations: Any = 1,
        paddings: Any = 0,
        strides: Any = 1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_sizes, self.dilations = kernel_sizes, dilations
        self.paddings, self.strides = paddings, strides

    def forward(self, input: Any) -> Any:
        """[N, C, H, W] becomes [N, C kh kw, windows]."""
        return vision.unfold(input, self.kernel_sizes, self.strides, self.paddings, self.dilations)

    def extra_repr(self) -> str:
        """Return the windows."""
        windows = f"kernel_size={self.kernel_sizes}, dilation={self.dilations}"
        return f"{windows}, padding={self.paddings}, stride={self.strides}"


class Upsample(Layer):
    """Gives sequences, images or volumes another size; the arguments are those of ``nn.functional.interpolate``."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: str | None = None,
        recompute_scale_factor: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode.lower()
        self.align_corners, self.align_mode, self.data_format = align_corners, align_mode, data_format
        self.recompute_scale_factor = recompute_scale_factor
        self.name = name

    def forward(self, x: Any) -> Any:
        """[N, C, ...] becomes [N, C, new size]."""
        return interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.align_mode, self.data_format,
            self.recompute_scale_factor,
        )  # fmt: skip

    def _size_repr(self) -> str:
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor}"
        return f"size={self.size}"

    def extra_repr(self) -> str:
        """Return the options."""
        return (
            f"{self._size_repr()}, mode={self.mode}, align_corners={self.align_corners}, "
            f"align_mode={self.align_mode}, data_format={self.data_format}"
        )


class UpsamplingNearest2D(Upsample):
    """Gives images another size, each pixel that of the nearest old one."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        size = [size, size] if isinstance(size, int) else size
        super().__init__(size, scale_factor, "nearest", data_format=data_format, name=name)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"{self._size_repr()}, data_format={self.data_format}"


class UpsamplingBilinear2D(UpsamplingNearest2D):
    """Gives images another size by bilinear interpolation; the corners stay where they are."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__(size, scale_factor, data_format, name)
        self.mode, self.align_corners = "bilinear", True
