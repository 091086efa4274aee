"""Activation layers: each is a function of ``nn.functional`` with its arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.operator.lazy_loading import of_front
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer import Constant
from minipaddle.paddle.nn.layer.layers import Layer


class _Activation(Layer):
    """A function of one tensor. The class line names it, and its arguments with their defaults."""

    _function: str
    _defaults: dict[str, Any]

    def __init_subclass__(cls, function: str = "", **defaults: Any) -> None:
        if function:  # else it is a class of the user's
            cls._function, cls._defaults = function, defaults

    def __init__(self, *args: Any, name: str | None = None, **kwargs: Any) -> None:
        super().__init__()
        if len(args) > len(self._defaults) or kwargs.keys() - self._defaults.keys():
            names = ", ".join([*self._defaults, "name"])
            raise TypeError(f"{type(self).__name__} takes these arguments: {names}")
        self._options = self._defaults | dict(zip(self._defaults, args, strict=False)) | kwargs

    def forward(self, x: Any) -> Any:
        """Apply the function."""
        return getattr(F, self._function)(x, **self._options)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return ", ".join(f"{name}={value}" for name, value in self._options.items())


class ELU(_Activation, function="elu", alpha=1.0):
    """Smooth below 0: ``alpha (exp(x) - 1)``."""


class GELU(_Activation, function="gelu", approximate=False):
    """``x`` times the probability that a normal number is below it."""


class GLU(_Activation, function="glu", axis=-1):
    """One half of the input, gated by the sigmoid of the other: the size of `axis` is halved, and must be even."""


class Hardsigmoid(_Activation, function="hardsigmoid"):
    """Sigmoid made of three straight lines."""


class Hardswish(_Activation, function="hardswish"):
    """``x`` times a hard sigmoid."""


class LeakyReLU(_Activation, function="leaky_relu", negative_slope=0.01):
    """A little slope below 0."""


class LogSigmoid(_Activation, function="log_sigmoid"):
    """Logarithm of the sigmoid."""


class LogSoftmax(_Activation, function="log_softmax", axis=-1):
    """Logarithm of the softmax."""


class Mish(_Activation, function="mish"):
    """``x tanh(softplus(x))``."""


class ReLU(_Activation, function="relu"):
    """Zero below 0."""


class ReLU6(_Activation, function="relu6"):
    """Zero below 0, 6 above 6."""


class SELU(_Activation, function="selu", scale=1.0507009873554805, alpha=1.6732632423543772):
    """ELU with constants that keep mean and variance."""


class Sigmoid(_Activation, function="sigmoid"):
    """Squashes into (0, 1)."""


class Softmax(_Activation, function="softmax", axis=-1):
    """Positive, and 1 in sum along `axis`."""


class Softplus(_Activation, function="softplus", beta=1, threshold=20):
    """Smooth ReLU."""


class Softshrink(_Activation, function="softshrink", threshold=0.5):
    """Moved towards 0 by `threshold`."""


class Softsign(_Activation, function="softsign"):
    """``x / (1 + |x|)``."""


class Swish(_Activation, function="swish"):
    """``x sigmoid(x)``."""


class Tanh(_Activation, function="tanh"):
    """Squashes into (-1, 1)."""


class Silu(Layer):
    """``x sigmoid(x)``."""

    def __init__(self, inplace: bool = False, name: str | None = None) -> None:
        super().__init__()
        self._inplace = inplace

    def forward(self, x: Any) -> Any:
        """Apply the function."""
        return F.silu(x, self._inplace)

    def extra_repr(self) -> str:
        """Return the argument."""
        return f"inplace={self._inplace}"


class PReLU(Layer):
    """Leaky ReLU whose slope is learned: one for all, or one per channel.

    Args:
        num_parameters: 1 or the number of channels.
        init: the slope at first.
        weight_attr: a ParamAttr, or what becomes one, for the slope.
        data_format: where the channels are.
        name: not used.
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_parameters, self._init, self._data_format = num_parameters, init, data_format
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x: Any) -> Any:
        """Scale what is negative."""
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, init={self._init}, "
            f"dtype={self._dtype_name}"
        )


__getattr__ = of_front(globals(), "minipaddle.paddle.nn")
