"""Layers that few scripts need: rearrangements, and functions with their arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.activation.softmax import softmax
from minipaddle.ops.linalg.spectral_norm import spectral_norm
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn.functional import extension, vision
from minipaddle.paddle.nn.functional.upsampling import interpolate
from minipaddle.paddle.nn.initializer import Normal
from minipaddle.paddle.nn.layer.kept import Kept
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.parameter.create import named_as


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


class ChannelShuffle(Kept, function=vision.channel_shuffle, shown="groups data_format?"):
    """Mixes the channels of groups: one of each in turn."""

    def __init__(self, groups: int, data_format: str = "NCHW", name: str | None = None) -> None:
        vision.check_factor(groups, "groups")
        vision.check_layout(data_format)
        super().__init__(groups, data_format, name)


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


class Maxout(Kept, function=extension.maxout, shown="groups axis"):
    """Reduces neighbouring channels to their maximum; see ``nn.functional.maxout``."""


class LocalResponseNorm(Kept, function=extension.local_response_norm, shown="size alpha beta k data_format?"):
    """Divides by what neighbouring channels say; see ``nn.functional.local_response_norm``."""


class Softmax2D(Layer):
    """Softmax over the channels of images [N, C, H, W] or [C, H, W]."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        """Make the channels positive, and 1 in sum."""
        ndim = len(x.shape)
        assert ndim in (3, 4), f"Softmax2D requires a 3D or 4D tensor as input. Received: {ndim}D."
        return softmax(x, -3)


class Unflatten(Layer):
    """Makes several axes of one; -1 in `shape` is worked out."""

    def __init__(self, axis: int, shape: Any, name: str | None = None) -> None:
        super().__init__()
        self.axis, self.shape, self.name = axis, shape, name

    def forward(self, input: Any) -> Any:
        """Give the axis its new shape."""
        ndim = len(input.shape)
        place = self.axis % ndim
        before, after = list(input.shape[:place]), list(input.shape[place + 1 :])
        shape = [int(one) for one in self.shape]
        if -1 in before and input.shape[place] > 0 and -1 in shape:  # a batch that is known later
            known = 1
            for one in shape:
                known *= abs(one)
            shape[shape.index(-1)] = input.shape[place] // known
        return reshape(input, [*before, *shape, *after])

    def extra_repr(self) -> str:
        """Return the options."""
        return f"axis={self.axis}, shape={self.shape}" + (f", name={self.name}" if self.name else "")


class Bilinear(Layer):
    """``x1 @ weight[k] @ x2 + bias[k]``, with weight [out, in1, in2] and bias [1, out]."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._in1_features, self._in2_features, self._out_features = in1_features, in2_features, out_features
        self.weight = self.create_parameter([out_features, in1_features, in2_features], weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        """[N, in1] and [N, in2] become [N, out]."""
        return extension.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (
            f"in1_features={self._in1_features}, in2_features={self._in2_features}, "
            f"out_features={self._out_features}, dtype={self._dtype_name}"
        )


class SpectralNorm(Layer):
    """Divides a weight by its largest singular value, found by power iterations from random vectors.

    Args:
        weight_shape: of the weight that it will be called with.
        dim: which axis has the outputs.
        power_iters: how many iterations.
        eps: keeps lengths away from 0.
        dtype: of the vectors.
    """

    def __init__(
        self,
        weight_shape: Any,
        dim: int = 0,
        power_iters: int = 1,
        eps: float = 1e-12,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._dim, self._power_iters, self._epsilon = dim, power_iters, eps
        shape = list(weight_shape)
        size = 1
        for one in shape:
            size *= one
        assert size > 0, "Any dimension of `weight_shape` cannot be equal to 0."
        assert 0 <= dim < len(shape), (
            f"The input `dim` should be less than the length of `weight_shape`, but got {dim}."
        )
        height = shape[dim]
        self.weight_u = self.create_parameter([height], default_initializer=Normal(0.0, 1.0))
        self.weight_v = self.create_parameter([size // height], default_initializer=Normal(0.0, 1.0))
        self.weight_u.stop_gradient = self.weight_v.stop_gradient = True

    def forward(self, x: Any) -> Any:
        """Return the weight, divided."""
        u, v = self.weight_u, self.weight_v
        with named_as(self):
            return spectral_norm(x, u, v, dim=self._dim, power_iters=self._power_iters, eps=self._epsilon)


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


UpsamplingBilinear2d, UpsamplingNearest2d = UpsamplingBilinear2D, UpsamplingNearest2D
