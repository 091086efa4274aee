"""Layers that few scripts need: rearranged pixels, windows as columns, images of another size."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn.functional import vision
from minipaddle.paddle.nn.functional.upsampling import interpolate
from minipaddle.paddle.nn.layer.function_layers import FunctionLayer


class PixelShuffle(FunctionLayer, function=vision.pixel_shuffle, shown="upscale_factor data_format? name?"):
    """Turns channels into pixels: [N, C r^2, H, W] becomes [N, C, H r, W r]."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not isinstance(self.upscale_factor, int):
            raise TypeError("upscale factor must be int type")
        vision.check_layout(self.data_format)


class PixelUnshuffle(
    FunctionLayer, function=vision.pixel_unshuffle, shown="downscale_factor data_format? name?"
):
    """Turns pixels into channels: [N, C, H r, W r] becomes [N, C r^2, H, W]."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        vision.check_factor(self.downscale_factor, "Downscale factor")
        vision.check_layout(self.data_format)


class Unfold(FunctionLayer, function=vision.unfold, order="kernel_sizes dilations paddings strides"):
    """Returns the windows of images as columns; see ``nn.functional.unfold``."""

    def extra_repr(self) -> str:
        """Return the sizes of the windows, for ``repr``."""
        windows = f"kernel_size={self.kernel_sizes}, dilation={self.dilations}"
        return f"{windows}, padding={self.paddings}, stride={self.strides}"


class Fold(Unfold, function=vision.fold, order="output_sizes kernel_sizes dilations paddings strides"):
    """Sums windows in images; see ``nn.functional.fold``."""


class Upsample(FunctionLayer, function=interpolate, shown="mode align_corners align_mode data_format"):
    """Resizes sequences, images or volumes; the arguments are those of ``nn.functional.interpolate``."""

    mode: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.mode = self.mode.lower()

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        wanted = "size" if self.scale_factor is None else "scale_factor"
        return f"{wanted}={getattr(self, wanted)}, {super().extra_repr()}"


class UpsamplingNearest2D(Upsample):
    """Resizes images; each pixel has the value of the nearest old pixel."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        size = [size, size] if isinstance(size, int) else size
        super().__init__(size, scale_factor, "nearest", data_format=data_format, name=name)
        self._shown = ["data_format"]
