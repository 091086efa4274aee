"""Layers that give images another size: ``nn.functional.interpolate`` with its arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.nn.functional.upsampling import interpolate
from minipaddle.nn.layer.layers import Layer


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
