"""Normalisation layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.parameter.create import ParamAttr, named_as


class _Affine(Layer):
    """A layer that scales (first by 1) and shifts (first by 0) its normalised input."""

    def _affine(self, shape: list[int], weight_attr: Any, bias_attr: Any) -> tuple[Any, Any]:
        scale = self.create_parameter(shape, weight_attr, default_initializer=Constant(1.0))
        return scale, self.create_parameter(shape, bias_attr, is_bias=True)


class _BatchNorm(_Affine):
    """Base of batch normalisations: scale, shift, running averages."""

    layout = "NCHW"
    ndims: tuple[int, ...] = ()
    """The allowed numbers of axes of the input; (): any."""

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._data_format = data_format or self.layout
        self._use_global_stats = use_global_stats
        self.weight, self.bias = self._affine([num_features], weight_attr, bias_attr)
        self._mean = self._average(0.0)
        self._variance = self._average(1.0)

    def _average(self, start: float) -> Any:
        """Return a running average: as in Paddle a parameter, but one that no optimizer changes."""
        attr = ParamAttr(initializer=Constant(start), trainable=False)
        made = self.create_parameter([self._num_features], attr)
        made.is_buffer = True
        return made

    def forward(self, input: Value) -> Any:
        """Normalise every channel; while training, update the averages."""
        if self.ndims and len(input.shape) not in self.ndims:
            expected = " or ".join(f"{ndim}D" for ndim in self.ndims)
            raise ValueError(f"expected {expected} input (got {len(input.shape)}D input)")
        return F.batch_norm(
            input, self._mean, self._variance, self.weight, self.bias, self.training, self._momentum,
            self._epsilon, self._data_format, self._use_global_stats,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        text = f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        return text + (f", data_format={self._data_format}" if self._data_format != "NCHW" else "")


class BatchNorm2D(_BatchNorm):
    """Normalises every channel of images [N, C, H, W] over the batch; see ``nn.functional.batch_norm``."""

    ndims = (4,)


class BatchNorm1D(_BatchNorm):
    """Normalises every channel of [N, C] or [N, C, L] over the batch."""

    layout, ndims = "NCL", (2, 3)


class BatchNorm3D(_BatchNorm):
    """Normalises every channel of [N, C, D, H, W] over the batch."""

    layout, ndims = "NCDHW", (5,)


class BatchNorm(_BatchNorm):
    """The older form, for any number of axes; `act` names a function that is applied afterwards."""

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        use_global_stats: bool = False,
    ) -> None:
        super().__init__(
            num_channels, momentum, epsilon, param_attr, bias_attr, data_layout, use_global_stats or None
        )
        self._act = act
        self.training = not is_test

    def forward(self, input: Value) -> Any:
        """Normalise, then apply `act`."""
        y = super().forward(input)
        return y if self._act is None else getattr(F, self._act)(y)

    def extra_repr(self) -> str:
        """Return nothing, as Paddle does."""
        return ""


class LayerNorm(_Affine):
    """Normalises over the last axes; see ``nn.functional.layer_norm``. Weight and bias are flat."""

    def __init__(
        self,
        normalized_shape: Any,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._normalized_shape = list(np.atleast_1d(normalized_shape).tolist())
        self._epsilon = epsilon
        self.weight, self.bias = self._affine([int(np.prod(self._normalized_shape))], weight_attr, bias_attr)

    def forward(self, input: Value) -> Any:
        """Normalise, scale and shift."""
        return F.layer_norm(input, self._normalized_shape, self.weight, self.bias, self._epsilon)

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(_Affine):
    """Normalises each image over groups of channels; see :func:`minipaddle.paddle.nn.functional.group_norm`."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_groups, self._num_channels = num_groups, num_channels
        self._epsilon, self._data_format = epsilon, data_format
        self.weight, self.bias = self._affine([num_channels], weight_attr, bias_attr)

    def forward(self, input: Value) -> Any:
        """Normalise, scale and shift."""
        with named_as(self):
            return F.group_norm(
                input, self._num_groups, self._epsilon, self.weight, self.bias, self._data_format
            )

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        return f"num_groups={self._num_groups}, num_channels={self._num_channels}, epsilon={self._epsilon}"


class InstanceNorm2D(_Affine):
    """Normalises every channel of every image by itself."""

    layout = "NCHW"

    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_features, self._epsilon = num_features, epsilon
        self._data_format = data_format or self.layout
        self.scale, self.bias = self._affine([num_features], weight_attr, bias_attr)

    def forward(self, input: Value) -> Any:
        """Normalise, scale and shift."""
        return F.instance_norm(
            input, weight=self.scale, bias=self.bias, eps=self._epsilon, data_format=self._data_format
        )

    def extra_repr(self) -> str:
        """Return the options for ``repr``."""
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(InstanceNorm2D):
    """Normalises every channel of every sequence [N, C, L] by itself."""

    layout = "NCL"


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all processes; here there is only one, so it is ``BatchNorm``."""

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, name=name)

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """Return `layer` with all batch normalisations in it replaced; their parameters are shared, not copied."""
        made = layer
        if isinstance(layer, _BatchNorm) and not isinstance(layer, cls):
            made = cls(layer._num_features, layer._momentum, layer._epsilon, data_format=layer._data_format)
            made.weight, made.bias = layer.weight, layer.bias
            made._mean, made._variance = layer._mean, layer._variance
            made.training = layer.training
        for name, child in layer.named_children():
            made.add_sublayer(name, cls.convert_sync_batchnorm(child))
        return made


__getattr__ = missing(__name__, globals())
